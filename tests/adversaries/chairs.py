"""Seats that play by chance over any kind of call, and remember what they have been told.

A seat keeps what it has said until it is answered, and says the same again on the next line. It
holds the referee to its word: each event once and in order, the same cards after every restart.
"""

import random
from dataclasses import dataclass, field
from typing import Final

from google.rpc import code_pb2

from referee.pb.euchre.referee.v1 import events_pb2, match_pb2, play_pb2, table_pb2
from referee.sealing import SigningKey, VerifyKey
from referee.sealing.commit import hidden_move, seat_commit, seat_seed
from referee.sealing.messages import ReceiptItem, move_bytes, reveal_bytes
from tests.adversaries.acknowledged import Acknowledged, signed_by

PLAYS: Final = play_pb2.LEVEL_PLAYS
SEEDS: Final = play_pb2.LEVEL_SEEDS
CHECKS: Final = play_pb2.LEVEL_CHECKS
SIGNS: Final = play_pb2.LEVEL_SIGNS
WIRE_SEATS: Final = (
    table_pb2.SEAT_NORTH,
    table_pb2.SEAT_EAST,
    table_pb2.SEAT_SOUTH,
    table_pb2.SEAT_WEST,
)
POSITIONS: Final = 24
ILLEGAL: Final = 0.02
MALFORMED: Final = 0.005
NONSENSE: Final = "not\tan action"


class Chair:
    """One seat of a table."""

    def __init__(self, table: "Table", seat: int, level: play_pb2.Level) -> None:
        self.table = table
        self.seat = seat
        self.level = level
        self.resume = 0
        self._chance = table.chance
        self._secret = self._chance.randbytes(32)
        self._key = SigningKey.from_bytes(f"seat{seat}", self._secret) if level == SIGNS else None
        self._cards: dict[int, bytes] = {}
        self._places: dict[str, int] = {}
        self._cuts: dict[int, int | None] = {}
        self._tried = 0, ""
        self._ask: play_pb2.Ask | None = None
        self._said: play_pb2.PlayInput | None = None
        self._sent = False

    # -- saying

    def hello(self) -> play_pb2.SeatHello:
        """The Hello of a new line: nothing said before is taken for heard."""
        self._sent = False
        self._ask = None
        return play_pb2.SeatHello(
            token=self.table.tokens[self.seat],
            name=f"seat{self.seat}",
            level=self.level,
            own_seeds=True,
            key=b"" if self._key is None else self._key.public.raw,
            resume=self.resume,
        )

    def due(self) -> play_pb2.PlayInput | None:
        """What is to be said now: what was never answered, then what is asked."""
        if self._said is None and self._ask is not None:
            self._said = self._answer(self._ask)
        if self._said is None or self._sent:
            return None
        self._sent = True
        return self._said

    def input(self) -> play_pb2.PlayInput:
        """An input that says nothing yet."""
        return play_pb2.PlayInput(
            match=self.table.heard.match.hex(),
            seat=WIRE_SEATS[self.seat],
            request_id=self._chance.randbytes(16),
        )

    def _answer(self, ask: play_pb2.Ask) -> play_pb2.PlayInput:
        said = self.input()
        match, deal = self.table.heard.match, ask.deal
        seed = seat_seed(self._secret, match, deal)
        if ask.what == "act":
            self._act(said, ask)
        elif ask.what == "commit":
            cut = self._chance.randrange(POSITIONS) if ask.cutter else None
            cut = self._cuts.setdefault(deal, cut)
            said.commit.deal = deal
            said.commit.commit = seat_commit(match, deal, self.seat, seed, cut)
        else:
            self._reveal(said, deal, seed)
        return said

    def _reveal(self, said: play_pb2.PlayInput, deal: int, seed: bytes) -> None:
        match, (cset, head) = self.table.heard.match, self.table.csets[deal]
        cut = self._cuts[deal]
        said.reveal.deal, said.reveal.seed = deal, seed
        said.reveal.cset, said.reveal.head = cset, head
        if cut is not None:
            said.reveal.cut = cut
        if self._key is not None:
            commit = seat_commit(match, deal, self.seat, seed, cut)
            signed = reveal_bytes(match, deal, self.seat, cset=cset, commit=commit, head=head)
            said.reveal.sig = self._key.sign(signed)

    def _act(self, said: play_pb2.PlayInput, ask: play_pb2.Ask) -> None:
        """Mostly a legal action; sometimes one that is not, or nothing that could be one."""
        said.act.seq = ask.view.state_version + 1
        legal, luck = list(ask.view.legal), self._chance.random()
        said.act.action = self._chance.choice(legal)
        wrong = "pass" if "pass" not in legal else "play 9C"
        if luck < ILLEGAL and (said.act.seq, wrong) != self._tried:
            said.act.action = wrong  # once: a signing seat's same attempt again is the same attempt
            self._tried = said.act.seq, wrong
        elif luck < ILLEGAL + MALFORMED and self._key is None:
            said.act.action = NONSENSE
            return
        word, _, card = said.act.action.partition(" ")
        hides = word == "discard" and said.act.action in legal
        if hides and (self._key is not None or self._chance.random() < 0.5):
            said.act.blind = self._chance.randbytes(32)
        if self._key is not None:
            match, text = self.table.heard.match, said.act.action
            if hides:
                opened = [(self._places[card], said.act.blind)]
                text = f"{word} {hidden_move(match, ask.deal, self.seat, opened).hex()}"
            before = self.table.heard.heads[ask.view.state_version]
            signed = move_bytes(match, ask.deal, said.act.seq, before, text)
            said.act.seat_sig = self._key.sign(signed)

    def done(self) -> bool:
        """Whether the seat knows that its match is closed."""
        return self.table.closed is not None and self.resume > self.table.closed

    # -- hearing

    def hear(self, item: play_pb2.PlayItem) -> None:
        """Take one item in."""
        match item.WhichOneof("item"):
            case "welcome":
                self.table.heard.seat(self.seat)
            case "event":
                self._event(item.event)
            case "private_deal":
                self._dealt(item)
            case "ask":
                self._ask = item.ask
            case "ruling":
                self._ruled(item)
            case "status":
                self._refused(item)
            case "superseded" | "fault":
                self.table.heard.wrong.append(f"seat {self.seat} was told {item}")
            case _:
                pass

    def _event(self, event: events_pb2.Event) -> None:
        if event.seq != self.resume:
            told = f"seat {self.seat} was told event {event.seq} where {self.resume} was due"
            self.table.heard.wrong.append(told)
        self.resume = event.seq + 1
        self.table.event(event)
        if event.HasField("turn_up"):
            self._places[event.turn_up.card.card] = event.turn_up.card.position
        elif event.HasField("deal_open"):
            self._places.clear()

    def _dealt(self, item: play_pb2.PlayItem) -> None:
        """Cards of a deal: after every restart the same ones."""
        for card in item.private_deal.cards:
            self._places[card.card] = card.position
        told = item.private_deal.SerializeToString(deterministic=True)
        if self._cards.setdefault(item.after, told) != told:
            self.table.heard.wrong.append(f"seat {self.seat} was dealt other cards")

    def _ruled(self, item: play_pb2.PlayItem) -> None:
        said = self._said
        if said is None or said.request_id != item.request_id:
            self.table.heard.wrong.append(f"seat {self.seat} was ruled on what it never said")
            return
        self.table.heard.answer(said.request_id, f"{said} which is {item.ruling}")
        self._said, self._sent = None, False
        if item.ruling.accepted and self._ask is not None and _answers(said, self._ask):
            self._ask = None

    def _refused(self, item: play_pb2.PlayItem) -> None:
        said = self._said
        if item.status.code == code_pb2.UNAVAILABLE or said is None:
            self.table.unrecorded += 1
            self._sent = False  # the same is said again, until it is recorded
            return
        if said.act.action == NONSENSE and item.status.code == code_pb2.INVALID_ARGUMENT:
            self.table.heard.answer(said.request_id, f"{said} which is malformed")
        else:
            self.table.heard.wrong.append(f"seat {self.seat} was told {item.status.message!r}")
        self._said, self._sent = None, False


def _answers(said: play_pb2.PlayInput, ask: play_pb2.Ask) -> bool:
    """Whether what was said is an answer to what is asked."""
    if said.WhichOneof("input") != ask.what:
        return False
    if ask.what == "act":
        return said.act.seq == ask.view.state_version + 1
    given: int = getattr(said, ask.what).deal
    return given == ask.deal


@dataclass
class Table:
    """A match and its four seats."""

    made: match_pb2.CreateMatchResponse
    levels: tuple[play_pb2.Level, ...]
    chance: random.Random
    key: VerifyKey
    watched: int = 0
    unrecorded: int = 0
    csets: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.heard = Acknowledged(bytes.fromhex(self.made.match.match), self.key)
        self.heard.count += 1
        self.tokens = tuple(self.made.seat_tokens)
        self.chairs = tuple(Chair(self, seat, level) for seat, level in enumerate(self.levels))
        self.closed: int | None = None

    @property
    def over(self) -> bool:
        """Whether every seat knows that the match is closed."""
        return all(chair.done() for chair in self.chairs)

    def event(self, event: events_pb2.Event) -> None:
        """A public event, told to anybody."""
        self.heard.event(event.seq, event.event, event.sig)
        if event.HasField("commit_set"):
            head = self.heard.heads[event.seq]
            self.csets[event.commit_set.deal] = (event.commit_set.cset, head)
        elif event.HasField("match_close"):
            self.closed = event.seq


def keep_receipt(tables: dict[str, Table], receipt: play_pb2.Receipt, key: VerifyKey) -> None:
    """Keep a receipt, by what it is of."""
    items = [ReceiptItem(i.match, i.deal, i.seq, i.head) for i in receipt.items]
    sound = signed_by(key, items, receipt.sig)
    for item in items:
        heard = tables[item.match.hex()].heard
        if sound:
            heard.receipt(item.seq, item.head)
        else:
            heard.wrong.append("a receipt is not signed by the referee")
