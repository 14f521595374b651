package main

import (
	"cmp"
	"slices"
	"strings"
)

const (
	ranks = "789TJQKA"

	aceHeight   = 7
	trumpHeight = 20
	leftBower   = 38
	rightBower  = 39
	bestBower   = 40
)

var colorMate = map[string]string{"C": "S", "S": "C", "D": "H", "H": "D"}

// trump is what is trump: a suit, "N" for no trump, or nothing yet.
type trump string

// suit is the suit that a card counts as.
func (t trump) suit(card string) string {
	mate, made := colorMate[string(t)]
	switch {
	case card == "2S" || card == "BB":
		if made {
			return string(t)
		}
		return "S"
	case made && card == "J"+mate:
		return string(t)
	default:
		return card[1:]
	}
}

// has tells whether a card is a trump.
func (t trump) has(card string) bool { return t.suit(card) == string(t) }

// height is how high a card stands: any trump above any plain card, and the bowers above all.
func (t trump) height(card string) int {
	rank := strings.Index(ranks, card[:1])
	switch {
	case !t.has(card):
		return rank
	case rank < 0:
		return bestBower
	case card[0] != 'J':
		return trumpHeight + rank
	case card[1:] == string(t):
		return rightBower
	default:
		return leftBower
	}
}

// worth is what a hand is worth under this trump.
func (t trump) worth(hand []string) int {
	value := 4
	suits := map[string]bool{}
	for _, card := range hand {
		suits[t.suit(card)] = true
		value += t.cardWorth(card)
	}
	return value - len(suits)
}

func (t trump) cardWorth(card string) int {
	switch height := t.height(card); {
	case height >= rightBower:
		return 6
	case height == leftBower:
		return 5
	case height >= trumpHeight && strings.Contains("AK", card[:1]):
		return 3
	case height >= trumpHeight, card[0] == 'A':
		return 2
	default:
		return 0
	}
}

// weakest is the card that is missed least: plain and low, from a short suit of the hand.
func (t trump) weakest(cards, hand []string) string {
	length := func(suit string) (count int) {
		for _, card := range hand {
			if t.suit(card) == suit {
				count++
			}
		}
		return count
	}
	return slices.MinFunc(cards, func(a, b string) int {
		return cmp.Or(
			no(t.has(a), t.has(b)),
			no(a[0] == 'A', b[0] == 'A'),
			cmp.Compare(length(t.suit(a)), length(t.suit(b))),
			t.compare(a, b),
		)
	})
}

// compare orders cards by height, and equals by their text.
func (t trump) compare(a, b string) int {
	return cmp.Or(cmp.Compare(t.height(a), t.height(b)), cmp.Compare(a, b))
}

// no orders answers: no before yes.
func no(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}
