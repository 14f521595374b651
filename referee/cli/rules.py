"""`euchre-referee rules`: the rule book, its knobs and the named rule sets, in a terminal."""

import json
import shutil
from collections.abc import Iterator

import click

from referee.cli.book import Book, BookCase, BookKnob, Rule, book
from referee.cli.later import command_at
from referee.cli.rulespage import page
from referee.rules import KNOBS, PRESETS, preset

DRAWN = 3
CELL = 21
COMPARE = "compare"


class Chapters(click.Group):
    """The commands by name; the one that plays is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in order."""
        return sorted([*super().list_commands(ctx), COMPARE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None where there is none."""
        if cmd_name == COMPARE:
            return command_at("rulescompare", "compare_rules")
        return super().get_command(ctx, cmd_name)


@click.group(cls=Chapters)
def rules() -> None:
    """Show the rule book: rules with their cases drawn, rule sets, and what sets them apart."""


@rules.command("list")
@click.option("--rules", "by_rule", is_flag=True, help="List the rules instead of the rule sets.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def list_rules(*, by_rule: bool, as_json: bool) -> None:
    """List the named rule sets with what sets each apart from standard; or the rules."""
    if by_rule:
        _list_rules(book(), as_json=as_json)
        return
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


def _list_rules(found: Book, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({name: rule.text for name, rule in found.rules.items()}, indent=2))
        return
    for chapter, title in found.chapters.items():
        own = [rule for rule in found.rules.values() if rule.chapter == chapter]
        if own:
            click.echo(f"\n{title}")
        for rule in own:
            click.echo(f"  {rule.name:<34}{len(found.cases_of(rule.name)):>4}  {rule.text}")


@rules.command("show")
@click.argument("name")
@click.option("--all", "everything", is_flag=True, help="Draw every case of a rule.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON: every knob as text.")
def show_rules(name: str, *, everything: bool, as_json: bool) -> None:
    """Show a rule with its sources, its knobs and its cases drawn; or the knobs of a rule set."""
    found = book()
    if name in found.rules and name not in PRESETS:
        rule = found.rule(name)
        click.echo(json.dumps(_as_json(found, rule), indent=2) if as_json else "", nl=as_json)
        for text in () if as_json else _shown(found, rule, everything=everything):
            click.echo(text)
        return
    if name not in PRESETS:
        found.rule(name)
    values = preset(name).to_map()
    if as_json:
        click.echo(json.dumps(values, indent=2))
        return
    for text in (found.ruleset(name).text, *_from(found, name)):
        click.echo(text)
    width = max(map(len, values))
    for knob, value in values.items():
        apart = "" if value == KNOBS[knob].default else "*"
        click.echo(f"{knob:<{width}}  {value + apart:<14}  {KNOBS[knob].rule}")
        click.echo(f"{'':<{width}}  of {KNOBS[knob].values}")


def _from(found: Book, name: str) -> list[str]:
    """The sources of a rule set, a line each."""
    return [f"  source: {title}" for title in found.ruleset(name).sources]


def _as_json(found: Book, rule: Rule) -> dict[str, object]:
    return {
        "rule": rule.name,
        "chapter": rule.chapter,
        "level": rule.level,
        "text": rule.text,
        "knobs": list(rule.knobs),
        "table_rules": list(rule.table),
        "sources": [[source.title, source.line, source.quote] for source in rule.sources],
        "also": list(rule.also),
        "cases": {case.name: case.title for case in found.cases_of(rule.name)},
    }


def _shown(found: Book, rule: Rule, *, everything: bool) -> Iterator[str]:
    yield f"{rule.name}  ({found.chapters[rule.chapter]}; {rule.level})"
    yield rule.text
    yield rule.standing
    for source in rule.sources:
        yield f'  {source.title}, line {source.line}: "{source.quote}"'
    yield from (f"  also in {title}" for title in rule.also)
    if not rule.sources and not rule.also:
        yield "  a ruling of ours: the pages are silent here, or differ"
    for name in rule.knobs:
        knob = found.knobs[name]
        yield f"  knob {name}: {knob.asks.lower()} ({knob.values})"
    for name in rule.table:
        yield from _table_rule(found.table[name])
    cases = found.cases_of(rule.name)
    for case in cases if everything else cases[:DRAWN]:
        yield from _drawn(case)
    rest = [] if everything else cases[DRAWN:]
    if rest:
        yield f"\n{len(rest)} more cases (--all draws them):"
        yield from (f"  {case.name}  {case.title}" for case in rest)


def _table_rule(knob: BookKnob) -> Iterator[str]:
    yield f"  table rule {knob.name}: {knob.asks.lower()} (at first {knob.default})"
    for value in knob.values.split(", "):
        yield f"    {value}: {knob.of(value if value in knob.words else 'n')}"


def _drawn(case: BookCase) -> Iterator[str]:
    yield f"\n{case.name}  {case.title}"
    if case.why:
        yield f"  {case.why}"
    yield from (f"    {line}" for line in case.drawn)
    changes = " ".join(f"{knob}: {value}" for knob, value in case.changes.items())
    yield f"    under: {' '.join(case.rulesets)}{' with ' + changes if changes else ''}"


@rules.command("diff")
@click.argument("one")
@click.argument("other")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def diff_rules(one: str, other: str, *, as_json: bool) -> None:
    """Show on which knobs two rule sets differ, in the words of a table, and cases that tell."""
    found = book()
    first, second = found.ruleset(one).knobs, found.ruleset(other).knobs
    apart = {knob: (value, second[knob]) for knob, value in first.items() if value != second[knob]}
    if as_json:
        shown = {knob: {one: pair[0], other: pair[1]} for knob, pair in apart.items()}
        click.echo(json.dumps(shown, indent=2))
        return
    if not apart:
        click.echo(f"{one} and {other} are the same")
    for knob, (mine, theirs) in apart.items():
        known = found.knobs[knob]
        click.echo(f"{knob} ({known.rule})")
        for name, value in ((one, mine), (other, theirs)):
            words = known.of(value)
            click.echo(f"  {name:<18}{value:<16}{words}".rstrip())
        for case in found.telling(one, other, known.rule)[:DRAWN]:
            click.echo(f"    {case.name}  {case.title}")


@rules.command("table")
@click.option("--all", "everything", is_flag=True, help="Knobs on which all agree, too.")
def table_rules(*, everything: bool) -> None:
    """Show every rule set beside the others, the knobs on which they differ."""
    maps = {name: rule_set.to_map() for name, rule_set in PRESETS.items()}
    shown = [
        knob for knob in KNOBS if everything or len({found[knob] for found in maps.values()}) > 1
    ]
    first = max(map(len, shown))
    for names in _blocks(list(maps), first, shutil.get_terminal_size().columns):
        click.echo("".join([" " * first, *map(_cell, names)]).rstrip())
        for knob in shown:
            cells = [_cell(maps[name][knob]) for name in names]
            click.echo("".join([f"{knob:<{first}}", *cells]).rstrip())
        click.echo()


def _cell(text: str) -> str:
    return f"  {text:<{CELL}}"


def _blocks(names: list[str], first: int, width: int) -> Iterator[list[str]]:
    """The names in blocks of columns that fit beside the first one."""
    count = max(1, (width - first) // (CELL + 2))
    for start in range(0, len(names), count):
        yield names[start : start + count]


@rules.command("page")
@click.argument("name")
@click.option("--markdown", is_flag=True, help="As Markdown instead of plain text.")
def page_rules(name: str, *, markdown: bool) -> None:
    """Print one page for the table: a rule set in plain words."""
    click.echo(page(book(), name, markdown=markdown), nl=False)
