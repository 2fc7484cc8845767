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

// salvageProgress returns a function that draws the progress of salvaging a damaged history; see progress.
func (s *session) salvageProgress() func(done, all int) {
	return s.progress("Saving what can be read of the damaged history")
}

// progress returns a function that draws a progress bar on the error stream, and removes it when done reaches all. It returns nil
// if the error stream is not a terminal.
func (s *session) progress(title string) func(done, all int) {
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
			fmt.Fprint(file, "\r"+progressLine(title, done, all)) //nolint:errcheck // nothing depends on it
		}
	}
}

func progressLine(title string, done, all int) string {
	filled := progressWidth * done / max(1, all)
	return fmt.Sprintf("%s [%s%s] %3d%%", title,
		strings.Repeat("#", filled), strings.Repeat(".", progressWidth-filled), 100*done/max(1, all))
}
