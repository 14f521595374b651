package witness

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"euchrebot/internal/fault"
	"euchrebot/internal/keep"
	"euchrebot/internal/keys"
	"euchrebot/internal/seal"
	"euchrebot/internal/vectors"
)

// file is a case of transcripts-v1.json.
type file struct {
	ID, Base string
	Flags    []string
	Input    []any
	Exit     int
}

// lines are the lines of a file, where a number stands for that line of the file it was made from.
func (f file) lines(all map[string]file) []string {
	var lines []string
	for _, line := range f.Input {
		if number, ok := line.(float64); ok {
			line = all[f.Base].Input[int(number)]
		}
		lines = append(lines, line.(string))
	}
	return lines
}

// record is as much of an honest file as its seat knew of the match.
type record struct {
	seat  int
	claim Claim
	r0    []byte
	seeds map[int][]byte
	cuts  map[int]seal.Cut
}

func parts(line string) (event, sig string, ok bool) {
	body, ok := strings.CutPrefix(line, `{"event":`)
	if !ok || !strings.HasSuffix(body, `"}`) {
		return "", "", false
	}
	at := strings.LastIndex(body, `,"sig":"`)
	if at < 0 {
		return "", "", false
	}
	return body[:at], body[at+len(`,"sig":"`) : len(body)-2], true
}

func read(t *testing.T, lines []string) record {
	t.Helper()
	known := record{seeds: map[int][]byte{}, cuts: map[int]seal.Cut{}, seat: -1}
	cutters, committed := map[int]string{}, map[int]bool{}
	for _, line := range lines {
		var event struct {
			Kind, Match, R0, Cutter, Seat string
			Deal                          int
			Cut                           *int
			Rules                         map[string]string
			Seats                         []struct{ Name, Level string }
			Seeds                         []string
			RefereeKey                    string `json:"referee_key"`
		}
		text, _, _ := parts(line)
		if err := json.Unmarshal([]byte(text), &event); err != nil {
			t.Fatal(err)
		}
		switch event.Kind {
		case "match_open":
			known.seat = slices.IndexFunc(event.Seats, func(seat struct{ Name, Level string }) bool {
				return seat.Level == "seeds" || seat.Level == "checks"
			})
			if known.seat < 0 {
				return known
			}
			key, err := keys.Parse(event.RefereeKey)
			if err != nil {
				t.Fatal(err)
			}
			known.r0, _ = hex.DecodeString(event.R0)
			match, _ := hex.DecodeString(event.Match)
			entry := event.Seats[known.seat]
			known.claim = Claim{
				Match: match, Seat: known.seat, Name: entry.Name, Level: entry.Level,
				Rules: event.Rules, RefereeKey: key.Public,
			}
		case "deal_open":
			cutters[event.Deal] = event.Cutter
		case "seat_commit":
			committed[event.Deal] = committed[event.Deal] || event.Seat == Seats[known.seat]
		case "reveal_set":
			known.seeds[event.Deal], _ = hex.DecodeString(event.Seeds[known.seat])
			if cutters[event.Deal] == Seats[known.seat] {
				known.cuts[event.Deal] = seal.CutAt(*event.Cut)
			}
		}
	}
	for deal := range committed {
		if committed[deal] && known.seeds[deal] == nil {
			known.seat = -1 // the seed was never shown, so that we cannot sit there
		}
	}
	return known
}

// follow lets a seat that has made its promises follow a file, and says what it found wrong.
func follow(t *testing.T, known record, lines []string) error {
	t.Helper()
	folder := t.TempDir()
	state, err := keep.OpenState(filepath.Join(folder, "state.jsonl"), Seats[known.seat])
	if err != nil {
		t.Fatal(err)
	}
	for deal, cut := range known.cuts {
		if _, err := state.Promise(known.claim.Match, known.r0, deal, cut); err != nil {
			t.Fatal(err)
		}
	}
	receipts, err := keep.OpenReceipts(filepath.Join(folder, "receipts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	witness := New(known.claim, Files{State: state, Receipts: receipts})
	defer witness.Close()
	witness.seed = func(_ []byte, deal int) []byte { return known.seeds[deal] }
	for _, line := range lines {
		event, text, ok := parts(line)
		sig, err := hex.DecodeString(text)
		if !ok || err != nil {
			return proof("a line that the wire cannot bring")
		}
		if _, err := witness.Take([]byte(event), sig); err != nil {
			return err
		}
	}
	return nil
}

// unseen are faults of files that a seat does not look for in a match that it plays: they are told by
// whoever verifies the file.
var unseen = map[string]string{
	"outcome-draw":    "what the rules say of an outcome",
	"outcome-unknown": "what the rules say of an outcome",
	"action-empty":    "what the rules say of an action",
	"board":           "what a board adds to match_open",
	"key-other":       "the key is pinned in Welcome, before there is a record",
}

// sound tells whether the seal of a file holds, as far as the file goes.
func (f file) sound() bool {
	return f.Exit == 0 || f.Exit == 1 || f.Exit == 5 || f.Exit == 7 || slices.Contains(f.Flags, "rules")
}

// aboutTheMatch tells whether a file is a transcript, and what is wrong with it stands in its lines.
func (f file) aboutTheMatch() bool {
	_, excused := unseen[f.ID]
	return !excused && !slices.ContainsFunc(f.Flags, func(flag string) bool {
		return flag == "proof" || flag == "dealt" || flag == "receipts" || flag == "roster" || flag == "strict"
	})
}

func TestASeatFindsWhatIsWrongWithTheSealOfARecord(t *testing.T) {
	all := map[string]file{}
	files := vectors.Read[file](t, "tests/vectors/transcripts-v1.json")
	for _, one := range files {
		all[one.ID] = one
	}
	met := map[bool]int{}
	for _, one := range files {
		told := all[one.Base]
		if one.sound() {
			told = one
		}
		if !one.aboutTheMatch() {
			continue
		}
		known := read(t, told.lines(all))
		if known.seat < 0 {
			continue // there is no seat whose keys and seeds we know
		}
		met[one.sound()]++
		t.Run(one.ID, func(t *testing.T) {
			err := follow(t, known, one.lines(all))
			var found *fault.Error
			if one.sound() && err != nil || !one.sound() && !errors.As(err, &found) {
				t.Errorf("exit %d, flags %s: %v", one.Exit, one.Flags, err)
			}
			if found != nil && found.Status != fault.Proof {
				t.Errorf("it is no breach of the seal: %v", err)
			}
		})
	}
	if met[true] < 30 || met[false] < 100 {
		t.Errorf("only %v of the files were followed", met)
	}
}
