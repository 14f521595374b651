// Package seal is the arithmetic of the sealed deal: bytes in, bytes out, no clock, no chance.
package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

const (
	// Protocol is the name of the seal that this package computes.
	Protocol = "euchre-sealed/v1"
	// Size is the length of a hash, a seed, a salt and a blind.
	Size = sha256.Size

	prefix = Protocol + "/"
)

func u32(number int) []byte {
	return binary.BigEndian.AppendUint32(nil, uint32(number))
}

// lp joins the parts, counted and each after its length, so that no two lists give the same bytes.
func lp(parts ...[]byte) []byte {
	joined := u32(len(parts))
	for _, part := range parts {
		joined = append(append(joined, u32(len(part))...), part...)
	}
	return joined
}

func tagged(tag string, parts ...[]byte) []byte {
	return lp(append([][]byte{[]byte(prefix + tag)}, parts...)...)
}

func mac(key, message []byte) []byte {
	sum := hmac.New(sha256.New, key)
	sum.Write(message)
	return sum.Sum(nil)
}

// Hash is SHA-256 of the parts under a tag that no other use shares.
func Hash(tag string, parts ...[]byte) []byte {
	sum := sha256.Sum256(tagged(tag, parts...))
	return sum[:]
}

// Cut is a cut as it is hashed: one byte, or none where nothing is cut.
type Cut []byte

// CutAt is the cut that takes so many cards from the top.
func CutAt(cards int) Cut { return Cut{byte(cards)} }

func (c Cut) cards() int {
	if len(c) == 0 {
		return 0
	}
	return int(c[0])
}

// Descend walks the referee's chain down: from the value numbered from to the one numbered to.
func Descend(match, value []byte, from, to int) []byte {
	for ; from > to; from-- {
		value = Hash("ref-chain", match, u32(from), value)
	}
	return value
}

// Seed is what the holder of a secret gives to a deal.
func Seed(secret, match []byte, deal int) []byte {
	return mac(secret, tagged("seat-seed", match, u32(deal)))
}

// Commit is a seat's commitment to its seed, and to its cut where it is the cutter.
func Commit(match []byte, deal, seat int, seed []byte, cut Cut) []byte {
	return Hash("seat-commit", match, u32(deal), u32(seat), seed, cut)
}

// CommitSet is the hash of all that a deck depends on, before anything is revealed.
func CommitSet(match []byte, deal int, pack string, link []byte, commits [][]byte) []byte {
	parts := [][]byte{match, u32(deal), []byte(pack), link}
	return Hash("commit-set", append(parts, commits...)...)
}

// Leaf is the salted leaf of a card at its position.
func Leaf(match []byte, deal, position int, card string, salt []byte) []byte {
	body := tagged("leaf", match, u32(deal), u32(position), []byte(card), salt)
	sum := sha256.Sum256(append([]byte{0}, body...))
	return sum[:]
}

// TreeHead is the tree head of RFC 6962 over leaves that are hashed already, at least one.
func TreeHead(leaves [][]byte) []byte {
	if len(leaves) == 1 {
		return leaves[0]
	}
	split := 1 << (bits.Len(uint(len(leaves)-1)) - 1)
	node := append([]byte{1}, TreeHead(leaves[:split])...)
	sum := sha256.Sum256(append(node, TreeHead(leaves[split:])...))
	return sum[:]
}

// Hidden is the commitment of cards that stay face down, in rising position.
func Hidden(match []byte, deal, seat int, positions []int, blinds [][]byte) []byte {
	parts := [][]byte{match, u32(deal), u32(seat)}
	for i, position := range positions {
		parts = append(parts, u32(position), blinds[i])
	}
	return Hash("hidden-move", parts...)
}

// Head is the head of the event chain once an event has been appended.
func Head(previous, event []byte) []byte {
	return Hash("event", previous, event)
}
