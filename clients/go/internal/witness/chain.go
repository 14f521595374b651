package witness

import (
	"bytes"
	"fmt"

	"euchrebot/internal/canonical"
	"euchrebot/internal/fault"
	"euchrebot/internal/keys"
	"euchrebot/internal/seal"
)

// Seats are the places at the table, in the order of play.
var Seats = canonical.Seats

var signedKinds = map[string]bool{
	"match_open": true, "commit_set": true, "deck_root": true, "deal_close": true, "match_close": true,
}

// Event is a public event that has its place in the chain.
type Event struct {
	Seq    int
	Kind   string
	Fields canonical.Fields
	head   []byte
	before []byte
}

// chain is the events of one match: in order, unbroken, signed where they must be.
type chain struct {
	head []byte
	next int
	key  []byte // the referee's, as we were told; match_open has to name the same
}

func newChain(key []byte) chain { return chain{head: make([]byte, seal.Size), key: key} }

// take is the next event of the chain, or why it is not.
func (c *chain) take(raw, sig []byte) (Event, error) {
	where := fmt.Sprintf("event %d", c.next)
	fields, err := canonical.Read(where, raw)
	if err != nil {
		return Event{}, err
	}
	event := Event{Kind: fields.Text("kind"), before: c.head}
	event.Fields = fields.As(fmt.Sprintf("%s (%s)", where, event.Kind))
	event.Seq = event.Fields.Number("seq")
	previous := event.Fields.Bytes("prev", seal.Size)
	switch {
	case fields.Err() != nil:
		return Event{}, fields.Err()
	case event.Seq != c.next:
		return Event{}, proof("event %d (%s) came where event %d was due", event.Seq, event.Kind, c.next)
	case !bytes.Equal(previous, c.head):
		return Event{}, proof("%s does not continue the chain of events", event.Fields.Where)
	case (event.Seq == 0) != (event.Kind == "match_open"):
		return Event{}, proof("%s: the match has to open with match_open, once", event.Fields.Where)
	}
	if event.Seq == 0 {
		if err := c.checkKey(event.Fields); err != nil {
			return Event{}, err
		}
	}
	event.head = seal.Head(c.head, raw)
	if signedKinds[event.Kind] || len(sig) > 0 {
		if err := c.checkSignature(event, sig); err != nil {
			return Event{}, err
		}
	}
	c.head, c.next = event.head, c.next+1
	return event, nil
}

func (c *chain) checkSignature(event Event, sig []byte) error {
	if len(sig) == 0 {
		return proof("%s is not signed by the referee", event.Fields.Where)
	}
	if !keys.Verifies(c.key, sig, seal.EventMessage(event.head)) {
		return proof("%s has a signature that is not the referee's", event.Fields.Where)
	}
	return nil
}

func (c *chain) checkKey(fields canonical.Fields) error {
	text := fields.Text("referee_key")
	if fields.Err() != nil {
		return fields.Err()
	}
	key, err := keys.Parse(text)
	switch {
	case err != nil:
		return proof("%s: referee_key is not a sound key", fields.Where)
	case !key.Is(c.key):
		return proof("%s: referee_key is not the one we were told", fields.Where)
	default:
		return nil
	}
}

func proof(format string, args ...any) error {
	return fault.New(fault.Proof, format, args...)
}
