package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/exercise"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/hosts"
)

// Course is an exercise in progress.
type Course struct {
	// Exercise is the exercise with the place that the seed chose.
	Exercise *exercise.Exercise
	Seed     uint64
	// Began is the host's time at the start.
	Began time.Time
	// Hints is the number of hints that were given; GaveUp reports that the solution was shown before the exercise was solved.
	Hints  int
	GaveUp bool
	// Ended is the result that ended the course, nil while it goes on.
	Ended *Result

	// healthy is the host without the fault at Began, broken the one with it, and carried what each port of the broken host had carried by
	// then.
	healthy, broken *driver.Host
	carried         []uint64
}

// The host's time before it is broken: it depends on the seed, so that schedules of the lab are elsewhere each time.
const (
	runIn    = 30 * time.Second
	seedStep = 11 * time.Second
	seedMost = 8
)

// Begin makes the host of an exercise, and breaks it. The host has no journal: its changes are the operator's.
func Begin(ctx context.Context, e *exercise.Exercise, seed uint64) (*Course, *driver.Host, error) {
	if seed == 0 {
		return nil, nil, errors.New("the seed of an exercise must be at least 1")
	}
	d := description.Default()
	for _, named := range description.NamedLabs() {
		if named.Name == e.Lab {
			var err error
			if d, err = description.ParseText(named.Text()); err != nil {
				return nil, nil, err
			}
		}
	}
	quieten(d)
	made, err := device.New(d, seed)
	if err != nil {
		return nil, nil, err
	}
	e = e.At(seed)
	h := driver.NewHost(made)
	h.Advance(runIn + time.Duration(seed%seedMost)*seedStep)
	if h, err = run(ctx, h, "prepare", e.Prepare); err != nil {
		return nil, nil, err
	}
	c := &Course{Exercise: e, Seed: seed, healthy: h.Clone()}
	if h, err = run(ctx, h, "break", e.Break); err != nil {
		return nil, nil, err
	}
	h.Advance(time.Duration(e.Settle))
	c.healthy.Advance(h.Now().Sub(c.healthy.Now()))
	if h, err = withoutJournal(d, h); err != nil {
		return nil, nil, err
	}
	c.Began, c.carried, c.broken = h.Now(), traffic(h), h.Clone()
	return c, h, nil
}

// quieten stops what the lab does wrong by itself now and then: its scheduled faults and the bursts of its workloads. What Diagnose warns of
// is then the exercise's fault.
func quieten(d *description.Description) {
	d.Faults = nil
	for i := range d.Flows {
		if f := &d.Flows[i]; f.Rhythm.Kind == description.Burst {
			f.Idle = true
		}
	}
}

// run runs lines of exec on a host and returns it.
func run(ctx context.Context, h *driver.Host, what string, lines []string) (*driver.Host, error) {
	if len(lines) == 0 {
		return h, nil
	}
	source, err := lab.New(h)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := RunLines(ctx, hosts.OnLab(source, nil, nil), what, lines, &out); err != nil {
		return nil, err
	}
	return source.Host(), nil
}

// RunLines runs lines of exec on a host; the error names the line that failed. A line that reports findings does not fail.
func RunLines(ctx context.Context, host exec.Host, what string, lines []string, out io.Writer) error {
	var problem bytes.Buffer
	runner := exec.Runner{
		Table: catalog.Commands(), Open: func(context.Context) (exec.Host, error) { return host, nil }, Out: out, Err: &problem, InBytes: false,
	}
	for _, line := range lines {
		problem.Reset()
		if status := runner.Script(ctx, strings.NewReader(line)); status != exec.Done && problem.Len() > 0 {
			return fmt.Errorf("%s: the line %s fails: %s", what, line, strings.TrimPrefix(strings.TrimSpace(problem.String()), "cxdeck: "))
		}
	}
	return nil
}

// withoutJournal returns a host that has no changes to undo.
func withoutJournal(d *description.Description, h *driver.Host) (*driver.Host, error) {
	data, err := h.Save()
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	fields["journal"] = json.RawMessage("[]")
	if data, err = json.Marshal(fields); err != nil {
		return nil, err
	}
	return driver.RestoreHost(d, data)
}
