"""A seat's whole conversation, over real gRPC against a referee that can lie."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fake_referee import KEY, MATCH, ME, FakeReferee, Row, listening, options

from euchre_bot import (
    BotError,
    DealProofError,
    RefereeLostError,
    Result,
    SeatTakenError,
    UsageError,
    View,
    play,
    seal,
)
from euchre_bot.canonical import JSON
from euchre_bot.files import load_secret
from euchre_bot.pb.euchre.referee.v1 import play_pb2
from euchre_bot.play import Pace
from euchre_bot.seal import PACKS
from euchre_bot.signatures import PublicKey

QUICK = Pace(first=0.001, most=0.001, total=5.0)
SUPERSEDED = play_pb2.PlayItem(superseded=play_pb2.Superseded())
DRAINING = play_pb2.PlayItem(draining=play_pb2.Draining(retry_ms=1))


def call_when_dealing(view: View, legal: Sequence[str]) -> str:
    return "order" if "order" in legal and view["dealer"] == "north" else legal[0]


def played(referee: FakeReferee, folder: Path) -> Result:
    with listening(referee) as port:
        return play(call_when_dealing, options(folder, port), QUICK)


def fails(referee: FakeReferee, folder: Path) -> str:
    with pytest.raises(DealProofError) as caught:
        played(referee, folder)
    return str(caught.value)


def test_match_is_played_to_its_close(tmp_path: Path) -> None:
    result = played(FakeReferee(), tmp_path)
    assert (result.outcome, result.winner, result.ns, result.ew) == ("finished", "ns", 1, 0)


def test_dealer_draw_is_played_and_checked(tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[None])
    referee.rules["first_dealer"] = "draw_low"
    assert played(referee, tmp_path).outcome == "finished"
    assert [said.WhichOneof("input") for said in referee.inputs[:4]] == [
        "commit",
        "reveal",
        "commit",
        "reveal",
    ]


def test_cutter_commits_to_a_cut_and_reveals_it(tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[1])
    played(referee, tmp_path)
    reveal = next(said.reveal for said in referee.inputs if said.HasField("reveal"))
    assert reveal.HasField("cut")
    assert reveal.cut < 24


def test_discard_carries_a_blind_of_its_own(tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[0, 0])
    played(referee, tmp_path)
    blinds = [said.act.blind for said in referee.inputs if said.act.action.startswith("discard")]
    assert [len(blind) for blind in blinds] == [32, 32]
    assert blinds[0] != blinds[1]


@pytest.mark.parametrize("kind", ["commit", "reveal", "act"])
def test_input_whose_ruling_was_lost_is_sent_again_under_the_same_id(
    kind: str, tmp_path: Path
) -> None:
    referee = FakeReferee(drop_ruling_of={kind})
    assert played(referee, tmp_path).outcome == "finished"
    sent = [said for said in referee.inputs if said.WhichOneof("input") == kind]
    assert sent[0] == sent[1]
    assert len({said.request_id for said in referee.inputs}) == len(referee.inputs) - 1


def test_reconnect_resumes_after_the_last_event_seen(tmp_path: Path) -> None:
    referee = FakeReferee(drop_ruling_of={"act"})
    played(referee, tmp_path)
    first, second = (hello.resume for hello in referee.hellos)
    assert first == 0
    assert 0 < second < referee.seq


@pytest.mark.parametrize("moment", ["commit", "reveal", "act"])
def test_fresh_process_with_the_same_files_goes_on(moment: str, tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[1, 1, 0], leave_at=moment, farewell=SUPERSEDED)
    with pytest.raises(SeatTakenError):
        played(referee, tmp_path)
    assert played(referee, tmp_path).outcome == "finished"


def test_draining_referee_is_waited_for(tmp_path: Path) -> None:
    referee = FakeReferee(leave_at="act", farewell=DRAINING)
    assert played(referee, tmp_path).outcome == "finished"
    assert len(referee.hellos) == 2


def test_refused_action_is_explained_to_the_bot_that_is_asked_again(tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[1], refuse_once={"pass"})
    seen: list[str] = []

    def choose(view: View, legal: Sequence[str]) -> str:
        seen.append(view["refused"]["reason"] if "refused" in view else "")
        return legal[0]

    with listening(referee) as port:
        play(choose, options(tmp_path, port), QUICK)
    assert seen == ["", "DEALER_STUCK"]


def test_refusal_that_was_lost_on_the_way_is_answered_once(tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[1], refuse_once={"pass"}, drop_ruling_of={"act"})
    assert played(referee, tmp_path).outcome == "finished"
    ids = [said.request_id for said in referee.inputs if said.HasField("act")]
    assert ids[0] == ids[1] != ids[2]
    assert len(ids) == 3


def test_stale_action_waits_for_the_next_question(tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[1], stale_once={"act"})
    assert played(referee, tmp_path).outcome == "finished"
    first, second = (said for said in referee.inputs if said.HasField("act"))
    assert first.request_id != second.request_id


def test_unrecorded_input_is_sent_again_unchanged(tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[1], away_once={"reveal"})
    assert played(referee, tmp_path).outcome == "finished"
    first, second = (said for said in referee.inputs if said.HasField("reveal"))
    assert first == second


def test_referee_that_never_records_is_given_up_on(tmp_path: Path) -> None:
    class Full(FakeReferee):
        def answer(self, said: play_pb2.PlayInput) -> Iterator[play_pb2.PlayItem]:
            self.away_once.add("commit")
            return super().answer(said)

    with listening(Full()) as port, pytest.raises(RefereeLostError, match="UNAVAILABLE: not now"):
        play(call_when_dealing, options(tmp_path, port), Pace(0.001, 0.001, 0.05))


# -- a referee that lies


def flip(key: str) -> Callable[[Row], None]:
    """Change the first byte of a hex field."""

    def lie(row: Row) -> None:
        text = str(row[key])
        row[key] = ("00" if text[:2] != "00" else "01") + text[2:]

    return lie


def put(key: str, value: JSON) -> Callable[[Row], None]:
    def lie(row: Row) -> None:
        row[key] = value

    return lie


def change_item(key: str, place: int, value: str) -> Callable[[Row], None]:
    def lie(row: Row) -> None:
        items = row[key]
        assert isinstance(items, list)
        items[place] = value

    return lie


def twin(row: Row) -> None:
    commits = row["commits"]
    assert isinstance(commits, list)
    commits[3] = commits[1]


def swap_leaves(row: Row) -> None:
    leaves = row["leaves"]
    assert isinstance(leaves, list)
    leaves[3], leaves[4] = leaves[4], leaves[3]


ZERO = "00" * 32
LIES: list[tuple[str, Callable[[Row], None], str]] = [
    ("match_open", put("protocol", "euchre-sealed/v0"), "protocol"),
    ("match_open", put("match", "ff" * 16), "match"),
    ("match_open", put("referee_key", "test+00000000+AAAA"), "not a sound one"),
    ("match_open", put("pack", "E25"), "pack"),
    ("match_open", put("rules", {"pack": "E24"}), "rules"),
    ("match_open", flip("rule_set"), "rule_set"),
    ("match_open", put("seats", []), "not four"),
    ("deal_open", put("deal", 2), "not the next one"),
    ("deal_open", put("dealer", "northeast"), "not a seat"),
    ("deal_open", put("cutter", "west"), "wrong seat cuts"),
    ("deal_open", put("seq", 7), "was due"),
    ("deal_open", flip("prev"), "chain of events"),
    ("deal_open", put("kind", "match_open"), "match_open, once"),
    ("deal_open", put("deal", [1]), "not a number"),
    ("seat_commit", put("commit", ZERO), "not the one of our secret"),
    ("seat_commit", put("commit", "xy"), "lower-case hex"),
    ("commit_set", change_item("commits", 0, ZERO), "our own commitment"),
    ("commit_set", change_item("commits", 1, ZERO), "the commitment of east"),
    ("commit_set", change_item("commits", 2, ZERO), "the commitment of south"),
    ("commit_set", twin, "same commitment"),
    ("commit_set", flip("r_commit"), "r_commit"),
    ("commit_set", flip("cset"), "cset"),
    ("reveal_set", change_item("seeds", 1, ZERO), "the seed of east"),
    ("reveal_set", change_item("seeds", 2, ZERO), "the seed of south"),
    ("reveal_set", put("cut", 24), "more than the pack"),
    ("deck_root", flip("root"), "the root"),
    ("deck_root", swap_leaves, "the root"),
    ("turn_up", put("position", 19), "the upcard"),
    ("turn_up", put("card", "9Z"), "not a card of the pack"),
    ("turn_up", flip("salt"), "not the sealed card"),
    ("deal_close", flip("r"), "r does not continue"),
    ("deal_close", put("deck", " ".join(PACKS["E24"])), "the deck"),
    ("deal_close", put("openings", [{"seq": 0, "positions": [], "blinds": []}]), "hides nothing"),
    ("match_close", flip("prev"), "chain of events"),
]


@pytest.mark.parametrize(("kind", "lie", "words"), LIES)
def test_lie_in_an_event_ends_the_match(
    kind: str, lie: Callable[[Row], None], words: str, tmp_path: Path
) -> None:
    assert words in fails(FakeReferee(dealers=[1], lies={kind: lie}), tmp_path)


@pytest.mark.parametrize(
    "kind", ["match_open", "commit_set", "deck_root", "deal_close", "match_close"]
)
def test_event_without_its_signature_ends_the_match(kind: str, tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[1], unsigned=frozenset({kind}))
    assert f"({kind}) is not signed" in fails(referee, tmp_path)


def other_root(given: play_pb2.PrivateDeal) -> None:
    given.root = bytes(32)


def other_card(given: play_pb2.PrivateDeal) -> None:
    given.cards[0].card = "9C" if given.cards[0].card != "9C" else "9D"


def other_place(given: play_pb2.PrivateDeal) -> None:
    given.cards[0].position += 20


def quoted_card(given: play_pb2.PrivateDeal) -> None:
    given.cards[0].card = '"'


def foreign_card(given: play_pb2.PrivateDeal) -> None:
    given.cards[0].card = "9\N{BLACK CLUB SUIT}"


def short_salt(given: play_pb2.PrivateDeal) -> None:
    given.cards[0].salt = bytes(31)


def signing(lie: Callable[[play_pb2.PrivateDeal], None]) -> Callable[[play_pb2.PrivateDeal], None]:
    """A lie under the referee's signature."""

    def told(given: play_pb2.PrivateDeal) -> None:
        lie(given)
        cards = [(c.position, c.card, c.salt) for c in given.cards]
        given.sig = KEY.sign(seal.private_deal_bytes(MATCH, given.deal, ME, given.root, cards))

    return told


def kept_deals(folder: Path) -> list[Row]:
    """The private deals among the receipts, each of whose lines can be read."""
    (file,) = (folder / "receipts").iterdir()
    rows = [json.loads(line) for line in file.read_bytes().splitlines()]
    return [row for row in rows if "cards" in row]


@pytest.mark.parametrize("lie", [other_root, other_card, other_place])
def test_private_deal_that_the_referee_has_not_signed_ends_the_match(
    lie: Callable[[play_pb2.PrivateDeal], None], tmp_path: Path
) -> None:
    assert "not the referee's" in fails(FakeReferee(dealers=[1], lie_in_private=lie), tmp_path)
    assert kept_deals(tmp_path) == []


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        (other_root, "its root"),
        (other_card, "not the sealed card"),
        (other_place, "not those of north"),
    ],
)
def test_lie_in_the_private_deal_ends_the_match_and_is_kept(
    lie: Callable[[play_pb2.PrivateDeal], None], words: str, tmp_path: Path
) -> None:
    said = fails(FakeReferee(dealers=[1], lie_in_private=signing(lie)), tmp_path)
    assert words in said
    assert "kept: the proof" in said
    (row,) = kept_deals(tmp_path)
    assert (row["match"], row["deal"], row["seat"]) == (MATCH.hex(), 1, "north")


@pytest.mark.parametrize("lie", [quoted_card, foreign_card, short_salt])
def test_cards_that_no_verifier_could_read_are_refused_and_not_kept(
    lie: Callable[[play_pb2.PrivateDeal], None], tmp_path: Path
) -> None:
    said = fails(FakeReferee(dealers=[1], lie_in_private=signing(lie)), tmp_path)
    assert "the private deal of deal 1" in said
    assert "kept" not in said
    assert kept_deals(tmp_path) == []


def test_hidden_card_other_than_our_discard_ends_the_match(tmp_path: Path) -> None:
    def lie(row: Row) -> None:
        if "commit" in row:
            row["commit"] = ZERO

    assert "not the move we made" in fails(FakeReferee(dealers=[0], lies={"action": lie}), tmp_path)


def test_move_played_for_us_in_place_of_an_accepted_one_ends_the_match(
    tmp_path: Path,
) -> None:
    def fall_back(row: Row) -> None:
        if "commit" in row:
            row["commit"] = seal.hidden_move(MATCH, 1, 0, 20, bytes(32)).hex()
            row["fallback"] = "TIMEOUT"

    referee = FakeReferee(dealers=[0], lies={"action": fall_back})
    assert "our move was accepted" in fails(referee, tmp_path)


def test_hidden_card_that_is_never_opened_ends_the_match(tmp_path: Path) -> None:
    referee = FakeReferee(dealers=[0], lies={"deal_close": put("openings", [])})
    assert "never opened" in fails(referee, tmp_path)


def test_seed_is_not_revealed_for_a_second_commit_set(tmp_path: Path) -> None:
    first = FakeReferee(dealers=[1], leave_at="act", farewell=SUPERSEDED)
    with pytest.raises(SeatTakenError):
        played(first, tmp_path)

    class Grinding(FakeReferee):
        def seed(self, seat: int) -> bytes:
            return b"" if seat == 2 else bytes([seat + 10]) * 32

    second = Grinding(dealers=[1])
    assert "second commit set" in fails(second, tmp_path)
    assert not [said for said in second.inputs if said.HasField("reveal")]


def test_match_id_is_not_played_again_under_another_chain(tmp_path: Path) -> None:
    played(FakeReferee(dealers=[1]), tmp_path)
    again = FakeReferee(dealers=[1], chain_secret=b"S" * 32)
    assert "another r0" in fails(again, tmp_path)
    assert not again.inputs


# -- whom we play with


def test_key_that_is_not_the_pinned_one_is_refused(tmp_path: Path) -> None:
    with listening(FakeReferee()) as port:
        other = PublicKey("other", bytes([5]) * 32)
        wrong = replace(options(tmp_path, port), key=other)
        with pytest.raises(UsageError, match="not the pinned one"):
            play(call_when_dealing, wrong, QUICK)


def test_unpinned_key_is_shown_in_the_form_that_pins_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with listening(FakeReferee(dealers=[1])) as port:
        play(call_when_dealing, replace(options(tmp_path, port), key=None), QUICK)
    line = capsys.readouterr().err.partition("--key ")[2].splitlines()[0]
    assert PublicKey.parse(line).text() == line


def test_unknown_token_is_a_usage_error(tmp_path: Path) -> None:
    with listening(FakeReferee()) as port:
        wrong = replace(options(tmp_path, port), token="x" * 8)
        with pytest.raises(UsageError, match="does not know this token"):
            play(call_when_dealing, wrong, QUICK)


def test_absent_referee_is_given_up_on(tmp_path: Path) -> None:
    nowhere = options(tmp_path, 1)
    with pytest.raises(RefereeLostError, match=r"gave up on 127\.0\.0\.1:1"):
        play(call_when_dealing, nowhere, Pace(first=0.001, most=0.001, total=0.02))


def test_absent_referee_is_told_of_once_when_it_is_first_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RefereeLostError):
        play(call_when_dealing, options(tmp_path, 1), Pace(first=0.001, most=0.001, total=0.1))
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("euchre-bot: no word from 127.0.0.1:1 (UNAVAILABLE: ")


def test_every_way_to_fail_has_an_exit_status_of_its_own() -> None:
    kinds: list[type[BotError]] = [RefereeLostError, UsageError, DealProofError, SeatTakenError]
    assert [kind.exit_code for kind in kinds] == [1, 2, 3, 4]


@pytest.mark.parametrize("cut", ["none", "dealers_left"])
def test_a_seat_that_plays_with_our_secret_is_told_of_once(
    cut: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = load_secret(options(tmp_path, 1).files("", "north")[0])
    referee = FakeReferee(dealers=[0, 0], secrets={1: secret})
    referee.rules["cut"] = cut
    assert played(referee, tmp_path).outcome == "finished"
    said = capsys.readouterr().err
    assert said.count("east plays with our secret") == 1
    assert "west plays with our secret" not in said


def test_receipt_of_an_event_that_no_match_can_have_is_refused(tmp_path: Path) -> None:
    def far(receipt: play_pb2.Receipt) -> None:
        receipt.items[0].seq = 2**64 - 1

    assert "more than the seal can hold" in fails(FakeReferee(lie_in_receipt=far), tmp_path)


def test_draining_referee_is_waited_for_an_hour_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    draining = play_pb2.PlayItem(draining=play_pb2.Draining(retry_ms=2**64 - 1))
    referee = FakeReferee(leave_at="act", farewell=draining)
    assert played(referee, tmp_path).outcome == "finished"
    assert max(slept) == 3_600.0
