package process

import (
	"strings"
	"testing"
	"time"
)

// TestWaitLine: the line shows nothing at first, then the remaining seconds, and is erased at the end.
func TestWaitLine(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	l := &WaitLine{out: &out, object: "the host", begun: time.Now()}
	if l.Show(9 * time.Second); out.Len() > 0 {
		t.Errorf("at once: %q", out.String())
	}
	l.begun = time.Now().Add(-time.Second)
	l.Show(8100 * time.Millisecond)
	l.End()
	l.End()
	if got, want := out.String(), "\rWaiting for the host: 9 s\x1b[K\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	none := &WaitLine{object: "the host"}
	none.Show(time.Second)
	none.End()
}
