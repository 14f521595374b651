// Package vectors reads the vectors that all clients share, for tests.
package vectors

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"euchrebot"
)

// Decision is a position, and what a bot does in it.
type Decision struct {
	Bot    string         `json:"bot"`
	View   euchrebot.View `json:"view"`
	Action string         `json:"action"`
	Seed   string         `json:"seed"`
}

// Decisions are the positions of one bot.
func Decisions(t testing.TB, bot string) []Decision {
	t.Helper()
	found := []Decision{}
	for _, decision := range cases[Decision](t, "clients/vectors/decisions-v1.json") {
		if decision.Bot == bot {
			found = append(found, decision)
		}
	}
	if len(found) == 0 {
		t.Fatalf("there are no decisions of %s", bot)
	}
	return found
}

func cases[Case any](t testing.TB, path string) []Case {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	text, err := os.ReadFile(filepath.Join(filepath.Dir(here), "..", "..", "..", "..", path))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []Case `json:"cases"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Cases
}
