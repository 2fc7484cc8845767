package guides

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/form"
)

// planned is the plan of a step, with the commands of a real host for it.
type planned struct {
	plan  driver.Plan
	lines []string
	// byHand describes the Operations that a real host has no command for, such as a setting of its BIOS.
	byHand []string
	// down is the longest interruption of the plan.
	down time.Duration
}

// fill fills in the form of the guide with the answers and the host's own choices, and keeps the answers and the plan: the page and the
// runbook show it. A guide without a form is left alone.
func (c *Course) fill(ctx context.Context) error {
	if c.Guide.Form() == "" {
		return nil
	}
	return c.Host.ReadHost(ctx, func(h *driver.Host) error {
		filled, err := c.filled(h)
		if err != nil {
			return err
		}
		maps.Copy(c.Progress.Answers, filled.Answers())
		c.planned, c.problem = nil, nil
		if at, more := c.Progress.next(c.Guide); more && c.Guide.Steps[at].Kind == guide.Plan {
			made, err := planOf(h, filled)
			c.planned, c.problem = &made, err
		}
		return nil
	})
}

func (c *Course) filled(h *driver.Host) (*form.Filled, error) {
	name := c.Guide.Form()
	maker, found := c.Forms[name]
	if !found {
		return nil, fmt.Errorf("there is no form %q", name)
	}
	f, err := maker(h)
	if err != nil {
		return nil, err
	}
	return form.Fill(c.Guide, f, c.Progress.Answers)
}

// planOf makes the plan of a form on a copy of the host.
func planOf(h *driver.Host, filled *form.Filled) (planned, error) {
	made, err := filled.Plan(h.Clone())
	if err != nil {
		return planned{}, err
	}
	if len(made.Plan.Operations) == 0 {
		return planned{}, nil
	}
	review := h.Review(made.Plan) // as the review of a screen: with the restarts that the plan requires
	p := planned{plan: review.Plan, lines: h.PlanCommands(review.Plan)}
	for i := range review.Restarts {
		p.down = max(p.down, review.Restarts[i].Down)
	}
	for _, o := range p.plan.Operations {
		if len(h.Commands(o)) == 0 {
			p.byHand = append(p.byHand, wording.UpperFirst(o.Describe()))
		}
	}
	return p, nil
}

// apply applies the plan of a step. A plan without a difference from the host's state changes nothing, and the step is done.
func (c *Course) apply(ctx context.Context) (ran []Ran, err error) {
	var made planned
	err = c.Host.ReadHost(ctx, func(h *driver.Host) error {
		filled, err := c.filled(h)
		if err == nil {
			made, err = planOf(h, filled)
		}
		return err
	})
	if err != nil || len(made.plan.Operations) == 0 {
		return nil, err
	}
	if _, err := c.Host.Apply(ctx, made.plan); err != nil {
		return nil, err
	}
	return made.ran(), c.settle(ctx, made.down)
}

// settleTime is how long a plan step waits for the restarts of its plan, the reboot of a host included.
const settleTime = 3 * time.Minute

// settle waits for a time, and then until nothing of the host restarts any more.
func (c *Course) settle(ctx context.Context, down time.Duration) error {
	if down > 0 {
		if err := exec.Wait(ctx, c.Host, down.Round(time.Second)+startStep); err != nil {
			return err
		}
	}
	for waited := time.Duration(0); waited < settleTime; waited += startStep {
		busy := false
		err := c.Host.ReadHost(ctx, func(h *driver.Host) error {
			busy = len(h.Waits()) > 0
			return nil
		})
		if err != nil || !busy {
			return err
		}
		if err := exec.Wait(ctx, c.Host, startStep); err != nil {
			return err
		}
	}
	return nil
}

// ran returns the plan as lines that ran.
func (p *planned) ran() []Ran { return append(ranCommands(p.lines), ranLines(p.byHand)...) }

// ranCommands returns commands of a real host as lines that ran.
func ranCommands(commands []string) (ran []Ran) {
	for _, line := range commands {
		ran = append(ran, Ran{Line: line, Commands: []string{line}})
	}
	return ran
}

// ranLines returns lines that ran, and that a real host may not have.
func ranLines(lines []string) (ran []Ran) {
	for _, line := range lines {
		ran = append(ran, Ran{Line: line, sentence: true})
	}
	return ran
}

// Record adds the plan that a screen has applied for the next step to the progress, with the answers that it was made from, and saves
// the progress. complete reports that the form has nothing left to do: further steps of the form are done, too. A guide that is done
// begins again.
func (c *Course) Record(ctx context.Context, answers guide.Answers, entry *driver.Entry, lines []string, complete bool) error {
	at, more := c.Progress.next(c.Guide)
	if !more {
		c.Progress.Done = nil
		if at, more = c.Progress.next(c.Guide); !more {
			return nil
		}
	}
	if len(c.Progress.Done) == 0 {
		c.Progress.Began = entry.Time
		c.Progress.Answers = guide.Answers{}
	}
	maps.Copy(c.Progress.Answers, answers)
	for c.Guide.Steps[at].Kind != guide.Plan { // the operator has passed the steps that only read
		c.Progress.Done = append(c.Progress.Done, Done{Step: at, Time: entry.Time, Ticked: true})
		if at, more = c.Progress.next(c.Guide); !more {
			return c.save(ctx)
		}
	}
	ran := ranLines(lines)
	if len(slices.Concat(entry.Commands()...)) > 0 {
		ran = ranCommands(lines)
	}
	c.Progress.Done = append(c.Progress.Done, Done{Step: at, Time: entry.Time, Lines: ran, Changes: []uint64{entry.Sequence}})
	for complete {
		if at, more = c.Progress.next(c.Guide); !more || c.Guide.Steps[at].Kind != guide.Plan {
			break
		}
		c.Progress.Done = append(c.Progress.Done, Done{Step: at, Time: entry.Time})
	}
	return c.save(ctx)
}

// IsDone reports whether a step is done.
func (c *Course) IsDone(step int) bool { return c.Progress.isDone(step) }

// Finished reports that no step is left.
func (c *Course) Finished() bool {
	_, more := c.Progress.next(c.Guide)
	return !more
}

// Look runs a step that only reads, for a screen that has applied the plan before it, until the next step changes something.
func (c *Course) Look(ctx context.Context) error {
	for {
		at, more := c.Progress.next(c.Guide)
		if !more || c.Guide.Steps[at].Kind != guide.Look {
			return c.save(ctx)
		}
		if err := c.Step(ctx, at); err != nil {
			return err
		}
	}
}

// save stores the progress; a guide without a step done is forgotten.
func (c *Course) save(ctx context.Context) error {
	if len(c.Progress.Done) == 0 {
		delete(c.all, c.Guide.Name)
	} else {
		c.all[c.Guide.Name] = c.Progress
	}
	return c.all.save(ctx, c.Runner.Drafts)
}

// forgetUndone removes the steps whose changes were all undone since, by any way of undoing: they are to be done again.
func (c *Course) forgetUndone(h *driver.Host) {
	undone := map[uint64]bool{}
	for _, entry := range h.Journal() {
		if entry.Undoes != 0 && entry.Err == "" {
			undone[entry.Undoes] = true
		}
	}
	for i, done := range c.Progress.Done {
		if len(done.Changes) == 0 || slices.ContainsFunc(done.Changes, func(sequence uint64) bool { return !undone[sequence] }) {
			continue
		}
		c.Progress.Done = c.Progress.Done[:i:i] // what came after it stood on it
		return
	}
}

// CheckAfter runs the checks after the last step, and again while one is not met and the limit is not over: an adapter may still restart.
func (c *Course) CheckAfter(ctx context.Context, limit time.Duration) (list []Verdict) {
	const between = time.Second
	for waited := time.Duration(0); ; waited += between {
		list = c.Check(ctx, c.Guide.After)
		if waited >= limit || !slices.ContainsFunc(list, func(v Verdict) bool { return v.State == Unmet }) {
			return list
		}
		if exec.Wait(ctx, c.Host, between) != nil { // the host stands still: the checks are what can be known
			return list
		}
	}
}

// planLines returns the commands of the plan that the next step applies, or why there is none.
func (c *Course) planLines(step int) []string {
	at, more := c.Progress.next(c.Guide)
	switch {
	case !more || at != step:
		return nil
	case c.problem != nil:
		return []string{exec.Sentence(wording.UpperFirst(c.problem.Error())) + "."}
	case c.planned == nil:
		return nil
	case len(c.planned.plan.Operations) == 0:
		return []string{"No differences from the current state."}
	}
	return slices.Concat(c.planned.lines, c.planned.byHand)
}
