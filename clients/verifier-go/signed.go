package main

import (
	"bytes"
	"slices"
)

// bySigner is what every claim about a signature holds.
type bySigner struct {
	Key string `json:"key"`
	Sig raw    `json:"sig"`
}

func (c bySigner) signed(message []byte) bool {
	key, ok := parseKey(c.Key)
	return ok && key.signed(message, c.Sig)
}

type signatureClaim struct {
	bySigner
	Message raw `json:"message"`
}

func judgeSignature(c signatureClaim) bool { return c.signed(c.Message) }

type revealClaim struct {
	bySigner
	where
	Seat   uint32 `json:"seat"`
	Cset   raw    `json:"cset"`
	Commit raw    `json:"commit"`
	Head   raw    `json:"head"`
}

func judgeReveal(c revealClaim) bool {
	return c.signed(tagged(tagReveal, c.Match, u32(c.Deal), u32(c.Seat), c.Cset, c.Commit, c.Head))
}

type moveClaim struct {
	bySigner
	where
	Seq  uint32 `json:"seq"`
	Prev raw    `json:"prev"`
	Move string `json:"move"`
}

func judgeMove(c moveClaim) bool {
	return c.signed(tagged(tagMove, c.Match, u32(c.Deal), u32(c.Seq), c.Prev, []byte(c.Move)))
}

type opened struct {
	Position uint32 `json:"position"`
	Card     string `json:"card"`
	Salt     raw    `json:"salt"`
}

type privateDealClaim struct {
	bySigner
	where
	Seat      uint32   `json:"seat"`
	Root      raw      `json:"root"`
	Leaves    []raw    `json:"leaves"`
	Positions []uint32 `json:"positions"`
	Cards     []opened `json:"cards"`
}

func judgePrivateDeal(c privateDealClaim) bool {
	leaves := plain(c.Leaves)
	fields := [][]byte{c.Match, u32(c.Deal), u32(c.Seat), c.Root}
	var positions []uint32
	for _, one := range c.Cards {
		fields = append(fields, u32(one.Position), []byte(one.Card), one.Salt)
		positions = append(positions, one.Position)
		if !c.deal().opens(leaves, one.Position, one.Card, one.Salt) {
			return false
		}
	}
	return slices.Equal(positions, c.Positions) && bytes.Equal(tree(leaves), c.Root) &&
		c.signed(tagged(tagPrivateDeal, fields...))
}

type item struct {
	where
	Seq  uint32 `json:"seq"`
	Head raw    `json:"head"`
}

type receiptClaim struct {
	bySigner
	Items []item `json:"items"`
}

func judgeReceipt(c receiptClaim) bool {
	fields := [][]byte{u32(uint32(len(c.Items)))}
	for _, one := range c.Items {
		fields = append(fields, one.Match, u32(one.Deal), u32(one.Seq), one.Head)
	}
	return c.signed(tagged(tagReceipt, fields...))
}

type rosterClaim struct {
	Entries []entry `json:"entries"`
}

func judgeRoster(c rosterClaim) bool { return rosterHolds(c.Entries) }
