// A Euchre bot: change choose.
package main

import (
	"slices"

	"euchrebot"
)

// choose calls when we hold three of the suit, and plays the first legal card.
func choose(view *euchrebot.View, legal []string) string {
	held := 0
	for _, card := range view.Hand {
		if view.Upcard != "" && card[1] == view.Upcard[1] {
			held++
		}
	}
	if held > 2 && slices.Contains(legal, "order") {
		return "order"
	}
	return legal[0]
}

func main() {
	euchrebot.Run(choose, "@NAME@")
}
