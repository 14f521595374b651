package main

import (
	"testing"

	"euchrebot/internal/vectors"
)

func TestEveryDecisionIsThatOfTheSharedVectors(t *testing.T) {
	for _, known := range vectors.Decisions(t, "sensible") {
		if action := choose(&known.View, known.View.Legal); action != known.Action {
			t.Errorf("%+v: %q, not %q", known.View, action, known.Action)
		}
	}
}
