// Package vectors reads the vectors that all clients share, for tests.
package vectors

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Read gives the cases of a file, whose path is that from the top of the repository.
func Read[Case any](t testing.TB, path string) []Case {
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
	if len(file.Cases) == 0 {
		t.Fatalf("%s holds no cases", path)
	}
	return file.Cases
}

// Claim is a case of derivation-v1.json: something that is said of bytes, and whether it is so.
type Claim struct {
	ID     string          `json:"id"`
	Op     string          `json:"op"`
	Input  json.RawMessage `json:"input"`
	Result string          `json:"result"`
}

// Claims checks that a judge finds of every claim of one op what the file says of it.
func Claims[Input any](t *testing.T, op string, holds func(t *testing.T, input Input) bool) {
	t.Helper()
	met := map[string]bool{}
	for _, claim := range Read[Claim](t, "tests/vectors/derivation-v1.json") {
		if claim.Op != op {
			continue
		}
		met[claim.Result] = true
		t.Run(claim.ID, func(t *testing.T) {
			var input Input
			if err := json.Unmarshal(claim.Input, &input); err != nil {
				t.Fatal(err)
			}
			if found := holds(t, input); found != (claim.Result == "valid") {
				t.Errorf("it is %s, and we find %t", claim.Result, found)
			}
		})
	}
	if !met["valid"] || !met["invalid"] {
		t.Errorf("%s: there are not claims of both kinds", op)
	}
}

// Hex is bytes that stand in a file as hex.
type Hex []byte

// UnmarshalText reads them.
func (h *Hex) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	*h = raw
	return err
}

// Plain is the bytes alone.
func Plain(all []Hex) [][]byte {
	var plain [][]byte
	for _, one := range all {
		plain = append(plain, one)
	}
	return plain
}
