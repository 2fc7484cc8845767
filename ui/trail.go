package ui

import (
	"fmt"
	"io"
	"time"
)

// trail remembers the last things that were done, for the report of a crash. The zero trail is ready.
type trail struct {
	steps [24]trailStep
	next  int
}

type trailStep struct {
	at   time.Time
	what string
}

func (t *trail) add(at time.Time, what string) {
	t.steps[t.next%len(t.steps)] = trailStep{at, what}
	t.next++
}

// write lists the steps, the oldest first.
func (t *trail) write(w io.Writer) {
	for i := max(0, t.next-len(t.steps)); i < t.next; i++ {
		step := t.steps[i%len(t.steps)]
		_, _ = fmt.Fprintf(w, "%s  %s\n", step.at.Format("15:04:05.000"), step.what)
	}
}
