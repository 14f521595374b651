package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
)

// The tags of the protocol, each for one use.
const (
	tagRefChain    = "ref-chain"
	tagSeatCommit  = "seat-commit"
	tagCommitSet   = "commit-set"
	tagDeckSalt    = "deck-salt"
	tagDeckStream  = "deck-stream"
	tagFirstSeat   = "first-seat"
	tagLeafSalt    = "leaf-salt"
	tagLeaf        = "leaf"
	tagPrivateDeal = "private-deal"
	tagHiddenMove  = "hidden-move"
	tagEvent       = "event"
	tagKeyID       = "key-id"
	tagSeatSeed    = "seat-seed"
	tagReveal      = "sig/seat/reveal"
	tagMove        = "sig/seat/move"
	tagReceipt     = "receipt"
	tagRoster      = "roster"
)

const protocol = "euchre-sealed/v1/"

// u32 is a number in four bytes, the largest first.
func u32(n uint32) []byte {
	return binary.BigEndian.AppendUint32(nil, n)
}

// lp writes how many byte strings there are, and each with its length.
func lp(fields ...[]byte) []byte {
	whole := u32(uint32(len(fields)))
	for _, field := range fields {
		whole = append(whole, u32(uint32(len(field)))...)
		whole = append(whole, field...)
	}
	return whole
}

// tagged is the encoding of fields under a tag.
func tagged(tag string, fields ...[]byte) []byte {
	return lp(append([][]byte{[]byte(protocol + tag)}, fields...)...)
}

// taggedHash is the hash of fields under a tag.
func taggedHash(tag string, fields ...[]byte) []byte {
	return hash(tagged(tag, fields...))
}

func hash(message []byte) []byte {
	digest := sha256.Sum256(message)
	return digest[:]
}

func mac(key, message []byte) []byte {
	under := hmac.New(sha256.New, key)
	under.Write(message)
	return under.Sum(nil)
}
