package keep

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
	"time"

	"euchrebot/internal/canonical"
	"euchrebot/internal/fault"
	"euchrebot/internal/seal"
)

// A state file is held by another process for a moment only; after this long it is given up.
const (
	lockPatience = 5 * time.Second
	lockPause    = 10 * time.Millisecond
)

// promises are what one match holds us to, and in which seat.
type promises struct {
	seat, r0 string
	cuts     map[int]seal.Cut
	answered map[int]string
}

// State is the file of promises, one JSON line each, on disk before the referee hears of them.
//
// Several processes may share the file, of other languages too: it is locked, and read on, before
// each promise. In one match it is one seat's.
//
// The file only grows, by whole lines at its end, and of two promises for one deal the first stands:
// so it is sound also beside a process that cannot lock it, as Node's.
type State struct {
	file    *os.File
	seat    string
	offset  int64
	torn    bool
	matches map[string]*promises
}

// OpenState opens the promises of a seat; the file is made where there is none.
func OpenState(path, seat string) (*State, error) {
	if err := makeParent(path); err != nil {
		return nil, err
	}
	if err := checkRegular(path, "the state"); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, private)
	if err != nil {
		return nil, fault.New(fault.Usage, "cannot open the state %q: %w", path, Reason(err))
	}
	state := &State{file: file, seat: seat, matches: map[string]*promises{}}
	err = checkPrivate(file)
	if err == nil {
		err = flushFolder(path)
	}
	if err == nil {
		err = state.locked(func() error { return nil })
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return state, nil
}

// Close gives the file back.
func (s *State) Close() error { return s.file.Close() }

// locked holds the file alone, with all that is in it known, and does a thing.
func (s *State) locked(do func() error) error {
	err := s.lock()
	if err == nil {
		defer setLock(s.file.Fd(), syscall.F_UNLCK)
		err = s.readOn()
	}
	if err == nil {
		err = do()
	}
	var known *fault.Error
	if err != nil && !errors.As(err, &known) {
		return fault.New(fault.Usage, "cannot use the state %q: %w", s.file.Name(), Reason(err))
	}
	return err
}

// lock waits a while for the file, which others need for a moment only.
func (s *State) lock() error {
	for end := time.Now().Add(lockPatience); ; time.Sleep(lockPause) {
		err := setLock(s.file.Fd(), syscall.F_WRLCK)
		if !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EACCES) && !errors.Is(err, syscall.EINTR) {
			return err
		}
		if time.Now().After(end) {
			return fault.New(fault.Usage, "the state %q is held by another process"+
				" (wait for it to end, or give each bot its own --state-file)", s.file.Name())
		}
	}
}

// setLock locks or unlocks a file without waiting, so that POSIX locks, as Java's, see it too.
func setLock(handle uintptr, kind int16) error {
	return syscall.FcntlFlock(handle, setOpenFileLock, &syscall.Flock_t{Type: kind, Whence: io.SeekStart})
}

func (s *State) readOn() error {
	news, err := io.ReadAll(io.NewSectionReader(s.file, s.offset, 1<<62))
	if err != nil {
		return err
	}
	whole := bytes.LastIndexByte(news, '\n') + 1
	s.torn = whole < len(news)
	for line := range bytes.Lines(news[:whole]) {
		if err := s.learn(line); err != nil {
			return err
		}
		s.offset += int64(len(line))
	}
	return nil
}

// row is a line of the file: the commitment to a deal, or the commit set that was answered.
type row struct {
	Match *string `json:"match"`
	Deal  *int    `json:"deal"`
	R0    *string `json:"r0"`
	Seat  string  `json:"seat"`
	Cut   *uint8  `json:"cut"`
	Cset  *string `json:"cset"`
}

func (s *State) learn(line []byte) error {
	text := bytes.TrimSuffix(line, []byte("\n"))
	if len(text) == 0 || text[0] == '{' && text[len(text)-1] != '}' {
		return nil // a crash has torn it, and nothing is sent before its line is flushed
	}
	var found row
	err := json.Unmarshal(line, &found)
	if err != nil || found.Match == nil || found.Deal == nil || found.R0 == nil && found.Cset == nil {
		return fault.New(fault.Usage,
			"the state %q holds a line that is not ours: %.80q"+
				" (move the file away only if no match of yours is open)",
			s.file.Name(), bytes.TrimSpace(line))
	}
	known := s.matches[*found.Match]
	if known == nil {
		known = &promises{cuts: map[int]seal.Cut{}, answered: map[int]string{}}
		s.matches[*found.Match] = known
	}
	if found.Cset != nil {
		if known.answered[*found.Deal] == "" {
			known.answered[*found.Deal] = *found.Cset
		}
		return nil
	}
	known.r0 = cmp.Or(known.r0, *found.R0)
	known.seat = cmp.Or(known.seat, found.Seat)
	if _, there := known.cuts[*found.Deal]; there {
		return nil
	}
	known.cuts[*found.Deal] = nil
	if found.Cut != nil {
		known.cuts[*found.Deal] = seal.CutAt(int(*found.Cut))
	}
	return nil
}

func (s *State) appendRow(object canonical.Object) error {
	line, _ := canonical.Dump(object)
	line = append(line, '\n')
	if s.torn {
		line = append([]byte("\n"), line...)
	}
	if _, err := s.file.Write(line); err != nil {
		return err
	}
	if err := s.file.Sync(); err != nil {
		return err
	}
	return s.readOn() // and not only this line: another may have come before it
}

func (s *State) known(match []byte) promises {
	if known := s.matches[hex.EncodeToString(match)]; known != nil {
		return *known
	}
	return promises{}
}

// CheckMatch refuses a match id that is known under another chain, or in another seat.
func (s *State) CheckMatch(match, r0 []byte) error {
	return s.locked(func() error { return s.checkMatch(match, r0) })
}

func (s *State) checkMatch(match, r0 []byte) error {
	known := s.known(match)
	if known.seat != "" && known.seat != s.seat {
		return fault.New(fault.Usage,
			"the state %q is that of %s in this match: two seats with one secret have equal seeds"+
				" (give each seat its own files)", s.file.Name(), known.seat)
	}
	if known.r0 != "" && known.r0 != hex.EncodeToString(r0) {
		return fault.New(fault.Proof,
			"match %x was opened before with another r0: its seeds are spent", match)
	}
	return nil
}

// Promise writes down what we are about to commit to, and gives the cut that stands: an earlier one,
// where one was promised.
func (s *State) Promise(match, r0 []byte, deal int, cut seal.Cut) (stands seal.Cut, err error) {
	err = s.locked(func() error {
		if err := s.checkMatch(match, r0); err != nil {
			return err
		}
		if earlier, ok := s.known(match).cuts[deal]; ok {
			stands = earlier
			return nil
		}
		object := canonical.Object{
			"match": hex.EncodeToString(match), "r0": hex.EncodeToString(r0),
			"deal": deal, "seat": s.seat,
		}
		if len(cut) > 0 {
			object["cut"] = int(cut[0])
		}
		if err := s.appendRow(object); err != nil {
			return err
		}
		stands = s.known(match).cuts[deal]
		return s.checkMatch(match, r0)
	})
	return stands, err
}

// PromisedCut is the cut that we have committed to for a deal; none where there was none.
func (s *State) PromisedCut(match []byte, deal int) (cut seal.Cut, err error) {
	err = s.locked(func() error {
		cut = s.known(match).cuts[deal]
		return nil
	})
	return cut, err
}

// CheckAnswer refuses a commit set other than the one for which a deal's seed was revealed.
func (s *State) CheckAnswer(match []byte, deal int, cset []byte) error {
	return s.locked(func() error { return s.checkAnswer(match, deal, cset) })
}

func (s *State) checkAnswer(match []byte, deal int, cset []byte) error {
	known := s.known(match).answered[deal]
	if known != "" && known != hex.EncodeToString(cset) {
		return fault.New(fault.Proof,
			"deal %d of match %x has a second commit set: %x after %s, which we answered",
			deal, match, cset, known)
	}
	return nil
}

// Answer writes down the commit set that we are about to reveal for; a second one is refused.
func (s *State) Answer(match []byte, deal int, cset []byte) error {
	return s.locked(func() error {
		if err := s.checkAnswer(match, deal, cset); err != nil {
			return err
		}
		if s.known(match).answered[deal] != "" {
			return nil
		}
		err := s.appendRow(canonical.Object{
			"match": hex.EncodeToString(match), "deal": deal, "cset": hex.EncodeToString(cset),
		})
		if err != nil {
			return err
		}
		return s.checkAnswer(match, deal, cset)
	})
}
