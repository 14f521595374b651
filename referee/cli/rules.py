"""`euchre-referee rules`: the named rule sets and their knobs."""

import json

import click

from referee.rules import KNOBS, PRESETS, preset


@click.group()
def rules() -> None:
    """List the named rule sets, or show the knobs of one."""


@rules.command("list")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def list_rules(*, as_json: bool) -> None:
    """List the named rule sets with what sets each apart from standard."""
    if as_json:
        click.echo(json.dumps(list(PRESETS), indent=2))
        return
    width = max(map(len, PRESETS))
    for name, rule_set in PRESETS.items():
        apart = [
            f"{knob}: {value}"
            for knob, value in rule_set.to_map().items()
            if value != KNOBS[knob].default
        ]
        click.echo(f"{name:<{width}}  {', '.join(apart) or 'every knob at its first value'}")


@rules.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON: every knob as text.")
def show_rules(name: str, *, as_json: bool) -> None:
    """Show every knob of a rule set: its value, the values it knows, the rule it bends."""
    values = preset(name).to_map()
    if as_json:
        click.echo(json.dumps(values, indent=2))
        return
    width = max(map(len, values))
    for knob, value in values.items():
        apart = "" if value == KNOBS[knob].default else "*"
        click.echo(f"{knob:<{width}}  {value + apart:<14}  {KNOBS[knob].rule}")
        click.echo(f"{'':<{width}}  of {KNOBS[knob].values}")
