package intake

import "fmt"

// Error reports a file that can't be imported, in one sentence.
type Error struct {
	Path string
	// Problem is a clause: "it is a FIFO, not a regular file".
	Problem string
	// Advice is a clause that says what to do; it is empty when the problem is enough.
	Advice string
	// Err is the error of the system; it may be nil.
	Err error
}

// Error returns what is wrong and what to do.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s can't be imported: %s", e.Path, e.Problem)
	if e.Advice != "" {
		text += "; " + e.Advice
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// The advice by kind of error.
const (
	adviceOther   = "name a file that cxdeck sessions export has written, or the history of another cxdeck"
	adviceAltered = "export the session again on the machine that recorded it"
	adviceDamaged = "copy it again, or extract the readable part of a session with cxdeck sessions export ID NEW.db --db FILE"
	adviceBusy    = "import it when that program has ended"
)

func (f *File) invalidFile(format string, arguments ...any) error {
	return &Error{Path: f.path, Problem: fmt.Sprintf(format, arguments...), Advice: adviceOther}
}

// Altered reports contents that cxdeck never writes.
func (f *File) Altered(format string, arguments ...any) error {
	return &Error{Path: f.path, Problem: fmt.Sprintf(format, arguments...), Advice: adviceAltered}
}

// Damaged reports a file that can't be read to its end.
func (f *File) Damaged(format string, arguments ...any) error {
	return &Error{Path: f.path, Problem: fmt.Sprintf(format, arguments...), Advice: adviceDamaged}
}
