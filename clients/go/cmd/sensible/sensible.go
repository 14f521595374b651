package main

import (
	"cmp"
	"slices"
	"strings"

	"euchrebot"
)

const (
	orderFloor = 11
	nameFloor  = 10
	aloneFloor = 18
	lastToPlay = 3
)

var seats = []string{"north", "east", "south", "west"}

// decision is one question: what the seat sees, and what it may do.
type decision struct {
	*euchrebot.View
	legal []string
	trump trump
}

// choose is a sound action for the phase; where the phase is new to us, the first legal one.
func choose(view *euchrebot.View, legal []string) string {
	d := decision{view, legal, trump(view.Trump)}
	wanted := ""
	switch view.Phase {
	case "house":
		wanted = "redeal"
	case "round_one":
		wanted = d.roundOne()
	case "round_two", "dealer_names":
		wanted = d.roundTwo()
	case "partners_best":
		wanted = d.best()
	case "discard":
		wanted = "discard " + d.weakest(d.cards("discard"))
	case "alone":
		wanted = d.alone()
	case "play":
		wanted = "play " + d.play(d.cards("play"))
	}
	if d.may(wanted) {
		return wanted
	}
	return slices.Min(legal)
}

func (d decision) may(action string) bool { return slices.Contains(d.legal, action) }

// cards are those that may be played, discarded or given.
func (d decision) cards(word string) []string {
	var cards []string
	for _, action := range d.legal {
		if card, ok := strings.CutPrefix(action, word+" "); ok {
			cards = append(cards, card)
		}
	}
	return cards
}

func (d decision) weakest(cards []string) string {
	if len(cards) == 0 {
		return ""
	}
	return d.trump.weakest(cards, d.Hand)
}

func (d decision) partner() string { return seats[(slices.Index(seats, d.Seat)+2)%4] }

func (d decision) call(word string, value, floor int) string {
	alone := word + " alone"
	switch {
	case value >= aloneFloor && d.may(alone):
		return alone
	case value >= floor && d.may(word):
		return word
	case value >= floor && d.may(alone):
		return alone
	default:
		return "pass"
	}
}

func (d decision) roundOne() string {
	if d.Upcard == "" {
		return ""
	}
	turned := trump(trump("").suit(d.Upcard))
	hand, value := d.Hand, 0
	switch d.Dealer {
	case d.Seat:
		hand = append(slices.Clone(hand), d.Upcard)
		buried := slices.Index(hand, turned.weakest(hand, hand))
		hand = slices.Delete(hand, buried, buried+1)
	case d.partner():
		value = 1
	default:
		value = -2
	}
	return d.call("order", value+turned.worth(hand), orderFloor)
}

func (d decision) roundTwo() string {
	suit, value := "", 0
	for _, named := range []string{"C", "D", "H", "S"} {
		if !d.may("name "+named) && !d.may("name "+named+" alone") {
			continue
		}
		if worth := trump(named).worth(d.Hand); suit == "" || worth >= value {
			suit, value = named, worth
		}
	}
	switch {
	case suit == "":
		return "order"
	case d.may("pass"):
		return d.call("name "+suit, value, nameFloor)
	default:
		return d.call("name "+suit, value, 0)
	}
}

func (d decision) best() string {
	cards := d.cards("give")
	if len(cards) == 0 {
		return ""
	}
	return "give " + slices.MaxFunc(cards, d.trump.compare)
}

func (d decision) alone() string {
	if d.may("alone") && d.trump.worth(d.Hand) >= aloneFloor {
		return "alone"
	}
	return "decline"
}

func (d decision) play(cards []string) string {
	switch {
	case len(cards) == 0:
		return ""
	case len(d.Trick) == 0:
		return d.lead(cards)
	default:
		return d.follow(cards)
	}
}

func (d decision) lead(cards []string) string {
	trumps, ace := 0, ""
	for _, card := range cards {
		switch {
		case d.trump.has(card):
			trumps++
		case card[0] == 'A' && (ace == "" || card < ace):
			ace = card
		}
	}
	best := slices.MaxFunc(cards, d.trump.compare)
	ours := d.Maker == d.Seat || d.Maker == d.partner()
	switch {
	case ours && trumps > 1 && d.trump.height(best) >= leftBower:
		return best
	case ace != "":
		return ace
	default:
		return d.weakest(cards)
	}
}

func (d decision) follow(cards []string) string {
	led := d.trump.suit(d.Led)
	power := func(card string) int {
		if d.trump.has(card) || d.trump.suit(card) == led {
			return d.trump.height(card)
		}
		return -1
	}
	top := slices.MaxFunc(d.Trick, func(a, b euchrebot.Played) int {
		return cmp.Compare(power(a.Card), power(b.Card))
	})
	var winners []string
	for _, card := range cards {
		if power(card) > power(top.Card) {
			winners = append(winners, card)
		}
	}
	slices.SortFunc(winners, func(a, b string) int {
		return cmp.Or(cmp.Compare(power(a), power(b)), cmp.Compare(a, b))
	})
	last := len(d.Trick)+len(d.Out) == lastToPlay
	ours := top.Seat == d.partner()
	switch {
	case len(winners) == 0, ours && (last || power(top.Card) >= aceHeight):
		return d.weakest(cards)
	case last, d.trump.has(winners[0]):
		return winners[0]
	default:
		return winners[len(winners)-1]
	}
}
