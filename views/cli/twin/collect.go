package twin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/linuxhost"
	"cxdeck/driver/script"
	"cxdeck/driver/twin"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
)

// errNoAdapters is the error for a machine without ConnectX adapters.
var errNoAdapters = errors.New("this machine has no ConnectX adapter; nothing was written")

// collect writes the bundle of a machine into a file with mode 0600, and returns a sentence about it. open opens the counters of the machine.
// Without replace it fails if the file exists.
func collect(ctx context.Context, m *linuxhost.Machine, open func() (perf.Source, error), path string, now time.Time, sampling *Sampling, replace bool) (string, error) {
	bundle := twin.NewBundle(m, now)
	d, err := checkBundle(bundle, now)
	if err != nil {
		return "", err
	}
	if sampling.Count >= leastSamples { // only now: a machine without an adapter needs no samples
		if bundle.Samples, err = sampleMachine(ctx, open, sampling); err != nil {
			return "", fmt.Errorf("the counters can't be sampled: %w", err)
		}
	}
	data, err := json.MarshalIndent(bundle, "", " ")
	if err != nil {
		return "", fmt.Errorf("the bundle can't be encoded: %w", err)
	}
	data = append(data, '\n')
	err = deck.WriteFiles([]script.File{{Path: path, Data: data}}, replace)
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", fmt.Errorf("%s exists; --force replaces it", exec.Clean(path))
	case err != nil:
		return "", fmt.Errorf("the bundle can't be written: %w", exec.FailureReason(err))
	}
	row := RowOf("", d)
	text := fmt.Sprintf("The bundle of %s is in %s, readable only by you: %s with %s.", exec.Clean(row.Host), exec.Clean(path),
		wording.Count(row.Adapters, "adapter"), wording.Count(row.Ports, "port"))
	if s := bundle.Samples; s != nil {
		text += fmt.Sprintf(" It has %d samples of %s.", len(s.Times), wording.Count(len(s.Counters), "counter"))
	}
	if len(m.Unread) > 0 {
		text += fmt.Sprintf(" It lacks %s that could not be read; root can read more.", wording.Count(len(m.Unread), "part"))
	}
	return text + " cxdeck twin make NAME " + exec.Clean(path) + " makes a twin of it.", nil
}

// checkBundle returns the twin that a bundle would make.
func checkBundle(b *twin.Bundle, now time.Time) (*description.Description, error) {
	data, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("the bundle can't be encoded: %w", err)
	}
	facts := &twin.Facts{}
	if _, err := facts.Add("the bundle", data); err != nil {
		return nil, err
	}
	d, err := twin.New(facts, "check", now)
	if errors.Is(err, twin.ErrNoAdapter) {
		return nil, errNoAdapters
	}
	return d, err
}

func sampleMachine(ctx context.Context, open func() (perf.Source, error), sampling *Sampling) (*twin.Samples, error) {
	source, err := open()
	if err != nil {
		return nil, err
	}
	defer source.Close() //nolint:errcheck // nothing was written
	return sampling.take(ctx, source)
}
