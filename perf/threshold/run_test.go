package threshold

import (
	"strings"
	"testing"
)

// The error output of a program is kept up to a limit, in pieces of any size, and shown on one line.
func TestErrorOutputIsLimited(t *testing.T) {
	t.Parallel()
	all := strings.Repeat("no\troute\r\nto host \x1b[31m\xff ", 200)
	for _, size := range []int{1, 7, 100, stderrLimit, len(all)} {
		var h limitedOutput
		for rest := all; rest != ""; {
			piece := rest[:min(size, len(rest))]
			rest = rest[len(piece):]
			if n, err := h.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Fatalf("%d of %d bytes are accepted, %v", n, len(piece), err)
			}
		}
		if h.String() != all[:stderrLimit] {
			t.Errorf("in pieces of %d: %d bytes are kept", size, h.Len())
		}
		if line := h.line(); !strings.HasPrefix(line, "no route to host [31m no route") {
			t.Errorf("in pieces of %d: the line is %q", size, line)
		}
	}
}
