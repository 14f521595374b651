"""What a run looks like afterwards: a table, a line a failure, one JSON record a result."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from conformance.corpus import Corpus
from conformance.jsontypes import Json
from conformance.levels import standing
from conformance.runner import Result, Run
from conformance.verdict import FAILURES, Verdict

COLUMNS = tuple(Verdict)


def by_chapter(run: Run) -> dict[str, Counter[Verdict]]:
    """How many checks of each chapter got each verdict."""
    table: dict[str, Counter[Verdict]] = {}
    for result in run.results:
        table.setdefault(result.check.case.chapter, Counter())[result.verdict] += 1
    return table


def rows(run: Run) -> tuple[list[str], list[list[str]]]:
    """The table of a run: a heading and a row a chapter, and their sum."""
    table = by_chapter(run)
    used = [verdict for verdict in COLUMNS if any(counts[verdict] for counts in table.values())]
    heading = ["chapter", *(verdict.value for verdict in used), "checks"]
    body = [
        [name, *(str(counts[verdict]) for verdict in used), str(counts.total())]
        for name, counts in sorted(table.items())
    ]
    sums = sum(table.values(), Counter[Verdict]())
    body.append(["all", *(str(sums[verdict]) for verdict in used), str(sums.total())])
    return heading, body


def failing_share(run: Run) -> dict[str, float]:
    """The share of the executed checks of each chapter that failed."""
    shares: dict[str, float] = {}
    for name, counts in by_chapter(run).items():
        done = sum(counts[verdict] for verdict in (*FAILURES, Verdict.PASS, Verdict.DISPUTED))
        failed = sum(counts[verdict] for verdict in FAILURES)
        shares[name] = failed / done if done else 0.0
    return shares


def failure_lines(run: Run) -> Iterator[str]:
    """One line for every case that failed, or that was judged by an alternative."""
    told: dict[str, list[Result]] = {}
    for result in run.results:
        if run.bad(result) or result.verdict is Verdict.DISPUTED:
            told.setdefault(f"{result.word} {result.check.case.id}", []).append(result)
    for heading, results in told.items():
        case = results[0].check.case
        rulesets = " ".join(result.check.ruleset for result in results)
        yield f"{heading} [{rulesets}] {case.title}: {_said(results[0])}"


def _said(result: Result) -> str:
    """What was wrong with the first bad answer."""
    fault = next(iter(result.failures), None)
    if fault is None:
        return f"the target does not offer {result.check.case.op!r}"
    label = f"{fault.step.label}: " if fault.step.label else ""
    stderr = fault.stderr.splitlines()
    tail = f"; it said: {stderr[-1]}" if stderr else ""
    more = f" (and {len(result.failures) - 1} more)" if len(result.failures) > 1 else ""
    return label + "; ".join(fault.problems) + tail + more


def counted(run: Run) -> dict[str, Json]:
    """The totals of a run."""
    verdicts = Counter(result.word for result in run.results)
    return {
        "target": run.target,
        "cases": len({result.check.case.id for result in run.results}),
        "checks": len(run.results),
        "planned": run.planned,
        "executed": run.executed(),
        "verdicts": dict(sorted(verdicts.items())),
        "reasons_not_judged": sum(not result.reason_judged for result in run.results),
        "stopped": run.stopped,
        "levels": standing(run),
        "warnings": list(run.warnings),
        "exit": run.exit_code(),
    }


def record(result: Result) -> dict[str, Json]:
    """One result as JSON."""
    case = result.check.case
    return {
        "check": result.check.id,
        "case": case.id,
        "ruleset": result.check.ruleset,
        "chapter": case.chapter,
        "rules": list(case.rules),
        "importance": case.importance,
        "verdict": result.word,
        "failures": [
            {
                "verdict": fault.verdict.value,
                "problems": list(fault.problems),
                "request": fault.step.request,
                "then": fault.step.then,
                "answer": fault.answer,
                "stderr": fault.stderr,
            }
            for fault in result.failures
        ],
    }


def event_log(corpus: Corpus, runs: Sequence[Run], seed: int | None) -> Iterator[str]:
    """The JSON lines of a run: who was asked what, every result, and the totals."""
    yield line(
        {
            "record": "run",
            "runner": "euchre-conformance",
            "corpus": corpus.sha256,
            "cases": len(corpus.cases),
            "seed": seed,
            "targets": [
                {
                    "target": run.target,
                    "name": run.hello.name,
                    "version": run.hello.version,
                    "language": run.hello.language,
                    "ops": sorted(run.hello.ops),
                    "rulesets": sorted(run.hello.rulesets),
                    "knobs": {knob: list(values) for knob, values in run.hello.knobs.items()},
                }
                for run in runs
            ],
        }
    )
    for run in runs:
        for result in run.results:
            yield line({"record": "result", "target": run.target, **record(result)})
    yield line(
        {
            "record": "end",
            "complete": not any(run.stopped for run in runs),
            "totals": [counted(run) for run in runs],
        }
    )


def line(value: Mapping[str, Json]) -> str:
    """One JSON record on one line."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def worst(codes: Iterable[int]) -> int:
    """The exit code of several that counts."""
    found = set(codes)
    return next((code for code in (5, 4, 130, 6, 1, 3) if code in found), 0)
