"""The suite inside pytest: `pytest --euchre-target "cmd:./my-adapter"`, a test a check.

Nothing is loaded and nothing happens where no target is named on the command line or as
`euchre_target` in the configuration.
"""

from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conformance.pytest_suite import Suite

SUITE: pytest.StashKey["Suite"] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options and settings of the suite."""
    group = parser.getgroup("euchre", "conformance of a Euchre program")
    group.addoption(
        "--euchre-target", metavar="TARGET", help="Ask this program, as cmd:./my-adapter."
    )
    for name, metavar, help_ in (
        ("--euchre-ruleset", "NAME", "Only under this rule set."),
        ("--euchre-rule", "ID", "Only cases of this rule id."),
        ("--euchre-check", "CHECK", "Only this check, as follow-001@standard or follow-*."),
        ("--euchre-baseline", "FILE", "Failures that are known; each is an expected failure."),
    ):
        group.addoption(name, action="append", default=[], metavar=metavar, help=help_)
    group.addoption("--euchre-corpus", metavar="DIR", help="Another folder of cases.")
    group.addoption(
        "--euchre-timeout", type=_seconds, default=2.0, metavar="SECONDS", help="Seconds an answer."
    )
    parser.addini("euchre_target", "The target, where the command line names none.")
    parser.addini("euchre_baseline", "Files of known failures.", type="paths", default=[])


def _seconds(text: str) -> float:
    from conformance.seconds import seconds_of  # noqa: PLC0415 -- only where it is asked for

    try:
        return seconds_of(text)
    except ValueError as err:
        raise ArgumentTypeError(str(err)) from err


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for every check that the target claims to play."""
    spec = config.getoption("--euchre-target") or config.getini("euchre_target")
    if not spec:
        return
    from conformance.errors import SuiteError  # noqa: PLC0415 -- only where it is asked for
    from conformance.pytest_suite import Choice, Suite  # noqa: PLC0415 -- as above

    corpus = config.getoption("--euchre-corpus")
    choice = Choice(
        target=spec,
        corpus=Path(corpus) if corpus else None,
        rules=tuple(config.getoption("--euchre-rule")),
        rulesets=tuple(config.getoption("--euchre-ruleset")),
        checks=tuple(config.getoption("--euchre-check")),
        baselines=tuple(
            map(Path, config.getoption("--euchre-baseline") or config.getini("euchre_baseline"))
        ),
        timeout=config.getoption("--euchre-timeout"),
    )
    try:
        suite = Suite(choice)
    except SuiteError as err:
        raise pytest.UsageError(f"euchre: {err}") from err
    config.stash[SUITE] = suite
    items.extend(suite.items(session))


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """One line on what is asked."""
    suite = config.stash.get(SUITE, None)
    return [suite.heading] if suite is not None else []


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Ask everything at once, before the tests that tell what came of it."""
    config = session.config
    suite = config.stash.get(SUITE, None)
    if suite is None or config.getoption("collectonly"):
        return
    capture = config.pluginmanager.getplugin("capturemanager")
    if capture is None:
        suite.ask(session.items)
        return
    with capture.global_and_fixture_disabled():
        suite.ask(session.items)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End what was started."""
    suite = config.stash.get(SUITE, None)
    if suite is not None:
        suite.target.close()
