package witness

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"euchrebot/internal/canonical"
	"euchrebot/internal/keys"
	"euchrebot/internal/seal"
)

const (
	size  = seal.Size
	seats = 4
)

// terms are what match_open fixes for every deal.
type terms struct {
	match       []byte
	seat        int
	pack        string
	packets     string
	cut         string
	firstDealer string
	chain       int
	rated       bool
	declined    [seats]bool
	keys        [seats][]byte
}

// link is a value of the referee's hash chain that is public already, and its number.
type link struct {
	number int
	value  []byte
}

// hidden is the commitment of a seat to cards that it keeps face down.
type hidden struct {
	seat   int
	word   string
	commit []byte
}

// opens tells whether cards at these positions may be what a seat kept face down.
func (h hidden) opens(places []int, pack string) bool {
	count := 1
	if h.word == "swap" {
		count = len(swapPositions)
	}
	rising := slices.IsSorted(places) && len(slices.Compact(slices.Clone(places))) == len(places)
	return len(places) == count && rising && places[count-1] < len(seal.Pack(pack))
}

// deal is what is known of one deal so far.
type deal struct {
	*terms
	number int
	link   link
	dealer *int
	cutter *int

	mine    []byte // our own commitment; nil until the cutter, if that is us, has made one
	commits [seats][]byte
	set     [][]byte // the commitments of commit_set
	cset    []byte
	cutAt   int // the seq of commit_set
	setHead []byte
	seeds   [][]byte
	cut     seal.Cut
	leaves  [][]byte
	root    []byte

	start  *int // where the dealer draw began
	turned int  // how many cards were turned for it
	upcard string
	held   []seal.Opened // the cards that were dealt to us

	hidden   map[int]hidden // by the event that hid them
	heads    map[int][]byte // of the events after which a seat may act
	sent     map[int]string // our moves, by the event they are to become
	accepted map[int]bool   // those of them that the referee has accepted
	stood    map[int]bool   // the events that are moves of ours, and not played for us
	awaited  string         // the word of a move that brings us cards

	revealed bool // the referee has accepted our reveal
	blamed   bool // we are said to have withheld
	voided   bool // it was closed void, though its commit set stood
}

func newDeal(terms *terms, number int, link link) *deal {
	return &deal{
		terms: terms, number: number, link: link,
		hidden: map[int]hidden{}, heads: map[int][]byte{}, sent: map[int]string{}, accepted: map[int]bool{},
		stood: map[int]bool{},
	}
}

func (d *deal) cuts(seat int) bool { return d.cutter != nil && *d.cutter == seat }

// down is the link's own place in the chain, reached from a value that claims a higher number.
func (d *deal) down(value []byte, number int) []byte {
	return seal.Descend(d.match, value, number, d.link.number)
}

func (d *deal) takeCommit(f canonical.Fields) error {
	seat, commit := f.Seat("seat"), f.Bytes("commit", size)
	switch {
	case f.Err() != nil:
		return f.Err()
	case d.cset != nil || d.commits[seat] != nil || d.declined[seat]:
		return proof("%s: %s cannot commit now", f.Where, Seats[seat])
	case seat == d.seat && !bytes.Equal(commit, d.mine):
		return proof("%s: the commitment of %s is not the one of our secret", f.Where, Seats[seat])
	}
	d.commits[seat] = commit
	return nil
}

func (d *deal) takeCommitSet(f canonical.Fields, head []byte) error {
	set, next := f.BytesList("commits", seats, size), f.Bytes("r_commit", size)
	claimed, seq := f.Bytes("cset", size), f.Number("seq")
	if f.Err() != nil {
		return f.Err()
	}
	if !bytes.Equal(set[d.seat], d.mine) {
		return proof("%s: our own commitment is not in its place", f.Where)
	}
	for seat, commit := range set {
		if slices.ContainsFunc(set[:seat], func(other []byte) bool { return bytes.Equal(other, commit) }) {
			return proof("%s: two seats have the same commitment", f.Where)
		}
		if !bytes.Equal(commit, d.promised(seat)) {
			return proof("%s: the commitment of %s is not the one it made", f.Where, Seats[seat])
		}
	}
	if !bytes.Equal(d.down(next, d.number), d.link.value) {
		return proof("%s: r_commit does not continue the referee's chain", f.Where)
	}
	cset := seal.CommitSet(d.match, d.number, d.pack, next, set)
	if !bytes.Equal(cset, claimed) {
		return proof("%s: cset is not the hash of the commit set", f.Where)
	}
	d.set, d.cset, d.setHead, d.cutAt = set, cset, head, seq
	return nil
}

func (d *deal) promised(seat int) []byte {
	if d.declined[seat] {
		return seal.Commit(d.match, d.number, seat, nil, nil)
	}
	return d.commits[seat]
}

func (d *deal) takeRevealSet(f canonical.Fields) error {
	seeds, sigs := f.BytesList("seeds", seats, 0, size), f.BytesList("sigs", seats, 0, 64)
	var cut seal.Cut
	if f.Has("cut") {
		cards := f.Number("cut")
		if cards >= len(seal.Pack(d.pack)) {
			return proof("%s: the cut %d is more than the pack holds", f.Where, cards)
		}
		cut = seal.CutAt(cards)
	}
	if f.Err() != nil {
		return f.Err()
	}
	if (cut == nil) != (d.cutter == nil) {
		return proof("%s: a cut goes with a cutter, and only with one", f.Where)
	}
	for seat, seed := range seeds {
		var own seal.Cut
		if d.cuts(seat) {
			own = cut
		}
		made := seal.Commit(d.match, d.number, seat, seed, own)
		if (len(seed) == 0) != d.declined[seat] || !bytes.Equal(made, d.set[seat]) {
			return proof("%s: the seed of %s is not the one it committed to", f.Where, Seats[seat])
		}
		if !d.signedBy(seat, sigs[seat], d.revealMessage(seat)) {
			return proof("%s: the reveal of %s is not signed by its seat", f.Where, Seats[seat])
		}
	}
	d.seeds, d.cut = seeds, cut
	return nil
}

// revealMessage is what a seat signs of its reveal.
func (d *deal) revealMessage(seat int) []byte {
	return seal.RevealMessage(d.match, d.number, seat, d.cset, d.set[seat], d.setHead)
}

// signedBy tells whether a signature is what the seat owes: its own, or none where it has no key.
func (d *deal) signedBy(seat int, sig, message []byte) bool {
	if d.keys[seat] == nil {
		return len(sig) == 0
	}
	return keys.Verifies(d.keys[seat], sig, message)
}

func (d *deal) takeDeckRoot(f canonical.Fields) error {
	leaves := f.BytesList("leaves", len(seal.Pack(d.pack)), size)
	root := f.Bytes("root", size)
	switch {
	case f.Err() != nil:
		return f.Err()
	case !bytes.Equal(seal.TreeHead(leaves), root):
		return proof("%s: the root is not that of the leaves", f.Where)
	}
	d.leaves, d.root = leaves, root
	return nil
}

func (d *deal) checkOpened(where string, card seal.Opened) error {
	switch {
	case card.Position >= len(d.leaves):
		return proof("%s: position %d has no leaf yet", where, card.Position)
	case !slices.Contains(seal.Pack(d.pack), card.Card):
		return proof("%s: %q is not a card of the pack", where, card.Card)
	}
	made := seal.Leaf(d.match, d.number, card.Position, card.Card, card.Salt)
	if !bytes.Equal(made, d.leaves[card.Position]) {
		return proof("%s: %s at position %d is not the sealed card", where, card.Card, card.Position)
	}
	return nil
}

func (d *deal) readOpened(f canonical.Fields) (seal.Opened, error) {
	card := seal.Opened{Position: f.Number("position"), Card: f.Text("card"), Salt: f.Bytes("salt", size)}
	if f.Err() != nil {
		return card, f.Err()
	}
	return card, d.checkOpened(f.Where, card)
}

func (d *deal) takeDealerDraw(f canonical.Fields) error {
	start, dealer := f.Seat("start"), f.Seat("dealer")
	for position, turned := range f.Children("turned") {
		card, err := d.readOpened(turned)
		if err == nil && card.Position != position {
			err = proof("%s: position %d is turned out of order", turned.Where, card.Position)
		}
		if err != nil {
			return err
		}
		d.turned++
	}
	d.start, d.dealer = &start, &dealer
	return f.Err()
}

func (d *deal) takeTurnUp(f canonical.Fields) error {
	card, err := d.readOpened(f)
	if err == nil && card.Position != upcardPosition {
		err = proof("%s: the upcard lies at %d", f.Where, upcardPosition)
	}
	d.upcard = card.Card
	return err
}

// takeAction follows an action: ours is what we sent, and a signing seat's is signed, unless it was
// played for it. One that hides cards is kept until they are opened.
func (d *deal) takeAction(f canonical.Fields, event Event) error {
	seat, word, move := f.Seat("seat"), f.Text("action"), f.Text("action")
	var commit, sig []byte
	if f.Has("commit") {
		commit = f.Bytes("commit", size)
		move = word + " " + hex.EncodeToString(commit)
	}
	if f.Has("seat_sig") {
		sig = f.Bytes("seat_sig", 64)
	}
	if f.Err() != nil {
		return f.Err()
	}
	first, _, more := strings.Cut(word, " ")
	if hides := first == "discard" || first == "give" || first == "swap"; hides != (commit != nil) || hides && more {
		return proof("%s: %q does not hide what it should, or hides what it should not", f.Where, word)
	}
	stood := f.Has("fallback") // the referee played it, and says why
	if stood && seat == d.seat && d.accepted[event.Seq] {
		return proof("%s: our move was accepted, and %q stands as played for us", f.Where, move)
	}
	d.stood[event.Seq] = !stood && seat == d.seat
	if !stood || sig != nil {
		message := seal.MoveMessage(d.match, d.number, event.Seq, event.before, move)
		if !d.signedBy(seat, sig, message) {
			return proof("%s: the move of %s is not signed by its seat", f.Where, Seats[seat])
		}
		if sent, ok := d.sent[event.Seq]; ok && seat == d.seat && sent != move {
			return proof("%s: %q is not the move we made, %q", f.Where, move, sent)
		}
	}
	if commit == nil {
		return nil
	}
	if word == "swap" && seat == d.seat || word == "give" && seat == d.seat^2 {
		d.awaited = word
	}
	d.hidden[event.Seq] = hidden{seat, word, commit}
	return nil
}

// takeClose derives the whole deck again and opens every hidden card; it gives the chain's next link.
func (d *deal) takeClose(f canonical.Fields) (link, error) {
	r := f.Bytes("r", size)
	if f.Err() != nil {
		return link{}, f.Err()
	}
	if !bytes.Equal(d.down(r, d.number+1), d.link.value) {
		return link{}, proof("%s: r does not continue the referee's chain", f.Where)
	}
	if err := d.checkOutcome(f); err != nil {
		return link{}, err
	}
	if d.leaves != nil {
		if err := d.checkDeck(f, r); err != nil {
			return link{}, err
		}
	} else if f.Has("deck") {
		return link{}, proof("%s: a deck is named though none was sealed", f.Where)
	}
	if err := d.checkOpenings(f); err != nil {
		return link{}, err
	}
	return link{d.number + 1, r}, d.checkAttempts(f)
}

// checkOutcome sees that a deal was not cut short in another way than by a fault or a void, and that
// nobody is blamed for withholding what was not due.
func (d *deal) checkOutcome(f canonical.Fields) error {
	outcome := f.Text("outcome")
	short := outcome == "fault" || outcome == "void"
	switch {
	case f.Err() != nil:
		return f.Err()
	case d.leaves == nil && !short:
		return proof("%s: only a fault or a void closes a deal before its deck, and it is closed %q", f.Where, outcome)
	case !short && (outcome == "draw") != (d.number == 0):
		return proof("%s: the draw for the deal, and no other deal, is closed as draw", f.Where)
	}
	d.voided = outcome == "void" && d.cset != nil
	for _, fault := range f.ChildrenIfAny("faults") {
		seat, why := fault.Seat("seat"), fault.Text("why")
		if f.Err() != nil {
			return f.Err()
		}
		if why != "WITHHELD" {
			continue
		}
		if d.declined[seat] || d.leaves != nil || d.cset == nil && d.commits[seat] != nil {
			return proof("%s: %s is said to have withheld, and nothing of it was due", fault.Where, Seats[seat])
		}
		d.blamed = d.blamed || seat == d.seat
	}
	if f.Err() != nil {
		return f.Err()
	}
	return d.checkBlame()
}

// checkBlame sees that we are not said to have withheld a reveal that the referee has accepted.
func (d *deal) checkBlame() error {
	if d.blamed && d.revealed {
		return proof("deal %d: we are said to have withheld, and our reveal was accepted"+
			" (its receipt is kept: the proof)", d.number)
	}
	return nil
}

func (d *deal) checkDeck(f canonical.Fields, r []byte) error {
	secrets := seal.Secrets{R: r, Seeds: d.seeds, Cut: d.cut}
	deck := seal.NewDeck(d.match, d.number, d.pack, d.cset, secrets)
	for position, leaf := range deck.Leaves {
		if !bytes.Equal(leaf, d.leaves[position]) {
			return proof("%s: the leaf at position %d is not that of the seeds' deck", f.Where, position)
		}
	}
	named := f.Text("deck")
	switch {
	case f.Err() != nil:
		return f.Err()
	case named != deck.String():
		return proof("%s: the deck is not the one that the seeds give", f.Where)
	case d.start != nil:
		return d.checkDraw(f, deck)
	default:
		return nil
	}
}

func (d *deal) checkDraw(f canonical.Fields, deck seal.Deck) error {
	turned, dealer := draw(deck.Cards, d.firstDealer, deck.FirstSeat)
	switch {
	case *d.start != deck.FirstSeat:
		return proof("%s: the dealer draw began at the wrong seat", f.Where)
	case *d.dealer != dealer:
		return proof("%s: the dealer draw named the wrong dealer", f.Where)
	case d.turned != turned:
		return proof("%s: the dealer draw turned %d cards, not %d", f.Where, d.turned, turned)
	default:
		return nil
	}
}

func (d *deal) checkOpenings(f canonical.Fields) error {
	for _, opening := range f.ChildrenIfAny("openings") {
		seq, places := opening.Number("seq"), opening.Numbers("positions")
		blinds := opening.BytesList("blinds", len(places), size)
		if f.Err() != nil {
			return f.Err()
		}
		hid, ok := d.hidden[seq]
		if !ok {
			return proof("%s: event %d hides nothing", opening.Where, seq)
		}
		delete(d.hidden, seq)
		made := seal.Hidden(d.match, d.number, hid.seat, places, blinds)
		if !hid.opens(places, d.pack) || !bytes.Equal(made, hid.commit) {
			return proof("%s: it does not open what event %d hid", opening.Where, seq)
		}
	}
	for seq := range d.hidden {
		return proof("%s: event %d was never opened", f.Where, seq)
	}
	return f.Err()
}

// checkAttempts sees that an attempt counts against a signing seat under its signature, and once.
func (d *deal) checkAttempts(f canonical.Fields) error {
	type attempt struct {
		after, seat int
		action      string
	}
	seen := map[attempt]bool{}
	for _, tried := range f.ChildrenIfAny("attempts") {
		this := attempt{tried.Number("after"), tried.Seat("seat"), tried.Text("action")}
		var sig, message []byte
		if tried.Has("seat_sig") {
			sig = tried.Bytes("seat_sig", 64)
		}
		if f.Err() != nil {
			return f.Err()
		}
		if sig != nil && seen[this] {
			return proof("%s: it is listed twice, and was signed once", tried.Where)
		}
		seen[this] = true
		if before, ok := d.heads[this.after]; ok {
			message = seal.MoveMessage(d.match, d.number, this.after+1, before, this.action)
		}
		if !d.signedBy(this.seat, sig, message) {
			return proof("%s: the attempt of %s is not signed by its seat", tried.Where, Seats[this.seat])
		}
	}
	return f.Err()
}
