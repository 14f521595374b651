package euchrebot

import (
	"fmt"

	"euchrebot/internal/canonical"
)

// result is how a match ended; `last` is the score of the game at hand, as the last closed deal left
// it, and `by` the seat whose fault or wish it was.
type result struct {
	match, outcome, winner, by string
	score                      Sides
	deals                      int
	games                      bool // whether the score counts games, and not points
	last                       *Sides
}

// String is the end of the match in one line, in the words that `euchre-referee match` ends with.
func (r result) String() string {
	by := ""
	if r.by != "" {
		by = " by " + r.by
	}
	last := ""
	if r.games && r.last != nil {
		last = ", the last one " + named(*r.last)
	}
	plural := "s"
	if r.deals == 1 {
		plural = ""
	}
	return fmt.Sprintf("match %s: %s%s: %s%s, after %d deal%s",
		r.match, r.outcome, by, r.won(), last, r.deals, plural)
}

// won is who wins and by how much, the winner's count first.
func (r result) won() string {
	unit := "points"
	if r.games {
		unit = "games"
	}
	switch r.winner {
	case "":
		return fmt.Sprintf("nobody wins, %s in %s", named(r.score), unit)
	case "ew":
		return fmt.Sprintf("ew wins %d-%d in %s", r.score.EW, r.score.NS, unit)
	default:
		return fmt.Sprintf("%s wins %d-%d in %s", r.winner, r.score.NS, r.score.EW, unit)
	}
}

func named(score Sides) string { return fmt.Sprintf("ns %d ew %d", score.NS, score.EW) }

// scoreOf is the score in the event that closes a deal or a match.
func scoreOf(fields canonical.Fields) Sides {
	score := fields.Child("score")
	return Sides{score.Number("ns"), score.Number("ew")}
}
