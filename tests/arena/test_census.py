"""The processes of a bot, counted: which are its own, and when they are too many."""

import os
import signal
import subprocess

import pytest

from referee.arena.census import Census, Member, census, excess, family, read_stat
from referee.arena.limits import Limits


def test_family_is_the_bot_its_group_and_whatever_they_started() -> None:
    def member(pid: int, parent: int, group: int) -> Member:
        return Member(pid=pid, parent=parent, group=group, session=group, memory=0)

    members = (member(9, 1, 9), member(10, 9, 9), member(11, 10, 11), member(12, 1, 12),
               member(13, 1, 9), member(14, 11, 14))  # fmt: skip
    assert [each.pid for each in family(members, 9)] == [9, 10, 11, 13, 14]


def test_excess_is_said_in_words() -> None:
    members = tuple(Member(pid=n, parent=1, group=1, session=1, memory=10 << 20) for n in range(4))
    assert excess(members, Limits(processes=4, memory_mb=40)) == ""
    assert excess(members, Limits(processes=3)) == "it runs 4 processes (at most 3)"
    assert excess(members, Limits(processes=2), beside=2) == ""
    assert excess(members, Limits(memory_mb=39)) == "it holds 40 MiB of memory (at most 39)"


@pytest.mark.parametrize("line", ["", "7", "7 (x", "x (y) S 1 1 1 " + "0 " * 30])
def test_line_that_is_no_process_is_none(line: str) -> None:
    assert read_stat(line) is None


def test_process_that_has_ended_is_none() -> None:
    assert read_stat("7 (bot) Z 1 7 7 " + "0 " * 30) is None


def test_census_is_shared_until_it_is_old() -> None:
    times = iter((0.0, 0.1, 9.0))
    shared = Census(lambda: next(times))
    first = shared.members()
    assert shared.members() is first
    assert shared.members() is not first


def test_census_knows_this_process_and_its_child() -> None:
    with subprocess.Popen(("sleep", "600")) as child:
        try:
            parents = {member.pid: member.parent for member in census()}
        finally:
            child.send_signal(signal.SIGKILL)
    assert parents[child.pid] == os.getpid()
