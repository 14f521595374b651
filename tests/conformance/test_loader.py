"""What is wrong with a case file is said with its file and line."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.check import checks_of
from conformance.corpus import changed_meanings, load
from conformance.errors import CorpusError
from conformance.oracle.cards import pack
from conformance.rulebook import check_quotes, rulebook_from
from conformance.tree import MAX_BYTES, parse

BROKEN = [
    ("title: The dealer's left speaks first", "title: off", "small.yaml:6: title: 'off' would be"),
    (
        "title: The dealer's left speaks first",
        "titel: x",
        "unknown key 'titel', did you mean 'title'",
    ),
    ("title: The dealer's left speaks first\n", "", "small.yaml:5: the case has no 'title'"),
    ("rules: [round-one.order]", "rules: [round-one.order]\nrules: [x]", "'rules' stands twice"),
    ("rules: [round-one.order]", "rules: [1.5]", "small.yaml:7: an item of rules: '1.5' would be"),
    (
        "where: {ruleset: standard}",
        "where: {ruleset: standrad}",
        "yaml:8: ruleset is 'standrad'",
    ),
    (
        "where: {ruleset: standard}",
        "where: {packs: E24}",
        "'packs', did you mean 'pack'",
    ),
    ("where: {ruleset: standard}", "where: {pack: E99}", "pack cannot be 'E99': it is one of E24"),
    ("where: {ruleset: standard}", "where: {target: 100}", "target cannot be '100'"),
    ("dealer: north", "dealer: nroth", "dealer is 'nroth': it must be one of north, east"),
    ("when: {ask: legal}", "when: {ask: view nobody}", "ask is legal, score or view SEAT"),
    ("when: {ask: legal}", "when: {guess: legal}", "when asks nothing known: guess"),
    ("when: {ask: legal}", "when: {ask: legal, by: north}", "when has an unknown key 'by'"),
    ("then: {turn: east}", "then: {}", "then judges nothing"),
    ("then: {turn: east}", "then: {turns: east}", "unknown key 'turns', did you mean 'turn'"),
    ("then: {turn: east}", "then: {closed: false}", "closed can only be true"),
    ("then: {turn: east}", "then: {turn: E}", "turn is 'E': it must be one of north, east"),
    ("then: {turn: east}", "then: {phase: playing}", "phase is 'playing': it must be one of"),
    ("then: {turn: east}", "then: {legal: [pass, pass]}", "legal has 'pass' twice"),
    ("then: {turn: east}", "then: {legal: [play 1D]}", "'play 1D' is no action: write it as"),
    ("then: {turn: east}", "then: {legal: [swap 9C 9C TC]}", "'swap 9C 9C TC' is no action"),
    (
        "when: {ask: legal}\nthen: {turn: east}",
        "when: {ask: view east}\nthen: {upcard: 1D}",
        "upcard has '1D', which is no card: write rank and suit, as 9H or TC",
    ),
    (
        "when: {ask: legal}\nthen: {turn: east}",
        "when: {ask: view east}\nthen: {hand: 9C 10D}",
        "hand has '10D', which is no card",
    ),
    (
        "when: {ask: legal}\nthen: {turn: east}",
        "when: {ask: view east}\nthen: {trick: [{seat: east, card: ZZ}]}",
        "card has 'ZZ', which is no card",
    ),
    (
        "when: {ask: legal}\nthen: {turn: east}",
        "when: {apply: order}\nthen: {refused: MUST_FOLOW}",
        "refused is 'MUST_FOLOW': it must be one of",
    ),
    (
        "when: {ask: legal}\nthen: {turn: east}",
        "when: {ask: view east}\nthen: {out: [eats]}",
        "out has 'eats': it must be one of north",
    ),
    (
        "when: {ask: legal}\nthen: {turn: east}",
        "when: {perft: {depth: -1}}\nthen: {leaves: 1}",
        "depth is -1: it cannot be negative",
    ),
    (
        "when: {ask: legal}\nthen: {turn: east}",
        "when: {ask: score}\nthen: {points: {ns: 1}}",
        "points has no 'ew'",
    ),
    ("  actions: []", "  score: {ns: -1, ew: 0}", "score.ns is -1: it cannot be negative"),
    ("rules: [round-one.order]", "rules: []", "rules names no rule"),
    ("rules: [round-one.order]", "rules: [a.b, a.b]", "rules names 'a.b' twice"),
    ("title: The dealer's left speaks first", "title: 1e3", "'1e3' would be read as float"),
    (
        "id: small-001",
        "id: small-001\nstatus: withdrawn\nsuperseded_by: small-002",
        "is superseded by 'small-002', which is no case, did you mean 'small-001'",
    ),
    ("id: small-001", "id: Small one", "is not words and three digits"),
    ("id: small-001", "id: small-001\nstatus: disputed", "alternatives stand in a disputed case"),
    ("  actions: []", "  actions: [[pass]]", "an item of actions is not a text"),
    ("  actions: []", "  score: {ns: 1}", "score has no 'ew'"),
    ("  actions: []", "  score: {ns: one, ew: 2}", "score.ns is not an integer"),
    ("given:", "given: &a\n  again: *b\n  x:", "must stand before it in this file, after a &"),
    ("then: {turn: east}", "then: {turn: east", "small.yaml:"),
    ("then: {turn: east}", "then: [turn, east]", "then is not a map"),
    ("then: {turn: east}", "then: {<<: {turn: east}}", "merge keys are not read: write the keys"),
    ("then: {turn: east}", "then: {? [turn] : east}", "a key must be a plain word"),
    ("title: The dealer's left speaks first", 'title: ""', "yaml:6: title is empty: say it in"),
    (
        "title: The dealer's left speaks first",
        'title: "The \\e[31mdealer"',
        "yaml:6: title holds the control character '\\x1b': leave it out",
    ),
    (
        "title: The",
        "title: One: the",
        "yaml:6: mapping values are not allowed in this context (put",
    ),
    ("title: The", "title: \x07The", "yaml:6: the character '\\x07' cannot stand in YAML"),
    ("title: The", 'title: "The', "that begins in line 6 (a quote is not closed)"),
    ("where: {ruleset: standard}", "where: {pack: []}", "yaml:8: pack names no value, so no rule"),
    ("where: {ruleset: standard}", "with: {tempo: 3}", "(euchre-referee rules show standard lists"),
    (
        "dealer: north",
        "dealer: north\n    lead: east",
        "(the keys are dealer, hands, upcard, kitty)",
    ),
    ("  actions: []", "  score: {ns: 011, ew: 2}", "score.ns is '011': write an integer in plain"),
    ("  actions: []", "  score: {ns: 1_0, ew: 2}", "score.ns is '1_0': write an integer in plain"),
    (
        "  actions: []",
        f"  score: {{ns: {'9' * 5000}, ew: 2}}",
        f"score.ns is '{'9' * 60}'...: write an integer in plain digits, 18 at most",
    ),
    (
        "when: {ask: legal}\nthen: {turn: east}",
        "when: {game: []}\nthen: {scores: []}",
        "no deal: a",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_a_malformed_case_is_refused_with_its_place(
    corpus_dir: Callable[..., Path], old: str, new: str, message: str
) -> None:
    with pytest.raises(CorpusError) as caught:
        load(corpus_dir(old, new))
    assert message in str(caught.value)
    assert str(caught.value).startswith("small.yaml:")
    assert "\n" not in str(caught.value)


UNREACHABLE = [
    ("  actions: []", "  actions: [order, pass]", "north may not 'pass': WRONG_PHASE"),
    (
        "  actions: []",
        "  actions: [order, discard 8C]",
        "north may not 'discard 8C': UNKNOWN_ACTION (legal here: discard 9C, discard 9S",
    ),
    ("TC QS", "TC QH", "the card 'QH' stands twice: east and the upcard"),
    ("TC QS", "TC 9D", "the card '9D' stands twice: east and west"),
    ("9C 9S TS KD AC", "9C 9S TS KD", "north holds 4 cards: each seat must hold five cards"),
    (
        "upcard: QH",
        "upcard: QH\n    kitty: TH 9C",
        "the card '9C' stands twice: north and the kitty",
    ),
    ("upcard: QH", "upcard: QH\n    kitty: KC AC", "the card 'AC' stands twice"),
    ("upcard: QH", "upcard: QH\n    kitty: KC TH", "the kitty lacks JH: give all of it or none"),
    ("9C 9S TS KD AC", "9C 9S TS KD 8C", "not a card of the pack E24: '8C'"),
    (
        "given:",
        "with: {upcard: stays_out, bury_upcard: forbidden}\ngiven:",
        "makes no sense beside",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), UNREACHABLE)
def test_a_position_that_cannot_be_reached_is_refused_with_its_case(
    corpus_dir: Callable[..., Path], old: str, new: str, message: str
) -> None:
    with pytest.raises(CorpusError) as caught:
        list(checks_of(load(corpus_dir(old, new))))
    assert message in str(caught.value)
    assert "small.yaml:5: case small-001" in str(caught.value)


def test_a_seat_that_stands_twice_in_a_deal_is_refused(corpus_dir: Callable[..., Path]) -> None:
    folder = corpus_dir("east: AD QD 9H TC QS", "north: AD QD 9H TC QS")
    with pytest.raises(CorpusError) as caught:
        load(folder)
    assert str(caught.value) == "small.yaml:14: the key 'north' stands twice, first in line 13"


def test_a_deck_of_23_cards_is_refused_before_anything_is_asked(
    corpus_dir: Callable[..., Path],
) -> None:
    deck = " ".join(pack("E24")[:23])
    folder = corpus_dir("when: {ask: legal}", f"when: {{deck: {{dealer: north, deck: {deck}}}}}")
    text = (folder / "small.yaml").read_text().replace("then: {turn: east}", "then: {upcard: AS}")
    (folder / "small.yaml").write_text(text)
    with pytest.raises(CorpusError, match="the deck has 23 cards, the pack E24 has 24") as caught:
        list(checks_of(load(folder)))
    assert str(caught.value).startswith("small.yaml:5: case small-001 under standard: ")


def test_an_id_that_was_used_before_is_refused_with_what_to_do() -> None:
    case = load().cases[0]
    problems = list(changed_meanings([case], {case.id: "0" * 16}))
    assert len(problems) == 1
    assert problems[0].startswith(f"{case.place()}: the id {case.id} was used before")
    assert problems[0].endswith("give it a new id and let the old one say superseded_by")


def test_a_quote_of_another_line_is_refused_with_its_line(tmp_path: Path) -> None:
    page = "one\nThe pack is 24 cards\n"
    (tmp_path / "page.txt").write_text(page, encoding="ascii")
    digest = hashlib.sha256(page.encode()).hexdigest()
    sources = parse(
        "format: euchre-sources/1\npages:\n  m: {title: A page, file: page.txt, sha256: "
        f"{digest}}}\nothers: {{}}",
        "sources.yaml",
    )
    book = parse(
        "format: euchre-rulebook/1\nchapters: {pack: The pack}\nrules:\n  pack.24:\n"
        "    chapter: pack\n    text: The pack.\n    level: must\n"
        '    sources: [{page: m, line: 1, quote: "24 cards"}]',
        "rulebook.yaml",
    )
    found = check_quotes(rulebook_from(book, sources), tmp_path)
    where = "rulebook.yaml:8: rule pack.24: line 1 of page m does not say '24 cards'"
    assert found.problems == (f"{where} (it stands in line 2)",)


def test_an_id_that_stands_twice_is_refused(corpus_dir: Callable[..., Path]) -> None:
    folder = corpus_dir()
    (folder / "again.yaml").write_text((folder / "small.yaml").read_text())
    with pytest.raises(CorpusError, match=r"'small-001' stands twice, first at again.yaml:5"):
        load(folder)


def test_a_file_that_is_not_utf8_is_refused(corpus_dir: Callable[..., Path]) -> None:
    folder = corpus_dir()
    (folder / "small.yaml").write_bytes(b"# one\nformat: \xff")
    with pytest.raises(CorpusError, match=r"small.yaml:2: byte 14 is not UTF-8: save the file"):
        load(folder)


def test_a_device_among_the_cases_is_refused_and_not_read(
    corpus_dir: Callable[..., Path],
) -> None:
    folder = corpus_dir()
    (folder / "device.yaml").symlink_to("/dev/null")
    with pytest.raises(CorpusError, match=r"device.yaml: not a file: put the cases in a file"):
        load(folder)


def test_a_file_far_too_large_is_refused_unread(corpus_dir: Callable[..., Path]) -> None:
    folder = corpus_dir()
    with (folder / "small.yaml").open("ab") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(CorpusError, match=rf"small.yaml: {MAX_BYTES + 1} bytes: split it"):
        load(folder)


def test_a_second_document_in_a_file_is_refused_with_its_line() -> None:
    with pytest.raises(CorpusError, match=r"two.yaml:2: .* \(a file holds one document: take out"):
        parse("a: b\n---\nc: d\n", "two.yaml")


def test_aliases_of_aliases_cost_no_more_than_what_is_written() -> None:
    rows = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 7))
    root = parse(f"a0: &a0 [x]\n{rows}", "laughs.yaml").mapping("the file")
    assert all(item is root["a5"] for item in root["a6"].sequence("a6"))


def test_an_empty_folder_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no cases"):
        load(tmp_path)


def test_a_rule_that_is_not_in_our_book_is_a_warning_in_another_corpus(
    corpus_dir: Callable[..., Path],
) -> None:
    corpus = load(corpus_dir("round-one.order", "my.rule"))
    assert "unknown rule 'my.rule'" in corpus.warnings[0]


def test_a_knob_value_is_text_whatever_yaml_makes_of_it(corpus_dir: Callable[..., Path]) -> None:
    corpus = load(corpus_dir("where: {ruleset: standard}", "where: {target: 10, pack: E24}"))
    assert corpus.cases[0].where["target"] == ("10",)


def test_a_text_nested_without_end_is_refused() -> None:
    with pytest.raises(CorpusError, match="nest"):
        parse("[" * 5000, "deep.yaml")


def test_a_text_nested_deeper_than_any_case_is_refused() -> None:
    with pytest.raises(CorpusError, match=r"deep.yaml:1: nested too deeply"):
        parse("[" * 50 + "]" * 50, "deep.yaml")


def test_an_alias_within_itself_is_refused() -> None:
    with pytest.raises(CorpusError, match="contains itself"):
        parse("&a [*a]", "loop.yaml")
