"""Bots by py: that take their process along: each is blamed for it, and the event goes on."""

from pathlib import Path

import pytest

from tests.arena.tournament.events import results, standing, tournament, written

BAD = """
import ctypes, os

print("loading")


class Bot:
    instant = True

    def choose(self, view, legal):
        print("thinking")
        if view["phase"] == "play":
            return self.fall() or 7
        return legal[0]


class Exits(Bot):
    def fall(self):
        os._exit(0)


class Faults(Bot):
    def fall(self):
        ctypes.string_at(0)


class Greedy(Bot):
    def fall(self):
        return bytearray(1 << 40)


class Loops(Bot):
    def fall(self):
        while True:
            pass


class Numbers(Bot):
    def fall(self):
        return 7


class Good:
    def start(self, *, match, seat, rules):
        self.asked = {"seat": seat}

    def event(self, event):
        self.asked["event"] = event["kind"] if "kind" in event else ""

    def choose(self, view, legal):
        assert self.asked["seat"] == view["seat"] and "event" in self.asked
        return legal[-1]
"""
FATES = {
    "Exits": "CRASH",
    "Faults": "CRASH",
    "Greedy": "CRASH",
    "Loops": "TIMEOUT",
    "Numbers": "ILLEGAL",
}


def test_a_bot_that_takes_its_process_along_is_blamed_and_the_event_goes_on(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD)
    entries = (("ann", "py:bad:Good"), *((name, f"py:bad:{name}") for name in FATES))
    form = "format: {kind: gauntlet, challengers: [ann]}\nboards: 1\ndealers: rotating\n"
    limits = "policy: {move_ms: 5000, timeout_limit: 1, illegal_limit: 1}\n"
    written(tmp_path, entries, more=form + limits)
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert code == 0, said
    assert "worker" not in said
    played = results(tmp_path)
    assert [each.void for each in played] == [""] * len(FATES)
    assert {(fault.entry, fault.why) for each in played for fault in each.faults} == {
        *FATES.items()
    }
    lost = dict.fromkeys(FATES, "-4")
    assert standing(tmp_path) == {"ann": str(4 * len(FATES)), **lost}


def test_a_bot_that_ends_whoever_imports_it_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text("import os\nos._exit(0)\n")
    written(tmp_path, (("ann", "random"), ("bad", "py:ends:Bot")))
    code, said = tournament(tmp_path, "plan", "cup.yaml")
    assert code == 4, said
    assert "py:ends:Bot (bad): the bot of 'bad' does not start" in said
    code, said = tournament(tmp_path, "run", "cup.yaml")
    assert (code, "cup.yaml:5: the bot of 'bad' does not start" in said) == (4, True), said
    assert not (tmp_path / "cup").exists()


def test_an_event_is_read_and_verified_where_its_bots_are_not(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BAD)
    path = written(tmp_path, (("ann", "random"), ("bob", "py:mine:Good")), more="chunk: 4\n")
    assert tournament(tmp_path, "run", "cup.yaml")[0] == 0
    (tmp_path / "mine.py").unlink()
    for words in (("standings", path.name), ("publish", path.name, "--out", "site")):
        code, said = tournament(tmp_path, *words)
        assert code == 0, said
    code, said = tournament(tmp_path, "verify", "site")
    assert (code, "boards verified: 4" in said) == (0, True), said
    why = ("--reason", "ill", "--name", "dan", "--since", "2")
    for bot in ("py:mine:Good", "py:.mine:Good"):
        code, said = tournament(tmp_path, "act", "substitute", path.name, "bob", "--bot", bot, *why)
        assert (code, "there is no module" in said) == (2, True), said


@pytest.mark.parametrize(
    ("bot", "code", "told"),
    [
        ("py:nowhere_at_all:Bot", 4, "cup.yaml:5: the bot of 'eve' does not start"),
        ("py:nowhere_at_all:Bot", 4, "importing 'nowhere_at_all' failed"),
        ("py:nowhere_at_all", 2, "cup.yaml:5: 'py:nowhere_at_all' names no class"),
        ("py:.bad:Bot", 4, "importing '.bad' failed"),
        ("py:bad:Worse", 4, "bad has no class 'Worse' with a choose method"),
        ("py:bad.worse:Bot", 4, "No module named 'bad.worse'"),
    ],
)
def test_a_class_that_is_not_there_is_told_before_anything_runs(
    tmp_path: Path, bot: str, code: int, told: str
) -> None:
    (tmp_path / "bad.py").write_text("class Bot:\n    def choose(self, view, legal): ...\n")
    written(tmp_path, (("ann", "random"), ("eve", bot)))
    done, said = tournament(tmp_path, "run", "cup.yaml")
    assert (done, told in said) == (code, True), said
    assert not (tmp_path / "cup").exists()
