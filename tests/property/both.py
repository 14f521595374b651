"""One deal played in the referee and in the oracle at once, and compared before every action."""

from collections.abc import Mapping, Sequence
from random import Random

from conformance.corpus import HOME
from conformance.knobs import RuleSets, meaningless, rulesets_from
from conformance.oracle import Hand as OracleHand
from conformance.oracle.cards import BEST, SEATS, pack
from conformance.tree import read
from referee.rules import (
    SEATS as REFEREE_SEATS,
)
from referee.rules import (
    Hand,
    RuleSet,
    action_text,
    cards_of,
    cards_text,
    deal_from_hands,
    next_dealer,
    outcome_of,
    parse_action,
    parse_card,
    parse_seat,
    violation,
)

LOOSE = 0.2
SCORES = ((0, 0), (8, 3), (9, 7), (9, 9), (4, 8))
JUNK = ("", "Pass", "pass ", "name h", "name X", "play 10H", "play jd", "play 2H", "sit", "name")


def repeatable(seed: str) -> Random:
    return Random(seed)  # noqa: S311 -- a test repeats itself


def rulesets() -> RuleSets:
    return rulesets_from(read(HOME / "rulesets.yaml", "rulesets.yaml"))


def reason_of(hand: Hand, seat: str, text: str) -> str | None:
    found = violation(hand, parse_seat(seat), text)
    return None if found is None else found.reason.value


def everything_sayable(rules: Mapping[str, str]) -> list[str]:
    cards = pack(rules["pack"])
    names = [f"name {suit}" for suit in "CDHS"]
    return [
        *("pass", "order", "order alone", "alone", "decline", "redeal"),
        *("swap 9C 9D TC", "swap 9C TC 9D", "swap 9C 9C TC", "swap 9C 9D", "swap 9D TC TD"),
        *("give", "give jd", "name N", "name N alone"),
        *(f"give {card}" for card in cards),
        *names,
        *(f"{name} alone" for name in names),
        *(f"play {card}" for card in cards),
        *(f"discard {card}" for card in cards),
        *JUNK,
    ]


def state_of(hand: Hand) -> tuple[object, ...]:
    return (
        hand.seat_on_turn.word if hand.seat_on_turn is not None else None,
        hand.phase.value,
        {action_text(code) for code in hand.legal()},
        [set(cards_text(cards_of(held)).split()) for held in hand.hands],
        hand.upcard_state.value,
        hand.maker_seat.word if hand.maker_seat is not None else None,
        {seat.word for seat in hand.alone_seats},
        {seat.word for seat in hand.out_seats},
        [seat.word for seat, _ in hand.trick],
        list(hand.tricks_won),
    )


def oracle_state(hand: OracleHand, legal: set[str]) -> tuple[object, ...]:
    return (
        hand.turn,
        hand.phase,
        legal,
        [hand.hands[seat] for seat in SEATS],
        hand.upcard_state,
        hand.maker,
        set(hand.alone),
        set(hand.out()),
        [seat for seat, _ in hand.trick],
        [hand.tricks()["ns"], hand.tricks()["ew"]],
    )


def shuffled(name: str, chance: Random) -> list[str]:
    """A deck; now and then one in which a hand of nines and tens, or a best bower, is near."""
    deck = list(pack(name))
    chance.shuffle(deck)
    match chance.randrange(4):
        case 0:
            deck.sort(key=lambda card: card[0] not in "9T" or chance.random() < LOOSE)
        case 1:
            deck.sort(key=lambda card: card[0] not in "9TA" or chance.random() < LOOSE)
        case 2 if deck[20] not in BEST:
            best = [card for card in deck if card in BEST]
            for card in best:
                place = deck.index(card)
                deck[20], deck[place] = deck[place], deck[20]
    return deck


def deal_both(rules: Mapping[str, str], chance: Random) -> tuple[OracleHand, Hand]:
    deck = shuffled(rules["pack"], chance)
    dealer = chance.choice(SEATS)
    hands = {seat: deck[5 * place : 5 * place + 5] for place, seat in enumerate(SEATS)}
    ns, ew = chance.choice(SCORES)
    rule_set = RuleSet.from_map(dict(rules))
    deal = deal_from_hands(
        rule_set,
        parse_seat(dealer),
        {seat: [parse_card(card) for card in hands[seat.word]] for seat in REFEREE_SEATS},
        parse_card(deck[20]),
        [parse_card(card) for card in deck[21:]],
    )
    oracle = OracleHand(
        rules,
        dealer=dealer,
        hands=hands,
        upcard=deck[20],
        kitty=deck[21:],
        score={"ns": ns, "ew": ew},
    )
    return oracle, Hand(rule_set, deal, (ns, ew))


def play_both(rules: Mapping[str, str], chance: Random, *, sayable: Sequence[str] = ()) -> None:
    """Play one random deal in both engines, and compare them before every action."""
    oracle, hand = deal_both(rules, chance)
    where = (dict(rules), oracle.dealer, oracle.copy().hands, oracle.upcard, oracle.score)
    eager = chance.random()
    said: list[str] = []
    while True:
        legal = oracle.legal()
        assert state_of(hand) == oracle_state(oracle, legal), (where, said)
        for seat in SEATS:
            for text in sayable:
                theirs = oracle.refusal(seat, text)
                assert reason_of(hand, seat, text) == theirs, (where, said, seat, text)
        if oracle.turn is None:
            break
        choices = sorted(legal)
        if "pass" in choices and chance.random() < eager:
            choices = ["pass"]
        said.append(chance.choice(choices))
        code = parse_action(said[-1])
        assert code is not None
        hand.advance(code)
        oracle.apply(said[-1])
    outcome = outcome_of(hand)
    assert outcome.outcome.value == oracle.outcome()
    assert list(outcome.points) == list(oracle.points().values()), (where, said)
    assert next_dealer(hand.rules, parse_seat(oracle.dealer), outcome).word == oracle.next_dealer()


def random_rules(known: RuleSets, chance: Random) -> Mapping[str, str]:
    """Any values that this release plays and that have a meaning together."""
    while True:
        rules = dict(known.maps[chance.choice(list(known.maps))])
        for name, knob in known.knobs.items():
            if chance.random() < 0.3:
                numbers = [str(chance.randint(*knob.span))] if knob.span else []
                rules[name] = chance.choice([*knob.values, *numbers])
        if meaningless(rules) is None:
            return rules
