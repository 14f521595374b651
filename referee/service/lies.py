"""What a client is told that has to notice a lie, and what it has to live with."""

from collections.abc import Callable, Mapping
from typing import Final

from referee.pb.euchre.referee.v1 import play_pb2, table_pb2
from referee.sealing.canonical import Json
from referee.sealing.commit import commit_set
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
