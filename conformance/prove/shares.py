"""The reference passes everything; engines that are always wrong fail their share."""

from conformance.lint import lint
from conformance.prove.part import Part, Setting
from conformance.report import by_chapter, failing_share
from conformance.runner import Run, run
from conformance.targets import open_target

ALWAYS_WRONG = 0.9


def _ran(setting: Setting, spec: str) -> Run:
    target = open_target(spec, setting.corpus.rulesets)
    return run(target, setting.corpus, setting.checks, strict=True)


def linted(setting: Setting) -> Part:
    """The corpus is consistent, and the oracle agrees with every case."""
    found = lint(setting.corpus)
    figures = {
        "cases": found.cases,
        "checks": found.checks,
        "quotes checked": found.quotes.checked,
        "quotes not checked": found.quotes.unchecked,
        "problems": len(found.problems),
    }
    return Part(
        name="lint",
        title="Lint: form, reachability, the oracle's word, ids.lock, quotes",
        heading=tuple(figures),
        rows=[[str(value) for value in figures.values()]],
        problems=found.problems,
        figures={**figures},
    )


def reference(setting: Setting) -> Part:
    """The referee passes every check."""
    done = _ran(setting, "referee:")
    rows = [
        [chapter, str(counts.total()), str(sum(counts.values()) - counts.total())]
        for chapter, counts in sorted(by_chapter(done).items())
    ]
    failed = {result.check.case.chapter for result in done.failed()}
    for row in rows:
        row[2] = str(sum(one.check.case.chapter == row[0] for one in done.failed()))
    problems = [f"the referee fails {result.check.id}" for result in done.failed()]
    if done.executed() < len(setting.checks):
        problems.append(f"{len(setting.checks) - done.executed()} checks were not executed")
    return Part(
        name="reference",
        title="The referee passes all",
        heading=("chapter", "checks", "failed"),
        rows=rows,
        problems=problems,
        figures={
            "executed": done.executed(),
            "failed": len(done.failed()),
            "chapters failed": sorted(failed),
        },
    )


def always_wrong(setting: Setting) -> Part:
    """`null:`, `wrong:` and `accept-everything:` fail a stated share of every chapter."""
    shares = {
        spec: failing_share(_ran(setting, spec))
        for spec in ("null:", "wrong:", "accept-everything:")
    }
    chapters = sorted({check.case.chapter for check in setting.checks})
    wanted = setting.explained.accepting
    problems: list[str] = []
    rows: list[list[str]] = []
    for chapter in chapters:
        least = {
            "null:": ALWAYS_WRONG,
            "wrong:": ALWAYS_WRONG,
            "accept-everything:": wanted.get(chapter, 100) / 100,
        }
        row = [chapter]
        for spec, found in shares.items():
            share = found.get(chapter, 0.0)
            row.append(f"{share:.0%} (≥ {least[spec]:.0%})")
            if share < least[spec]:
                problems.append(
                    f"{spec} fails only {share:.0%} of chapter {chapter}, wanted {least[spec]:.0%}"
                )
        rows.append(row)
    return Part(
        name="shares",
        title="What is always wrong fails every chapter",
        heading=("chapter", *shares),
        rows=rows,
        problems=problems,
        figures={spec: {**found} for spec, found in shares.items()},
    )
