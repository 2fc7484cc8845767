package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// stickyWriter keeps the first write error, so that printing stops when the output has failed, and the error is reported once.
type stickyWriter struct {
	w   io.Writer
	err error
}

// Write returns the first error for all later calls.
func (w *stickyWriter) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.w.Write(p)
	if err != nil {
		var named *fs.PathError
		if errors.As(err, &named) {
			err = named.Err // omit the name of the stream
		}
		w.err = fmt.Errorf("the output can't be written: %w; send it to another place", err)
	}
	return n, w.err
}
