package main

import (
	"testing"

	"euchrebot/internal/vectors"
)

func TestEveryDecisionIsThatOfTheSharedVectors(t *testing.T) {
	for _, known := range vectors.Decisions(t, "random") {
		if action := choose(known.Seed, &known.View, known.View.Legal); action != known.Action {
			t.Errorf("%+v: %q, not %q", known.View, action, known.Action)
		}
	}
}
