package ui

import (
	"fmt"
	"io"
	"time"
)

// trail keeps the last actions for a crash report. The zero trail is ready to use.
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
