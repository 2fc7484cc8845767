package process

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// StickyWriter keeps the first write error, so that printing stops when the output has failed, and the error is reported once.
type StickyWriter struct {
	w   io.Writer
	err error
}

// NewStickyWriter returns a writer to w.
func NewStickyWriter(w io.Writer) *StickyWriter { return &StickyWriter{w: w} }

// Stream returns the writer that it writes to.
func (w *StickyWriter) Stream() io.Writer { return w.w }

// Err returns the first error of a write.
func (w *StickyWriter) Err() error { return w.err }

// Write returns the first error for all later calls.
func (w *StickyWriter) Write(p []byte) (int, error) {
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
