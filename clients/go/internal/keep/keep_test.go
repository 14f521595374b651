package keep

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"euchrebot/internal/canonical"
	"euchrebot/internal/fault"
	"euchrebot/internal/seal"
)

var (
	match = bytes.Repeat([]byte{1}, 16)
	r0    = bytes.Repeat([]byte{2}, seal.Size)
	cset  = bytes.Repeat([]byte{3}, seal.Size)
	other = bytes.Repeat([]byte{4}, seal.Size)
)

func open(t *testing.T, path, seat string) *State {
	t.Helper()
	state, err := OpenState(path, seat)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { state.Close() })
	return state
}

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func refused(t *testing.T, err error, status int, says string) {
	t.Helper()
	var known *fault.Error
	if !errors.As(err, &known) || known.Status != status || !strings.Contains(err.Error(), says) {
		t.Errorf("%v, not %q with status %d", err, says, status)
	}
}

func TestASecretIsMadeOnceAndItsOwnersAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "secret")
	first := must[[]byte](t)(Secret(path))
	if len(first) != seal.Size || !bytes.Equal(must[[]byte](t)(Secret(path)), first) {
		t.Error("the secret does not stay")
	}
	info := must[os.FileInfo](t)(os.Stat(path))
	left := must[[]os.DirEntry](t)(os.ReadDir(filepath.Dir(path)))
	if info.Mode().Perm() != 0o600 || info.Size() != 65 || len(left) != 1 {
		t.Errorf("mode %o, %d bytes, %d files", info.Mode().Perm(), info.Size(), len(left))
	}
}

func TestASecretThatCannotBeOneIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	for text, says := range map[string]string{"": "64 hex digits", strings.Repeat("0g", 32): "64 hex digits"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Secret(path)
		refused(t, err, fault.Usage, says)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	_, err := Secret(path)
	refused(t, err, fault.Usage, "chmod 600")
	_, err = Secret(filepath.Join(path, "below"))
	refused(t, err, fault.Usage, "cannot make the folder")
}

func TestTheStateHasTheFormThatClientsOfAllLanguagesRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.jsonl")
	state := open(t, path, "north")
	must[seal.Cut](t)(state.Promise(match, r0, 1, seal.CutAt(7)))
	must[seal.Cut](t)(state.Promise(match, r0, 2, nil))
	if err := state.Answer(match, 1, cset); err != nil {
		t.Fatal(err)
	}
	id, tip := strings.Repeat("01", 16), strings.Repeat("02", 32)
	want := `{"cut":7,"deal":1,"match":"` + id + `","r0":"` + tip + `","seat":"north"}` + "\n" +
		`{"deal":2,"match":"` + id + `","r0":"` + tip + `","seat":"north"}` + "\n" +
		`{"cset":"` + strings.Repeat("03", 32) + `","deal":1,"match":"` + id + `"}` + "\n"
	if text := must[[]byte](t)(os.ReadFile(path)); string(text) != want {
		t.Errorf("%s, not %s", text, want)
	}
	if mode := must[os.FileInfo](t)(os.Stat(path)).Mode().Perm(); mode != 0o600 {
		t.Errorf("mode %o", mode)
	}
}

func TestAPromisedCutStandsAlsoAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.jsonl")
	must[seal.Cut](t)(open(t, path, "north").Promise(match, r0, 1, seal.CutAt(7)))
	again := open(t, path, "north")
	if cut := must[seal.Cut](t)(again.Promise(match, r0, 1, seal.CutAt(9))); !bytes.Equal(cut, seal.CutAt(7)) {
		t.Errorf("the cut is %d", cut)
	}
	if cut := must[seal.Cut](t)(again.PromisedCut(match, 1)); !bytes.Equal(cut, seal.CutAt(7)) {
		t.Errorf("the cut is %d", cut)
	}
	if cut := must[seal.Cut](t)(again.PromisedCut(match, 2)); cut != nil {
		t.Errorf("a cut that nobody promised: %d", cut)
	}
}

func TestASecondCommitSetIsNeverAnsweredAlsoByAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.jsonl")
	first, second := open(t, path, "north"), open(t, path, "north")
	for range 2 {
		if err := first.Answer(match, 1, cset); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, second.CheckAnswer(match, 1, other), fault.Proof, "second commit set")
	refused(t, second.Answer(match, 1, other), fault.Proof, "second commit set")
	if err := second.Answer(match, 1, cset); err != nil {
		t.Error(err)
	}
}

func TestAMatchIsLeftThatIsOpenedWithAnotherChain(t *testing.T) {
	state := open(t, filepath.Join(t.TempDir(), "state.jsonl"), "north")
	must[seal.Cut](t)(state.Promise(match, r0, 1, nil))
	refused(t, state.CheckMatch(match, other), fault.Proof, "opened before with another r0")
	_, err := state.Promise(match, other, 2, nil)
	refused(t, err, fault.Proof, "opened before with another r0")
}

func TestAStateIsThatOfOneSeatInAMatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.jsonl")
	must[seal.Cut](t)(open(t, path, "north").Promise(match, r0, 1, nil))
	refused(t, open(t, path, "south").CheckMatch(match, r0), fault.Usage, "that of north in this match")
}

func TestATornLineCountsForNothingAndAStrangeOneIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.jsonl")
	must[seal.Cut](t)(open(t, path, "north").Promise(match, r0, 1, nil))
	whole := must[[]byte](t)(os.ReadFile(path))
	torn := append(bytes.Clone(whole), `{"cset":"0303`...)
	if err := os.WriteFile(path, torn, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path, "north").Answer(match, 1, r0); err != nil {
		t.Fatal(err)
	}
	text := must[[]byte](t)(os.ReadFile(path))
	if !bytes.HasPrefix(text, append(torn, '\n')) || bytes.Count(text, []byte("\n")) != 3 {
		t.Errorf("the file holds %s", text)
	}
	refused(t, open(t, path, "north").CheckAnswer(match, 1, other), fault.Proof, "second commit set")
	for _, line := range []string{"rubbish", "null", `{"deal":1}`, `{"deal":1,"match":"00"}`, `{"deal":"1","match":"00","cset":""}`} {
		if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenState(path, "north")
		refused(t, err, fault.Usage, "a line that is not ours")
	}
}

func TestAStateThatOthersMayReadIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.jsonl")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := OpenState(path, "north")
	refused(t, err, fault.Usage, "chmod 600")
}

func TestReceiptsGoOnAfterATornLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "receipts", "one.jsonl")
	for range 2 {
		receipts := must[*Receipts](t)(OpenReceipts(path))
		if kept := must[bool](t)(receipts.Write(canonical.Object{"sig": "00"})); !kept {
			t.Error("a receipt was not kept")
		}
		if kept := must[bool](t)(receipts.Write(canonical.Object{"card": "ü"})); kept {
			t.Error("what has no canonical form was kept")
		}
		if err := receipts.Close(); err != nil {
			t.Fatal(err)
		}
		file := must[*os.File](t)(os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0))
		must[int](t)(file.WriteString(`{"sig":"tor`))
		file.Close()
	}
	must[*Receipts](t)(OpenReceipts(path)).Close()
	want := "{\"sig\":\"00\"}\n{\"sig\":\"00\"}\n"
	if text := must[[]byte](t)(os.ReadFile(path)); string(text) != want {
		t.Errorf("%s, not %s", text, want)
	}
}
