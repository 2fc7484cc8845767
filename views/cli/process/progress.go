package process

import (
	"fmt"
	"io"
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

// DrawProgress returns a function that draws a progress bar on out, and removes it when done reaches all. It returns nil if out is
// not a terminal.
func DrawProgress(out io.Writer, title string) func(done, all int) {
	file, ok := out.(*os.File)
	if !ok || !IsTerminal(file) {
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
