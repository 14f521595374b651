package witness

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"euchrebot/internal/seal"
)

// takePrivateDeal takes cards of ours: the five at our places in the deal, then what a move has
// given us. A swap gives the first three of the kitty; a lone player is given a card by the partner.
func (d *deal) takePrivateDeal(root []byte, cards []seal.Opened) error {
	switch {
	case d.root == nil || !bytes.Equal(root, d.root):
		return proof("the private deal of deal %d: its root is not that of the deck", d.number)
	case d.dealer == nil || d.start != nil:
		return proof("the private deal of deal %d: the dealer draw deals no hands", d.number)
	}
	var places []int
	for _, card := range cards {
		places = append(places, card.Position)
	}
	if !d.due(*d.dealer, places) {
		return proof("the private deal of deal %d: positions %d are not those of %s",
			d.number, places, Seats[d.seat])
	}
	for _, card := range cards {
		if err := d.checkOpened("the private deal", card); err != nil {
			return err
		}
	}
	for _, card := range cards {
		if !d.holds(card.Position) {
			d.held = append(d.held, card)
		}
	}
	d.awaited = ""
	return nil
}

// due tells whether cards at these positions may come to us now; what we hold may come again.
func (d *deal) due(dealer int, places []int) bool {
	if len(d.held) == 0 {
		return slices.Equal(places, positions(d.packets, dealer, d.seat))
	}
	if !slices.ContainsFunc(places, func(place int) bool { return !d.holds(place) }) {
		return true
	}
	return d.awaited == "swap" && slices.Equal(places, swapPositions) ||
		d.awaited == "give" && len(places) == 1
}

func (d *deal) holds(position int) bool {
	return slices.ContainsFunc(d.held, func(card seal.Opened) bool { return card.Position == position })
}

// checkView holds the cards that a view shows as ours against those that were sealed for us.
func (d *deal) checkView(hand []string) error {
	if len(d.held) == 0 && len(hand) > 0 {
		return proof("deal %d: we are asked to act but were shown no sealed cards", d.number)
	}
	for _, card := range hand {
		ours := slices.ContainsFunc(d.held, func(held seal.Opened) bool { return held.Card == card })
		taken := card == d.upcard && d.dealer != nil && *d.dealer == d.seat
		if !ours && !taken {
			return proof("deal %d: %q in our view was not dealt to us", d.number, card)
		}
	}
	return nil
}

// positionOf is where a card of ours lay in the deal; the upcard counts as ours.
func (d *deal) positionOf(card string) (int, bool) {
	if card == d.upcard {
		return upcardPosition, true
	}
	for _, held := range d.held {
		if held.Card == card {
			return held.Position, true
		}
	}
	return 0, false
}

// moveText is a move as it stands in the record: with blinds, its word and the commitment.
func (d *deal) moveText(action string, blinds []byte) (string, error) {
	if len(blinds) == 0 {
		return action, nil
	}
	word, cards, _ := strings.Cut(action, " ")
	var places []int
	for _, card := range strings.Fields(cards) {
		place, ok := d.positionOf(card)
		if !ok {
			return "", proof("deal %d: %q hides a card we were not dealt", d.number, action)
		}
		places = append(places, place)
	}
	slices.Sort(places)
	parts := slices.Collect(slices.Chunk(blinds, size))
	return word + " " + hex.EncodeToString(seal.Hidden(d.match, d.number, d.seat, places, parts)), nil
}
