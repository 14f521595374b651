"""On which terms bots run: limits, a sandbox, and time for a deal."""

import asyncio
import threading
from collections.abc import Mapping, Sequence

import pytest

from referee.arena.bots import CommandSpec, DialSpec, PythonSpec, parse_bot
from referee.arena.confine import Terms, sandbox_trouble
from referee.arena.dealtime import DealTimedPlayer
from referee.arena.inprocess import PythonPlayer
from referee.arena.limits import Limits
from referee.arena.players import JSON, BotFailure
from referee.arena.terms import SandboxError, SandboxMode, on_terms

LEGAL = ("pass", "order")
COMMAND = CommandSpec("cmd:bot", ("bot",))
OWN = PythonSpec("py:mine:Bot", dict)
DIAL = DialSpec("dial", ())


@pytest.fixture
def no_bwrap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing is installed."""
    monkeypatch.setenv("PATH", "/nowhere")
    sandbox_trouble.cache_clear()
    monkeypatch.setattr("referee.arena.terms.sandbox_trouble", sandbox_trouble.__wrapped__)


# -- terms


def test_bots_without_terms_run_as_they_always_did() -> None:
    settled = on_terms((COMMAND, OWN, DIAL), SandboxMode.OFF, Terms())
    assert settled.bots == (COMMAND, OWN, DIAL)
    assert settled.notes == ()


@pytest.mark.skipif(bool(sandbox_trouble()), reason=sandbox_trouble())
@pytest.mark.parametrize("mode", [SandboxMode.AUTO, SandboxMode.ON])
def test_bots_by_command_are_held_to_their_limits_in_a_sandbox(mode: SandboxMode) -> None:
    limits = Limits(files=9)
    settled = on_terms((COMMAND, parse_bot("sensible")), mode, Terms(limits=limits))
    [held, _built_in] = settled.bots
    assert isinstance(held, CommandSpec)
    assert held.terms == Terms(limits=limits, sandbox=True)
    assert settled.notes == ()


@pytest.mark.usefixtures("no_bwrap")
def test_missing_sandbox_is_said_once_and_the_limits_hold() -> None:
    settled = on_terms((COMMAND, COMMAND), SandboxMode.AUTO, Terms())
    assert settled.notes == (
        "bots run without a sandbox: bwrap is not installed (apt-get install bubblewrap)",
        (
            "bots run without limits of files and processor time: prlimit is not installed"
            " (apt-get install util-linux)"
        ),
    )
    assert [bot.terms for bot in settled.bots if isinstance(bot, CommandSpec)] == [Terms()] * 2


@pytest.mark.usefixtures("no_bwrap")
def test_sandbox_that_is_asked_for_and_missing_is_an_error() -> None:
    with pytest.raises(SandboxError, match="cannot be kept in a sandbox: bwrap is not installed"):
        on_terms((COMMAND,), SandboxMode.ON, Terms())


@pytest.mark.usefixtures("no_bwrap")
def test_sandbox_is_not_missed_where_nobody_runs_by_command() -> None:
    bots = (parse_bot("sensible"), parse_bot("random"))
    assert on_terms(bots, SandboxMode.ON, Terms()).notes == ()


@pytest.mark.parametrize(("bot", "words"), [(OWN, "own process"), (DIAL, "over the network")])
def test_bot_that_nothing_holds_is_named(bot: PythonSpec | DialSpec, words: str) -> None:
    [note] = on_terms((bot, bot), SandboxMode.AUTO, Terms()).notes
    assert note.startswith(repr(bot.text))
    assert words in note
    with pytest.raises(SandboxError, match=words):
        on_terms((bot,), SandboxMode.ON, Terms())


def test_time_for_a_deal_is_everybodys_in_every_mode() -> None:
    settled = on_terms((COMMAND, OWN, DIAL), SandboxMode.OFF, Terms(), deal_ms=900)
    assert [getattr(bot, "deal_ms", None) for bot in settled.bots] == [900, 900, None]
    assert isinstance(settled.bots[1], PythonSpec)
    assert isinstance(settled.bots[1].player(), DealTimedPlayer)


# -- time for a deal


class Watch:
    """A clock that bots turn on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def thinking(watch: Watch, seconds: float) -> PythonPlayer:
    """A player that takes so long over every choice."""

    class Thinker:
        instant = True

        def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
            del view
            watch.now += seconds
            return legal[0]

    return PythonPlayer("py:thinker", Thinker)


def course(player: DealTimedPlayer, *views: tuple[int, int]) -> list[str]:
    """What comes of being asked at deals and versions."""

    async def play() -> list[str]:
        await player.start(match="ab" * 16, seat="north", rules={})
        came = []
        for deal, version in views:
            try:
                view = {"deal": deal, "state_version": version}
                came.append(await player.choose(view, LEGAL))
            except BotFailure as failure:
                came.append(f"{failure.kind}: {failure.text}")
        await player.close()
        return came

    return asyncio.run(play())


OVER = "TIMEOUT: the bot has used up its 1000 ms for deal 1"


def test_choices_of_a_deal_share_its_time_and_the_next_deal_has_all_of_it() -> None:
    watch = Watch()
    player = DealTimedPlayer(thinking(watch, 0.5), 1_000, watch)
    told = course(player, (1, 3), (1, 5), (1, 7), (1, 9), (2, 20), (2, 22))
    assert told == ["pass", "pass", OVER, OVER, "pass", "pass"]


def test_next_board_is_a_new_deal_though_its_number_is_the_same() -> None:
    watch = Watch()
    player = DealTimedPlayer(thinking(watch, 1.0), 1_000, watch)
    assert course(player, (1, 9), (1, 11), (1, 9)) == ["pass", OVER, "pass"]


def test_choice_is_cut_off_where_the_time_of_the_deal_ends() -> None:
    class Sleeper:
        def choose(self, view: Mapping[str, JSON], legal: Sequence[str]) -> str:
            del view, legal
            released.wait(60)
            return "late"

    released = threading.Event()
    player = DealTimedPlayer(PythonPlayer("py:sleeper", Sleeper), 30)
    try:
        assert course(player, (1, 3)) == ["TIMEOUT: the bot has used up its 30 ms for deal 1"]
    finally:
        released.set()
