package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// stickyWriter remembers the first write error, so that printing stops when the output is gone, and the error is
// reported once.
type stickyWriter struct {
	w   io.Writer
	err error
}

// Write repeats the first error forever.
func (w *stickyWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.w.Write(p)
	if err != nil {
		var named *fs.PathError
		if errors.As(err, &named) {
			err = named.Err // a stream's name says nothing
		}
		w.err = fmt.Errorf("the output can't be written: %w; send it to another place", err)
	}
	return n, w.err
}
