"""Judging a program through `cmd:`, beside the same program answering a bare loop.

The program is the Python adapter that the suite prints.
Both send it the same requests with 64 in flight, from its hello on; *bare* writes lines that were
made before and counts the lines that come back, *judged* makes the requests, reads the answers and
judges them.
A fifth of the checks is asked, trees apart.
They take turns in one run; each has a process of its own in every round.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.harness import Goal, ratio, report
from conformance.check import Check, checks_of
from conformance.corpus import Corpus, load
from conformance.runner import Result, greeting, run
from conformance.targets.pipelined import WINDOW
from conformance.targets.process import ProcessTarget

ROUNDS = 7
EACH = 5
ADAPTER = Path(__file__).parents[1] / "conformance/targets/adapters/python/adapter.py"
COMMAND = [sys.executable, str(ADAPTER)]


def judged(corpus: Corpus, checks: Sequence[Check]) -> float:
    """Steps a second, each asked and judged."""
    target = ProcessTarget(f"{sys.executable} {ADAPTER}")
    hello = target.hello(greeting(corpus))
    last = start = perf_counter()

    def see(_: Result) -> None:
        nonlocal last
        last = perf_counter()

    done = run(target, corpus, checks, hello=hello, tell=see)
    if done.exit_code():
        raise SystemExit(f"the adapter does not pass: {done.failed()[:1]} {done.stopped}")
    return sum(len(check.steps) for check in checks) / (last - start)


def bare(greeted: bytes, lines: Sequence[bytes]) -> float:
    """Steps a second, each sent and its answer counted."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        if program.stdin is None or program.stdout is None:
            raise SystemExit("the program has no pipes")
        program.stdin.write(greeted)
        program.stdin.flush()
        program.stdout.readline()
        start = perf_counter()
        program.stdin.write(b"".join(lines[:WINDOW]))
        program.stdin.flush()
        for number in range(len(lines)):
            program.stdout.readline()
            if number + WINDOW < len(lines):
                program.stdin.write(lines[number + WINDOW])
                program.stdin.flush()
        spent = perf_counter() - start
        program.stdin.close()
    return len(lines) / spent


def main() -> None:
    """Measure, print and write `out/adapter.json`."""
    corpus = load()
    target = ProcessTarget(f"{sys.executable} {ADAPTER}")
    hello = target.hello(greeting(corpus))
    target.close()
    checks = [
        check
        for check in checks_of(corpus)
        if check.case.op != "perft"
        and all(step.op in hello.ops for step in check.steps)
        and hello.plays(check.ruleset, check.rules, corpus.rulesets)
    ][::EACH]
    steps = [step for check in checks for step in check.steps]
    lines = [
        json.dumps({"id": number, **step.request}, separators=(",", ":")).encode("ascii") + b"\n"
        for number, step in enumerate(steps, start=1)
    ]
    greeted = json.dumps(greeting(corpus)).encode("ascii") + b"\n"
    rates: dict[str, list[float]] = {"judged": [], "bare": []}
    for _ in range(ROUNDS):
        rates["judged"].append(judged(corpus, checks))
        rates["bare"].append(bare(greeted, lines))
    report(
        "adapter",
        {
            "python": sys.version.split()[0],
            "steps": len(steps),
            "in flight": WINDOW,
            "steps a second, judged": median(rates["judged"]),
            "steps a second, bare": median(rates["bare"]),
            "judged ÷ bare": Goal(ratio(rates, "judged", "bare"), least=0.7),
        },
    )


if __name__ == "__main__":
    main()
