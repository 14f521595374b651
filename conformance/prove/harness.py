"""The runner against programs that behave badly: each ends with the verdict it deserves."""

import os
import shlex
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from conformance.check import Check
from conformance.errors import TargetStartError
from conformance.prove.part import Part, Setting
from conformance.runner import run
from conformance.targets import open_target

CHECKS = 3
SECONDS = 0.4
STARTS_NOT = "did not start"
HELLO = """
import json, os, subprocess, sys, time
def say(value):
    sys.stdout.write(json.dumps(value) + "\\n")
    sys.stdout.flush()
def hello():
    say({"id": json.loads(sys.stdin.readline())["id"], "protocol": 1, "name": "bad",
         "ops": ["legal"], "rulesets": ["standard"], "knobs": {}, "parallel": False})
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bad:
    """A program, and the verdicts that it may end with."""

    name: str
    body: str
    wanted: tuple[str, ...]


PROGRAMS = (
    Bad(
        name="exits in the middle of a line",
        body="""
        hello()
        sys.stdin.readline()
        sys.stdout.write('{"id": 1, "tu')
        """,
        wanted=("crash",),
    ),
    Bad(name="sleeps", body="hello(); sys.stdin.readline(); time.sleep(60)", wanted=("hang",)),
    Bad(name="never reads", body="hello(); time.sleep(60)", wanted=("hang",)),
    Bad(name="never says hello", body="time.sleep(60)", wanted=(STARTS_NOT,)),
    Bad(name="exits at once", body="sys.exit(3)", wanted=(STARTS_NOT,)),
    Bad(
        name="prints a banner",
        body='print("Welcome to Euchre!", flush=True); hello()',
        wanted=(STARTS_NOT, "protocol"),
    ),
    Bad(
        name="prints a banner later",
        body="""
        hello()
        for line in sys.stdin:
            print("thinking...", flush=True)
        """,
        wanted=("protocol",),
    ),
    Bad(
        name="answers twice",
        body="""
        hello()
        for line in sys.stdin:
            for _ in range(2):
                say({"id": json.loads(line)["id"], "legal": []})
        """,
        wanted=("fail", "protocol"),
    ),
    Bad(
        name="answers with a wrong id",
        body="""
        hello()
        for line in sys.stdin:
            say({"id": 99, "legal": []})
        """,
        wanted=("protocol",),
    ),
    Bad(
        name="floods standard error",
        body="""
        hello()
        for line in sys.stdin:
            sys.stderr.write("noise " * 400000)
            say({"id": json.loads(line)["id"], "legal": []})
        """,
        wanted=("fail",),
    ),
    Bad(
        name="writes a line of a gigabyte",
        body="""
        hello()
        sys.stdin.readline()
        for _ in range(1 << 14):
            sys.stdout.write("x" * (1 << 16))
        """,
        wanted=("protocol",),
    ),
    Bad(
        name="leaves a grandchild that holds the pipe",
        body="""
        hello()
        child = subprocess.Popen(["sleep", "600"])
        open("grandchild", "w").write(str(child.pid))
        sys.stdin.readline()
        os._exit(0)
        """,
        wanted=("crash", "hang"),
    ),
    Bad(
        name="nests its answer deeply",
        body="""
        hello()
        for line in sys.stdin:
            sys.stdout.write('{"id": 1, "legal": ' + "[" * 100000 + "\\n")
            sys.stdout.flush()
        """,
        wanted=("protocol",),
    ),
)


def harness(setting: Setting) -> Part:
    """Each bad program gets its verdict, and nothing of it is left behind."""
    checks = [
        check
        for check in setting.checks
        if check.ruleset == "standard" and check.case.op == "legal" and not check.case.changes
    ][:CHECKS]
    rows: list[list[str]] = []
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, bad in enumerate(PROGRAMS):
            path = Path(folder) / f"bad{number}.py"
            path.write_text(HELLO + dedent(bad.body), encoding="utf-8")
            said = _verdict(setting, path, checks)
            rows.append([bad.name, " or ".join(bad.wanted), said])
            if said not in bad.wanted:
                problems.append(f"a program that {bad.name} ends with {said}")
        note = Path(folder) / "grandchild"
        if note.is_file() and _lives(int(note.read_text(encoding="ascii"))):
            problems.append("a grandchild that holds the pipe is left behind")
    return Part(
        name="harness",
        title="The runner against programs that behave badly",
        heading=("a program that", "wanted", "got"),
        rows=rows,
        problems=problems,
        figures={"programs": len(rows), "wrong": len(problems)},
    )


def _verdict(setting: Setting, path: Path, checks: list[Check]) -> str:
    """The first verdict of a program that is none of passing."""
    inside = f"import os; os.chdir({str(path.parent)!r}); exec(open({path.name!r}).read())"
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(inside)}"
    target = open_target(f"cmd:{command}", setting.corpus.rulesets, case_seconds=SECONDS)
    try:
        done = run(target, setting.corpus, checks)
    except TargetStartError:
        return STARTS_NOT
    finally:
        target.close()
    words = [result.verdict.value for result in done.results]
    return next((word for word in words if word != "pass"), "pass")


def _lives(pid: int) -> bool:
    """Whether a process is still there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.is_file() or ") Z " not in status.read_text(encoding="ascii")
