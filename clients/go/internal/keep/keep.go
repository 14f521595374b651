// Package keep is what a seat keeps on disk: its secret, its promises, and the referee's receipts.
package keep

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"euchrebot/internal/fault"
	"euchrebot/internal/seal"
)

const (
	private = 0o600
	// LongestLine is more bytes than a file of one line has: a token, a secret, a request.
	LongestLine = 1 << 12
	// Longest is more bytes than keys and certificates have, all that a machine trusts together too.
	Longest = 1 << 20
)

// Reason is why the system refused, without the name of the file.
func Reason(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// Folder is where secrets and state lie unless flags say otherwise.
func Folder() string {
	if home := os.Getenv("XDG_STATE_HOME"); home != "" {
		return filepath.Join(home, "euchre-bot")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "."
	}
	return filepath.Join(home, ".local", "state", "euchre-bot")
}

// checkRegular refuses what is there and is no file, as a folder, a pipe and a device are none.
func checkRegular(path, what string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fault.New(fault.Usage, "%s %q is no regular file (name another)", what, path)
	}
	return nil
}

// Read reads a file that a flag names to its end; one that can be none of ours is refused.
func Read(path, what string, most int64) ([]byte, error) {
	return read(path, what, most, func(*os.File) error { return nil })
}

// ReadPrivate reads as Read does; a file that others may read is refused.
func ReadPrivate(path, what string, most int64) ([]byte, error) {
	return read(path, what, most, checkPrivate)
}

func read(path, what string, most int64, check func(*os.File) error) ([]byte, error) {
	if err := checkRegular(path, what); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "cannot read %s %q: %w", what, path, Reason(err))
	}
	defer file.Close()
	if err := check(file); err != nil {
		return nil, err
	}
	held, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, fault.New(fault.Usage, "cannot read %s %q: %w", what, path, Reason(err))
	}
	if int64(len(held)) > most {
		return nil, fault.New(fault.Usage, "%s %q is longer than %d bytes (name another)", what, path, most)
	}
	return held, nil
}

// checkPrivate refuses a file that others may read.
func checkPrivate(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return fault.New(fault.Usage, "cannot look at %q: %w", file.Name(), Reason(err))
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fault.New(fault.Usage, "others may read %q: run chmod 600 on it", file.Name())
	}
	return nil
}

func makeParent(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fault.New(fault.Usage, "cannot make the folder of %q: %w", path, Reason(err))
	}
	return nil
}

// Secret is the 32 bytes from which a seat's seeds come; they are made on first use.
func Secret(path string) ([]byte, error) {
	if err := makeParent(path); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if err := newSecret(path); err != nil {
			return nil, fault.New(fault.Usage, "cannot make the secret %q: %w", path, Reason(err))
		}
		if err := flushFolder(path); err != nil {
			return nil, err
		}
	}
	text, err := ReadPrivate(path, "the secret", LongestLine)
	if err != nil {
		return nil, err
	}
	secret, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(secret) != seal.Size {
		return nil, fault.New(fault.Usage, "the secret %q does not hold 64 hex digits: restore it", path)
	}
	return secret, nil
}

// newSecret writes a secret whole or not at all; where another process is first, its secret stays.
func newSecret(path string) (err error) {
	draft, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(draft.Name())) }()
	secret := make([]byte, seal.Size)
	rand.Read(secret)
	_, err = fmt.Fprintf(draft, "%x\n", secret)
	if err = errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err = os.Link(draft.Name(), path); errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

// flushFolder puts the name of a new file on the disk, which its own flush does not.
func flushFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err == nil {
		err = errors.Join(folder.Sync(), folder.Close())
	}
	if err != nil {
		return fault.New(fault.Usage, "cannot flush the folder of %q: %w", path, Reason(err))
	}
	return nil
}

// WritePrivate writes a file that nobody else can read.
func WritePrivate(path, line string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, private)
	if err == nil {
		_, err = fmt.Fprintln(file, line)
		err = errors.Join(err, file.Sync(), file.Close())
	}
	if err != nil {
		return fault.New(fault.Usage, "cannot write %q: %w", path, Reason(err))
	}
	return nil
}
