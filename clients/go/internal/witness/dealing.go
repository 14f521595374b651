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

// drawnDealer is who deals first, by the cards turned from the top of the draw's own deck.
//
// Rule: deal.first-dealer -- a jack, or the lowest or highest card, by the knob.
func drawnDealer(deck []string, method string, start int) int {
	switch method {
	case "black_jack":
		return firstJack(deck, "CS", start)
	case "any_jack":
		return firstJack(deck, "CDHS", start)
	case "draw_low":
		return extreme(deck, start, func(rank, best int) bool { return rank < best })
	case "draw_high":
		return extreme(deck, start, func(rank, best int) bool { return rank > best })
	default:
		return start
	}
}

func firstJack(deck []string, suits string, start int) int {
	position := slices.IndexFunc(deck, func(card string) bool {
		return card[0] == 'J' && strings.IndexByte(suits, card[1]) >= 0
	})
	return (start + max(position, 0)) % 4
}

func extreme(deck []string, start int, beats func(rank, best int) bool) int {
	var ranks []int
	for _, card := range deck {
		if card != "2S" && card != "BB" {
			ranks = append(ranks, strings.IndexByte("A789TJQK", card[0]))
		}
	}
	tied := []int{start % 4, (start + 1) % 4, (start + 2) % 4, (start + 3) % 4}
	for len(tied) > 1 {
		if len(ranks) < len(tied) {
			return tied[0]
		}
		var winners []int
		best := ranks[0]
		for i, seat := range tied {
			if rank := ranks[i]; rank == best {
				winners = append(winners, seat)
			} else if beats(rank, best) {
				best, winners = rank, []int{seat}
			}
		}
		ranks, tied = ranks[len(tied):], winners
	}
	return tied[0]
}
