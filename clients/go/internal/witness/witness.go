// Package witness is a seat's own account of a match: every duty of the seal, event by event.
//
// What does not hold is a fault.Error with the status Proof.
package witness

import (
	"crypto/rand"
	"errors"
	"math/big"

	"euchrebot/internal/canonical"
	"euchrebot/internal/keep"
	"euchrebot/internal/keys"
	"euchrebot/internal/seal"
)

// Claim is what the seat was told in Welcome, and what it said of itself.
type Claim struct {
	Match      []byte
	Seat       int
	Name       string
	Level      string // what the seat does for the seal; at plays it gives no seeds
	Rules      map[string]string
	RefereeKey []byte
	Key        *keys.Seat
}

// Files are what the seat keeps.
type Files struct {
	Secret   []byte
	State    *keep.State
	Receipts *keep.Receipts
}

// Reveal is what the seat opens once the commit set has passed its checks.
type Reveal struct {
	Seed, Cset, Head, Sig []byte
	Cut                   seal.Cut
}

// Witness follows one match for one seat.
type Witness struct {
	claim    Claim
	seed     func(match []byte, deal int) []byte
	state    *keep.State
	receipts receipts
	chain    chain
	last     string
	terms    *terms
	r0       []byte
	link     link
	deals    map[int]*deal
	newest   *deal
	drawn    *int // the dealer that the draw gave
	twins    [seats]bool
}

// New is an account that has seen nothing yet.
func New(claim Claim, files Files) *Witness {
	return &Witness{
		claim: claim, state: files.State, chain: newChain(claim.RefereeKey), deals: map[int]*deal{},
		seed: func(match []byte, deal int) []byte {
			return seal.Seed(files.Secret, match, deal)
		},
		receipts: newReceipts(claim.Match, claim.RefereeKey, files.Receipts),
	}
}

// Close gives the files back.
func (w *Witness) Close() error {
	return errors.Join(w.state.Close(), w.receipts.file.Close())
}

// Next is the first event that has not been seen: the position to resume from.
func (w *Witness) Next() int { return w.chain.next }

// Take follows one public event.
func (w *Witness) Take(raw, sig []byte) (Event, error) {
	event, err := w.chain.take(raw, sig)
	if err != nil {
		return event, err
	}
	if !mayFollow(w.last, event.Kind) {
		return event, proof("%s cannot come after %s", event.Fields.Where, w.last)
	}
	w.last = event.Kind
	if err := w.receipts.saw(event.Seq, event.head); err != nil {
		return event, err
	}
	switch event.Kind {
	case "match_open":
		err = w.open(event.Fields)
	case "match_close":
		err = w.checkEnd(event.Fields)
	case "deal_open":
		err = w.openDeal(event.Fields)
	default:
		err = w.step(event)
		if err == nil {
			err = w.checkStood(w.newest, event.Seq)
		}
	}
	return event, err
}

func (w *Witness) step(event Event) error {
	fields := event.Fields
	number := fields.Number("deal")
	if fields.Err() != nil {
		return fields.Err()
	}
	deal, err := w.current(fields.Where, number)
	if err != nil {
		return err
	}
	switch event.Kind {
	case "seat_commit":
		return deal.takeCommit(fields)
	case "commit_set":
		if err := deal.takeCommitSet(fields, event.head); err != nil {
			return err
		}
		return w.state.CheckAnswer(w.claim.Match, number, deal.cset)
	case "reveal_set":
		return deal.takeRevealSet(fields)
	case "deck_root":
		return deal.takeDeckRoot(fields)
	case "dealer_draw":
		err := deal.takeDealerDraw(fields)
		w.drawn = deal.dealer
		return err
	case "turn_up":
		deal.heads[event.Seq] = event.head
		return deal.takeTurnUp(fields)
	case "action":
		deal.heads[event.Seq] = event.head
		return deal.takeAction(fields, event)
	default: // deal_close: the order of events lets nothing else through
		w.link, err = deal.takeClose(fields)
		return err
	}
}

// current is the deal of a number, which must be the one on the table.
func (w *Witness) current(where string, number int) (*deal, error) {
	if w.newest == nil || number != w.newest.number {
		return nil, proof("%s: deal %d is not open", where, number)
	}
	return w.newest, nil
}

// ends tells whether the match has to end with its newest deal: a deck that is known is thrown away.
func (w *Witness) ends() bool { return w.newest != nil && w.newest.voided && w.terms.rated }

func (w *Witness) checkEnd(f canonical.Fields) error {
	outcome := f.Text("outcome")
	if f.Err() == nil && w.ends() && outcome != "void" && outcome != "aborted" {
		return proof("%s: it is closed %q after deal %d, which was closed void after its commit set",
			f.Where, outcome, w.newest.number)
	}
	return f.Err()
}

func (w *Witness) openDeal(f canonical.Fields) error {
	number := f.Number("deal")
	var dealer, cutter, due *int
	if f.Has("dealer") {
		seat := f.Seat("dealer")
		dealer = &seat
		if cutting, anybody := cutterSeat(w.terms.cut, seat); anybody && !w.terms.declined[cutting] {
			due = &cutting
		}
	}
	if f.Has("cutter") {
		seat := f.Seat("cutter")
		cutter = &seat
	}
	switch {
	case f.Err() != nil:
		return f.Err()
	case w.ends():
		return proof("%s: the match goes on after deal %d, which was closed void after its commit set",
			f.Where, w.newest.number)
	case w.newest == nil && number > 1, w.newest != nil && number != w.newest.number+1:
		return proof("%s: deal %d is not the next one", f.Where, number)
	case number >= w.terms.chain:
		return proof("%s: the referee's chain has no link for deal %d", f.Where, number)
	case (dealer == nil) != (number == 0):
		return proof("%s: a deal has a dealer, the draw for it has none", f.Where)
	case number == 1 && w.drawn != nil && *dealer != *w.drawn:
		return proof("%s: the dealer is not the one who was drawn", f.Where)
	case (cutter == nil) != (due == nil), cutter != nil && *cutter != *due:
		return proof("%s: the wrong seat cuts", f.Where)
	}
	deal := newDeal(w.terms, number, w.link)
	deal.dealer, deal.cutter = dealer, cutter
	w.deals[number], w.newest = deal, deal
	w.receipts.forgetBefore(w.chain.next - 1)
	return w.findCommit(deal)
}

// findCommit gives a deal our commitment, where we can know it before we are asked: the cutter's
// holds a cut, which is on file once it was promised.
func (w *Witness) findCommit(deal *deal) error {
	if deal.declined[deal.seat] {
		deal.mine = seal.Commit(deal.match, deal.number, deal.seat, nil, nil)
		return nil
	}
	var cut seal.Cut
	if deal.cuts(deal.seat) {
		var err error
		if cut, err = w.state.PromisedCut(deal.match, deal.number); err != nil || cut == nil {
			return err
		}
	}
	deal.mine = w.commitment(deal, cut)
	return nil
}

func (w *Witness) commitment(deal *deal, cut seal.Cut) []byte {
	return seal.Commit(deal.match, deal.number, deal.seat, w.seed(deal.match, deal.number), cut)
}

// Commit is our commitment to a deal, promised on disk before it is returned.
func (w *Witness) Commit(number int, cutter bool) ([]byte, error) {
	deal, err := w.current("ask for a commitment", number)
	if err != nil {
		return nil, err
	}
	if cutter != deal.cuts(deal.seat) {
		return nil, proof("deal %d: we are asked for a cut against deal_open", number)
	}
	var cut seal.Cut
	if cutter {
		drawn, err := rand.Int(rand.Reader, big.NewInt(int64(len(seal.Pack(deal.pack)))))
		if err != nil {
			return nil, err
		}
		cut = seal.CutAt(int(drawn.Int64()))
	}
	if cut, err = w.state.Promise(deal.match, w.r0, number, cut); err != nil {
		return nil, err
	}
	deal.mine = w.commitment(deal, cut)
	return deal.mine, nil
}

// Reveal is our seed and cut, once the commit set has been checked and written down.
func (w *Witness) Reveal(number int) (Reveal, error) {
	deal, err := w.current("ask for a reveal", number)
	if err != nil {
		return Reveal{}, err
	}
	if deal.cset == nil {
		return Reveal{}, proof("deal %d: we are asked to reveal before the commit set", number)
	}
	if err := w.state.Answer(deal.match, number, deal.cset); err != nil {
		return Reveal{}, err
	}
	shown := Reveal{Seed: w.seed(deal.match, number), Cset: deal.cset, Head: deal.setHead}
	if deal.cuts(deal.seat) {
		if shown.Cut, err = w.state.PromisedCut(deal.match, number); err != nil {
			return Reveal{}, err
		}
	}
	if w.claim.Key != nil {
		shown.Sig = w.claim.Key.Sign(deal.revealMessage(deal.seat))
	}
	return shown, nil
}

// PrivateDeal checks the cards that were sent to us alone; signed ones that are wrong are kept.
func (w *Witness) PrivateDeal(number int, root []byte, cards []seal.Opened, sig []byte) error {
	dealt := privateDeal{w.claim.Match, number, w.claim.Seat, root, cards, sig}
	message := seal.PrivateDealMessage(dealt.match, number, dealt.seat, root, cards)
	if !keys.Verifies(w.claim.RefereeKey, sig, message) {
		return proof("the private deal of deal %d has a signature that is not the referee's", number)
	}
	deal, ok := w.deals[number]
	if !ok {
		return proof("the private deal of deal %d came before the deal", number)
	}
	err := deal.takePrivateDeal(root, cards)
	if err == nil {
		return nil
	}
	kept, failed := w.receipts.keepDeal(dealt)
	if failed != nil {
		return failed
	}
	if kept {
		return proof("%w (they are kept: the proof)", err)
	}
	return err
}

// CheckAsk sees that we are asked at the newest event, and shown the cards that were sealed for us.
func (w *Witness) CheckAsk(number, seq int, hand []string) error {
	if seq != w.chain.next {
		return proof("we are asked for event %d, and event %d is next", seq, w.chain.next)
	}
	deal, err := w.current("ask for an action", number)
	if err != nil {
		return err
	}
	return deal.checkView(hand)
}

// Move notes what we are about to send, to know it again in the record, and gives our signature of
// it. Blinds are there where the action is hidden; one that is not legal is signed as it is.
func (w *Witness) Move(number, seq int, action string, blinds []byte) ([]byte, error) {
	deal, err := w.current("our move", number)
	if err != nil {
		return nil, err
	}
	text, err := deal.moveText(action, blinds)
	if err != nil {
		return nil, err
	}
	deal.sent[seq] = text
	if w.claim.Key == nil {
		return nil, nil
	}
	return w.claim.Key.Sign(seal.MoveMessage(deal.match, number, seq, w.chain.head, text)), nil
}

// AcceptedCommit notes that a commitment of ours was accepted: a receipt for it is due.
func (w *Witness) AcceptedCommit(number int) { w.accepted(owed{deal: number}) }

// AcceptedReveal notes that a reveal of ours was accepted: its receipt names the commit set.
func (w *Witness) AcceptedReveal(number int) error {
	deal, ok := w.deals[number]
	if !ok {
		return nil
	}
	w.accepted(owed{number, &deal.cutAt})
	deal.revealed = true
	return deal.checkBlame()
}

// AcceptedMove notes that a move of ours was accepted: it has to stand in the event of that number.
func (w *Witness) AcceptedMove(number, seq int) error {
	deal, ok := w.deals[number]
	if !ok {
		return nil
	}
	deal.accepted[seq] = true
	w.accepted(owed{number, &seq})
	if seq < w.chain.next {
		return w.checkStood(deal, seq)
	}
	return nil
}

// checkStood sees that a move of ours that was accepted for an event stands there; a seat that only
// plays holds the referee to nothing.
func (w *Witness) checkStood(deal *deal, seq int) error {
	if w.claim.Level != "plays" && deal.accepted[seq] && !deal.stood[seq] {
		return proof("event %d: our move was accepted, and this is not the move we made", seq)
	}
	return nil
}

func (w *Witness) accepted(due owed) {
	if w.claim.Level != "plays" {
		w.receipts.due = append(w.receipts.due, due)
	}
}

// Receipt checks and keeps what the referee says it has accepted.
func (w *Witness) Receipt(items []seal.Acknowledged, sig []byte) error {
	return w.receipts.take(items, sig)
}

// EndOfMessage insists on a receipt for everything that was accepted in the message.
func (w *Witness) EndOfMessage() error { return w.receipts.endOfMessage() }
