"""Files held against something besides: receipts, a roster, the demands of `--strict`."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from referee.sealing import (
    Fault,
    MatchOpen,
    Pair,
    ReceiptItem,
    SigningKey,
    event_hash,
    receipt_bytes,
    split_line,
)
from referee.sealing.canonical import Json, dump
from referee.sealing.roster import roster_line
from tests.sealing.support import KEY, OTHER_KEY, SEAT_KEYS, Played, Script, on
from tests.vectors.honest import HONEST, SHORT, Case, find, flip, short_match

OPENED = 1_700_000_000_000


def heads(script: Script) -> list[bytes]:
    """The head of the chain after each event."""
    found, head = [], bytes(32)
    for line in script.lines:
        head = event_hash(head, split_line(line[:-1])[0])
        found.append(head)
    return found


def item(script: Script, seq: int, *, deal: int = 1) -> ReceiptItem:
    return ReceiptItem(script.match, deal, seq, heads(script)[seq])


def receipt(items: Iterable[ReceiptItem], key: SigningKey = KEY) -> bytes:
    """A receipt's line, without its line feed."""
    listed = list(items)
    rows: list[Json] = [
        {"deal": i.deal, "head": i.head.hex(), "match": i.match.hex(), "seq": i.seq} for i in listed
    ]
    return dump({"items": [*rows], "sig": key.sign(receipt_bytes(listed)).hex()})


def receipt_cases() -> Iterator[Case]:
    """What receipts say to the honest file, and to files that deny what was acknowledged."""
    commits = [i for i, line in enumerate(HONEST.lines) if b'"kind":"seat_commit"' in line]
    honest = receipt(item(HONEST, seq) for seq in (commits[0], find("commit_set")))
    move = receipt([item(HONEST, find("action"))])
    elsewhere = receipt([ReceiptItem(bytes(16), 1, 3, bytes(32))])
    other = item(HONEST, find("action"))
    text, last = HONEST.text, len(HONEST.lines) - 1
    beyond = receipt([ReceiptItem(HONEST.match, 2, last + 1, bytes(32))])
    for name, comment, lines in (
        ("agree", "receipts of a commitment, a reveal and a move", (honest, move)),
        ("elsewhere", "a receipt of another match says nothing", (elsewhere, move)),
    ):
        yield Case(f"receipts-{name}", comment, ("receipts",), text, receipts=(lines,))
    for name, comment, line in (
        ("contradict", "a move was acknowledged that is not the one in the file",
         receipt([replace(other, head=flip(other.head))])),
        ("other-deal", "a move was acknowledged for another deal",
         receipt([replace(other, deal=2)])),
        ("beyond", "an event was acknowledged after the end of the match", beyond),
        ("second-item", "the second item of a receipt contradicts",
         receipt([item(HONEST, commits[0]), replace(other, head=flip(other.head))])),
    ):  # fmt: skip
        yield Case(f"receipts-{name}", comment, ("receipts",), text, 3, "referee",
                   receipts=((move, line),))  # fmt: skip
    forged = receipt([replace(other, head=flip(other.head))], OTHER_KEY)
    yield Case("receipts-forged", "a receipt that the referee did not sign proves nothing",
               ("receipts", "signature"), text, 4, "file", receipts=((forged,),))  # fmt: skip
    torn = b"".join(HONEST.lines[:-1])
    yield Case("receipts-torn", "the file ends before the event that was acknowledged",
               ("receipts", "truncated"), torn, 5, "nobody", receipts=((beyond,),))  # fmt: skip
    changed = text.replace(b'"used_ms":12', b'"used_ms":13', 1)
    yield Case("receipts-chain", "the chain breaks before receipts are asked",
               ("receipts", "chain"), changed, 3, "file", receipts=((move, beyond),))  # fmt: skip
    yield from withheld_cases()


def withheld_cases() -> Iterator[Case]:
    """A reveal was acknowledged, and its seat is said to have withheld it."""
    done = Played(
        (), outcome="fault", faults=(Fault(0, "WITHHELD"),), points=Pair(0, 4), score=Pair(0, 4)
    )
    script = Script(rules={**SHORT, "deals": "none"})
    script.open_match()
    script.commit(1, 2)
    script.close_deal(1, done, None, ())
    script.close_match("aborted", score=Pair(0, 0), deals=1)
    north, south = (
        next(
            i for i, line in enumerate(script.lines)
            if b'"seat_commit"' in line and f'"seat":"{word}"'.encode() in line
        )
        for word in ("north", "south")
    )  # fmt: skip
    reveal = item(script, find("commit_set", script))
    accused = (receipt([item(script, north)]), receipt([reveal]))
    partner = (receipt([item(script, south)]), receipt([reveal]))
    commit = (receipt([item(script, north)]),)
    flags = ("receipts", "fault")
    yield Case("receipts-withheld", "north is charged, and holds the receipt of its reveal",
               flags, script.text, 3, "referee", receipts=(partner, accused))  # fmt: skip
    yield Case("receipts-withheld-partner", "another seat's receipt does not clear north",
               flags, script.text, receipts=(partner, commit))  # fmt: skip


@cache
def signing() -> Script:
    return short_match(levels=("signs",) * 4)


def roster_cases() -> Iterator[Case]:
    """What a roster says of the keys in match_open."""
    listed = roster_line(KEY.public, OPENED - 1000)
    before = roster_line(OTHER_KEY.public, OPENED - 1000)
    seats = tuple(roster_line(key.public, 0) for key in SEAT_KEYS)
    old = SigningKey.from_bytes("test-referee", b"\x12" * 32)
    succeeds = roster_line(KEY.public, OPENED - 500, old)
    young = roster_line(KEY.public, OPENED + 1)
    new = SigningKey.from_bytes("test-referee", b"\x13" * 32)
    retired = (listed, roster_line(new.public, OPENED - 500, KEY))
    still = (listed, roster_line(new.public, OPENED + 500, KEY))
    right: list[tuple[str, str, tuple[bytes, ...]]] = [
        ("listed", "the referee's key is listed", (before, listed)),
        ("succeeded", "the referee's key is signed by the one before it",
         (roster_line(old.public, 0), succeeds)),
        ("later", "the key was succeeded after the match was opened", still),
    ]  # fmt: skip
    for name, comment, roster in right:
        yield Case(f"roster-{name}", comment, ("roster",), HONEST.text, roster=roster)
    wrong: list[tuple[str, str, tuple[bytes, ...]]] = [
        ("unlisted", "the referee's key is not listed", (before,)),
        ("young", "the key was listed after the match was opened", (young,)),
        ("retired", "the key was succeeded before the match was opened", retired),
        ("other-name", "the key is listed under another name",
         (roster_line(SigningKey.from_bytes("umpire", b"\x11" * 32).public, 0),)),
    ]  # fmt: skip
    for name, comment, roster in wrong:
        yield Case(f"roster-{name}", comment, ("roster", "key"), HONEST.text, 4, "key",
                   roster=roster)  # fmt: skip
    text = signing().text
    yield Case("roster-seats", "all keys of signing seats are listed", ("roster", "signs"), text,
               roster=(listed, *seats))  # fmt: skip
    yield Case("roster-seat-unlisted", "the key of one seat is not listed",
               ("roster", "signs", "key"), text, 4, "key", roster=(listed, *seats[:3]))  # fmt: skip


def strict_cases() -> Iterator[Case]:
    """What `--strict` asks besides."""
    pin = KEY.public.text
    text = signing().text
    yield Case("strict", "key pinned, every seat signs", ("strict",), text, pinned=pin, strict=True)
    yield Case("strict-unpinned", "the key is not pinned", ("strict",), text, 7, strict=True)
    for name, comment, script in (
        ("unsigned", "one seat does not sign",
         short_match(levels=("signs", "signs", "checks", "signs"))),
        ("declined", "one seat has declined",
         short_match(levels=("signs", "signs", "plays", "signs"))),
        ("host", "one seat's seeds are drawn by the host", short_match(
            levels=("signs",) * 4, seed_by=("seat", "host", "seat", "seat"))),
    ):  # fmt: skip
        yield Case(f"strict-{name}", comment, ("strict",), script.text, 7, pinned=pin,
                   strict=True)  # fmt: skip
    broken = short_match(
        levels=("signs",) * 4, change=on(MatchOpen, None, lambda e: replace(e, r0=flip(e.r0)))
    )
    yield Case("strict-broken", "what is broken decides before what is weak", ("strict", "chain"),
               broken.text, 3, "referee", strict=True)  # fmt: skip
