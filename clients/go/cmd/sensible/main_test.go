package main

import (
	"testing"

	"euchrebot"
	"euchrebot/internal/vectors"
)

func TestEveryDecisionIsThatOfTheSharedVectors(t *testing.T) {
	type decision struct {
		Bot    string
		View   euchrebot.View
		Action string
	}
	met := 0
	for _, known := range vectors.Read[decision](t, "clients/vectors/decisions-v1.json") {
		if known.Bot != "sensible" {
			continue
		}
		met++
		if action := choose(&known.View, known.View.Legal); action != known.Action {
			t.Errorf("%+v: %q, not %q", known.View, action, known.Action)
		}
	}
	if met == 0 {
		t.Error("there are no decisions of sensible")
	}
}
