package witness

import (
	"slices"
	"strings"
)

const upcardPosition = 20

var swapPositions = []int{21, 22, 23}

// packets are the cards that the seats get at a time, from the dealer's left, twice round.
var packets = map[string][2][4]int{
	"3-2":     {{3, 3, 3, 3}, {2, 2, 2, 2}},
	"2-3":     {{2, 2, 2, 2}, {3, 3, 3, 3}},
	"3-2-3-2": {{3, 2, 3, 2}, {2, 3, 2, 3}},
	"2-3-2-3": {{2, 3, 2, 3}, {3, 2, 3, 2}},
}

func knownPackets(pattern string) bool {
	_, ok := packets[pattern]
	return ok || pattern == "single"
}

// positions are the five places in the deal that are a seat's, rising.
//
// Rule: deal.packets -- the pattern starts at the dealer's left.
func positions(pattern string, dealer, seat int) []int {
	turn := (seat - dealer + 3) % 4
	var held []int
	if pattern == "single" {
		for position := turn; position < upcardPosition; position += 4 {
			held = append(held, position)
		}
		return held
	}
	next := 0
	for _, round := range packets[pattern] {
		for place, size := range round {
			for range size {
				if place == turn {
					held = append(held, next)
				}
				next++
			}
		}
	}
	return held
}

// cutterSeat is who cuts, where anybody does.
func cutterSeat(cut string, dealer int) (seat int, anybody bool) {
	switch cut {
	case "dealers_right":
		return (dealer + 3) % 4, true
	case "dealers_left":
		return (dealer + 1) % 4, true
	default:
		return 0, false
	}
}

// draw turns cards from the top of the draw's own deck: how many, and who deals first by them.
//
// Rule: deal.first-dealer -- a jack, or the lowest or highest card, by the knob.
func draw(deck []string, method string, start int) (turned, dealer int) {
	switch method {
	case "black_jack":
		return drawJack(deck, "CS", start)
	case "any_jack":
		return drawJack(deck, "CDHS", start)
	case "draw_low":
		return drawRanked(deck, start, func(rank, best int) bool { return rank < best })
	case "draw_high":
		return drawRanked(deck, start, func(rank, best int) bool { return rank > best })
	default:
		return 0, start
	}
}

func drawJack(deck []string, suits string, start int) (turned, dealer int) {
	position := slices.IndexFunc(deck, func(card string) bool {
		return card[0] == 'J' && strings.IndexByte(suits, card[1]) >= 0
	})
	return position + 1, (start + max(position, 0)) % seats
}

// drawRanked gives each of the tied seats a card until one of them is alone; where the pack runs out,
// the first of them deals. What is above the bowers is passed over.
func drawRanked(deck []string, start int, beats func(rank, best int) bool) (turned, dealer int) {
	tied := []int{start % seats, (start + 1) % seats, (start + 2) % seats, (start + 3) % seats}
	for len(tied) > 1 {
		var winners []int
		best := 0
		for i, seat := range tied {
			for turned < len(deck) && (deck[turned] == "2S" || deck[turned] == "BB") {
				turned++
			}
			if turned == len(deck) {
				return turned, tied[0]
			}
			rank := strings.IndexByte("A789TJQK", deck[turned][0])
			turned++
			switch {
			case i == 0 || beats(rank, best):
				best, winners = rank, []int{seat}
			case rank == best:
				winners = append(winners, seat)
			}
		}
		tied = winners
	}
	return turned, tied[0]
}
