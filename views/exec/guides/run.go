package guides

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
	"cxdeck/views/form"
)

// Course is a guide on a host.
type Course struct {
	Guide    *guide.Guide
	Progress *Progress
	// Runner runs the lines; its output is not used.
	Runner *exec.Runner
	// Host is the host of the lines.
	Host exec.Host
	// Forms make the plans of plan steps.
	Forms form.Makers

	// all is the progress of all guides of the host.
	all all
	// planned is the plan of the next step, problem why there is none; both are nil where the next step has no plan.
	planned *planned
	problem error
}

// State is the answer of a check.
type State string

// The states of a check.
const (
	Met    State = "met"
	Unmet  State = "not met"
	Unseen State = "can't be seen"
)

// Verdict is a check with its state.
type Verdict struct {
	Check *guide.Check
	Text  string
	State State
	// Why says what is not met, or why it can't be seen.
	Why string
}

// line runs a line of exec and returns what it printed. reading refuses lines that change the host.
func (c *Course) line(ctx context.Context, text string, reading bool) (output string, err error) {
	var out, problem bytes.Buffer
	runner := *c.Runner
	runner.Out, runner.Err, runner.JSON, runner.KeepGoing, runner.Elsewhere = &out, &problem, false, false, nil
	runner.Open = func(context.Context) (exec.Host, error) { return c.Host, nil }
	runner.Ask = func(context.Context) string { return "y" } // who runs a guide was asked before
	if reading {
		runner.ReadOnly, runner.ReadOnlyWhy = true, "a check only reads"
	}
	words, err := runner.Table.Split(text)
	if err != nil {
		return "", err
	}
	if len(words) == 2 && words[0] == "advance" {
		if d, err := time.ParseDuration(words[1]); err == nil {
			return "", exec.Wait(ctx, c.Host, d)
		}
	}
	if runner.Table.IsShell(text) { // as typed: words lose the quotes before a semicolon
		words = []string{exec.PowerShell, text}
	}
	if status := runner.Run(ctx, words); status != exec.Done && problem.Len() > 0 {
		err = fmt.Errorf("%s", strings.TrimPrefix(strings.TrimSpace(problem.String()), "cxdeck: "))
	}
	return out.String(), err
}

// Check looks whether checks are met; checks that don't apply are left out. A check of each item of a list has a verdict for each.
func (c *Course) Check(ctx context.Context, checks []guide.Check) (list []Verdict) {
	answers := c.Progress.Answers
	for i := range checks {
		check := &checks[i]
		if !answers.Applies(check.When) {
			continue
		}
		items, parts := form.Items(answers[check.Each])
		for i, item := range items {
			list = append(list, c.verdict(ctx, check, answers.Item(check.Each, item, parts[i])))
		}
		if len(items) == 0 {
			list = append(list, c.verdict(ctx, check, answers))
		}
	}
	return list
}

// verdict looks whether a check is met.
func (c *Course) verdict(ctx context.Context, check *guide.Check, answers guide.Answers) Verdict {
	v := Verdict{Check: check, Text: answers.Fill(check.Text), State: Met}
	missing := c.Guide.Missing(answers.Given(), check.Run+check.Text+check.Expect+check.Refuse)
	switch {
	case check.Run == "":
		v.State, v.Why = Unseen, "the console can't see it"
	case missing != "":
		v.State, v.Why = Unseen, "it depends on "+missing
	case answers.Quoted(check.Run):
		v.State, v.Why = Unseen, "an answer has a quote, which no line can hold"
	default:
		if v.Why = c.look(ctx, check, answers); v.Why != "" {
			v.State = Unmet
		}
	}
	return v
}

// look runs the line of a check and returns what is not as it must be; empty for nothing.
func (c *Course) look(ctx context.Context, check *guide.Check, answers guide.Answers) (why string) {
	output, err := c.line(ctx, answers.Fill(check.Run), true)
	switch {
	case err != nil && check.Fails:
		return ""
	case err != nil:
		return err.Error()
	case check.Fails:
		return fmt.Sprintf("the line %s does not fail", answers.Fill(check.Run))
	case !matches(answers.Pattern(check.Expect), output):
		return fmt.Sprintf("the answer of %s does not show it", answers.Fill(check.Run))
	case check.Refuse != "" && matches(answers.Pattern(check.Refuse), output):
		return fmt.Sprintf("the answer of %s shows the opposite", answers.Fill(check.Run))
	}
	return ""
}

// startTime is how long Meet waits for an adapter that restarts, and startStep how long between two looks.
const (
	startTime = 20 * time.Second
	startStep = 5 * time.Second
)

// Meet runs the lines that meet the preconditions that are not met, in their order, and waits for restarts that they cause. Their changes are no part of the guide: undo of the guide
// leaves them. The error is a sentence.
func (c *Course) Meet(ctx context.Context) (ran []Ran, err error) {
	for _, need := range c.Check(ctx, c.Guide.Needs) {
		if need.State != Unmet {
			continue
		}
		for _, text := range need.Check.Meet {
			filled := c.Progress.Answers.Fill(text)
			output, err := c.line(ctx, filled, false)
			if err != nil {
				return ran, fmt.Errorf("%s: %w", filled, err)
			}
			ran = append(ran, Ran{Line: filled, Output: output[:min(len(output), maxOutput)]})
		}
	}
	unmet := func(v Verdict) bool { return v.State == Unmet && len(v.Check.Meet) > 0 }
	for waited := time.Duration(0); len(ran) > 0 && waited < startTime && slices.ContainsFunc(c.Check(ctx, c.Guide.Needs), unmet); waited += startStep {
		if err := exec.Wait(ctx, c.Host, startStep); err != nil {
			return ran, err
		}
	}
	return ran, nil
}

// matches reports whether a text matches a regular expression; an empty one matches every text.
func matches(expression, text string) bool {
	compiled, err := regexp.Compile(expression)
	return err == nil && compiled.MatchString(text)
}

// Step carries out a step and adds it to the progress, also when one of its lines fails. In the lab the lines of a step outside the host
// do it. The error is a sentence.
func (c *Course) Step(ctx context.Context, at int) error {
	step, answers := &c.Guide.Steps[at], c.Progress.Answers
	for _, text := range append([]string{step.Text}, step.Run...) {
		if missing := c.Guide.Missing(answers, text); missing != "" && !c.keeps(step, missing) {
			return &AnswerError{Step: at, Label: missing}
		}
	}
	if step.Kind == guide.Outside && len(step.Run) == 0 {
		return &HandError{Step: at, Text: answers.Fill(cmp.Or(step.Text, step.Title))}
	}
	now, before, err := c.moment(ctx)
	if err != nil {
		return err
	}
	if c.Progress.Began.IsZero() {
		c.Progress.Began = now
	}
	done := Done{Step: at, Time: now}
	if step.Kind == guide.Plan {
		done.Lines, err = c.apply(ctx)
	}
	if err == nil {
		var ran []Ran
		ran, err = c.lines(ctx, step)
		done.Lines = append(done.Lines, ran...)
	}
	if err != nil {
		err = fmt.Errorf("step %d: %w", at+1, err)
		done.Failed = err.Error()
	}
	_, after, failed := c.moment(ctx)
	for sequence := range after {
		if !before[sequence] {
			done.Changes = append(done.Changes, sequence)
		}
	}
	slices.Sort(done.Changes)
	c.Progress.Done = append(c.Progress.Done, done)
	return cmp.Or(err, failed)
}

// keeps reports whether a step gives an answer itself.
func (c *Course) keeps(step *guide.Step, name string) bool {
	_, keeps := step.Keep[name]
	return keeps
}

// lines runs the lines of a step, and keeps what later steps need.
func (c *Course) lines(ctx context.Context, step *guide.Step) (ran []Ran, err error) {
	answers, last := c.Progress.Answers, ""
	for _, text := range step.Run {
		if answers.Quoted(text) {
			return ran, fmt.Errorf("%s: an answer has a quote, which no line can hold", text)
		}
		filled := answers.Fill(text)
		before, err := c.lastChange(ctx)
		if err != nil {
			return ran, err
		}
		if last, err = c.line(ctx, filled, step.Kind == guide.Look); err != nil {
			return ran, fmt.Errorf("%s: %w", filled, err)
		}
		done := Ran{Line: filled, Output: last[:min(len(last), maxOutput)]}
		if !isReal(c.Runner.Table, filled) {
			if done.Commands, _, err = c.commandsSince(ctx, before); err != nil {
				return ran, err
			}
		}
		ran = append(ran, done)
		for name, expression := range step.Keep {
			if found := regexp.MustCompile(answers.Pattern(expression)).FindStringSubmatch(last); found != nil {
				answers[name] = found[1]
			}
		}
	}
	for name := range step.Keep {
		if answers[name] == "" {
			return ran, fmt.Errorf("the answer does not name the %s", name)
		}
	}
	if !matches(answers.Pattern(step.Expect), last) {
		return ran, fmt.Errorf("the answer is not as expected: %s", cmp.Or(firstLine(last), "nothing was printed"))
	}
	return ran, nil
}

// AnswerError is the error of a step that requires an answer that was not given.
type AnswerError struct {
	Step  int
	Label string
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("step %d requires an answer: %s", e.Step+1, e.Label)
}

// HandError is the error of a step outside the host that the lab can't do: the operator does it, and ticks it.
type HandError struct {
	Step int
	Text string
}

func (e *HandError) Error() string {
	return fmt.Sprintf("step %d is done outside: %s", e.Step+1, strings.TrimSuffix(e.Text, "."))
}

// Tick marks a step as done by the operator.
func (c *Course) Tick(ctx context.Context, at int) error {
	now, _, err := c.moment(ctx)
	if err != nil {
		return err
	}
	c.Progress.Done = append(c.Progress.Done, Done{Step: at, Time: now, Ticked: true})
	return nil
}

// Rest carries out the steps that are left, until one needs an answer or the operator's hand, or fails.
func (c *Course) Rest(ctx context.Context) error {
	for {
		at, more := c.Progress.next(c.Guide)
		if !more {
			return nil
		}
		if err := c.Step(ctx, at); err != nil {
			return err
		}
	}
}

// Undo undoes the changes of the steps, the newest first, and runs the guide's own lines for the rest. A change without an inverse, such
// as a restart, is left out. The progress begins again.
func (c *Course) Undo(ctx context.Context) (undone int, err error) {
	if c.Guide.NoUndo != "" {
		return 0, fmt.Errorf("this guide can't be undone: %s", c.Guide.NoUndo)
	}
	for _, done := range slices.Backward(c.Progress.Done) {
		for _, sequence := range slices.Backward(done.Changes) {
			switch left, err := c.isLeft(ctx, sequence); {
			case err != nil:
				return undone, err
			case !left:
				continue
			}
			if _, err := c.Host.UndoEntry(ctx, sequence); err != nil {
				return undone, fmt.Errorf("step %d can't be undone: %w", done.Step+1, err)
			}
			undone++
		}
	}
	for _, text := range c.Guide.Undo {
		if c.Guide.Missing(c.Progress.Answers, text) != "" {
			continue // the step that would have given it did not run
		}
		if _, err := c.line(ctx, c.Progress.Answers.Fill(text), false); err != nil {
			return undone, err
		}
	}
	c.Progress.Done, c.Progress.Began = nil, time.Time{}
	return undone, nil
}

// isLeft reports whether a change has an inverse and is not undone.
func (c *Course) isLeft(ctx context.Context, sequence uint64) (left bool, err error) {
	err = c.Host.ReadHost(ctx, func(h *driver.Host) error {
		for _, entry := range h.Journal() {
			switch {
			case entry.Sequence == sequence:
				left = !stack.IsOver(h.Lab(), entry.Inverse.Operations)
			case entry.Undoes == sequence && entry.Err == "":
				left = false
			}
		}
		return nil
	})
	return left, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// moment returns the time of the host, and the sequence numbers of its changes that can be undone.
func (c *Course) moment(ctx context.Context) (now time.Time, changes map[uint64]bool, err error) {
	changes = map[uint64]bool{}
	err = c.Host.ReadHost(ctx, func(h *driver.Host) error {
		now = h.Now()
		for _, entry := range h.Journal() {
			if entry.Err == "" && entry.Undoes == 0 {
				changes[entry.Sequence] = true
			}
		}
		return nil
	})
	return now, changes, err
}
