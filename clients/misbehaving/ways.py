"""The ways to misbehave: a class each, whose first line says what it does."""

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from euchre_bot.dealing import SEATS
from euchre_bot.pb.euchre.referee.v1 import play_pb2
from euchre_bot.seal import PACKS, SEED_BYTES
from seat import CHAIRS, ReconnectSignal, Seat, Way

Said = Iterable[play_pb2.PlayInput]
FLOOD: Final = 1_000
AHEAD: Final = 7
SOMEBODY_FOLLOWS: Final = 2


class Honest:
    """Does what it is asked; the others differ from it in one thing."""

    def answer(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        """Answer as an honest seat, but for what has a method of its own."""
        match ask.what:
            case "commit":
                return self.commit(seat, ask)
            case "reveal":
                return self.reveal(seat, ask)
            case _:
                return self.act(seat, ask)

    def hear(self, _seat: Seat, _item: play_pb2.PlayItem) -> Said:
        """Say nothing."""
        return ()

    def commit(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        """The commitment that is asked for."""
        return (seat.honest(ask),)

    def reveal(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        """The seed that is asked for."""
        return (seat.honest(ask),)

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        """The action that is asked for."""
        return (seat.honest(ask),)


# -- actions


class Tries(Honest):
    """Tries what is illegal, again after each refusal."""

    asked: play_pb2.Ask | None = None

    def wrong(self, _ask: play_pb2.Ask) -> str | None:
        """The illegal action of this moment; None where there is none."""
        return None

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        self.asked = ask
        wrong = self.wrong(ask)
        if wrong is None:
            return (seat.honest(ask),)
        return (seat.acting(wrong, ask.view.state_version + 1),)

    def hear(self, seat: Seat, item: play_pb2.PlayItem) -> Said:
        refused = item.HasField("ruling") and not item.ruling.accepted
        malformed = item.HasField("status") and bool(item.request_id)
        if self.asked is not None and (refused or malformed):
            return self.act(seat, self.asked)
        return ()


class Reneges(Tries):
    """Does not follow suit though it could."""

    def wrong(self, ask: play_pb2.Ask) -> str | None:
        held = [f"play {card}" for card in ask.view.hand]
        if ask.view.phase != "play":
            return None
        return next((play for play in held if play not in ask.view.legal), None)


class PlaysUnheld(Tries):
    """Plays a card that it does not hold."""

    def wrong(self, ask: play_pb2.Ask) -> str | None:
        if ask.view.phase != "play":
            return None
        held = set(ask.view.hand)
        return next(f"play {card}" for card in PACKS["E24"] if card not in held)


class UnknownWords(Tries):
    """Says words that no rule knows."""

    def wrong(self, _ask: play_pb2.Ask) -> str | None:
        return "fold"


class Rubbish(Tries):
    """Says what is no text of an action: long, and not ASCII."""

    def wrong(self, _ask: play_pb2.Ask) -> str | None:
        return "\u2665" * 99


class OutOfTurn(Honest):
    """Acts again right after its own action, when it is another seat's turn."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Iterator[play_pb2.PlayInput]:
        yield seat.honest(ask)
        if ask.view.phase == "play" and len(ask.view.trick) < SOMEBODY_FOLLOWS:
            yield seat.acting("pass", ask.view.state_version + 2)


class RepeatsId(Honest):
    """Sends each request three times under one id."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        return (seat.honest(ask),) * 3


class RepeatsAction(Honest):
    """Sends each action again under a new id."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        return (seat.honest(ask), seat.honest(ask))


class ChangesItsMind(Honest):
    """Sends another action under an id that is used up."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        first, second = seat.honest(ask), seat.acting(ask.view.legal[0], ask.view.state_version + 1)
        second.request_id = first.request_id
        return (first, second)


class WrongSeq(Honest):
    """Numbers its actions wrong, always."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        said = seat.honest(ask)
        said.act.seq += AHEAD
        return (said,)


class OthersSeat(Honest):
    """Speaks for the other seats before it speaks for itself."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Iterator[play_pb2.PlayInput]:
        for place, chair in enumerate(CHAIRS):
            if place != seat.place:
                said = seat.honest(ask)
                said.seat = chair
                yield said
        yield seat.honest(ask)


class Stalls(Honest):
    """Never acts."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        return ()


class Floods(Honest):
    """Sends a thousand stale actions before its first of each deal."""

    flooded = 0

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Iterator[play_pb2.PlayInput]:
        for _ in range(FLOOD if ask.deal > self.flooded else 0):
            yield seat.acting("pass", 0)
        self.flooded = ask.deal
        yield seat.honest(ask)


# -- the connection


class Exits(Honest):
    """Ends its process without a word when it is to act."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        sys.exit(0)


class Dies(Honest):
    """Kills itself with SIGKILL when it is to act."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        os.kill(os.getpid(), signal.SIGKILL)
        return ()


class Leaves(Honest):
    """Says that it leaves."""

    def act(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        said = seat.said()
        said.leave.SetInParent()
        return (said,)


class Reconnects(Honest):
    """Dials again each time that it is asked, and answers the second time."""

    asked: tuple[str, int, int] | None = None

    def answer(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        asked = (ask.what, ask.deal, ask.view.state_version)
        if self.asked != asked:
            self.asked = asked
            raise ReconnectSignal
        return super().answer(seat, ask)


# -- the seal


class WithholdsCommit(Honest):
    """Never commits to a seed after the draw for the dealer."""

    def commit(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        return () if ask.deal else (seat.honest(ask),)


class CopiesCommit(Honest):
    """Sends another seat's commitment as its own."""

    wanted = 0

    def commit(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        if not ask.deal:
            return (seat.honest(ask),)
        self.wanted = ask.deal
        return self.copies(seat)

    def hear(self, seat: Seat, item: play_pb2.PlayItem) -> Said:
        return self.copies(seat) if item.HasField("event") else ()

    def copies(self, seat: Seat) -> Iterator[play_pb2.PlayInput]:
        """A commitment of the deal that another seat has sent, once."""
        there = [seat.commits.get((self.wanted, other)) for other in SEATS]
        found = next((commit for commit in there if commit is not None), None)
        if self.wanted and found is not None:
            said = seat.said()
            said.commit.deal, said.commit.commit = self.wanted, found
            self.wanted = 0
            yield said


class ChangesCommit(Honest):
    """Sends a second commitment after its first."""

    def commit(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        second = seat.honest(ask)
        second.commit.commit = bytes(32)
        return (seat.honest(ask), second)


class WithholdsSeed(Honest):
    """Commits, and never shows its seed."""

    def reveal(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        return () if ask.deal else (seat.honest(ask),)


class Bends(Honest):
    """Shows something else than its seed."""

    def bend(self, _shown: play_pb2.Reveal) -> None:
        """Change the reveal."""

    def reveal(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        said = seat.honest(ask)
        if ask.deal:
            self.bend(said.reveal)
        return (said,)


class WrongSeed(Bends):
    """Shows a seed that it has not committed to."""

    def bend(self, shown: play_pb2.Reveal) -> None:
        shown.seed = bytes(SEED_BYTES)


class ShortSeed(Bends):
    """Shows half of its seed."""

    def bend(self, shown: play_pb2.Reveal) -> None:
        shown.seed = shown.seed[: SEED_BYTES // 2]


class OtherSet(Bends):
    """Shows its seed for another commit set."""

    def bend(self, shown: play_pb2.Reveal) -> None:
        shown.cset = bytes(32)


class ChangesSeed(Honest):
    """Shows its seed, and then another."""

    def reveal(self, seat: Seat, ask: play_pb2.Ask) -> Said:
        second = seat.honest(ask)
        second.reveal.seed = bytes(SEED_BYTES)
        return (seat.honest(ask), second)


WAYS: Final[dict[str, type[Way]]] = {
    "honest": Honest,
    "reneges": Reneges,
    "plays-unheld": PlaysUnheld,
    "unknown-words": UnknownWords,
    "rubbish": Rubbish,
    "out-of-turn": OutOfTurn,
    "repeats-id": RepeatsId,
    "repeats-action": RepeatsAction,
    "changes-its-mind": ChangesItsMind,
    "wrong-seq": WrongSeq,
    "others-seat": OthersSeat,
    "stalls": Stalls,
    "floods": Floods,
    "exits": Exits,
    "dies": Dies,
    "leaves": Leaves,
    "reconnects": Reconnects,
    "withholds-commit": WithholdsCommit,
    "copies-commit": CopiesCommit,
    "changes-commit": ChangesCommit,
    "withholds-seed": WithholdsSeed,
    "wrong-seed": WrongSeed,
    "short-seed": ShortSeed,
    "other-set": OtherSet,
    "changes-seed": ChangesSeed,
}
