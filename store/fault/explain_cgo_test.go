//go:build cgo && !puresqlite

package fault_test

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/mattn/go-sqlite3"

	"cxdeck/store/fault"
)

func TestSQLiteErrorsAreExplained(t *testing.T) {
	t.Parallel()
	for code, want := range map[sqlite3.ErrNo]string{
		sqlite3.ErrFull:     "is full: nothing more is saved there; free some space",
		sqlite3.ErrReadonly: "can't be written: make the file",
		sqlite3.ErrCorrupt:  "is damaged",
		sqlite3.ErrNotADB:   "is damaged",
		sqlite3.ErrIoErr:    "can't be used (insert: disk I/O error): check the file",
		sqlite3.ErrCantOpen: "can't be used",
	} {
		err := fault.Explain("/x/cxdeck.db", fmt.Errorf("insert: %w", sqlite3.Error{Code: code}))
		var file *fault.FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", code, err)
		}
	}
	for _, failure := range []sqlite3.Error{
		{Code: sqlite3.ErrIoErr, SystemErrno: syscall.ENOSPC}, {Code: sqlite3.ErrCantOpen, SystemErrno: syscall.ENOSPC},
	} {
		if err := fault.Explain("/x/cxdeck.db", fmt.Errorf("insert: %w", failure)); !errors.Is(err, fault.ErrFull) {
			t.Errorf("the error of a full disk became %v", err)
		}
	}
	other := errors.New("something else")
	if !errors.Is(fault.Explain("/x", other), other) || fault.Explain("/x", nil) != nil {
		t.Error("an error that is not about the file was changed")
	}
}
