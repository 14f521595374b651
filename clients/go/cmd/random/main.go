// Command random picks among the legal actions by a hash: repeatable, and no better than chance.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"slices"

	"euchrebot"
)

func main() {
	seed := flag.String("seed", "0", "another `seed` gives another game")
	euchrebot.Run(func(view *euchrebot.View, legal []string) string {
		return choose(*seed, view, legal)
	}, "random")
}

// choose answers one question always alike, and differently for another seed.
func choose(seed string, view *euchrebot.View, legal []string) string {
	place := fmt.Sprintf("%s/%s/%d/%s", seed, view.Match, view.StateVersion+1, view.Seat)
	sum := sha256.Sum256([]byte(place))
	index := binary.BigEndian.Uint32(sum[:]) % uint32(len(legal))
	return slices.Sorted(slices.Values(legal))[index]
}
