package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var vectors = filepath.Join("..", "..", "tests", "vectors", "derivation-v1.json")

func sharedClaims(t *testing.T) []claim {
	t.Helper()
	text, err := os.ReadFile(vectors)
	if err != nil {
		t.Fatal(err)
	}
	claims, err := readClaims(text)
	if err != nil {
		t.Fatal(err)
	}
	return claims
}

func TestEveryClaimIsJudgedAsTheFileSays(t *testing.T) {
	for _, c := range sharedClaims(t) {
		t.Run(c.ID, func(t *testing.T) {
			holds, err := judgeClaim(c)
			if err != nil {
				t.Fatal(err)
			}
			if holds != (c.Result == "valid") {
				t.Errorf("judged %v; the file says %s", holds, c.Result)
			}
		})
	}
}

func TestEveryOpIsAskedBothWays(t *testing.T) {
	asked := map[string]int{}
	for _, c := range sharedClaims(t) {
		asked[c.Op+" "+c.Result]++
	}
	for op := range judges {
		if asked[op+" valid"] == 0 || asked[op+" invalid"] == 0 {
			t.Errorf("%s is not asked both ways", op)
		}
	}
}

func said(t *testing.T, text string) (int, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "vectors.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errors strings.Builder
	return run([]string{file}, &out, &errors), out.String() + errors.String()
}

func TestAResultThatIsNotOursIsNamed(t *testing.T) {
	claims := sharedClaims(t)
	claims[0].Result = "invalid"
	text, err := json.Marshal(map[string]any{"format": claimsFormat, "cases": claims})
	if err != nil {
		t.Fatal(err)
	}
	exit, told := said(t, string(text))
	if exit != exitDiffers || !strings.Contains(told, claims[0].ID+": the file says invalid") {
		t.Errorf("exit %d: %s", exit, told)
	}
}

func TestAFileThatClaimsNothingIsUnreadable(t *testing.T) {
	head := `{"format":"` + claimsFormat + `","cases":[`
	for name, text := range map[string]string{
		"not JSON":       `x`,
		"another format": `{"format":"y","cases":[]}`,
		"no case":        head + `]}`,
		"no such op":     head + `{"id":"a","op":"guess","input":{},"result":"valid"}]}`,
		"a field misses": head + `{"id":"a","op":"key","input":{},"result":"valid"}]}`,
		"a field more":   head + `{"id":"a","op":"key","input":{"key":"","b":1},"result":"valid"}]}`,
		"a wrong field":  head + `{"id":"a","op":"key","input":{"key":1},"result":"valid"}]}`,
		"a wrong result": head + `{"id":"a","op":"key","input":{"key":""},"result":"maybe"}]}`,
		"upper-case hex": head + `{"id":"a","op":"start","input":{"key":"AA","seat":0},"result":"valid"}]}`,
	} {
		if exit, told := said(t, text); exit != exitUnreadable || strings.Count(told, "\n") != 1 {
			t.Errorf("%s: exit %d: %s", name, exit, told)
		}
	}
}

func TestAFileThatIsNotThereIsNamed(t *testing.T) {
	var out, errors strings.Builder
	file := filepath.Join(t.TempDir(), "none.json")
	if exit := run([]string{file}, &out, &errors); exit != exitUnreadable {
		t.Errorf("exit %d", exit)
	}
	if !strings.Contains(errors.String(), file) {
		t.Error(errors.String())
	}
}
