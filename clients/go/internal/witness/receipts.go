package witness

import (
	"bytes"
	"encoding/hex"
	"slices"

	"euchrebot/internal/canonical"
	"euchrebot/internal/keep"
	"euchrebot/internal/keys"
	"euchrebot/internal/seal"
)

// owed is a receipt that has to come: seq is the event it names, nil where that is still to come.
type owed struct {
	deal int
	seq  *int
}

// receipts are what the referee has acknowledged to one seat of one match.
type receipts struct {
	match    []byte
	key      []byte
	file     *keep.Receipts
	due      []owed
	heads    map[int][]byte // of the events that have come
	promised map[int][]byte // of those that are still to come
}

func newReceipts(match, key []byte, file *keep.Receipts) receipts {
	return receipts{match: match, key: key, file: file, heads: map[int][]byte{}, promised: map[int][]byte{}}
}

// take checks a receipt against the record as far as it is known, and keeps it.
func (r *receipts) take(items []seal.Acknowledged, sig []byte) error {
	if !keys.Verifies(r.key, sig, seal.ReceiptMessage(items)) {
		return proof("a receipt has a signature that is not the referee's")
	}
	var rows []any
	for _, item := range items {
		rows = append(rows, canonical.Object{
			"match": hex.EncodeToString(item.Match), "deal": item.Deal,
			"seq": item.Seq, "head": hex.EncodeToString(item.Head),
		})
	}
	if _, err := r.file.Write(canonical.Object{"items": rows, "sig": hex.EncodeToString(sig)}); err != nil {
		return err
	}
	for _, item := range items {
		if !bytes.Equal(item.Match, r.match) {
			continue
		}
		if err := r.check(item); err != nil {
			return err
		}
	}
	return nil
}

func (r *receipts) check(item seal.Acknowledged) error {
	covered := slices.IndexFunc(r.due, func(due owed) bool {
		return due.deal == item.Deal && (due.seq == nil || *due.seq == item.Seq)
	})
	if covered >= 0 {
		r.due = slices.Delete(r.due, covered, covered+1)
	}
	head, known := r.heads[item.Seq]
	if !known {
		head, known = r.promised[item.Seq]
	}
	if known && !bytes.Equal(head, item.Head) {
		return contradicted(item.Seq)
	}
	if _, came := r.heads[item.Seq]; !came {
		r.promised[item.Seq] = item.Head
	}
	return nil
}

// saw holds an event that has come against what was promised of it.
func (r *receipts) saw(seq int, head []byte) error {
	promised, ok := r.promised[seq]
	if ok && !bytes.Equal(promised, head) {
		return contradicted(seq)
	}
	delete(r.promised, seq)
	r.heads[seq] = head
	return nil
}

func contradicted(seq int) error {
	return proof("event %d is not the one that the referee gave us a receipt for"+
		" (the receipt is kept: it is the proof)", seq)
}

// forgetBefore lets go of events that no receipt will name any more.
func (r *receipts) forgetBefore(seq int) {
	for known := range r.heads {
		if known < seq {
			delete(r.heads, known)
		}
	}
}

// endOfMessage insists on a receipt for everything that the message accepted.
func (r *receipts) endOfMessage() error {
	if len(r.due) == 0 {
		return nil
	}
	due := r.due[0]
	if due.seq == nil {
		return proof("deal %d: the referee accepted our commitment without a receipt", due.deal)
	}
	return proof("deal %d: the referee accepted what stands in event %d without a receipt",
		due.deal, *due.seq)
}

// privateDeal is cards that the referee's signature deals to a seat.
type privateDeal struct {
	match []byte
	deal  int
	seat  int
	root  []byte
	cards []seal.Opened
	sig   []byte
}

// keepDeal keeps cards that the referee signed and did not seal; false where they cannot be.
func (r *receipts) keepDeal(dealt privateDeal) (bool, error) {
	var cards []any
	sound := len(dealt.root) == size
	for _, card := range dealt.cards {
		sound = sound && len(card.Salt) == size
		cards = append(cards, canonical.Object{
			"card": card.Card, "position": card.Position, "salt": hex.EncodeToString(card.Salt),
		})
	}
	if !sound {
		return false, nil
	}
	return r.file.Write(canonical.Object{
		"cards": cards, "deal": dealt.deal, "match": hex.EncodeToString(dealt.match),
		"root": hex.EncodeToString(dealt.root), "seat": Seats[dealt.seat],
		"sig": hex.EncodeToString(dealt.sig),
	})
}
