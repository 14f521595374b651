package witness

import (
	"bytes"
	"maps"
	"slices"

	"euchrebot/internal/canonical"
	"euchrebot/internal/keys"
	"euchrebot/internal/seal"
)

// after says which kinds of events may follow which: nothing is left out and nothing comes twice.
var after = map[string][]string{
	"":            {"match_open"},
	"match_open":  {"deal_open", "match_close"},
	"deal_open":   {"seat_commit", "commit_set", "deal_close"},
	"seat_commit": {"seat_commit", "commit_set", "deal_close"},
	"commit_set":  {"reveal_set", "deal_close"},
	"reveal_set":  {"deck_root"},
	"deck_root":   {"dealer_draw", "turn_up"},
	"dealer_draw": {"deal_close"},
	"turn_up":     {"action", "deal_close"},
	"action":      {"action", "deal_close"},
	"deal_close":  {"deal_open", "match_close"},
}

func mayFollow(last, kind string) bool { return slices.Contains(after[last], kind) }

// open takes match_open, which must say what we were told and what we said.
func (w *Witness) open(f canonical.Fields) error {
	match, protocol, pack := f.Bytes("match", 16), f.Text("protocol"), f.Text("pack")
	ruleSet, r0 := f.Bytes("rule_set", size), f.Bytes("r0", size)
	rules := f.Child("rules").Texts()
	entries, length := f.Children("seats"), f.Number("chain")
	rated := f.Child("policy").Truth("rated")
	if f.Err() != nil {
		return f.Err()
	}
	switch {
	case !bytes.Equal(match, w.claim.Match):
		return proof("%s: match is not the one we joined", f.Where)
	case protocol != seal.Protocol:
		return proof("%s: protocol is not %s", f.Where, seal.Protocol)
	case !maps.Equal(rules, w.claim.Rules):
		return proof("%s: rules are not those we were told", f.Where)
	case !bytes.Equal(ruleSet, ruleSetHash(rules)):
		return proof("%s: rule_set is not the hash of the rules", f.Where)
	case pack != rules["pack"] || seal.Pack(pack) == nil:
		return proof("%s: pack is not that of the rules, or not one we know", f.Where)
	case !knownPackets(rules["packets"]):
		return proof("%s: packets are not a pattern we know", f.Where)
	case len(entries) != seats:
		return proof("%s: seats are not four", f.Where)
	}
	if err := w.checkEntry(entries[w.claim.Seat]); err != nil {
		return err
	}
	w.r0, w.link = r0, link{0, r0}
	w.terms = &terms{
		match: match, seat: w.claim.Seat, pack: pack, packets: rules["packets"],
		cut: rules["cut"], firstDealer: rules["first_dealer"],
		chain: length, rated: rated,
	}
	for seat, entry := range entries {
		key, err := seatKey(entry)
		if err != nil {
			return err
		}
		w.terms.keys[seat], w.terms.declined[seat] = key, entry.Text("level") == "plays"
	}
	return w.state.CheckMatch(match, r0)
}

func ruleSetHash(rules map[string]string) []byte {
	object := canonical.Object{}
	for knob, value := range rules {
		object[knob] = value
	}
	text, _ := canonical.Dump(object)
	return seal.Hash("rule-set", text)
}

// checkEntry sees that our own seat is entered as we said: who we are, what we do, whose our seeds are.
func (w *Witness) checkEntry(entry canonical.Fields) error {
	name, level, seedBy := entry.Text("name"), entry.Text("level"), entry.Text("seed_by")
	key, err := seatKey(entry)
	if err != nil {
		return err
	}
	whose := "seat"
	if w.claim.Level == "plays" {
		whose = "host"
	}
	if name != w.claim.Name || level != w.claim.Level || seedBy != whose {
		return proof("%s: our seat is not entered as we said: %q, %q, %q", entry.Where, name, level, seedBy)
	}
	var own []byte
	if w.claim.Key != nil {
		own = w.claim.Key.Public()
	}
	if !bytes.Equal(key, own) {
		return proof("%s: our key is not the one we gave", entry.Where)
	}
	return nil
}

// seatKey is the key of a seat that signs, and of no other.
func seatKey(entry canonical.Fields) ([]byte, error) {
	level := entry.Text("level")
	if entry.Err() != nil {
		return nil, entry.Err()
	}
	if entry.Has("key") != (level == "signs") {
		return nil, proof("%s: a key goes with the level signs, and only with it", entry.Where)
	}
	if level != "signs" {
		return nil, nil
	}
	key, err := keys.Parse(entry.Text("key"))
	if entry.Err() != nil || err != nil {
		return nil, proof("%s: the seat's key is not a sound one", entry.Where)
	}
	return key.Public, nil
}

// Twin is the other seat whose commitment our own secret gives, told once a seat.
func (w *Witness) Twin(event Event) (seat int, found bool) {
	if event.Kind != "seat_commit" || w.claim.Level == "plays" {
		return 0, false
	}
	deal, seat := w.newest, event.Fields.Seat("seat")
	if seat == deal.seat || w.twins[seat] {
		return 0, false
	}
	cuts := []seal.Cut{nil}
	if deal.cuts(seat) {
		cuts = nil
		for cards := range seal.Pack(deal.pack) {
			cuts = append(cuts, seal.CutAt(cards))
		}
	}
	seed := w.seed(deal.match, deal.number)
	found = slices.ContainsFunc(cuts, func(cut seal.Cut) bool {
		return bytes.Equal(seal.Commit(deal.match, deal.number, seat, seed, cut), deal.commits[seat])
	})
	w.twins[seat] = w.twins[seat] || found
	return seat, found
}
