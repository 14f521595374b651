package main

import (
	"bytes"
	"slices"
)

const (
	seats    = 4
	seedSize = 32
)

// packs holds the cards of each pack in the order from which they are shuffled.
var packs = map[string][]string{
	"E24":  pack("9TJQKA"),
	"E25":  pack("9TJQKA", "2S"),
	"E28":  pack("89TJQKA"),
	"E32":  pack("789TJQKA"),
	"E25J": pack("9TJQKA", "BB"),
	"E33J": pack("789TJQKA", "BB"),
}

func pack(ranks string, last ...string) []string {
	var cards []string
	for _, suit := range "CDHS" {
		for _, rank := range ranks {
			cards = append(cards, string(rank)+string(suit))
		}
	}
	return append(cards, last...)
}

// deal is what every hash of one deal begins with.
type deal struct {
	match  []byte
	number uint32
}

// linkBelow is link k-1 of the referee's chain, from link k.
func linkBelow(match []byte, k uint32, link []byte) []byte {
	return taggedHash(tagRefChain, match, u32(k), link)
}

func (d deal) seatSeed(secret []byte) []byte {
	return mac(secret, tagged(tagSeatSeed, d.match, u32(d.number)))
}

// seatCommit is a seat's commitment; cut is empty where the seat does not cut.
func (d deal) seatCommit(seat uint32, seed, cut []byte) []byte {
	return taggedHash(tagSeatCommit, d.match, u32(d.number), u32(seat), seed, cut)
}

func (d deal) commitSet(pack string, rCommit []byte, commits [][]byte) []byte {
	fields := [][]byte{d.match, u32(d.number), []byte(pack), rCommit}
	return taggedHash(tagCommitSet, append(fields, commits...)...)
}

func (d deal) hiddenMove(seat uint32, positions []uint32, blinds [][]byte) []byte {
	fields := [][]byte{d.match, u32(d.number), u32(seat)}
	for i, position := range positions {
		fields = append(fields, u32(position), blinds[i])
	}
	return taggedHash(tagHiddenMove, fields...)
}

func (d deal) leaf(position uint32, card string, salt []byte) []byte {
	body := tagged(tagLeaf, d.match, u32(d.number), u32(position), []byte(card), salt)
	return hash(append([]byte{0}, body...))
}

// allDiffer tells whether no byte string stands there twice.
func allDiffer(all [][]byte) bool {
	for i, one := range all {
		if slices.ContainsFunc(all[:i], func(other []byte) bool { return bytes.Equal(one, other) }) {
			return false
		}
	}
	return true
}

// tree is the head over leaves; none of them is ever doubled.
func tree(leaves [][]byte) []byte {
	switch len(leaves) {
	case 0:
		return nil
	case 1:
		return leaves[0]
	}
	split := 1
	for split*2 < len(leaves) {
		split *= 2
	}
	node := append([]byte{1}, tree(leaves[:split])...)
	return hash(append(node, tree(leaves[split:])...))
}

// deckKey is the key of a deal's deck.
func deckKey(cset, r []byte, seeds [][]byte, cut []byte) []byte {
	fields := append([][]byte{r}, seeds...)
	return mac(taggedHash(tagDeckSalt, cset), lp(append(fields, cut, nil)...))
}

// byteSource gives one byte after the other; false where there are no more.
type byteSource func() (byte, bool)

// keyed is the stream of bytes under a deck key and a tag; it does not end.
func keyed(key []byte, tag string) byteSource {
	var block []byte
	next := uint32(0)
	return func() (byte, bool) {
		if len(block) == 0 {
			block = mac(key, tagged(tag, u32(next)))
			next++
		}
		first := block[0]
		block = block[1:]
		return first, true
	}
}

// below is a number less than m, 1 to 256, each as likely as another.
func below(m int, source byteSource) (int, bool) {
	if m < 1 || m > 256 {
		return 0, false
	}
	for {
		x, ok := source()
		if !ok {
			return 0, false
		}
		if int(x) < 256-256%m {
			return int(x) % m, true
		}
	}
}

// firstSeat is the seat with which the dealer draw starts.
func firstSeat(key []byte) int {
	seat, _ := below(seats, keyed(key, tagFirstSeat))
	return seat
}

// sealedDeck is a deck in the order of dealing, and its leaves.
func (d deal) sealedDeck(cards []string, key []byte, cut int) (deck []string, leaves [][]byte) {
	n := len(cards)
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	source := keyed(key, tagDeckStream)
	for i := n - 1; i > 0; i-- {
		j, _ := below(i+1, source)
		places[i], places[j] = places[j], places[i]
	}
	for p := range places {
		card := cards[places[(p+cut)%n]]
		salt := mac(key, tagged(tagLeafSalt, u32(uint32(p))))
		deck = append(deck, card)
		leaves = append(leaves, d.leaf(uint32(p), card, salt))
	}
	return deck, leaves
}
