package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

const claimsFormat = "euchre-derivation-vectors/1"

// claim is one case of a vectors file: what is claimed, and whether the file says it holds.
type claim struct {
	ID     string          `json:"id"`
	Op     string          `json:"op"`
	Input  json.RawMessage `json:"input"`
	Result string          `json:"result"`
}

// raw is bytes that stand in the file as lower-case hex.
type raw []byte

// UnmarshalJSON reads lower-case hex.
func (b *raw) UnmarshalJSON(text []byte) error {
	var digits string
	if err := json.Unmarshal(text, &digits); err != nil {
		return err
	}
	decoded, err := hex.DecodeString(digits)
	if err != nil || strings.ToLower(digits) != digits {
		return fmt.Errorf("not lower-case hex: %q", digits)
	}
	*b = decoded
	return nil
}

func plain(all []raw) [][]byte {
	var out [][]byte
	for _, one := range all {
		out = append(out, one)
	}
	return out
}

// where is the deal that a claim is about.
type where struct {
	Match raw    `json:"match"`
	Deal  uint32 `json:"deal"`
}

func (w where) deal() deal { return deal{w.Match, w.Deal} }

// judges holds what is asked of each op; an error says that the input is not one of that op.
var judges = map[string]func(json.RawMessage) (bool, error){
	"link":         judge(judgeLink),
	"seed":         judge(judgeSeed),
	"commit":       judge(judgeCommit),
	"commit_set":   judge(judgeCommitSet),
	"below":        judge(judgeBelow),
	"start":        judge(judgeStart),
	"deck":         judge(judgeDeck),
	"draw":         judge(judgeDraw),
	"opening":      judge(judgeOpening),
	"hidden":       judge(judgeHidden),
	"form":         judge(judgeForm),
	"event":        judge(judgeEvent),
	"key":          judge(judgeKey),
	"signature":    judge(judgeSignature),
	"reveal":       judge(judgeReveal),
	"move":         judge(judgeMove),
	"private_deal": judge(judgePrivateDeal),
	"receipt":      judge(judgeReceipt),
	"roster":       judge(judgeRoster),
}

// judge reads the input of one op, in which exactly the fields of T stand.
func judge[T any](holds func(T) bool) func(json.RawMessage) (bool, error) {
	return func(input json.RawMessage) (bool, error) {
		var given T
		decoder := json.NewDecoder(bytes.NewReader(input))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&given); err != nil {
			return false, err
		}
		var present map[string]json.RawMessage
		if err := json.Unmarshal(input, &present); err != nil {
			return false, err
		}
		for _, field := range reflect.VisibleFields(reflect.TypeOf(given)) {
			name := field.Tag.Get("json")
			if _, there := present[name]; name != "" && !there {
				return false, fmt.Errorf("the field %q is missing", name)
			}
		}
		return holds(given), nil
	}
}

// judgeClaim tells whether a claim holds, whatever the file says of it.
func judgeClaim(c claim) (bool, error) {
	asked, known := judges[c.Op]
	if !known {
		return false, fmt.Errorf("%s: not an op: %q", c.ID, c.Op)
	}
	holds, err := asked(c.Input)
	if err != nil {
		return false, fmt.Errorf("%s: not an input of %q: %w", c.ID, c.Op, err)
	}
	return holds, nil
}

// readClaims takes a vectors file apart.
func readClaims(text []byte) ([]claim, error) {
	var file struct {
		Format string  `json:"format"`
		Cases  []claim `json:"cases"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("not a vectors file: %w", err)
	}
	if file.Format != claimsFormat {
		return nil, fmt.Errorf("not a vectors file of the format %s: %q", claimsFormat, file.Format)
	}
	if len(file.Cases) == 0 {
		return nil, fmt.Errorf("the vectors file holds no case")
	}
	for _, c := range file.Cases {
		if c.Result != "valid" && c.Result != "invalid" {
			return nil, fmt.Errorf("%s: the result is valid or invalid, not %q", c.ID, c.Result)
		}
	}
	return file.Cases, nil
}

type linkClaim struct {
	Match raw    `json:"match"`
	K     uint32 `json:"k"`
	Link  raw    `json:"link"`
	Below raw    `json:"below"`
}

func judgeLink(c linkClaim) bool {
	return bytes.Equal(linkBelow(c.Match, c.K, c.Link), c.Below)
}

type seedClaim struct {
	where
	Secret raw `json:"secret"`
	Seed   raw `json:"seed"`
}

func judgeSeed(c seedClaim) bool {
	return bytes.Equal(c.deal().seatSeed(c.Secret), c.Seed)
}

type commitClaim struct {
	where
	Pack     string `json:"pack"`
	Seat     uint32 `json:"seat"`
	Declined bool   `json:"declined"`
	Cutter   bool   `json:"cutter"`
	Seed     raw    `json:"seed"`
	Cut      *uint8 `json:"cut"`
	Commit   raw    `json:"commit"`
}

// cutBytes is the cut as it is hashed: one byte, or none where nobody cuts.
func cutBytes(cut *uint8) []byte {
	if cut == nil {
		return nil
	}
	return []byte{*cut}
}

func judgeCommit(c commitClaim) bool {
	if c.Cutter != (c.Cut != nil) || c.Cutter && (c.Declined || int(*c.Cut) >= len(packs[c.Pack])) {
		return false
	}
	if !seedIsSound(c.Seed, c.Declined) {
		return false
	}
	return bytes.Equal(c.deal().seatCommit(c.Seat, c.Seed, cutBytes(c.Cut)), c.Commit)
}

func seedIsSound(seed []byte, declined bool) bool {
	if declined {
		return len(seed) == 0
	}
	return len(seed) == seedSize
}

type commitSetClaim struct {
	where
	Pack    string `json:"pack"`
	RCommit raw    `json:"r_commit"`
	Commits []raw  `json:"commits"`
	Cset    raw    `json:"cset"`
}

func judgeCommitSet(c commitSetClaim) bool {
	commits := plain(c.Commits)
	if len(commits) != seats || !allDiffer(commits) {
		return false
	}
	return bytes.Equal(c.deal().commitSet(c.Pack, c.RCommit, commits), c.Cset)
}

type belowClaim struct {
	M     int `json:"m"`
	Bytes raw `json:"bytes"`
	Value int `json:"value"`
	Taken int `json:"taken"`
}

func judgeBelow(c belowClaim) bool {
	taken := 0
	value, ok := below(c.M, func() (byte, bool) {
		if taken == len(c.Bytes) {
			return 0, false
		}
		taken++
		return c.Bytes[taken-1], true
	})
	return ok && value == c.Value && taken == c.Taken
}

type startClaim struct {
	Key  raw `json:"key"`
	Seat int `json:"seat"`
}

func judgeStart(c startClaim) bool { return firstSeat(c.Key) == c.Seat }

type deckClaim struct {
	where
	Pack     string  `json:"pack"`
	RCommit  raw     `json:"r_commit"`
	R        raw     `json:"r"`
	Commits  []raw   `json:"commits"`
	Declined []bool  `json:"declined"`
	Seeds    []raw   `json:"seeds"`
	Cutter   *uint32 `json:"cutter"`
	Cut      *uint8  `json:"cut"`
	Leaves   []raw   `json:"leaves"`
	Root     raw     `json:"root"`
	Deck     string  `json:"deck"`
}

func judgeDeck(c deckClaim) bool {
	cards, commits, d := packs[c.Pack], plain(c.Commits), c.deal()
	if cards == nil || len(c.Declined) != seats || !allDiffer(commits) || !c.revealed() {
		return false
	}
	if !bytes.Equal(linkBelow(c.Match, c.Deal+1, c.R), c.RCommit) {
		return false
	}
	cut, turned := cutBytes(c.Cut), 0
	if c.Cut != nil {
		turned = int(*c.Cut)
	}
	cset := d.commitSet(c.Pack, c.RCommit, commits)
	deck, leaves := d.sealedDeck(cards, deckKey(cset, c.R, plain(c.Seeds), cut), turned)
	return slices.EqualFunc(leaves, plain(c.Leaves), bytes.Equal) &&
		bytes.Equal(tree(leaves), c.Root) && strings.Join(deck, " ") == c.Deck
}

// revealed tells whether every commitment holds what its seat reveals.
func (c deckClaim) revealed() bool {
	if len(c.Commits) != seats || len(c.Seeds) != seats || (c.Cutter == nil) != (c.Cut == nil) {
		return false
	}
	for seat := uint32(0); seat < seats; seat++ {
		var cut *uint8
		if c.Cutter != nil && *c.Cutter == seat {
			cut = c.Cut
		}
		one := commitClaim{
			c.where, c.Pack, seat, c.Declined[seat], cut != nil, c.Seeds[seat], cut, c.Commits[seat],
		}
		if !judgeCommit(one) {
			return false
		}
	}
	return c.Cutter == nil || *c.Cutter < seats
}

type drawClaim struct {
	Method string `json:"method"`
	Deck   string `json:"deck"`
	Start  int    `json:"start"`
	Turned []int  `json:"turned"`
	Dealer int    `json:"dealer"`
}

func judgeDraw(c drawClaim) bool {
	turned, dealer, ok := draw(c.Method, strings.Fields(c.Deck), c.Start)
	return ok && slices.Equal(turned, c.Turned) && dealer == c.Dealer
}

type openingClaim struct {
	where
	Pack     string `json:"pack"`
	Position uint32 `json:"position"`
	Card     string `json:"card"`
	Salt     raw    `json:"salt"`
	Leaves   []raw  `json:"leaves"`
	Root     raw    `json:"root"`
}

func judgeOpening(c openingClaim) bool {
	return slices.Contains(packs[c.Pack], c.Card) && bytes.Equal(tree(plain(c.Leaves)), c.Root) &&
		c.deal().opens(plain(c.Leaves), c.Position, c.Card, c.Salt)
}

// opens tells whether a card opens the leaf of its position.
func (d deal) opens(leaves [][]byte, position uint32, card string, salt []byte) bool {
	return int(position) < len(leaves) && bytes.Equal(d.leaf(position, card, salt), leaves[position])
}

type hiddenClaim struct {
	where
	Seat      uint32   `json:"seat"`
	Pack      string   `json:"pack"`
	Move      string   `json:"move"`
	Positions []uint32 `json:"positions"`
	Blinds    []raw    `json:"blinds"`
	Commit    raw      `json:"commit"`
}

func judgeHidden(c hiddenClaim) bool {
	moved := map[string]int{"discard": 1, "give": 1, "swap": 3}[c.Move]
	if moved == 0 || len(c.Positions) != moved || len(c.Blinds) != moved {
		return false
	}
	for i, position := range c.Positions {
		if int(position) >= len(packs[c.Pack]) || i > 0 && position <= c.Positions[i-1] {
			return false
		}
	}
	return bytes.Equal(c.deal().hiddenMove(c.Seat, c.Positions, plain(c.Blinds)), c.Commit)
}

type formClaim struct {
	Text string `json:"text"`
}

func judgeForm(c formClaim) bool {
	var text []byte
	for _, letter := range c.Text {
		if letter > 255 {
			return false
		}
		text = append(text, byte(letter))
	}
	return canonical(text)
}

type eventClaim struct {
	Prev  raw    `json:"prev"`
	Event string `json:"event"`
	Head  raw    `json:"head"`
}

func judgeEvent(c eventClaim) bool {
	return bytes.Equal(taggedHash(tagEvent, c.Prev, []byte(c.Event)), c.Head)
}

type keyClaim struct {
	Key string `json:"key"`
}

func judgeKey(c keyClaim) bool {
	_, ok := parseKey(c.Key)
	return ok
}
