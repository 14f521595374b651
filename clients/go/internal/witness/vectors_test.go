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
		_, err := d.takeClose(fields(t, canonical.Object{"r": hexOf(c.R), "deck": c.Deck}))
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
