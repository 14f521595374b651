package witness

import (
	"bytes"
	"crypto/ed25519"
	"path/filepath"
	"strings"
	"testing"

	"euchrebot/internal/keep"
	"euchrebot/internal/seal"
)

var (
	referee = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	ours    = bytes.Repeat([]byte{1}, 16)
)

func receiptsOf(t *testing.T) *receipts {
	t.Helper()
	file, err := keep.OpenReceipts(filepath.Join(t.TempDir(), "receipts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	kept := newReceipts(ours, referee.Public().(ed25519.PublicKey), file)
	return &kept
}

func item(seq int, head byte) seal.Acknowledged {
	return seal.Acknowledged{Match: ours, Deal: 1, Seq: seq, Head: bytes.Repeat([]byte{head}, size)}
}

func (r *receipts) given(items ...seal.Acknowledged) error {
	return r.take(items, ed25519.Sign(referee, seal.ReceiptMessage(items)))
}

func says(t *testing.T, err error, words string) {
	t.Helper()
	if words == "" && err != nil || words != "" && (err == nil || !strings.Contains(err.Error(), words)) {
		t.Errorf("%v, not %q", err, words)
	}
}

func TestWhatIsAcceptedComesWithAReceiptInTheSameMessage(t *testing.T) {
	kept, seq := receiptsOf(t), 7
	says(t, kept.endOfMessage(), "")
	kept.due = []owed{{deal: 1}, {1, &seq}}
	says(t, kept.endOfMessage(), "deal 1: the referee accepted our commitment without a receipt")
	says(t, kept.given(item(5, 5)), "")
	says(t, kept.endOfMessage(), "deal 1: the referee accepted what stands in event 7 without a receipt")
	says(t, kept.given(item(7, 7)), "")
	says(t, kept.endOfMessage(), "")
}

func TestAReceiptIsTheReferees(t *testing.T) {
	items := []seal.Acknowledged{item(5, 5)}
	sig := ed25519.Sign(referee, seal.ReceiptMessage(items))
	sig[3] ^= 1
	says(t, receiptsOf(t).take(items, sig), "not the referee's")
}

func TestTheRecordSaysWhatTheReceiptSays(t *testing.T) {
	before, after := receiptsOf(t), receiptsOf(t)
	says(t, before.given(item(5, 5)), "")
	says(t, before.saw(5, item(5, 6).Head), "event 5 is not the one")
	says(t, after.saw(5, item(5, 6).Head), "")
	says(t, after.given(item(5, 5)), "event 5 is not the one")
}

func TestTwoReceiptsOfOneEventAgree(t *testing.T) {
	kept := receiptsOf(t)
	says(t, kept.given(item(5, 5)), "")
	says(t, kept.given(item(5, 6)), "event 5 is not the one")
}
