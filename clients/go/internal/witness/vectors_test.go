package witness

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"euchrebot/internal/canonical"
	"euchrebot/internal/keys"
	"euchrebot/internal/seal"
	"euchrebot/internal/vectors"
)

type place struct {
	Match vectors.Hex
	Deal  int
}

// on is the deal of a claim, as a seat sees it whose link of the chain is the one below the deal's r.
func (p place) on(pack string, seat int, below []byte) *deal {
	terms := &terms{match: p.Match, seat: seat, pack: pack, packets: "3-2"}
	return newDeal(terms, p.Deal, link{p.Deal, below})
}

// fields are those of an event that holds the values of an object.
func fields(t *testing.T, object canonical.Object) canonical.Fields {
	t.Helper()
	text, ok := canonical.Dump(object)
	if !ok {
		t.Fatalf("%v is not canonical", object)
	}
	read, err := canonical.Read("event 7", text)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func hexes(all [][]byte) []any {
	var texts []any
	for _, raw := range all {
		texts = append(texts, hexOf(raw))
	}
	return texts
}

func hexOf(raw []byte) string {
	const digits = "0123456789abcdef"
	var text strings.Builder
	for _, octet := range raw {
		text.WriteByte(digits[octet>>4])
		text.WriteByte(digits[octet&15])
	}
	return text.String()
}

// revealed makes the deal as if these commitments had been made, and takes what is revealed of them.
func revealed(t *testing.T, d *deal, commits, seeds [][]byte, cut *uint8) bool {
	if len(commits) != seats || len(seeds) != seats {
		return false
	}
	d.set = commits
	object := canonical.Object{"seeds": hexes(seeds), "sigs": []any{"", "", "", ""}}
	if cut != nil {
		object["cut"] = int(*cut)
	}
	return d.takeRevealSet(fields(t, object)) == nil
}

func TestARevealIsTheOneThatTheSeatCommittedTo(t *testing.T) {
	type claim struct {
		place
		Pack             string
		Seat             int
		Declined, Cutter bool
		Seed, Commit     vectors.Hex
		Cut              *uint8
	}
	vectors.Claims(t, "commit", func(t *testing.T, c claim) bool {
		d := c.on(c.Pack, (c.Seat+1)%seats, nil)
		commits, seeds := make([][]byte, seats), make([][]byte, seats)
		for seat := range seats {
			d.declined[seat] = seat != c.Seat || c.Declined
			commits[seat] = seal.Commit(c.Match, c.Deal, seat, nil, nil)
		}
		commits[c.Seat], seeds[c.Seat] = c.Commit, c.Seed
		if c.Cutter {
			d.cutter = &c.Seat
		}
		return revealed(t, d, commits, seeds, c.Cut)
	})
}

func TestACommitSetIsFourThatDifferAndTheirHash(t *testing.T) {
	type claim struct {
		place
		Pack    string
		RCommit vectors.Hex `json:"r_commit"`
		Commits []vectors.Hex
		Cset    vectors.Hex
	}
	vectors.Claims(t, "commit_set", func(t *testing.T, c claim) bool {
		d := c.on(c.Pack, 0, c.RCommit)
		for seat, commit := range c.Commits {
			d.commits[seat] = commit
		}
		d.mine = d.commits[0]
		return d.takeCommitSet(fields(t, canonical.Object{
			"commits": hexes(vectors.Plain(c.Commits)), "r_commit": hexOf(c.RCommit),
			"cset": hexOf(c.Cset), "seq": 7,
		}), nil) == nil
	})
}

func TestAllThatIsPublishedOfADealBelongsTogether(t *testing.T) {
	type claim struct {
		place
		Pack                   string
		R                      vectors.Hex
		RCommit                vectors.Hex `json:"r_commit"`
		Commits, Seeds, Leaves []vectors.Hex
		Root                   vectors.Hex
		Declined               []bool
		Cutter                 *int
		Cut                    *uint8
		Deck                   string
	}
	vectors.Claims(t, "deck", func(t *testing.T, c claim) bool {
		d := c.on(c.Pack, 0, c.RCommit)
		copy(d.declined[:], c.Declined)
		d.cutter = c.Cutter
		commits := vectors.Plain(c.Commits)
		d.cset = seal.CommitSet(c.Match, c.Deal, c.Pack, c.RCommit, commits)
		if !revealed(t, d, commits, vectors.Plain(c.Seeds), c.Cut) {
			return false
		}
		root := canonical.Object{"leaves": hexes(vectors.Plain(c.Leaves)), "root": hexOf(c.Root)}
		if d.takeDeckRoot(fields(t, root)) != nil {
			return false
		}
		_, err := d.takeClose(fields(t, canonical.Object{"r": hexOf(c.R), "deck": c.Deck, "outcome": "void"}))
		return err == nil
	})
}

func TestTheDealerDrawTurnsUntilADealerIsFound(t *testing.T) {
	type claim struct {
		Method, Deck  string
		Start, Dealer int
		Turned        []int
	}
	vectors.Claims(t, "draw", func(_ *testing.T, c claim) bool {
		turned, dealer := draw(strings.Fields(c.Deck), c.Method, c.Start)
		inOrder := !slices.ContainsFunc(c.Turned, func(place int) bool { return c.Turned[place] != place })
		return inOrder && turned == len(c.Turned) && dealer == c.Dealer
	})
}

func TestAnOpenedCardIsTheOneOfItsLeaf(t *testing.T) {
	type claim struct {
		place
		Pack, Card string
		Position   int
		Salt, Root vectors.Hex
		Leaves     []vectors.Hex
	}
	vectors.Claims(t, "opening", func(t *testing.T, c claim) bool {
		d := c.on(c.Pack, 0, nil)
		root := canonical.Object{"leaves": hexes(vectors.Plain(c.Leaves)), "root": hexOf(c.Root)}
		return d.takeDeckRoot(fields(t, root)) == nil &&
			d.checkOpened("the card", seal.Opened{Position: c.Position, Card: c.Card, Salt: c.Salt}) == nil
	})
}

func TestAHiddenMoveOpensToWhatItsCommitmentHolds(t *testing.T) {
	type claim struct {
		place
		Seat       int
		Pack, Move string
		Positions  []int
		Blinds     []vectors.Hex
		Commit     vectors.Hex
	}
	vectors.Claims(t, "hidden", func(t *testing.T, c claim) bool {
		d := c.on(c.Pack, 0, nil)
		d.hidden[5] = hidden{c.Seat, c.Move, c.Commit}
		var positions []any
		for _, position := range c.Positions {
			positions = append(positions, position)
		}
		opening := canonical.Object{
			"seq": 5, "positions": positions, "blinds": hexes(vectors.Plain(c.Blinds)),
		}
		return d.checkOpenings(fields(t, canonical.Object{"openings": []any{opening}})) == nil
	})
}

func TestAPrivateDealIsSignedAndHoldsTheSealedCardsOfOurPlaces(t *testing.T) {
	type claim struct {
		place
		Key       string
		Seat      int
		Root, Sig vectors.Hex
		Leaves    []vectors.Hex
		Positions []int
		Cards     []struct {
			Position int
			Card     string
			Salt     vectors.Hex
		}
	}
	vectors.Claims(t, "private_deal", func(t *testing.T, c claim) bool {
		key, err := keys.Parse(c.Key)
		if err != nil {
			t.Fatal(err)
		}
		d := c.on("E24", c.Seat, nil)
		d.root, d.leaves = c.Root, vectors.Plain(c.Leaves)
		if slices.Equal(c.Positions, swapPositions) {
			d.held, d.dealer, d.awaited = []seal.Opened{{Position: 0}}, new(int), "swap"
		}
		for dealer := range seats {
			if slices.Equal(positions("3-2", dealer, c.Seat), c.Positions) {
				d.dealer = &dealer
			}
		}
		var cards []seal.Opened
		for _, card := range c.Cards {
			cards = append(cards, seal.Opened{Position: card.Position, Card: card.Card, Salt: card.Salt})
		}
		message := seal.PrivateDealMessage(c.Match, c.Deal, c.Seat, c.Root, cards)
		return bytes.Equal(seal.TreeHead(d.leaves), c.Root) &&
			keys.Verifies(key.Public, c.Sig, message) && d.takePrivateDeal(c.Root, cards) == nil
	})
}

func TestEachPatternOfPacketsDealsEveryPositionOnce(t *testing.T) {
	for _, pattern := range []string{"3-2", "2-3", "3-2-3-2", "2-3-2-3", "single"} {
		for dealer := range seats {
			var dealt []int
			for seat := range seats {
				dealt = append(dealt, positions(pattern, dealer, seat)...)
			}
			slices.Sort(dealt)
			for want := range upcardPosition {
				if len(dealt) != upcardPosition || dealt[want] != want {
					t.Errorf("%s, dealer %d: %d", pattern, dealer, dealt)
					break
				}
			}
		}
	}
}

func TestTheRefereesSecretsContinueItsChain(t *testing.T) {
	here := place{Match: ours, Deal: 3}
	top := bytes.Repeat([]byte{9}, size)
	r := seal.Descend(ours, top, 5, 4)
	below := seal.Descend(ours, r, 4, 3)
	commits := make([][]byte, seats)
	for seat := range seats {
		commits[seat] = bytes.Repeat([]byte{byte(seat)}, size)
	}
	set := func(next []byte) canonical.Fields {
		cset := seal.CommitSet(ours, 3, "E24", next, commits)
		return fields(t, canonical.Object{
			"commits": hexes(commits), "r_commit": hexOf(next), "cset": hexOf(cset), "seq": 7,
		})
	}
	d := here.on("E24", 0, below)
	copy(d.commits[:], commits)
	d.mine = commits[0]
	says(t, d.takeCommitSet(set(top), nil), "r_commit does not continue the referee's chain")
	says(t, d.takeCommitSet(set(below), nil), "")
	_, err := d.takeClose(fields(t, canonical.Object{"r": hexOf(top)}))
	says(t, err, "r does not continue the referee's chain")
	next, err := d.takeClose(fields(t, canonical.Object{"r": hexOf(r), "outcome": "void"}))
	says(t, err, "")
	if next.number != 4 || !bytes.Equal(next.value, r) {
		t.Errorf("the next link is %d", next.number)
	}
}

func TestASeatCommitsOnceAndNotWhereItHasDeclined(t *testing.T) {
	d := place{Match: ours, Deal: 1}.on("E24", 0, nil)
	d.declined[2] = true
	commit := func(seat string, octet byte) error {
		return d.takeCommit(fields(t, canonical.Object{
			"seat": seat, "commit": hexOf(bytes.Repeat([]byte{octet}, size)),
		}))
	}
	d.mine = bytes.Repeat([]byte{1}, size)
	says(t, commit("east", 2), "")
	says(t, commit("east", 3), "east cannot commit now")
	says(t, commit("south", 3), "south cannot commit now")
	says(t, commit("north", 3), "the commitment of north is not the one of our secret")
	says(t, commit("north", 1), "")
}

func TestADealerDrawIsTheOneOfItsDeck(t *testing.T) {
	deck := seal.Deck{Cards: strings.Fields("9H JC TC"), FirstSeat: 2}
	tests := []struct {
		start, dealer, turned int
		words                 string
	}{
		{2, 3, 2, ""},
		{1, 3, 2, "the dealer draw began at the wrong seat"},
		{2, 2, 2, "the dealer draw named the wrong dealer"},
		{2, 3, 3, "the dealer draw turned 3 cards, not 2"},
	}
	for _, test := range tests {
		d := place{Match: ours}.on("E24", 0, nil)
		d.firstDealer, d.start, d.dealer, d.turned = "black_jack", &test.start, &test.dealer, test.turned
		says(t, d.checkDraw(fields(t, canonical.Object{}), deck), test.words)
	}
}

func TestNothingOfADealComesTwiceOrIsLeftOut(t *testing.T) {
	for _, pair := range []string{
		" deal_open", "match_open match_open", "match_open seat_commit", "deal_open reveal_set",
		"commit_set commit_set", "commit_set seat_commit", "commit_set deck_root", "reveal_set deal_close",
		"reveal_set reveal_set", "deck_root action", "dealer_draw turn_up", "turn_up turn_up",
		"deal_close deal_close", "match_close deal_open", "action hello",
	} {
		last, kind, _ := strings.Cut(pair, " ")
		if mayFollow(last, kind) {
			t.Errorf("%s may follow %s", kind, last)
		}
	}
}

func TestAMoveOfOursStandsAsItWasSent(t *testing.T) {
	d := place{Match: ours, Deal: 1}.on("E24", 0, nil)
	d.sent[7], d.accepted[7] = "pass", true
	take := func(object canonical.Object) error {
		object["seat"] = "north"
		return d.takeAction(fields(t, object), Event{Seq: 7, before: d.match})
	}
	says(t, take(canonical.Object{"action": "order"}), `"order" is not the move we made, "pass"`)
	says(t, take(canonical.Object{"action": "pass", "fallback": "TIMEOUT"}), "stands as played for us")
	says(t, take(canonical.Object{"action": "pass"}), "")
}

func TestAViewShowsTheCardsThatWereSealedForUs(t *testing.T) {
	d, east := place{Match: ours, Deal: 1}.on("E24", 0, nil), 1
	d.dealer, d.upcard = &east, "9H"
	says(t, d.checkView([]string{"9C"}), "we are asked to act but were shown no sealed cards")
	d.held = []seal.Opened{{Position: 3, Card: "9C"}}
	says(t, d.checkView([]string{"9C"}), "")
	says(t, d.checkView([]string{"9H"}), `"9H" in our view was not dealt to us`)
	d.dealer = &d.seat
	says(t, d.checkView([]string{"9H"}), "")
}
