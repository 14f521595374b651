// A small Euchre engine that answers the conformance suite; copy it, and put your own in its place.
//
// It needs nothing but Go 1.21 or newer, keeps no state between requests, and shares no code with
// the suite. Try it: go build -o my-adapter adapter.go && euchre-conformance run -t cmd:./my-adapter
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

type object = map[string]any

type sides struct {
	NS int `json:"ns"`
	EW int `json:"ew"`
}

// Cards is a deal as it lies on the table before the first call.
type Cards struct {
	Dealer string              `json:"dealer"`
	Hands  map[string][]string `json:"hands"`
	Upcard string              `json:"upcard"`
}

// Played is a deal and what was done in it.
type Played struct {
	Deal    Cards    `json:"deal"`
	Actions []string `json:"actions"`
}

// Request is a request, as far as this adapter reads it.
type Request struct {
	Played
	ID     int               `json:"id"`
	Op     string            `json:"op"`
	Rules  map[string]string `json:"rules"`
	Score  sides             `json:"score"`
	Action string            `json:"action"`
	By     string            `json:"by"`
	Seat   string            `json:"seat"`
	Tricks [][]string        `json:"tricks"`
	Deals  []Played          `json:"deals"`
}

const ranks = "9TJQKA"

var (
	seats  = []string{"north", "east", "south", "west"}
	suits  = []string{"C", "D", "H", "S"}
	twin   = map[string]string{"C": "S", "S": "C", "D": "H", "H": "D"}
	aCard  = regexp.MustCompile(`^[9TJQKA][CDHS]$`)
	form   = regexp.MustCompile(`^(pass|alone|decline|order( alone)?|name [CDHS]( alone)?|(discard|play) [9TJQKA][CDHS])$`)
	words  = strings.Fields("pass order name discard alone decline play redeal swap give")
	phases = map[string][]string{
		"round_one": {"pass", "order"},
		"round_two": {"pass", "name"},
		"discard":   {"discard"},
		"alone":     {"alone", "decline"},
		"play":      {"play"},
	}
	ops   = []string{"legal", "apply", "view", "replay", "score", "game"}
	hello = object{
		"protocol": 1,
		"name":     "small-euchre-go",
		"version":  "1",
		"language": "go",
		"ops":      ops,
		"rulesets": []string{"standard", "quick", "throw-in", "defend-alone", "ontario", "guide"},
		// Besides the named sets: every mixture of these values.
		"knobs": map[string][]string{
			"target":                 {"any"},
			"first_dealer":           {"any"},
			"packets":                {"any"},
			"cut":                    {"any"},
			"points_made":            {"any"},
			"points_march":           {"any"},
			"points_lone_march":      {"any"},
			"points_euchre":          {"any"},
			"points_euchre_all_five": {"any"},
			"points_lone_euchred":    {"any"},
			"points_lone_defender":   {"any"},
			"all_pass":               {"stick", "throw_in"},
			"throw_in_dealer":        {"left", "same"},
			"order_needs_trump":      {"never", "left_counts"},
			"partner_order":          {"with_partner", "must_be_alone"},
			"bury_upcard":            {"allowed", "forbidden"},
			"alone_who":              {"maker", "making_side"},
			"alone_when":             {"with_call", "before_lead"},
			"defend_alone":           {"never", "vs_loner"},
		},
		"parallel": true,
	}
)

func left(seat string, steps int) string {
	return seats[(slices.Index(seats, seat)+steps)%4]
}

func around(first string) []string {
	return []string{first, left(first, 1), left(first, 2), left(first, 3)}
}

func side(seat string) string {
	if seat == "north" || seat == "south" {
		return "ns"
	}
	return "ew"
}

func other(which string) string {
	if which == "ns" {
		return "ew"
	}
	return "ns"
}

func (s sides) of(which string) int {
	if which == "ns" {
		return s.NS
	}
	return s.EW
}

// suitOf is the suit that a card counts as: the left bower is a trump.
func suitOf(card, trump string) string {
	if trump != "" && card == "J"+twin[trump] {
		return trump
	}
	return card[1:]
}

// strength is how high a card stands; what neither follows nor is trump cannot win.
func strength(card, trump, led string) int {
	rank := strings.Index(ranks, card[:1])
	switch {
	case card == "J"+trump:
		return 30
	case card == "J"+twin[trump]:
		return 20
	case card[1:] == trump:
		return 10 + rank
	case card[1:] == led:
		return rank
	}
	return -1
}

type laid struct {
	Seat string `json:"seat"`
	Card string `json:"card"`
}

// Deal is one deal, from the first call to the last trick, and the score before it.
type Deal struct {
	rules                             map[string]string
	before                            sides
	dealer, upcard, phase, turn       string
	trump, maker                      string
	passes                            int
	hands                             map[string][]string
	alone, declined, sitting, winners []string
	trick                             []laid
}

func newDeal(rules map[string]string, cards Cards, score sides) (*Deal, error) {
	d := &Deal{rules: rules, before: score, dealer: cards.Dealer, upcard: cards.Upcard}
	d.phase, d.turn = "round_one", left(cards.Dealer, 1)
	d.hands = map[string][]string{}
	d.alone, d.sitting, d.winners, d.trick = []string{}, []string{}, []string{}, []laid{}
	dealt := []string{d.upcard}
	for _, seat := range seats {
		d.hands[seat] = slices.Clone(cards.Hands[seat])
		dealt = append(dealt, d.hands[seat]...)
		if len(d.hands[seat]) != 5 {
			return nil, errors.New("each seat must hold five cards")
		}
	}
	slices.Sort(dealt)
	for at, card := range dealt {
		if !aCard.MatchString(card) || at > 0 && card == dealt[at-1] {
			return nil, fmt.Errorf("%s stands twice, or is not of the pack", card)
		}
	}
	return d, nil
}

// lone says whether a side plays alone.
func (d *Deal) lone(which string) bool {
	return slices.ContainsFunc(d.alone, func(seat string) bool { return side(seat) == which })
}

func (d *Deal) goAlone(seat string) {
	d.alone = append(d.alone, seat)
	d.sitting = append(d.sitting, left(seat, 2))
}

// legal is every action that the seat on turn may take.
func (d *Deal) legal() []string {
	found := []string{}
	for _, action := range d.thinkable() {
		if d.violation(d.turn, action) == "" {
			found = append(found, action)
		}
	}
	return found
}

func (d *Deal) thinkable() []string {
	switch d.phase {
	case "round_one":
		return []string{"pass", "order", "order alone"}
	case "round_two":
		calls := []string{"pass"}
		for _, suit := range suits {
			calls = append(calls, "name "+suit, "name "+suit+" alone")
		}
		return calls
	case "alone":
		return []string{"alone", "decline"}
	}
	plays := []string{}
	for _, card := range d.hands[d.turn] {
		plays = append(plays, d.phase+" "+card)
	}
	return plays
}

// violation is why an action is refused, or nothing: the one place that says no.
func (d *Deal) violation(seat, action string) string {
	word, rest, _ := strings.Cut(action, " ")
	switch {
	case d.gameOver():
		return "GAME_OVER"
	case d.phase == "over":
		return "HAND_OVER"
	case seat != d.turn && slices.Contains(d.sitting, seat):
		return "SITTING_OUT"
	case seat != d.turn:
		return "NOT_YOUR_TURN"
	case !slices.Contains(words, word):
		return "UNKNOWN_ACTION"
	case !slices.Contains(phases[d.phase], word) && word == "alone":
		return d.misplaced(seat)
	case !slices.Contains(phases[d.phase], word):
		return "WRONG_PHASE"
	case !form.MatchString(action):
		return "UNKNOWN_ACTION"
	case word == "play" || word == "discard":
		return d.cardViolation(word, rest)
	}
	return d.callViolation(seat, word, rest)
}

// cardViolation is why the seat on turn may not play or bury a card.
func (d *Deal) cardViolation(word, card string) string {
	hand := d.hands[d.turn]
	if !slices.Contains(hand, card) {
		return "CARD_NOT_HELD"
	}
	if word == "discard" {
		if d.rules["bury_upcard"] == "forbidden" && card == d.upcard {
			return "DISCARD_UPCARD_FORBIDDEN"
		}
		return ""
	}
	if len(d.trick) > 0 {
		led := suitOf(d.trick[0].Card, d.trump)
		follows := func(held string) bool { return suitOf(held, d.trump) == led }
		if slices.ContainsFunc(hand, follows) && !follows(card) {
			return "MUST_FOLLOW_SUIT"
		}
	}
	return ""
}

// callViolation is why trump may not be called so, or a pass not made.
func (d *Deal) callViolation(seat, word, rest string) string {
	turned := d.upcard[1:]
	if word == "name" && rest[:1] == turned {
		return "SUIT_TURNED_DOWN"
	}
	if word == "pass" && d.phase == "round_two" && seat == d.dealer && d.rules["all_pass"] == "stick" {
		return "DEALER_STUCK"
	}
	if word == "order" && seat != d.dealer {
		isTrump := func(card string) bool { return suitOf(card, turned) == turned }
		if d.rules["order_needs_trump"] == "left_counts" && !slices.ContainsFunc(d.hands[seat], isTrump) {
			return "NEEDS_TRUMP"
		}
		if d.rules["partner_order"] == "must_be_alone" && seat == left(d.dealer, 2) && rest == "" {
			return "PARTNER_MUST_GO_ALONE"
		}
	}
	if d.rules["alone_when"] == "before_lead" && strings.HasSuffix(rest, "alone") {
		return "ALONE_NOT_ALLOWED"
	}
	return ""
}

// misplaced is why `alone` is refused outside its phase.
func (d *Deal) misplaced(seat string) string {
	switch {
	case d.trump == "":
		return "WRONG_PHASE"
	case side(seat) == side(d.maker) && d.rules["alone_who"] == "maker" && seat != d.maker:
		return "ALONE_NOT_ALLOWED"
	case side(seat) == side(d.maker):
		return "ALONE_TOO_LATE"
	case d.rules["defend_alone"] == "never":
		return "DEFEND_ALONE_OFF"
	case !d.lone(side(d.maker)):
		return "DEFEND_ALONE_NO_LONER"
	}
	return "ALONE_TOO_LATE"
}

// apply takes a legal action of the seat on turn.
func (d *Deal) apply(action string) {
	seat := d.turn
	word, rest, _ := strings.Cut(action, " ")
	switch word {
	case "pass":
		d.passes++
		d.turn = left(seat, 1)
		if d.passes == 4 {
			d.phase = "round_two"
		} else if d.passes == 8 {
			d.phase = "over"
		}
		return
	case "play":
		d.play(seat, rest)
		return
	case "order", "name":
		d.maker, d.trump = seat, d.upcard[1:]
		if word == "name" {
			d.trump = rest[:1]
		}
		if strings.HasSuffix(rest, "alone") {
			d.goAlone(seat)
		}
		if word == "order" {
			d.hands[d.dealer] = append(d.hands[d.dealer], d.upcard)
			d.phase, d.turn = "discard", d.dealer
			return
		}
	case "discard":
		d.take(seat, rest)
	case "alone":
		d.goAlone(seat)
	case "decline":
		d.declined = append(d.declined, seat)
	}
	d.askAlone()
}

// take takes a card out of a hand.
func (d *Deal) take(seat, card string) {
	at := slices.Index(d.hands[seat], card)
	d.hands[seat] = slices.Delete(d.hands[seat], at, at+1)
}

// askAlone asks the next seat whether it goes alone; with nobody left to ask, play begins.
func (d *Deal) askAlone() {
	makers := side(d.maker)
	asked := []string{}
	if d.rules["alone_when"] == "before_lead" && !d.lone(makers) {
		asked = append(asked, d.maker)
		if d.rules["alone_who"] == "making_side" {
			asked = append(asked, left(d.maker, 2))
		}
	} else if d.rules["defend_alone"] == "vs_loner" && d.lone(makers) && !d.lone(other(makers)) {
		for _, seat := range around(left(d.dealer, 1)) {
			if side(seat) != makers {
				asked = append(asked, seat)
			}
		}
	}
	for _, seat := range asked {
		if !slices.Contains(d.declined, seat) {
			d.phase, d.turn = "alone", seat
			return
		}
	}
	d.phase, d.turn = "play", d.playing(left(d.dealer, 1))
}

// playing is the seat itself, or the next one round that does not sit out.
func (d *Deal) playing(seat string) string {
	for slices.Contains(d.sitting, seat) {
		seat = left(seat, 1)
	}
	return seat
}

// play plays a card; the last of a trick decides it, the last of the deal ends it.
func (d *Deal) play(seat, card string) {
	d.take(seat, card)
	d.trick = append(d.trick, laid{seat, card})
	d.turn = d.playing(left(seat, 1))
	if len(d.trick) == 4-len(d.alone) {
		led := suitOf(d.trick[0].Card, d.trump)
		best := slices.MaxFunc(d.trick, func(a, b laid) int {
			return strength(a.Card, d.trump, led) - strength(b.Card, d.trump, led)
		})
		d.turn = best.Seat
		d.winners = append(d.winners, best.Seat)
		d.trick = []laid{}
	}
	if len(d.winners) == 5 {
		d.phase = "over"
	}
}

// tricks is what each side has taken.
func (d *Deal) tricks() sides {
	var taken sides
	for _, seat := range d.winners {
		if side(seat) == "ns" {
			taken.NS++
		} else {
			taken.EW++
		}
	}
	return taken
}

// points is what the deal pays; where several prices apply, the largest counts.
func (d *Deal) points() sides {
	if d.maker == "" || d.phase != "over" {
		return sides{}
	}
	makers := side(d.maker)
	took := d.tricks().of(makers)
	due := 0
	for name, applies := range map[string]bool{
		"points_made":            took >= 3 && took < 5,
		"points_march":           took == 5,
		"points_lone_march":      took == 5 && d.lone(makers),
		"points_euchre":          took < 3,
		"points_euchre_all_five": took == 0,
		"points_lone_euchred":    took < 3 && d.lone(makers),
		"points_lone_defender":   took < 3 && d.lone(other(makers)),
	} {
		if price, err := strconv.Atoi(d.rules[name]); err == nil && applies {
			due = max(due, price)
		}
	}
	if (makers == "ns") == (took >= 3) {
		return sides{NS: due}
	}
	return sides{EW: due}
}

// score is the score, this deal included.
func (d *Deal) score() sides {
	points := d.points()
	return sides{d.before.NS + points.NS, d.before.EW + points.EW}
}

func (d *Deal) gameOver() bool {
	target, err := strconv.Atoi(d.rules["target"])
	score := d.score()
	return err == nil && max(score.NS, score.EW) >= target
}

func (d *Deal) nextDealer() string {
	if d.maker == "" && d.rules["throw_in_dealer"] == "same" {
		return d.dealer
	}
	return left(d.dealer, 1)
}

// standing is who is on turn, in which phase, and what is legal.
func (d *Deal) standing() object {
	if d.phase == "over" || d.gameOver() {
		return object{"phase": "over", "legal": []string{}, "closed": true}
	}
	return object{"turn": d.turn, "phase": d.phase, "legal": d.legal()}
}

// view is what one seat may see; what has no meaning yet is absent.
func (d *Deal) view(seat string) object {
	seen := d.standing()
	if seat != d.turn {
		seen["legal"] = []string{}
	}
	counts := map[string]int{}
	for who, hand := range d.hands {
		counts[who] = len(hand)
	}
	seen["seat"], seen["dealer"], seen["hand"] = seat, d.dealer, d.hands[seat]
	seen["counts"], seen["score"], seen["upcard"] = counts, d.score(), d.upcard
	seen["upcard_state"] = "turned"
	if d.passes >= 4 {
		seen["upcard_state"] = "turned_down"
	} else if d.maker != "" {
		seen["upcard_state"] = "taken"
	}
	if d.maker != "" {
		seen["trump"], seen["maker"], seen["alone"], seen["out"] = d.trump, d.maker, d.alone, d.sitting
		if d.phase == "play" || d.phase == "over" {
			seen["trick"], seen["tricks"] = d.trick, d.tricks()
		}
	}
	if len(d.trick) > 0 {
		seen["led"] = d.trick[0].Card
	}
	return seen
}

// result is how the deal ended.
func (d *Deal) result() object {
	if d.phase != "over" {
		return object{"error": "the deal is not over"}
	}
	ended := object{"winners": d.winners, "outcome": "played", "tricks": d.tricks()}
	ended["points"], ended["score"] = d.points(), d.score()
	if d.maker == "" {
		ended["outcome"] = "thrown_in"
	}
	if !d.gameOver() {
		ended["next_dealer"] = d.nextDealer()
	}
	return ended
}

// refused is the answer to an action that is refused.
func (d *Deal) refused(reason string) object {
	refused := d.standing()
	refused["refused"] = reason
	return refused
}

// position is a deal after its actions.
func position(rules map[string]string, played Played, score sides) (*Deal, error) {
	d, err := newDeal(rules, played.Deal, score)
	if err != nil {
		return nil, err
	}
	for number, action := range played.Actions {
		if reason := d.violation(d.turn, action); reason != "" {
			return nil, fmt.Errorf("action %d, %q: %s", number, action, reason)
		}
		d.apply(action)
	}
	return d, nil
}

// replay is the end of the deal, or the first action that is refused.
func replay(d *Deal, actions []string) object {
	for at, action := range actions {
		if reason := d.violation(d.turn, action); reason != "" {
			refused := d.refused(reason)
			refused["at"] = at
			return refused
		}
		d.apply(action)
	}
	return d.result()
}

// game plays deal after deal, until a side reaches the target.
func game(rules map[string]string, deals []Played, score sides) object {
	scores := []sides{}
	dealer, over := deals[0].Deal.Dealer, false
	for _, played := range deals {
		d, err := position(rules, played, score)
		if err != nil {
			return object{"error": err.Error()}
		}
		if over || d.dealer != dealer || d.phase != "over" {
			return object{"error": "a deal by the wrong dealer, unfinished, or after the end of the game"}
		}
		score, dealer, over = d.score(), d.nextDealer(), d.gameOver()
		scores = append(scores, score)
	}
	switch {
	case !over:
		return object{"scores": scores, "dealer": dealer}
	case score.NS > score.EW:
		return object{"scores": scores, "winner": "ns"}
	}
	return object{"scores": scores, "winner": "ew"}
}

// answer is the answer to one request.
func answer(request Request) object {
	switch {
	case request.Op == "hello":
		return hello
	case !slices.Contains(ops, request.Op):
		return object{"unsupported": request.Op}
	case request.Op == "game":
		return game(request.Rules, request.Deals, request.Score)
	}
	d, err := position(request.Rules, request.Played, request.Score)
	if err != nil {
		return object{"error": err.Error()}
	}
	switch request.Op {
	case "apply":
		by := request.By
		if by == "" {
			by = d.turn
		}
		if reason := d.violation(by, request.Action); reason != "" {
			return d.refused(reason)
		}
		d.apply(request.Action)
	case "view":
		return object{"view": d.view(request.Seat)}
	case "replay":
		return replay(d, slices.Concat(request.Tricks...))
	case "score":
		return d.result()
	}
	return d.standing()
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var request Request
		if err := json.Unmarshal(line, &request); err != nil {
			log.Fatal(err)
		}
		reply := answer(request)
		reply["id"] = request.ID
		if err := out.Encode(reply); err != nil {
			log.Fatal(err)
		}
	}
}
