"""Both verifiers say the same of files that were changed at random, signed again or not."""

import json
from random import Random
from typing import Final

import pytest

from referee.sealing.canonical import Json
from referee.sealing.proof import prove_deal
from referee.sealing.transcript import ZERO_HEAD, event_hash, line_bytes, sign_event
from referee.sealing.verify import SIGNED_KINDS
from tests.e2e.verifiers import Files, Said, javascript_says, python_says
from tests.journal.support import random_match
from tests.sealing.support import KEY, STANDARD

RULES: Final = {
    **STANDARD, "target": "2", "cut": "dealers_right", "first_dealer": "draw_low", "pack": "E25",
}  # fmt: skip
BASE: Final = random_match(RULES).text
FIELDS: Final = (
    "note", "key", "cut", "maker", "deck", "by", "winner", "commit", "fallback", "seat_sig",
    "board", "dealer", "cutter",
)  # fmt: skip
VALUES: Final[tuple[Json, ...]] = (
    0, 1, 20, 24, 255, 2**53 - 1, "", "north", "played", "void", "fault", "draw", "9C", "BB",
    "00" * 32, "ff" * 32, "00" * 16, "00" * 64, True, False, "x" * 300, "plays", "signs", "host",
    "TIMEOUT", "ILLEGAL", [], [0], {"a": 1},
)  # fmt: skip


def events() -> list[dict[str, object]]:
    return [json.loads(line)["event"] for line in BASE.splitlines()]


def signed_again(changed: list[dict[str, object]]) -> bytes:
    """The file that a referee makes of these events, whatever they hold."""
    head, lines = ZERO_HEAD, []
    for event in changed:
        if "prev" in event:
            event["prev"] = head.hex()
        raw = json.dumps(event, sort_keys=True, separators=(",", ":")).encode()
        head = event_hash(head, raw)
        due = str(event.get("kind")) in SIGNED_KINDS
        lines.append(line_bytes(raw, sign_event(KEY, head) if due else b""))
    return b"".join(lines)


def places(value: object) -> list[tuple[dict[str, object] | list[object], str | int]]:
    """Every place inside a value where something can be changed."""
    found: list[tuple[dict[str, object] | list[object], str | int]] = []
    if isinstance(value, dict):
        found += [(value, key) for key in value if key != "prev"]
        inner = list(value.values())
    elif isinstance(value, list):
        found += [(value, index) for index in range(len(value))]
        inner = value
    else:
        return found
    for item in inner:
        found += places(item)
    return found


def change_value(choose: Random, event: dict[str, object]) -> None:
    holder, key = choose.choice(places(event))
    old = holder[key]  # type: ignore[index]  # a key of its own holder
    drawn = choose.random()
    new: object = choose.choice(VALUES)
    if drawn < 0.1:
        del holder[key]  # type: ignore[arg-type]  # a key of its own holder
        return
    if drawn < 0.2 and isinstance(holder, dict):
        key = choose.choice(FIELDS)
    elif drawn < 0.6 and isinstance(old, str) and old:
        at = choose.randrange(len(old))
        new = old[:at] + choose.choice("0123456789abcdefJQKASHDC +") + old[at + 1 :]
    elif drawn < 0.75 and type(old) is int:
        new = abs(old + choose.choice((1, -1, 2)))
    holder[key] = new  # type: ignore[index]  # a key of its own holder


def resigned(choose: Random) -> bytes:
    changed = events()
    for _ in range(choose.choice((1, 1, 1, 2))):
        at, other = choose.randrange(len(changed)), choose.randrange(len(changed))
        drawn = choose.random()
        if drawn < 0.08:
            del changed[at]
        elif drawn < 0.12:
            changed.insert(other, dict(changed[at]))
        elif drawn < 0.18:
            changed[at], changed[other] = changed[other], changed[at]
        else:
            change_value(choose, changed[at])
    if choose.random() < 0.7:
        for seq, event in enumerate(changed):
            event["seq"] = seq
    return signed_again(changed)


def changed_file(choose: Random) -> bytes:
    """A file that somebody without the key has changed."""
    lines = BASE.splitlines(keepends=True)
    at, drawn = choose.randrange(len(lines)), choose.random()
    if drawn < 0.3:
        place = choose.randrange(len(BASE))
        return BASE[:place] + bytes((choose.randrange(256),)) + BASE[place + 1 :]
    if drawn < 0.5:
        return BASE[: choose.randrange(len(BASE))]
    if drawn < 0.75:
        proof = json.loads(prove_deal(BASE.splitlines(), choose.choice((0, 1))))
        del proof["lines"][choose.randrange(len(proof["lines"]))]
        return json.dumps(proof, separators=(",", ":")).encode() + b"\n"
    spaced = lines[at].replace(b'":"', b'": "', 1)
    lines[at] = choose.choice((b"\n", b"{}\n", b'{"event":{},"sig":""}\n', spaced))
    return b"".join(lines)


RULE_BROKEN: Final = 1
END_MISSING: Final = 5


def differ(ours: Said, theirs: Said) -> bool:
    """Whether the verifiers differ; where a rule is broken, JavaScript sees only what is after."""
    if ours[0] == RULE_BROKEN:
        return theirs[0] not in {0, END_MISSING}
    return ours != theirs


def disagreements(count: int, seed: int) -> list[tuple[Said, Said]]:
    """The verifiers' words on files changed at random, where they differ."""
    choose = Random(seed)  # noqa: S311 -- a test repeats itself
    files = [
        Files(resigned(choose) if choose.random() < 0.7 else changed_file(choose))
        for _ in range(count)
    ]
    pairs = zip(map(python_says, files), javascript_says(files), strict=True)
    return [(ours, theirs) for ours, theirs in pairs if differ(ours, theirs)]


def test_an_unchanged_file_signed_again_is_the_same_file() -> None:
    assert signed_again(events()) == BASE


def test_both_verifiers_say_the_same_of_changed_files() -> None:
    assert disagreements(120, 1) == []


@pytest.mark.heavy
def test_both_verifiers_say_the_same_of_thousands_of_changed_files() -> None:
    assert disagreements(4_000, 2) == []
