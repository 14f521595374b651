"""The whole verification: seal, then rules and scores, on matches of random legal play."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.journal.verify import Report
from referee.rules import (
    PRESETS,
    action_text,
    fallback_action,
    outcome_of,
    preset,
)
from referee.sealing import (
    ActionTaken,
    Attempt,
    DealClose,
    DealOpen,
    Event,
    Fault,
    Pair,
    SealedDeck,
)
from referee.sealing.proof import prove_deal
from tests.journal.support import (
    Match,
    failed,
    move_of,
    played,
    random_match,
    report_of,
    words,
)
from tests.sealing.support import POLICY, STANDARD, Move, Played, Script

STICK_OFF = preset("throw-in").to_map()
MATCH = random_match()


def one_deal(
    bend: Callable[[Match, Played, SealedDeck, int], Played],
    rules: dict[str, str] | None = None,
    *,
    seed: int = 7,
    **options: object,
) -> Report:
    """A match whose first deal is bent by its referee, who signs it all the same."""
    script = Script(rules=rules or dict(STANDARD), **options)  # type: ignore[arg-type]  # by name
    match = Match(script)
    match.choose.seed(seed)
    match.begin()

    def how(deck: SealedDeck, dealer: int) -> Played:
        return bend(match, match.random_play(deck, dealer), deck, dealer)

    match.play(1, how)
    script.close_match("aborted", score=Pair(0, 0), deals=match.deals)
    return report_of(match.text)


def with_move(played: Played, index: int, move: Move) -> Played:
    moves = list(played.moves)
    moves[index] = move
    return replace(played, moves=tuple(moves))


def first_play(played: Played) -> int:
    return next(i for i, move in enumerate(played.moves) if move.action.startswith("play "))


def as_played(_match: Match, played: Played, _deck: SealedDeck, _dealer: int) -> Played:
    return played


@pytest.mark.parametrize("name", PRESETS)
def test_a_game_of_every_named_rule_set_is_verified(name: str) -> None:
    report = report_of(random_match(PRESETS[name].to_map()).text)
    assert failed(report) == (0, None, None)
    assert report.replayed


@pytest.mark.parametrize("packets", ["3-2", "2-3", "3-2-3-2", "2-3-2-3", "single"])
def test_every_packet_pattern_is_verified(packets: str) -> None:
    rules = {**STANDARD, "packets": packets, "cut": "dealers_right", "first_dealer": "draw_low"}
    assert failed(report_of(random_match(rules).text)) == (0, None, None)


def test_a_fixed_number_of_deals_is_verified() -> None:
    script = Script(rules={**STANDARD, "deals": "3", "all_pass": "throw_in"})
    match = Match(script)
    match.begin()
    for deal in (1, 2, 3):
        match.play(deal)
    assert match.game is not None
    ns, ew = match.game.score
    winner = None if ns == ew else int(ew > ns)
    script.close_match(score=Pair(ns, ew), deals=3, winner=winner)
    assert failed(report_of(match.text)) == (0, None, None)


def test_an_untouched_first_deal_and_an_abort_are_verified() -> None:
    assert failed(one_deal(as_played)) == (0, None, None)


def test_a_card_that_nobody_holds_is_found() -> None:
    def bend(_match: Match, played: Played, deck: SealedDeck, _dealer: int) -> Played:
        index = first_play(played)
        card = next(
            c for c in deck.cards[21:] if f"play {c}" not in {m.action for m in played.moves}
        )
        return with_move(played, index, replace(played.moves[index], action=f"play {card}"))

    report = one_deal(bend)
    assert failed(report) == (1, "referee", 1)
    assert "play.card-held" in words(report)


def test_a_buried_card_that_is_played_is_found() -> None:
    def bend(_match: Match, played: Played, deck: SealedDeck, dealer: int) -> Played:
        buried = next(move.position for move in played.moves if move.position is not None)
        last = max(
            i for i, m in enumerate(played.moves) if m.seat == dealer and m.action[:4] == "play"
        )
        return with_move(played, last, Move(dealer, f"play {deck.cards[buried]}"))

    report = one_deal(bend)
    assert failed(report) == (1, "referee", 1)
    assert "play.card-held" in words(report)


def test_a_renege_is_found() -> None:
    def bend(match: Match, played: Played, deck: SealedDeck, dealer: int) -> Played:
        hand = match.hand_of(deck, dealer)
        for index, move in enumerate(played.moves):
            held = [f"play {c}" for c in deck.cards]
            legal = {action_text(code) for code in hand.legal()}
            for text in held:
                if text not in legal and move.action.startswith("play "):
                    found = match.refused(hand, move.seat, text)
                    if found == "MUST_FOLLOW_SUIT":
                        return with_move(played, index, replace(move, action=text))
            hand.advance(match.code_of(hand, move, deck))
        raise AssertionError

    report = one_deal(bend)
    assert failed(report) == (1, "referee", 1)
    assert "play.follow-suit" in words(report)


def test_a_card_out_of_turn_is_found() -> None:
    def bend(_match: Match, played: Played, _deck: SealedDeck, _dealer: int) -> Played:
        index = first_play(played)
        moves = list(played.moves)
        moves[index], moves[index + 1] = moves[index + 1], moves[index]
        return replace(played, moves=tuple(moves))

    report = one_deal(bend)
    assert failed(report) == (1, "referee", 1)
    assert "action.turn" in words(report)


def test_a_deal_closed_before_its_last_card_is_found() -> None:
    def bend(_match: Match, played: Played, _deck: SealedDeck, _dealer: int) -> Played:
        return replace(played, moves=played.moves[:-1])

    report = one_deal(bend)
    assert failed(report) == (1, "referee", 1)
    assert "not over" in words(report)


@pytest.mark.parametrize(
    ("edit", "part"),
    [
        (lambda p: replace(p, points=Pair(p.points.ns + 1, p.points.ew)), "the deal pays"),
        (lambda p: replace(p, tricks=Pair(p.tricks.ew, p.tricks.ns)), "the tricks are"),
        (lambda p: replace(p, maker=None), "the maker is"),
        (lambda p: replace(p, alone=(0, 1)), "the seats alone"),
        (lambda p: replace(p, outcome="thrown_in"), "the deal was played"),
        (lambda p: replace(p, score=Pair(p.score.ns, p.score.ew + 1)), "the score is"),
        (lambda p: replace(p, outcome="redeal"), "the deal was played"),
        (lambda p: replace(p, faults=(Fault(1, "TIMEOUT"),)), "is charged with TIMEOUT"),
        (lambda p: replace(p, faults=(Fault(1, "DISCONNECT"),)), "is charged with DISCONNECT"),
    ],
)
def test_a_wrong_result_is_found(edit: Callable[[Played], Played], part: str) -> None:
    report = one_deal(lambda _m, played, _k, _d: edit(played))
    assert failed(report) == (1, "referee", 1)
    assert part in words(report)


def test_a_wrong_dealer_is_found() -> None:
    def change(event: Event) -> Event:
        if isinstance(event, DealOpen) and event.deal == 1 and event.dealer is not None:
            return replace(event, dealer=(event.dealer + 1) % 4)
        return event

    report = one_deal(as_played, change=change)
    assert failed(report) == (1, "referee", 1)
    assert "deal" in words(report)


def attempts(*listed: tuple[int, str, str]) -> Callable[[Match, Played, SealedDeck, int], Played]:
    """A deal whose close lists refusals, each by a seat so far left of the dealer."""

    def bend(match: Match, played: Played, _deck: SealedDeck, dealer: int) -> Played:
        after = match.script.writer.seq - 1
        found = tuple(
            Attempt(after=after, seat=(dealer + step) % 4, action=text, reason=reason)
            for step, text, reason in listed
        )
        return replace(played, attempts=found)

    return bend


def test_refusals_that_the_rules_give_are_verified() -> None:
    listed = ((1, "play 9C", "WRONG_PHASE"), (2, "pass", "NOT_YOUR_TURN"), (1, "?", "MALFORMED"))
    assert failed(one_deal(attempts(*listed))) == (0, None, None)


@pytest.mark.parametrize(
    ("listed", "part"),
    [
        ((1, "play 9C", "CARD_NOT_HELD"), "is WRONG_PHASE"),
        ((1, "pass", "NOT_YOUR_TURN"), "is legal"),
        ((1, "?", "HAND_OVER"), "is UNKNOWN_ACTION"),
    ],
)
def test_a_refusal_that_the_rules_do_not_give_is_found(
    listed: tuple[int, str, str], part: str
) -> None:
    report = one_deal(attempts(listed))
    assert failed(report) == (1, "referee", 1)
    assert part in words(report)


def test_refusals_up_to_the_limit_forfeit() -> None:
    """A deal that goes on after the third attempt of one seat is followed by no other deal."""
    script = Script()
    match = Match(script)
    match.begin()
    bend = attempts(*[(1, "play 9C", "WRONG_PHASE")] * 3)
    match.play(1, lambda deck, dealer: bend(match, match.random_play(deck, dealer), deck, dealer))
    match.play(2)
    script.close_match("aborted", score=Pair(0, 0), deals=2)
    report = report_of(match.text)
    assert failed(report) == (1, "referee", 2)
    assert "follows the forfeit" in words(report)


def test_an_attempt_before_the_upcard_is_found() -> None:
    def bend(_m: Match, played: Played, _k: SealedDeck, _d: int) -> Played:
        return replace(played, attempts=(Attempt(after=1, seat=0, action="x", reason="y"),))

    assert "outside the play" in words(one_deal(bend))


def late(match: Match, deck: SealedDeck, dealer: int, *, listed: bool = True) -> Played:
    """Every action of the eldest is a fallback."""
    hand = match.hand_of(deck, dealer)
    moves: list[Move] = []
    faults: list[Fault] = []
    eldest = (dealer + 1) % 4
    while hand.turn >= 0:
        mine = hand.turn == eldest
        code = fallback_action(hand) if mine else match.choose.choice(hand.legal())
        move = move_of(hand, code, deck)
        if mine:
            move = replace(move, fallback="TIMEOUT")
            faults.append(Fault(eldest, "TIMEOUT"))
        moves.append(move)
        hand.advance(code)
    assert match.game is not None
    done = played(moves, hand, outcome_of(hand), match.game.after(outcome_of(hand)).score)
    return replace(done, faults=tuple(faults) if listed else ())


def timed_out(*, listed: bool, limit: int = 99) -> Report:
    script = Script(policy=replace(POLICY, timeout_limit=limit))
    match = Match(script)
    match.begin()
    match.play(1, lambda deck, dealer: late(match, deck, dealer, listed=listed))
    script.close_match("aborted", score=Pair(0, 0), deals=1)
    return report_of(match.text)


def test_fallback_actions_and_their_faults_are_verified() -> None:
    assert failed(timed_out(listed=True)) == (0, None, None)


def test_a_fallback_action_that_no_fault_lists_is_found() -> None:
    assert "faults listed" in words(timed_out(listed=False))


def test_a_fallback_that_is_another_action_is_found() -> None:
    def change(event: Event) -> Event:
        if isinstance(event, ActionTaken) and event.action == "pass":
            return event
        if isinstance(event, ActionTaken) and event.commit is None:
            return replace(event, fallback="CRASH")
        return event

    report = one_deal(as_played, change=change, seed=1)
    assert failed(report)[:2] == (1, "referee")
    assert "whose fallback is" in words(report)


def test_several_games_are_verified() -> None:
    match = Match(Script(rules={**STANDARD, "target": "2"}, policy=replace(POLICY, games=3)))
    deal = match.begin()
    counted = 0
    for game in range(3):
        while match.game is not None and not match.game.is_over:
            match.play(deal)
            deal += 1
        assert match.game is not None
        assert match.game.winner is not None
        match.games[int(match.game.winner.value == "ew")] += 1
        counted += match.game.deals
        if game < 2:
            match.game = match.game.next_game()
    ns, ew = match.games
    match.script.close_match(score=Pair(ns, ew), deals=counted, winner=int(ew > ns))
    assert failed(report_of(match.text)) == (0, None, None)


def test_an_unknown_knob_is_found() -> None:
    script = Script(rules={**STANDARD, "spectators": "many"})
    script.open_match()
    script.draw()
    script.close_match("aborted", score=Pair(0, 0), deals=0)
    report = report_of(script.text)
    assert failed(report) == (1, "referee", None)
    assert "spectators" in words(report)


def test_a_knob_map_that_is_not_whole_is_found() -> None:
    script = Script(rules={k: v for k, v in STANDARD.items() if k != "no_trump"})
    script.open_match()
    script.draw()
    script.close_match("aborted", score=Pair(0, 0), deals=0)
    assert "every knob" in words(report_of(script.text))


def test_a_broken_seal_decides_before_broken_rules() -> None:
    def change(event: Event) -> Event:
        if isinstance(event, DealClose) and event.deal == 1:
            return replace(event, points=Pair(9, 9))
        if isinstance(event, DealClose) and event.deal == 3:
            return replace(event, r=bytes(32))
        return event

    report = report_of(Match(Script(change=change)).to_the_end().text)
    assert failed(report) == (3, "referee", 3)


def test_broken_rules_of_which_no_signature_follows_speak_against_the_file() -> None:
    """Nobody has signed the end of a file that stops inside a deal."""
    lines = MATCH.script.lines
    number = next(
        i for i, line in enumerate(lines) if json.loads(line)["event"]["kind"] == "turn_up"
    )
    assert failed(report_of(b"".join(lines[: number + 1]))) == (5, "nobody", 1)


def test_a_proof_of_one_deal_is_replayed() -> None:
    report = report_of(prove_deal(MATCH.text.splitlines(), 3))
    assert failed(report) == (0, None, None)
    assert report.replayed
    assert report.not_covered


def test_a_proof_with_wrong_points_is_found() -> None:
    def change(event: Event) -> Event:
        if isinstance(event, DealClose) and event.deal == 3:
            return replace(event, points=Pair(7, 0))
        return event

    match = Match(Script(change=change)).to_the_end()
    assert failed(report_of(prove_deal(match.text.splitlines(), 3))) == (1, "referee", 3)


def test_a_proof_of_another_match_than_it_says_speaks_against_the_file() -> None:
    proof = prove_deal(MATCH.text.splitlines(), 3)
    match = MATCH.script.match.hex().encode()
    assert failed(report_of(proof.replace(match, b"0" * 32, 1))) == (3, "file", None)


@pytest.mark.parametrize(
    "text",
    [
        b'{"format":"euchre-plain-log/1","note":"unsealed"}\n',
        b"no transcript\n",
        b"\x00\x01\x02",
        b'{"format":"euchre-deal-proof/1"',
    ],
)
def test_another_file_is_unreadable(text: bytes) -> None:
    assert failed(report_of(text)) == (6, "file", None)


def test_an_unsealed_log_is_called_so() -> None:
    assert "unsealed log" in words(report_of(b'{"format":"euchre-plain-log/1"}\n'))


def test_a_line_without_end_is_unreadable() -> None:
    assert failed(report_of(b'{"event":' + b"x" * (1 << 21)))[:2] == (6, "file")


def test_a_match_open_alone_is_incomplete() -> None:
    assert failed(report_of(MATCH.script.lines[0])) == (5, "nobody", None)
