package witness

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"euchrebot/internal/canonical"
	"euchrebot/internal/keys"
	"euchrebot/internal/seal"
)

// signedOpening is match_open as the test's referee signs it, with these fields put into it.
func signedOpening(t *testing.T, put canonical.Object) (text, sig []byte) {
	t.Helper()
	key := keys.Named{Name: "test", Public: referee.Public().(ed25519.PublicKey)}
	object := canonical.Object{
		"kind": "match_open", "seq": 0, "prev": hexOf(make([]byte, size)), "referee_key": key.String(),
	}
	for name, value := range put {
		object[name] = value
	}
	text, ok := canonical.Dump(object)
	if !ok {
		t.Fatalf("%v is not canonical", object)
	}
	return text, ed25519.Sign(referee, seal.EventMessage(seal.Head(make([]byte, size), text)))
}

func TestAnEventIsTheNextOneOfItsChainUnderTheRefereesSignature(t *testing.T) {
	other := keys.Named{Name: "test", Public: bytes.Clone(referee.Public().(ed25519.PublicKey))}
	other.Public[0] ^= 1
	tests := []struct {
		put   canonical.Object
		words string
	}{
		{canonical.Object{}, ""},
		{canonical.Object{"prev": hexOf(bytes.Repeat([]byte{1}, size))}, "does not continue the chain"},
		{canonical.Object{"seq": 1}, "event 1 (match_open) came where event 0 was due"},
		{canonical.Object{"kind": "deal_open"}, "the match has to open with match_open, once"},
		{canonical.Object{"referee_key": "nonsense"}, "referee_key is not a sound key"},
		{canonical.Object{"referee_key": other.String()}, "referee_key is not the one we were told"},
	}
	for _, test := range tests {
		text, sig := signedOpening(t, test.put)
		follows := newChain(referee.Public().(ed25519.PublicKey))
		_, err := follows.take(text, sig)
		says(t, err, test.words)
	}
	text, sig := signedOpening(t, nil)
	sig[40] ^= 1
	follows := newChain(referee.Public().(ed25519.PublicKey))
	_, err := follows.take(text, sig)
	says(t, err, "has a signature that is not the referee's")
	_, err = follows.take(text, nil)
	says(t, err, "is not signed by the referee")
	if follows.next != 0 {
		t.Error("a refused event was taken into the chain")
	}
}
