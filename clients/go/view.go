package euchrebot

import (
	"euchrebot/internal/fault"
	pb "euchrebot/internal/pb/refereev1"
	"euchrebot/internal/witness"
)

// Sides is a count for each side: points or tricks.
type Sides struct {
	NS int `json:"ns"`
	EW int `json:"ew"`
}

// Played is a card on the table, and who played it.
type Played struct {
	Seat string `json:"seat"`
	Card string `json:"card"`
}

// Refusal is why the last answer to this very question was refused.
type Refusal struct {
	Action string `json:"action"`
	Reason string `json:"reason"`
	Text   string `json:"text"`
}

// View is what one seat has seen of a deal. Cards are rank then suit, as JH; seats are words; what
// has no meaning yet is empty.
type View struct {
	Match        string         `json:"match"`
	Deal         int            `json:"deal"`
	StateVersion int            `json:"state_version"` // the number of the last event
	LimitMS      int            `json:"limit_ms"`      // how long the decision may take
	Seat         string         `json:"seat"`
	Phase        string         `json:"phase"`
	Dealer       string         `json:"dealer"`
	Hand         []string       `json:"hand"`
	Counts       map[string]int `json:"counts"` // how many cards each seat holds
	Upcard       string         `json:"upcard"`
	UpcardState  string         `json:"upcard_state"` // turned, taken or turned_down
	Trump        string         `json:"trump"`        // C, D, H, S, or N for no trump
	Maker        string         `json:"maker"`
	Alone        []string       `json:"alone"` // who plays alone
	Out          []string       `json:"out"`   // who sits out
	Led          string         `json:"led"`
	Trick        []Played       `json:"trick"`
	Tricks       Sides          `json:"tricks"`
	Score        Sides          `json:"score"`
	Turn         string         `json:"turn"`
	Legal        []string       `json:"legal"`
	Refused      *Refusal       `json:"refused"` // nil where the question is asked for the first time
}

// seatNumber is a seat of the wire as 0 to 3.
func seatNumber(seat pb.Seat) (int, error) {
	number := int(seat - pb.Seat_SEAT_NORTH)
	if number < 0 || number >= len(witness.Seats) {
		return 0, fault.New(fault.Proof, "the referee named seat %d, which is no seat", seat)
	}
	return number, nil
}

// newView is a view of the wire in a bot's words.
func newView(shown *pb.View, match string, limit uint64) (*View, error) {
	var wrong error
	word := func(seat pb.Seat) string {
		number, err := seatNumber(seat)
		if err != nil {
			wrong = err
		}
		return witness.Seats[number]
	}
	maybe := func(seat *pb.Seat) string {
		if seat == nil {
			return ""
		}
		return word(*seat)
	}
	words := func(seats []pb.Seat) []string {
		found := []string{}
		for _, seat := range seats {
			found = append(found, word(seat))
		}
		return found
	}
	view := &View{
		Match: match, Deal: int(shown.Deal), StateVersion: int(shown.StateVersion), LimitMS: int(limit),
		Seat: word(shown.Seat), Phase: shown.Phase, Dealer: word(shown.Dealer),
		Hand: shown.Hand, Counts: map[string]int{},
		Upcard: shown.Upcard, UpcardState: shown.UpcardState,
		Trump: shown.GetTrump(), Maker: maybe(shown.Maker),
		Alone: words(shown.Alone), Out: words(shown.Out), Led: shown.GetLed(),
		Tricks: newSides(shown.Tricks), Score: newSides(shown.Score),
		Turn: maybe(shown.Turn), Legal: shown.Legal,
	}
	for i, count := range shown.Counts[:min(len(shown.Counts), len(witness.Seats))] {
		view.Counts[witness.Seats[i]] = int(count)
	}
	for _, card := range shown.Trick {
		view.Trick = append(view.Trick, Played{word(card.Seat), card.Card})
	}
	return view, wrong
}

func newSides(sides *pb.Sides) Sides {
	return Sides{int(sides.GetNs()), int(sides.GetEw())}
}
