package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"cxdeck/perf/chunk"
	"cxdeck/store/codec"
	"cxdeck/store/engine"
	"cxdeck/store/lock"
)

// The reasons why the history can't be used, or not fully. Errors of this package wrap one of them.
var (
	ErrFull        = errors.New("the disk is full")
	ErrReadOnly    = errors.New("the file can't be written")
	ErrUnreadable  = errors.New("the file can't be read")
	ErrNotFile     = errors.New("not a regular file")
	ErrNotDatabase = errors.New("not a database")
	ErrForeign     = errors.New("a database of another program")
	ErrNewer       = errors.New("written by a newer cxdeck")
	ErrOlder       = errors.New("written by an older cxdeck")
	ErrInUse       = errors.New("in use by another cxdeck")
	ErrLocked      = errors.New("locked by another program")
	ErrDamaged     = errors.New("the file is damaged")
	ErrNoFile      = errors.New("there is no such file")
	ErrGone        = errors.New("the file is gone")
	ErrAccess      = errors.New("the file can't be read or written")
	// ErrPages reports that SQLite's own check found damaged pages.
	ErrPages = fmt.Errorf("%w: pages of it can't be read", ErrDamaged)
	// ErrNothing reports a damaged file from which no row of any table can be read.
	ErrNothing = errors.New("nothing in it can be read")
	// ErrNoSession reports an unknown session.
	ErrNoSession = errors.New("there is no such session")
	// ErrTrimmed reports that the beginning of a session was removed while it was read.
	ErrTrimmed = errors.New("this part of the session was removed to keep the history within its bounds: open the session again")
)

// FileError is a problem with the history file, as a sentence for the operator.
type FileError struct {
	Path string
	// Reason is one of the reasons above.
	Reason error
	// PID and Since describe the running cxdeck, for ErrInUse; 0 when unknown.
	PID   int
	Since time.Time
	// Version is the file's schema version, for ErrNewer and ErrOlder, Supported the newest that this program supports.
	Version, Supported int
	// Contents reports that the pages of a damaged file are intact, and that data in them can't be decoded, as of a session of
	// which only a part was saved from a damaged file. The next start doesn't change that.
	Contents bool
	// Err is the error of the system or the database; it may be nil.
	Err error
}

// Error returns what is wrong and what to do.
func (e *FileError) Error() string {
	switch {
	case errors.Is(e.Reason, ErrFull):
		return fmt.Sprintf("the disk that holds %s is full: nothing more is saved there; free some space, and start again to record", e.Path)
	case errors.Is(e.Reason, ErrReadOnly):
		return fmt.Sprintf("%s can't be written: make the file and its directory writable, or choose another file with --db", e.Path)
	case errors.Is(e.Reason, ErrUnreadable):
		return fmt.Sprintf("%s can't be read (%v): change its permissions, or choose another file with --db", e.Path, e.withoutName())
	case errors.Is(e.Reason, ErrNotFile):
		return fmt.Sprintf("%s can't be used for the history: %v; choose a regular file with --db", e.Path, e.Err)
	case errors.Is(e.Reason, ErrNotDatabase):
		return fmt.Sprintf("%s is not a database: it was left as it is; choose another file with --db", e.Path)
	case errors.Is(e.Reason, ErrForeign):
		return fmt.Sprintf("%s is a database of another program: it was left as it is; choose another file with --db", e.Path)
	case errors.Is(e.Reason, ErrNewer):
		return fmt.Sprintf("%s was written by a newer cxdeck (schema version %d, this one supports %d): update cxdeck, or choose another file with --db",
			e.Path, e.Version, e.Supported)
	case errors.Is(e.Reason, ErrOlder):
		return fmt.Sprintf("%s was written by an older cxdeck (schema version %d, this one has %d): open it once for recording to bring it up to date",
			e.Path, e.Version, e.Supported)
	case errors.Is(e.Reason, ErrInUse):
		return e.inUse()
	case errors.Is(e.Reason, ErrLocked):
		return fmt.Sprintf("%s is locked by another program: close that program or end its transaction, and try again", e.Path)
	case errors.Is(e.Reason, ErrDamaged) && errors.Is(e.Err, ErrNothing):
		return fmt.Sprintf("%s is damaged, and nothing in it can be read: the next start that records sets it aside and creates a new file", e.Path)
	case errors.Is(e.Reason, ErrDamaged) && e.Contents:
		return fmt.Sprintf("%s has data that can't be read (%v); everything else in it can be read", e.Path, e.Err)
	case errors.Is(e.Reason, ErrDamaged):
		return fmt.Sprintf("%s is damaged: the next start that records saves the readable part in a new file", e.Path)
	case errors.Is(e.Reason, ErrNoFile):
		return fmt.Sprintf("there is no history in %s yet: run cxdeck once to record a session", e.Path)
	case errors.Is(e.Reason, ErrGone):
		return fmt.Sprintf("%s was removed or replaced while it was in use: its contents are being saved", e.Path)
	}
	return fmt.Sprintf("%s can't be used (%v): check the file and its directory, or choose another file with --db", e.Path, e.withoutName())
}

// withoutName returns the system's error without the file name, because the sentence names the file already.
func (e *FileError) withoutName() error {
	var named *fs.PathError
	if errors.As(e.Err, &named) && named.Path == e.Path {
		return named.Err
	}
	return e.Err
}

func (e *FileError) inUse() string {
	if e.PID == 0 {
		return fmt.Sprintf("%s is in use by a running cxdeck: this one does not record; choose another file with --db to record here too", e.Path)
	}
	since := ""
	if !e.Since.IsZero() {
		since = " since " + e.Since.Local().Format("2006-01-02 15:04:05")
	}
	return fmt.Sprintf("%s is in use by the cxdeck with process number %d%s: this one does not record; choose another file with --db to record here too",
		e.Path, e.PID, since)
}

// Unwrap returns the reason and the cause.
func (e *FileError) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Err}
}

// ReportsDamage reports whether SQLite met a damaged page.
func ReportsDamage(err error) bool {
	code, _, ok := engine.CodeOf(err)
	return ok && errors.Is(reasons[code], ErrDamaged)
}

// Explain turns an error of SQLite or the system about the file into a FileError; other errors pass unchanged.
func Explain(path string, err error) error {
	var known *FileError
	if err == nil || errors.As(err, &known) {
		return err
	}
	var taken *lock.InUseError
	if errors.As(err, &taken) {
		return &FileError{Path: path, Reason: ErrInUse, PID: taken.PID, Since: taken.Since}
	}
	if reason := ReasonOf(err); reason != nil {
		contents := errors.Is(reason, ErrDamaged) && !ReportsDamage(err) && !errors.Is(err, ErrPages)
		return &FileError{Path: path, Reason: reason, Contents: contents, Err: err}
	}
	return err
}

// reasons by SQLite's result code.
var reasons = map[engine.Code]error{
	engine.Full:     ErrFull,
	engine.ReadOnly: ErrReadOnly,
	engine.Perm:     ErrReadOnly,
	engine.Corrupt:  ErrDamaged,
	engine.NotADB:   ErrDamaged,
	engine.IO:       ErrAccess,
	engine.CantOpen: ErrAccess,
	engine.Busy:     ErrLocked,
	engine.Locked:   ErrLocked,
}

// ReasonOf returns the reason behind an error of SQLite or the system; nil when the error is not about the file.
func ReasonOf(err error) error {
	switch {
	case errors.Is(err, ErrDamaged), errors.Is(err, chunk.ErrCorrupt), errors.Is(err, codec.ErrFrame):
		return ErrDamaged
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	}
	if code, cause, ok := engine.CodeOf(err); ok {
		if cause == syscall.ENOSPC || cause == syscall.EDQUOT {
			return ErrFull // the log or the index beside the file can't grow
		}
		return reasons[code]
	}
	var system *fs.PathError
	if errors.As(err, &system) {
		return ErrAccess
	}
	return nil
}
