"""What a client is told that has to notice a lie, and what it has to live with."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from referee.pb.euchre.referee.v1 import play_pb2, table_pb2
from referee.sealing import SEATS
from referee.sealing.canonical import Json
from referee.sealing.chain import hash_down
from referee.sealing.commit import commit_set, hidden_move
from referee.service.lying import Lies, Row

OTHER: Final = bytes(range(64, 96))
STRANGE: Final = b"\xba\x3e\x05later\xc0\x3e\x2a"
"""Fields 999 and 1000, a text and a number: of no message of ours."""
PHASE: Final = "afterwards"
NO_ACTION: Final = "fold"


def _at(kind: str, change: Callable[[Row], None]) -> Lies:
    """Change every event of a kind."""

    def row(event: Row) -> None:
        if event["kind"] == kind:
            change(event)

    return Lies(row=row)


def _upcard(row: Row) -> None:
    row["card"] = "9C" if row["card"] != "9C" else "TC"


def _deck(row: Row) -> None:
    deck = str(row["deck"]).split(" ")
    row["deck"] = " ".join((deck[1], deck[0], *deck[2:]))


def _commits() -> Lies:
    """Another commitment for east than the one that it sent, under a commit set that fits."""
    match, pack = b"", "E24"

    def row(event: Row) -> None:
        nonlocal match
        if event["kind"] == "match_open":
            match = bytes.fromhex(str(event["match"]))
        if event["kind"] == "commit_set":
            texts = _texts(event["commits"])
            texts[1] = OTHER.hex()
            event["commits"] = list(texts)
            commits = [bytes.fromhex(text) for text in texts]
            below, deal = bytes.fromhex(str(event["r_commit"])), event["deal"]
            if isinstance(deal, int):
                event["cset"] = commit_set(match, deal, pack, below, commits).hex()

    return Lies(row=row)


def _texts(value: Json) -> list[str]:
    return [str(text) for text in value] if isinstance(value, list) else []


def _receipt(receipt: play_pb2.Receipt) -> None:
    receipt.items[0].head = OTHER


def wrong_seals() -> Mapping[str, Lies]:
    """The lies that a client has to notice, by name; new ones at each call."""
    return {
        "a wrong opening": _at("turn_up", _upcard),
        "a changed commit set": _commits(),
        "a deck that does not come out": _at("deal_close", _deck),
        "a receipt that lies": Lies(receipt=_receipt),
    }


def refused_once() -> Lies:
    """The first action of the seat becomes one that is refused."""
    done = False

    def said(one: play_pb2.PlayInput) -> None:
        nonlocal done
        if one.HasField("act") and not done:
            done, one.act.action = True, NO_ACTION

    return Lies(said=said)


def cut_once(acts: int) -> Lies:
    """The line is cut at the seat's so-many-th action."""
    count = 0

    def cut(one: play_pb2.PlayInput) -> bool:
        nonlocal count
        count += one.HasField("act")
        return count == acts and one.HasField("act")

    return Lies(cut=cut)


def strangeness() -> Lies:
    """Fields and items that nobody knows, and once a phase that nobody knows."""
    done = False

    def view(seen: table_pb2.View) -> None:
        nonlocal done
        if not done:
            done, seen.phase = True, PHASE

    return Lies(strange=STRANGE, view=view)


class Closing:
    """Lies about how a deal ends, by a referee that has the links of its chain to tell them with.

    `drawn` is every secret that it has drawn, among them the last link of its chain.
    """

    def __init__(self, drawn: Sequence[bytes]) -> None:
        self._drawn = drawn
        self._open: Row = {}

    def withheld(self) -> Lies:
        """North is said to have withheld the reveal that was accepted, and the deal ends there."""
        return Lies(row=lambda event: self._instead(event, "fault", "north"))

    def cut_short(self) -> Lies:
        """A deal counts as played that has no deck."""
        return Lies(row=lambda event: self._instead(event, "played"))

    def _instead(self, event: Row, outcome: str, *withheld: str) -> None:
        """Close a deal in the place of the seeds that were revealed."""
        if event["kind"] == "match_open":
            self._open = dict(event)
        if event["kind"] != "reveal_set":
            return
        deal, seq = event["deal"], event["seq"]
        pair: Row = {"ns": 0, "ew": 0}
        event.clear()
        event.update(
            {
                "kind": "deal_close",
                "deal": deal,
                "seq": seq,
                "outcome": outcome,
                "alone": [],
                "tricks": pair,
                "points": pair,
                "score": pair,
                "faults": [{"seat": seat, "why": "WITHHELD"} for seat in withheld],
                "r": self._link(int(str(deal)) + 1).hex(),
                "openings": [],
                "attempts": [],
            }
        )

    def _link(self, k: int) -> bytes:
        match, tip = bytes.fromhex(str(self._open["match"])), str(self._open["r0"])
        length = int(str(self._open["chain"]))
        for last in self._drawn:
            if len(last) == len(OTHER) and hash_down(match, length, last, to=0).hex() == tip:
                return hash_down(match, length, last, to=k)
        return OTHER


def late_blame() -> Lies:
    """North is said, of a deal that was played, to have withheld its reveal."""

    def close(row: Row) -> None:
        row["outcome"], row["faults"] = "fault", [{"seat": "north", "why": "WITHHELD"}]

    return _at("deal_close", close)


def thrown_away() -> Lies:
    """A deal is closed void though its deck stood, and the match goes on."""
    return _at("deal_close", lambda row: row.update(outcome="void"))


def short_chain() -> Lies:
    """The match goes beyond the end of the chain that it was opened with."""
    return _at("match_open", lambda row: row.update(chain=1))


def hidden_otherwise(*places: int) -> Lies:
    """A card that another seat hides comes to be other positions than one of the pack."""
    opened: dict[int, list[bytes]] = {}
    match = b""

    def row(event: Row) -> None:
        nonlocal match
        if event["kind"] == "match_open":
            match = bytes.fromhex(str(event["match"]))
        if event["kind"] == "action" and "commit" in event and event["seat"] != "north":
            seq, deal = int(str(event["seq"])), int(str(event["deal"]))
            blinds = opened[seq] = [bytes([place]) * 32 for place in range(len(places))]
            seat = SEATS.index(str(event["seat"]))
            cards = zip(places, blinds, strict=True)
            event["commit"] = hidden_move(match, deal, seat, cards).hex()
        if event["kind"] == "deal_close" and isinstance(event["openings"], list):
            for opening in event["openings"]:
                if isinstance(opening, dict) and int(str(opening["seq"])) in opened:
                    opening["positions"] = list(places)
                    opening["blinds"] = [b.hex() for b in opened[int(str(opening["seq"]))]]

    return Lies(row=row)


def hidden_in_the_open() -> Lies:
    """A seat hides a card without a commitment, and nothing is ever opened."""

    def row(event: Row) -> None:
        if event["kind"] == "action" and event["seat"] != "north":
            event.pop("commit", None)
        if event["kind"] == "deal_close":
            event["openings"] = []

    return Lies(row=row)
