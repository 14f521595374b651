"""Cards that come to the seat after the deal, and moves of more than one hidden card."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from fake_referee import KEY, MATCH, ME, Course, FakeReferee, Row, listening, options

from euchre_bot import DealProofError, Result, View, play, seal
from euchre_bot.canonical import JSON
from euchre_bot.pb.euchre.referee.v1 import events_pb2, play_pb2
from euchre_bot.play import Pace

QUICK = Pace(first=0.001, most=0.001, total=5.0)
KITTY = (21, 22, 23)


class HouseReferee(FakeReferee):
    """A referee under a house rule: our swap, or the partner's gift, brings cards."""

    move = "swap"
    later: Sequence[int] = KITTY
    openings: Sequence[JSON] = ()

    def ask_act(self, deal: Course, phase: str, hand: list[str], legal: list[str]) -> None:
        if phase != "round_one" or deal.deck is None:
            super().ask_act(deal, phase, hand, legal)
        elif self.move == "swap":
            super().ask_act(deal, "house", hand, [f"swap {' '.join(sorted(hand[:3]))}"])
        else:
            self.give(deal, deal.deck)
            held = [*hand, *(deal.deck.cards[place] for place in self.later)]
            super().ask_act(deal, "discard", held, [f"discard {held[-1]}"])

    def give(self, deal: Course, deck: seal.SealedDeck) -> None:
        """The partner, south, gives us the card of its first place."""
        commit = seal.hidden_move(MATCH, deal.number, 2, self.later[0], bytes(32))
        self.openings = [
            {"seq": self.seq, "positions": [self.later[0]], "blinds": [bytes(32).hex()]}
        ]
        row: Row = {"deal": deal.number, "seat": "south", "action": "give", "used_ms": 1}
        self.append("action", {**row, "commit": commit.hex()})
        self.send_later(deal, deck)

    def send_later(self, deal: Course, deck: seal.SealedDeck) -> None:
        cards = [(place, deck.cards[place], deck.salts[place]) for place in self.later]
        signed = seal.private_deal_bytes(MATCH, deal.number, ME, deck.root, cards)
        given = play_pb2.PrivateDeal(
            deal=deal.number,
            root=deck.root,
            cards=[events_pb2.OpenedCard(position=p, card=c, salt=s) for p, c, s in cards],
            sig=KEY.sign(signed),
        )
        self.items.append(play_pb2.PlayItem(after=self.seq - 1, private_deal=given))

    def on_act(self, deal: Course, deck: seal.SealedDeck, act: play_pb2.Act) -> None:
        word, *cards = act.action.split(" ")
        if word == "swap":
            places = sorted(map(deck.cards.index, cards))
            blinds = [act.blind[at : at + 32] for at in (0, 32, 64)]
            commit = seal.hidden_moves(MATCH, deal.number, ME, places, blinds)
            self.openings = [
                {"seq": self.seq, "positions": [*places], "blinds": [b.hex() for b in blinds]}
            ]
            row: Row = {"deal": deal.number, "seat": "north", "action": "swap", "used_ms": 1}
            self.append("action", {**row, "commit": commit.hex()})
            self.send_later(deal, deck)
            super().ask_act(deal, "play", [deck.cards[place] for place in KITTY], ["play it"])
            return
        if word == "discard":
            place = deck.cards.index(cards[0])
            opened: JSON = {"seq": self.seq, "positions": [place], "blinds": [act.blind.hex()]}
            self.openings = [*self.openings, opened]
        super().on_act(deal, deck, act)


def close_with_openings(referee: HouseReferee) -> HouseReferee:
    def put(row: Row) -> None:
        row["openings"] = [*referee.openings]

    referee.lies["deal_close"] = put
    return referee


def first_legal(_view: View, legal: Sequence[str]) -> str:
    return legal[0]


def played(referee: FakeReferee, folder: Path) -> Result:
    with listening(referee) as port:
        return play(first_legal, options(folder, port), QUICK)


def gift(*places: int) -> HouseReferee:
    referee = close_with_openings(HouseReferee(dealers=[1]))
    referee.move, referee.later = "give", places
    return referee


def test_a_swap_carries_a_blind_a_card_and_its_kitty_is_ours(tmp_path: Path) -> None:
    referee = close_with_openings(HouseReferee(dealers=[1]))
    assert played(referee, tmp_path).outcome == "finished"
    swaps = [said.act for said in referee.inputs if said.act.action.startswith("swap ")]
    assert [len(act.blind) for act in swaps] == [96]


def test_other_cards_than_the_kittys_first_three_for_a_swap_end_the_match(tmp_path: Path) -> None:
    referee = close_with_openings(HouseReferee(dealers=[1]))
    referee.later = (20, 21, 22)
    with pytest.raises(DealProofError, match="are not those of north"):
        played(referee, tmp_path)


def test_a_partners_gift_is_one_sealed_card_that_we_may_put_away(tmp_path: Path) -> None:
    assert played(gift(0), tmp_path).outcome == "finished"


def test_a_gift_of_two_cards_ends_the_match(tmp_path: Path) -> None:
    with pytest.raises(DealProofError, match="are not those of north"):
        played(gift(0, 1), tmp_path)
