"""Files that were changed after the referee wrote them, or whose key or form is wrong."""

import json
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace

from referee.sealing import (
    CommitSet,
    MatchOpen,
    line_bytes,
    split_line,
)
from referee.sealing.messages import key_id
from referee.sealing.proof import prove_deal
from tests.sealing.support import (
    KEY,
    OTHER_KEY,
    on,
)
from tests.vectors.honest import HONEST, Case, edited, find, flip, lines, short_match


def file_cases() -> Iterator[Case]:
    """What happens to a file after the referee has written it."""
    honest, number = lines(), find("action")
    card = json.loads(HONEST.lines[find("turn_up")])["event"]["card"].encode()
    other = b"9C" if card != b"9C" else b"TC"
    cases: list[tuple[str, str, str, bytes]] = [
        ("flipped-card", "the upcard is changed", "chain",
         edited("turn_up", b'"card":"' + card, b'"card":"' + other)),
        ("deleted", "a line is missing", "chain",
         b"".join(honest[:number] + honest[number + 1 :])),
        ("doubled", "a line stands twice", "chain",
         b"".join(honest[: number + 1] + honest[number:])),
        ("swapped", "two lines have changed places", "chain",
         b"".join([*honest[:number], honest[number + 1], honest[number], *honest[number + 2 :]])),
        ("another-match", "the end of another match", "chain",
         b"".join(honest[:number] + lines(short_match(match=bytes(16)))[number:])),
    ]  # fmt: skip
    for name, comment, flag, text in cases:
        yield Case(name, comment, (flag,), text, 3, "file")
    for name, comment, text in (
        ("cut-in-line", "cut inside the last line", HONEST.text[:-9]),
        ("no-line-feed", "the last line has no line feed", HONEST.text[:-1]),
        ("cut-at-line", "match_close is missing", b"".join(honest[:-1])),
        ("cut-in-deal", "cut inside the deal", b"".join(honest[:number])),
        ("empty", "no byte at all", b""),
    ):
        yield Case(name, comment, ("truncated",), text, 5, "nobody")
    unsigned = lines()
    place = find("deck_root")
    raw, sig = split_line(unsigned[place][:-1])
    low, high = sig[:32], int.from_bytes(sig[32:], "little")
    order = 2**252 + 27742317777372353535851937790883648493
    for name, comment, made in (
        ("sig-missing", "deck_root without its signature", b""),
        ("sig-wrong", "deck_root with another signature", flip(sig)),
        ("sig-s-plus-l", "a signature with the group order added to S",
         low + (high + order).to_bytes(32, "little")),
        ("sig-r-not-reduced", "a signature whose R is not reduced",
         (2**255 - 19).to_bytes(32, "little") + sig[32:]),
    ):  # fmt: skip
        text = b"".join([*unsigned[:place], line_bytes(raw, made), *unsigned[place + 1 :]])
        yield Case(name, comment, ("signature",), text, 4, "file")


def key_cases() -> Iterator[Case]:
    yield Case("key-other", "another key is pinned", ("key",), HONEST.text, 4, "key",
               OTHER_KEY.public.text)  # fmt: skip
    other = on(MatchOpen, None, lambda e: replace(e, referee_key=KEY.public.text))
    text = short_match(key=OTHER_KEY, change=other).text
    yield Case("key-none-verifies", "signed by a key that is not named", ("key",), text, 4, "key")
    for name, comment, raw in (
        ("key-identity", "the identity as the referee's key", b"\x01" + bytes(31)),
        ("key-small-order", "a key of order 8", bytes.fromhex(
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")),
        ("key-not-reduced", "a key with y = p + 1", (2**255 - 18).to_bytes(32, "little")),
    ):  # fmt: skip
        named = named_key("n", raw)
        change = on(MatchOpen, None, lambda e, named=named: replace(e, referee_key=named))  # type: ignore[misc]  # bound now
        yield Case(name, comment, ("key",), short_match(change=change).text, 4, "key")


def named_key(name: str, raw: bytes) -> str:
    """The printed form of bytes that no key class takes."""
    return f"{name}+{key_id(name, raw)}+{b64encode(raw).decode()}"


def form_cases() -> Iterator[Case]:
    """Forms that are not canonical, each in the line of deal_open."""
    for name, comment, old, new in (
        ("space", "a space after a colon", b'"deal":1', b'"deal": 1'),
        ("leading-zero", "a leading zero", b'"deal":1', b'"deal":01'),
        ("float", "a fraction", b'"deal":1', b'"deal":1.0'),
        ("exponent", "an exponent", b'"deal":1', b'"deal":1e0'),
        ("negative", "a negative number", b'"deal":1', b'"deal":-1'),
        ("null", "null", b'"deal":1', b'"deal":null'),
        ("too-large", "2**53", b'"deal":1', b'"deal":9007199254740992'),
        ("twice", "one key twice", b'"deal":1', b'"deal":1,"deal":1'),
        ("unsorted", "keys out of order", b'"deal":1,', b'"dealer":"south","deal":1,'),
        ("escape", "an escape", b"deal_open", b"deal\\u005fopen"),
        ("tab", "a tab in a string", b"deal_open", b"deal\topen"),
        ("non-ascii", "a byte above 126", b"deal_open", b"deal\xc3\xa9open"),
        ("deep", "seven levels", b'"deal":1', b'"deal":[[[[[[1]]]]]]'),
        ("mark", "a byte order mark", b'{"event"', b'\xef\xbb\xbf{"event"'),
        ("spaces-after", "a space before the line feed", b'"}\n', b'"} \n'),
        ("carriage-return", "a carriage return", b'"}\n', b'"}\r\n'),
        ("upper-case-sig", "a signature in upper case", b'"sig":""',
         b'"sig":"' + b"AB" * 64 + b'"'),
    ):  # fmt: skip
        yield Case(f"form-{name}", comment, ("form",), edited("deal_open", old, new), 6, "file")
    log = b'{"format":"euchre-plain-log/1"}\n'
    yield Case("plain-log", "an unsealed log", ("form",), log, 6, "file")
    headless = b"".join(lines()[1:])
    yield Case("no-match-open", "match_open is missing", ("form",), headless, 3, "file")


def two_faced_cases() -> Iterator[Case]:
    number = find("commit_set")
    other = short_match(change=on(CommitSet, 1, lambda e: replace(e, cset=flip(e.cset))))
    text = b"".join([*lines()[: number + 1], other.lines[number], *lines()[number + 1 :]])
    yield Case("two-commit-sets", "two commit sets of one number, both signed", ("signed",),
               text, 3, "referee")  # fmt: skip
    proof = prove_deal(HONEST.text.splitlines(), 1)
    match = HONEST.match.hex().encode()
    yield Case("proof-other-match", "a proof that names another match", ("proof",),
               proof.replace(match, b"0" * 32, 1), 3, "file")  # fmt: skip
    short = json.loads(proof)
    del short["lines"][-1]
    text = json.dumps(short, separators=(",", ":")).encode() + b"\n"
    yield Case("proof-cut", "a proof without its deal_close", ("proof",), text, 5, "nobody")
    yield Case("proof-spaced", "a proof with a space in it", ("proof",),
               proof.replace(b'","match":', b'", "match":', 1), 6, "file")  # fmt: skip
