package cli

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// The progress bar appears after progressAfter, and is redrawn at most every progressEvery.
const (
	progressWidth = 30
	progressAfter = 200 * time.Millisecond
	progressEvery = 50 * time.Millisecond
)

// salvageProgress draws the progress of salvaging a damaged history on the error stream, when that is a terminal.
func (s *session) salvageProgress() func(done, all int) {
	file, ok := s.streams.Err.(*os.File)
	if !ok || !isTerminal(file) {
		return nil
	}
	began := time.Now()
	var drawn time.Time
	return func(done, all int) {
		now := time.Now()
		switch {
		case done >= all && !drawn.IsZero():
			fmt.Fprint(file, "\r\x1b[K") //nolint:errcheck // nothing depends on it
		case done < all && now.Sub(began) >= progressAfter && now.Sub(drawn) >= progressEvery:
			drawn = now
			fmt.Fprint(file, "\r"+progressLine(done, all)) //nolint:errcheck // nothing depends on it
		}
	}
}

func progressLine(done, all int) string {
	filled := progressWidth * done / max(1, all)
	return fmt.Sprintf("Saving what can be read of the damaged history [%s%s] %3d%%",
		strings.Repeat("#", filled), strings.Repeat(".", progressWidth-filled), 100*done/max(1, all))
}
