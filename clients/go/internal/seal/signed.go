package seal

// Opened is a card with the salt that opens its leaf.
type Opened struct {
	Position int
	Card     string
	Salt     []byte
}

// Acknowledged is one thing that the referee has accepted: the event it stands in, and its head.
type Acknowledged struct {
	Match []byte
	Deal  int
	Seq   int
	Head  []byte
}

// EventMessage is what the referee signs for the event that made a head.
func EventMessage(head []byte) []byte {
	return tagged("sig/referee", head)
}

// PrivateDealMessage is what the referee signs when it gives a seat its cards.
func PrivateDealMessage(match []byte, deal, seat int, root []byte, cards []Opened) []byte {
	parts := [][]byte{match, u32(deal), u32(seat), root}
	for _, card := range cards {
		parts = append(parts, u32(card.Position), []byte(card.Card), card.Salt)
	}
	return tagged("private-deal", parts...)
}

// ReceiptMessage is what the referee signs for all that it accepted in one message.
func ReceiptMessage(items []Acknowledged) []byte {
	parts := [][]byte{u32(len(items))}
	for _, item := range items {
		parts = append(parts, item.Match, u32(item.Deal), u32(item.Seq), item.Head)
	}
	return tagged("receipt", parts...)
}

// RevealMessage is what a signing seat signs of its reveal; head is the one after commit_set.
func RevealMessage(match []byte, deal, seat int, cset, commit, head []byte) []byte {
	return tagged("sig/seat/reveal", match, u32(deal), u32(seat), cset, commit, head)
}

// MoveMessage is what a signing seat signs of a move that follows the head before.
//
// A hidden move is its word and the hex of its commitment.
func MoveMessage(match []byte, deal, seq int, before []byte, move string) []byte {
	return tagged("sig/seat/move", match, u32(deal), u32(seq), before, []byte(move))
}
