package control

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// TestASilentOwner: an owner that was stopped after its hello takes no request: the client neither waits without end nor ignores its own
// cancelling.
func TestASilentOwner(t *testing.T) {
	t.Parallel()
	for _, patience := range []time.Duration{50 * time.Millisecond, 0} {
		near, far := net.Pipe()
		go io.Copy(io.Discard, far) // it takes the bytes, as the system does for a stopped process
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		c := &Client{net: near, patience: patience}
		want := ErrSilent
		if patience == 0 {
			want = context.DeadlineExceeded
		}
		if _, err := c.Run(ctx, Request{Words: []string{"adapter", "list"}}, ClientIO{}); !errors.Is(err, want) {
			t.Errorf("with %s: %v, want %v", patience, err, want)
		}
		cancel()
		c.Close()
		_ = far.Close()
	}
}
