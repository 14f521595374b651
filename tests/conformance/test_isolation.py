"""Bad programs: each costs one case, is started again, and nothing of it is left running."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from conformance.check import checks_of
from conformance.corpus import load
from conformance.jsontypes import Json, Record
from conformance.oracle import answer
from conformance.runner import Result, run
from conformance.targets import open_instances
from conformance.targets.base import InProcess, Reply, claims_everything
from tests.conformance.support import ran, said, words

Folder = Callable[..., Path]
Program = Callable[[str], str]


def ends(pid: int) -> bool:
    """Whether a process is gone, or ends within ten seconds."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    readable, _, _ = select.select([watched], [], [], 10)
    os.close(watched)
    return bool(readable)


CULPRITS = {
    "exits": ("sys.exit(1)", "crash"),
    "hangs": ("time.sleep(600)", "hang"),
    "is rubbish": ("print('oops', flush=True)", "protocol"),
    "has another id": ("say({**right(request), 'id': 999})", "protocol"),
    "comes twice": ("say(right(request)); say(right(request))", "protocol"),
}


@pytest.mark.parametrize("name", CULPRITS)
def test_of_many_in_flight_only_the_culprit_is_blamed_after_few_starts(
    corpus_dir: Folder, program: Program, tmp_path: Path, name: str
) -> None:
    does, verdict = CULPRITS[name]
    starts = tmp_path / "starts"
    spec = program(
        f"""
        open({str(starts)!r}, "a").write("x")
        hello(parallel=True)
        for line in sys.stdin:
            request = json.loads(line)
            if request["id"] == 50:
                {does}
            else:
                say(right(request))
        """
    )
    done = ran(corpus_dir(count=80), spec, seconds=0.5)
    assert words(done) == {"small-050": verdict}
    assert len(done.results) == 80
    assert len(starts.read_text()) <= 9


def test_a_culprit_that_is_not_the_oldest_is_found_by_halving(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    starts = tmp_path / "starts"
    spec = program(
        f"""
        import threading
        open({str(starts)!r}, "a").write("x")
        hello(parallel=True)
        kept = []
        for line in sys.stdin:
            request = json.loads(line)
            if request["id"] == 37:
                os._exit(3)
            kept.append(request)
            threading.Timer(0.2, lambda r=request: say(right(r))).start()
        """
    )
    done = ran(corpus_dir(count=64), spec, seconds=5)
    assert words(done) == {"small-037": "crash"}
    assert len(starts.read_text()) <= 10


def test_a_breakdown_that_nobody_causes_alone_still_costs_a_case(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    note = tmp_path / "note"
    spec = program(
        f"""
        hello(parallel=True)
        for line in sys.stdin:
            if not os.path.exists({str(note)!r}):
                open({str(note)!r}, "w").close()
                sys.exit(2)
            say(right(json.loads(line)))
        """
    )
    done = ran(corpus_dir(count=4), spec)
    assert words(done) == {"small-001": "crash"}
    assert said(done) == "exited with 2, with 4 in flight; alone each is answered"


def test_the_last_answer_given_twice_is_seen_too(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            request = json.loads(line)
            say(right(request))
            if request["id"] == 3:
                time.sleep(0.1)
                say(right(request))
        """
    )
    assert words(ran(corpus_dir(count=3), spec)) == {"small-003": "protocol"}


def test_a_program_that_closes_its_output_and_lives_on_is_a_crash(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    spec = program(
        f"""
        open({str(note)!r}, "w").write(str(os.getpid()))
        hello()
        sys.stdin.readline()
        os.close(1)
        time.sleep(600)
        """
    )
    done = ran(corpus_dir(), spec)
    assert words(done) == {"small-001": "crash"}
    assert said(done) == "closed its standard output"
    assert ends(int(note.read_text()))


def test_an_answer_that_trickles_is_a_hang(corpus_dir: Folder, program: Program) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            for letter in json.dumps(right(json.loads(line))) + "\\n":
                sys.stdout.write(letter)
                sys.stdout.flush()
                time.sleep(0.2)
        """
    )
    done = ran(corpus_dir(), spec, seconds=0.7)
    assert words(done) == {"small-001": "hang"}
    assert said(done) == "no answer in time, only the beginning of a line"


def test_a_flood_of_answers_never_asked_for_costs_one_case(
    corpus_dir: Folder, program: Program
) -> None:
    spec = program(
        """
        hello()
        for line in sys.stdin:
            request = json.loads(line)
            if request["id"] == 2:
                for number in range(1000, 400000):
                    sys.stdout.write('{"id": %d}\\n' % number)
            say(right(request))
        """
    )
    assert words(ran(corpus_dir(count=3), spec)) == {"small-002": "protocol"}


@pytest.mark.parametrize("parallel", [False, True])
def test_a_question_always_answered_under_the_id_of_a_closed_one_ends_as_a_breach(
    corpus_dir: Folder, program: Program, tmp_path: Path, *, parallel: bool
) -> None:
    starts = tmp_path / "starts"
    spec = program(
        f"""
        with open({str(starts)!r}, "a") as note:
            note.write("x")
        if os.path.getsize({str(starts)!r}) > 20:
            sys.exit("started again and again")
        hello(parallel={parallel})
        for line in sys.stdin:
            request = json.loads(line)
            say({{**right(request), "id": 1 if request["id"] == 3 else request["id"]}})
        """
    )
    done = ran(corpus_dir(count=6), spec)
    assert words(done)["small-003"] == "protocol"
    assert len(done.results) == 6
    assert not done.stopped


def test_a_program_that_dies_after_each_answer_stops_nothing_but_itself(
    corpus_dir: Folder, program: Program
) -> None:
    spec = program(
        """
        hello(parallel=True)
        say(right(json.loads(sys.stdin.readline())))
        """
    )
    done = ran(corpus_dir(count=6), spec)
    assert set(words(done).values()) == {"crash"}
    assert done.exit_code() == 1


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("does", ["os._exit(3)", "print('next?', flush=True)"])
def test_a_program_that_breaks_the_talk_after_each_answer_is_given_up(
    corpus_dir: Folder, program: Program, does: str, *, parallel: bool
) -> None:
    spec = program(
        f"""
        hello(parallel={parallel})
        for line in sys.stdin:
            say(right(json.loads(line)))
            {does}
        """
    )
    done = ran(corpus_dir(count=30), spec)
    assert len(words(done)) == 5
    assert len(done.results) < 30
    assert done.stopped.startswith("5 breakdowns in a row")


ESCAPES = {
    "a new session": "subprocess.Popen(['sleep', '600'], start_new_session=True)",
    "no environment": "subprocess.Popen(['sleep', '600'], start_new_session=True, env={})",
    "an orphan": (
        "subprocess.Popen([sys.executable, '-c', 'import subprocess, sys;"
        'p = subprocess.Popen(["sleep", "600"], start_new_session=True, env={},'
        " stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        "sys.stderr.write(str(p.pid))'], stderr=subprocess.PIPE)"
    ),
}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux adopts orphans")
@pytest.mark.parametrize("how", ESCAPES)
def test_a_grandchild_that_left_the_process_group_is_ended_too(
    corpus_dir: Folder, program: Program, tmp_path: Path, how: str
) -> None:
    note = tmp_path / "pid"
    spec = program(
        f"""
        import subprocess
        hello()
        child = {ESCAPES[how]}
        pid = child.pid if child.stderr is None else int(child.stderr.read())
        open({str(note)!r}, "w").write(str(pid))
        for line in sys.stdin:
            say(right(json.loads(line)))
        """
    )
    assert words(ran(corpus_dir(), spec)) == {}
    assert ends(int(note.read_text()))


def test_a_runner_that_is_killed_leaves_nothing_running(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    spec = program(
        f"""
        hello()
        open({str(note)!r}, "w").write(str(os.getpid()) + "\\n")
        time.sleep(600)
        """
    )
    arguments = ["run", "-t", spec, "--corpus", str(corpus_dir()), "--timeout", "600"]
    suite = subprocess.Popen(
        [sys.executable, "-c", "from conformance.cli import main; main()", *arguments],
        stdout=subprocess.DEVNULL,
    )
    while not note.exists() or not note.read_text().endswith("\n"):
        assert suite.poll() is None
    suite.send_signal(signal.SIGKILL)
    suite.wait()
    assert ends(int(note.read_text()))


def test_several_instances_share_the_checks(
    corpus_dir: Folder, program: Program, tmp_path: Path
) -> None:
    starts = tmp_path / "starts"
    spec = program(
        f"""
        open({str(starts)!r}, "a").write("x")
        hello()
        for line in sys.stdin:
            say(right(json.loads(line)))
        """
    )
    done = ran(corpus_dir(count=40), spec, jobs=3)
    assert len(starts.read_text()) == 3
    assert sorted(result.check.id for result in done.results) == [
        f"small-{number:03d}@standard" for number in range(1, 41)
    ]
    assert done.exit_code() == 0


def test_several_instances_that_break_down_stop_the_run_too(
    corpus_dir: Folder, program: Program
) -> None:
    done = ran(corpus_dir(count=30), program("hello(); sys.stdin.readline()"), jobs=2)
    assert done.exit_code() == 6
    assert done.stopped.startswith("5 breakdowns in a row")


class Torn(dict[str, Json]):
    """What is wanted, in a state that only a bug of ours could leave it in."""

    def __contains__(self, _: object) -> bool:
        raise ZeroDivisionError("a bug of ours")


def test_an_error_in_judging_is_ours_and_keeps_the_results(
    corpus_dir: Folder, program: Program
) -> None:
    corpus = load(corpus_dir(count=5))
    checks = list(checks_of(corpus))
    torn = replace(checks[2].steps[0], then=Torn(turn="east"))
    checks[2] = replace(checks[2], steps=(torn,))
    spec = program("hello()\nfor line in sys.stdin:\n    say(right(json.loads(line)))")
    (target,) = open_instances(spec, corpus.rulesets, jobs=1)
    done = run(target, corpus, checks)
    assert done.exit_code() == 5
    assert len(done.results) == 2
    assert "an error of this program while judging small-003@standard" in done.fault


class TornTarget(InProcess):
    """A target of ours with a bug of ours."""

    def ask(self, requests: Iterable[Record]) -> Iterator[Reply]:
        """The first two answers, and then the bug."""
        for reply in super().ask(requests):
            if reply.id > 2:
                raise ZeroDivisionError("a bug of ours")
            yield reply


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_asking_is_ours_and_keeps_the_results(corpus_dir: Folder, jobs: int) -> None:
    corpus = load(corpus_dir(count=9))
    claims = claims_everything("torn", corpus.rulesets)
    first, *more = [TornTarget("torn:", answer, claims) for _ in range(jobs)]
    done = run(first, corpus, list(checks_of(corpus)), more=more)
    assert done.exit_code() == 5
    assert len(done.results) >= 2
    assert "an error of this program while asking torn:: ZeroDivisionError" in done.fault


def test_an_error_in_reporting_is_ours(corpus_dir: Folder) -> None:
    corpus = load(corpus_dir())

    def tell(_: Result) -> None:
        raise OSError("the disk is full")

    (target,) = open_instances("referee:", corpus.rulesets, jobs=4)
    done = run(target, corpus, list(checks_of(corpus)), tell=tell)
    assert done.exit_code() == 5
    assert "while reporting small-001@standard" in done.fault
