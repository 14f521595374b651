package seal

import "strings"

var packs = map[string][]string{
	"E24":  pack("9TJQKA"),
	"E25":  pack("9TJQKA", "2S"),
	"E28":  pack("89TJQKA"),
	"E32":  pack("789TJQKA"),
	"E25J": pack("9TJQKA", "BB"),
	"E33J": pack("789TJQKA", "BB"),
}

func pack(ranks string, more ...string) []string {
	var cards []string
	for _, suit := range "CDHS" {
		for _, rank := range ranks {
			cards = append(cards, string([]rune{rank, suit}))
		}
	}
	return append(cards, more...)
}

// Pack is the cards of a pack in their order; nothing where the pack has no such name.
func Pack(name string) []string { return packs[name] }

// stream is the bytes that a key gives under a tag, without end.
type stream struct {
	key   []byte
	tag   string
	block int
	left  []byte
}

func (s *stream) next() int {
	if len(s.left) == 0 {
		s.left = mac(s.key, tagged(s.tag, u32(s.block)))
		s.block++
	}
	value := s.left[0]
	s.left = s.left[1:]
	return int(value)
}

// below is a number under bound, each equally likely; next gives bytes, and bound is 1 to 256.
func below(next func() int, bound int) int {
	for limit := 256 - 256%bound; ; {
		if value := next(); value < limit {
			return value % bound
		}
	}
}

// firstSeat is the seat that is given the first card of the dealer draw.
func firstSeat(key []byte) int {
	source := stream{key: key, tag: "first-seat"}
	return below(source.next, 4)
}

// Secrets are what was kept back until a deck was fixed.
type Secrets struct {
	R     []byte
	Seeds [][]byte
	Cut   Cut
}

// Deck is a deck in deal order, with the leaves that seal it.
type Deck struct {
	Cards     []string
	Leaves    [][]byte
	FirstSeat int
}

// NewDeck is the deck of a deal, from everything that was revealed of it.
func NewDeck(match []byte, deal int, pack string, cset []byte, revealed Secrets) Deck {
	faces := Pack(pack)
	parts := append([][]byte{revealed.R}, revealed.Seeds...)
	key := mac(Hash("deck-salt", cset), lp(append(parts, revealed.Cut, nil)...))
	order := make([]int, len(faces))
	for i := range order {
		order[i] = i
	}
	source := stream{key: key, tag: "deck-stream"}
	for i := len(order) - 1; i > 0; i-- {
		j := below(source.next, i+1)
		order[i], order[j] = order[j], order[i]
	}
	deck := Deck{FirstSeat: firstSeat(key)}
	for position := range order {
		card := faces[order[(position+revealed.Cut.cards())%len(order)]]
		salt := mac(key, tagged("leaf-salt", u32(position)))
		deck.Cards = append(deck.Cards, card)
		deck.Leaves = append(deck.Leaves, Leaf(match, deal, position, card, salt))
	}
	return deck
}

// String is the deck as deal_close writes it.
func (d Deck) String() string { return strings.Join(d.Cards, " ") }
