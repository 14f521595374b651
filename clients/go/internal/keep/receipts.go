package keep

import (
	"bytes"
	"os"

	"euchrebot/internal/canonical"
	"euchrebot/internal/fault"
)

// Receipts is a file of JSON lines, as `euchre-referee verify --receipts` reads it.
type Receipts struct{ file *os.File }

// OpenReceipts opens the receipts of a seat; the file is made where there is none.
func OpenReceipts(path string) (*Receipts, error) {
	if err := makeParent(path); err != nil {
		return nil, err
	}
	if err := checkRegular(path, "the receipts"); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, private)
	if err != nil {
		return nil, fault.New(fault.Usage, "cannot open the receipts %q: %w", path, Reason(err))
	}
	if err := dropTornLine(file); err != nil {
		file.Close()
		return nil, fault.New(fault.Usage, "cannot use the receipts %q: %w", path, Reason(err))
	}
	return &Receipts{file}, nil
}

// dropTornLine removes what a crash has left of a line: it proves nothing.
func dropTornLine(file *os.File) error {
	lines, err := os.ReadFile(file.Name())
	if err != nil {
		return err
	}
	whole := bytes.LastIndexByte(lines, '\n') + 1
	if whole == len(lines) {
		return nil
	}
	return file.Truncate(int64(whole))
}

// Close gives the file back.
func (r *Receipts) Close() error { return r.file.Close() }

// Write keeps a line; false where the object has no canonical form.
func (r *Receipts) Write(object canonical.Object) (bool, error) {
	line, ok := canonical.Dump(object)
	if !ok {
		return false, nil
	}
	if _, err := r.file.Write(append(line, '\n')); err != nil {
		return false, fault.New(fault.Usage, "cannot write %q: %w", r.file.Name(), Reason(err))
	}
	return true, nil
}
