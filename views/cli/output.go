package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// stickyWriter remembers that writing failed, so that printing stops when nobody can take it any more, and the operator
// is told once.
type stickyWriter struct {
	w   io.Writer
	err error
}

// Write gives the first error for ever.
func (w *stickyWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.w.Write(p)
	if err != nil {
		var named *fs.PathError
		if errors.As(err, &named) {
			err = named.Err // the name is that of a stream, which says nothing
		}
		w.err = fmt.Errorf("the output can't be written: %w; send it to another place", err)
	}
	return n, w.err
}
