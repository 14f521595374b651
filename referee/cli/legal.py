"""`euchre-referee legal`: which cards of a hand may be played, and why not the others."""

import json

import click

from referee.rules import (
    NO_TRUMP,
    RULE_OF,
    SUIT_WORDS,
    Card,
    Cards,
    InvalidDealError,
    Reason,
    RuleSet,
    Suit,
    card_text,
    cards_of,
    cards_text,
    check_hand,
    follow_sentence,
    hand_of,
    parse_card,
    parse_cards,
    parse_trump,
    playable,
    preset,
)


@click.command()
@click.option("--rules", "name", default="standard", show_default=True, help="A rule set's name.")
@click.option("--hand", "hand", required=True, help='The cards held, as in "JD TD 9S".')
@click.option("--trump", required=True, help="The trump suit: C, D, H, S; N where there is none.")
@click.option("--led", help="The card that was led; absent where the hand leads.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def legal(name: str, hand: str, trump: str, led: str | None, *, as_json: bool) -> None:
    """Say which cards of a hand may be played, and for each other card which rule forbids it."""
    rules = preset(name)
    suit = parse_trump(trump)
    cards = parse_cards(" ".join(hand.split()))
    lead = None if led is None else parse_card(led)
    _check(cards, lead, rules)
    held = hand_of(cards)
    allowed = playable(held, suit, lead)
    refused = [] if lead is None else _refusals(held, held & ~allowed, suit, lead)
    if as_json:
        answer = {
            "rules": name,
            "trump": trump,
            **({} if led is None else {"led": led}),
            "legal": [card_text(card) for card in cards_of(allowed)],
            "refused": refused,
        }
        click.echo(json.dumps(answer, indent=2))
        return
    made = "there is no trump" if suit == NO_TRUMP else f"{SUIT_WORDS[suit]} are trump"
    click.echo(f"{made}, {'nothing' if led is None else led} was led")
    click.echo(f"legal    {cards_text(cards_of(allowed))}")
    for refusal in refused:
        click.echo(f"refused  {refusal['card']}  {refusal['reason']} ({refusal['rule']})")
        click.echo(f"         {refusal['sentence']}")


def _check(cards: tuple[Card, ...], lead: Card | None, rules: RuleSet) -> None:
    check_hand(cards, rules)
    if lead is None:
        return
    check_hand((lead,), rules)
    if lead in cards:
        raise InvalidDealError(f"{card_text(lead)!r} was led and is held (take it out of the hand)")


def _refusals(held: Cards, refused: Cards, trump: Suit, led: Card) -> list[dict[str, str]]:
    reason = Reason.MUST_FOLLOW_SUIT
    return [
        {
            "card": card_text(card),
            "reason": str(reason),
            "rule": RULE_OF[reason],
            "sentence": follow_sentence(held, trump, led, card),
        }
        for card in cards_of(refused)
    ]
