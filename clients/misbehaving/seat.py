"""One seat at the table that does what it is asked, and checks nothing: what a way bends.

It draws its seeds, follows the chain of events as far as a reveal needs it, and plays the last
legal action of each list.
"""

import hashlib
import json
import secrets
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Protocol

import grpc

from euchre_bot.errors import RefereeLostError
from euchre_bot.options import Options
from euchre_bot.pb.euchre.referee.v1 import play_pb2, table_pb2
from euchre_bot.seal import event_head, seat_commit, seat_seed
from euchre_bot.stream import PlayStream

PROTOCOL: Final = 1
ID_BYTES: Final = 16
CUT: Final = 3
CHAIRS: Final = (
    table_pb2.SEAT_NORTH,
    table_pb2.SEAT_EAST,
    table_pb2.SEAT_SOUTH,
    table_pb2.SEAT_WEST,
)
PAUSE_S: Final = 0.1
PATIENCE_S: Final = 60.0
_AWAY: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})


class ReconnectSignal(Exception):  # noqa: N818 - no error: it leaves the stream to dial again
    """The seat wants a new connection."""


class Way(Protocol):
    """A way to misbehave: what is said instead of an answer, and besides."""

    def answer(self, seat: "Seat", ask: play_pb2.Ask) -> Iterable[play_pb2.PlayInput]:
        """What is said when the seat is asked for something."""

    def hear(self, seat: "Seat", item: play_pb2.PlayItem) -> Iterable[play_pb2.PlayInput]:
        """What is said when the seat is told something else."""


@dataclass
class Seat:
    """A seat's side of a match, over as many connections as it takes."""

    options: Options
    secret: bytes
    match: str = ""
    place: int = 0
    next_seq: int = 0
    head: bytes = bytes(32)
    commit_head: bytes = b""
    cset: bytes = b""
    commits: dict[tuple[int, str], bytes] = field(default_factory=dict)
    over: str = ""
    away_since: float | None = None

    # -- what an honest seat says

    def said(self) -> play_pb2.PlayInput:
        """An input with a new request id, and nothing said in it yet."""
        return play_pb2.PlayInput(
            match=self.match, seat=CHAIRS[self.place], request_id=secrets.token_bytes(ID_BYTES)
        )

    def acting(self, action: str, seq: int) -> play_pb2.PlayInput:
        """An action under a number."""
        said = self.said()
        said.act.action, said.act.seq = action, seq
        return said

    def seed(self, deal: int) -> bytes:
        """The seed of a deal."""
        return seat_seed(self.secret, bytes.fromhex(self.match), deal)

    def honest(self, ask: play_pb2.Ask) -> play_pb2.PlayInput:
        """What is asked for, as it has to be."""
        said, cut = self.said(), CUT if ask.cutter else None
        match ask.what:
            case "commit":
                match = bytes.fromhex(self.match)
                said.commit.deal = ask.deal
                said.commit.commit = seat_commit(
                    match, ask.deal, self.place, self.seed(ask.deal), cut
                )
            case "reveal":
                said.reveal.deal, said.reveal.seed = ask.deal, self.seed(ask.deal)
                said.reveal.cset, said.reveal.head = self.cset, self.commit_head
                if cut is not None:
                    said.reveal.cut = cut
            case _:
                said.act.action, said.act.seq = ask.view.legal[-1], ask.view.state_version + 1
        return said

    # -- the match

    def play(self, way: Way) -> str:
        """Follow the match to its end, and say how it ended."""
        while not self.over:
            try:
                with PlayStream(self.options) as stream:
                    self._follow(stream, way)
            except ReconnectSignal:
                pass
            except grpc.RpcError as err:
                self._wait(err)
        return self.over

    def _wait(self, err: grpc.RpcError) -> None:
        now = time.monotonic()
        self.away_since = self.away_since or now
        tell(f"the stream ended: {err.code().name}: {err.details()}")
        if err.code() not in _AWAY or now > self.away_since + PATIENCE_S:
            raise RefereeLostError(f"the referee ends it: {err.code().name}: {err.details()}")
        time.sleep(PAUSE_S)

    def hello(self) -> play_pb2.PlayRequest:
        """The first words of a stream."""
        entry = play_pb2.SeatHello(
            token=self.options.token,
            name=self.options.name,
            level=play_pb2.LEVEL_SEEDS,
            own_seeds=True,
            resume=self.next_seq,
        )
        return play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=PROTOCOL, seats=[entry]))

    def _follow(self, stream: PlayStream, way: Way) -> None:
        stream.send(self.hello())
        for response in stream:
            self.away_since = None
            for item in response.items:
                self._hear(item)
                said = way.answer(self, item.ask) if item.HasField("ask") else way.hear(self, item)
                for one in said:
                    stream.send(play_pb2.PlayRequest(inputs=[one]))
            if self.over:
                return
        raise RefereeLostError("the referee ended the stream before the match")

    def _hear(self, item: play_pb2.PlayItem) -> None:
        match item.WhichOneof("item"):
            case "welcome":
                self.match, self.place = item.welcome.match, item.welcome.seat - 1
            case "event":
                self._event(item.event.seq, item.event.event)
            case "ruling" if not item.ruling.accepted:
                tell(f"refused: {item.ruling.reason}: {item.ruling.text}")
            case "status":
                tell(f"status {item.status.code}: {item.status.message}")
            case "fault":
                tell(f"fault of seat {item.fault.seat - 1}: {item.fault.why}")
            case _:
                pass

    def _event(self, seq: int, raw: bytes) -> None:
        if seq < self.next_seq:
            return
        self.next_seq, self.head = seq + 1, event_head(self.head, raw)
        row = json.loads(raw)
        match row["kind"]:
            case "seat_commit":
                self.commits[row["deal"], row["seat"]] = bytes.fromhex(row["commit"])
            case "commit_set":
                self.cset, self.commit_head = bytes.fromhex(row["cset"]), self.head
            case "match_close":
                self.over = f"{row['outcome']} after {row['deals']} deals"
            case _:
                pass


def secret_of(text: str | None) -> bytes:
    """The secret that a seat's seeds come from; the same one for the same text."""
    if text is None:
        return secrets.token_bytes(32)
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def tell(line: str) -> None:
    """Tell the operator, on standard error."""
    sys.stderr.write(f"misbehave: {line}\n")
    sys.stderr.flush()
