package main

import (
	"slices"
	"strings"
)

const drawRanks = "A789TJQK"

// draw turns cards for the first dealer: the positions turned, and who deals.
// It fails for a method that does not exist, and where the cards cannot be drawn from.
func draw(method string, deck []string, start int) (turned []int, dealer int, ok bool) {
	switch method {
	case "agreed":
		return nil, start, true
	case "black_jack":
		return drawJack(deck, start, "JC", "JS")
	case "any_jack":
		return drawJack(deck, start, "JC", "JD", "JH", "JS")
	case "draw_low":
		return drawRanked(deck, start, func(ranks []int) int { return slices.Min(ranks) })
	case "draw_high":
		return drawRanked(deck, start, func(ranks []int) int { return slices.Max(ranks) })
	}
	return nil, 0, false
}

func drawJack(deck []string, start int, jacks ...string) (turned []int, dealer int, ok bool) {
	for p, card := range deck {
		turned = append(turned, p)
		if slices.Contains(jacks, card) {
			return turned, (start + p) % seats, true
		}
	}
	return nil, 0, false
}

func drawRanked(deck []string, start int, best func([]int) int) (turned []int, dealer int, ok bool) {
	tied := make([]int, seats)
	for i := range tied {
		tied[i] = (start + i) % seats
	}
	next := 0
	for len(tied) > 1 {
		var ranks []int
		for range tied {
			for next < len(deck) && (deck[next] == "2S" || deck[next] == "BB") {
				turned = append(turned, next)
				next++
			}
			if next == len(deck) {
				return turned, tied[0], true
			}
			rank := strings.IndexByte(drawRanks, deck[next][0])
			if rank < 0 {
				return nil, 0, false
			}
			ranks = append(ranks, rank)
			turned = append(turned, next)
			next++
		}
		var left []int
		for i, seat := range tied {
			if ranks[i] == best(ranks) {
				left = append(left, seat)
			}
		}
		tied = left
	}
	return turned, tied[0], true
}
