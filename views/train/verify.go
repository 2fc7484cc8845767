package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/exercise"
	"cxdeck/driver/health/findings"
	"cxdeck/perf/diagnosis/observe"
	"cxdeck/perf/lab"
	"cxdeck/views/exec/hosts"
)

// settled is the time between the last step of a solution and its check.
const settled = 30 * time.Second

// Verify carries out an exercise: a finding must show the fault, the steps must solve it and no part of them, and neither waiting nor a
// restart of all adapters and a reboot may solve it. It returns the result of the steps; the error is a sentence.
func Verify(ctx context.Context, e *exercise.Exercise, seed uint64) (*Result, error) {
	for _, id := range e.Rules {
		if _, known := findings.Lookup(id); !known {
			return nil, fmt.Errorf("there is no rule %q; docs/diagnose.md lists the rules", id)
		}
	}
	c, h, err := Begin(ctx, e, seed)
	if err != nil {
		return nil, err
	}
	report, err := observe.OfHost(ctx, h.Clone())
	if err != nil {
		return nil, err
	}
	if !shows(report, e.Rules) {
		return nil, fmt.Errorf("nothing shows the fault: no finding is of the rules %s", strings.Join(e.Rules, ", "))
	}
	try := func(lines []string, claim string) error {
		r, err := c.try(ctx, h, lines)
		if err == nil && r.Solved {
			err = errors.New(claim)
		}
		return err
	}
	if err := try(nil, "it is solved before anything is done"); err != nil {
		return nil, err
	}
	if err := try(restartAll(h), "a restart of all adapters and a reboot solve it"); err != nil {
		return nil, err
	}
	var lines []string
	for i, s := range c.Exercise.Steps {
		if i > 0 {
			if err := try(lines, fmt.Sprintf("it is solved before step %d", i+1)); err != nil {
				return nil, err
			}
		}
		lines = append(lines, s.Run...)
	}
	r, err := c.try(ctx, h, lines)
	if err == nil && !r.Solved {
		err = fmt.Errorf("the steps do not solve it: %s", strings.Join(r.Remaining, "; "))
	}
	return r, err
}

// try runs lines on a copy of a host and judges it when it has settled.
func (c *Course) try(ctx context.Context, h *driver.Host, lines []string) (*Result, error) {
	source, err := lab.New(h.Clone())
	if err != nil {
		return nil, err
	}
	if err := RunLines(ctx, hosts.OnLab(source, nil, nil), "steps", lines, io.Discard); err != nil {
		return nil, err
	}
	copied := source.Host().Clone()
	copied.Advance(settled)
	return c.Check(ctx, copied)
}

// restartAll returns lines that restart what an operator can restart.
func restartAll(h *driver.Host) (lines []string) {
	for port := range h.Lab().Ports() {
		if d, _, _ := h.Lab().Port(port); h.Lab().State(port).Up {
			lines = append(lines, `adapter restart "`+d.Connection+`"`)
		}
	}
	return append(lines, "advance 20s", "host reboot", "advance 90s")
}
