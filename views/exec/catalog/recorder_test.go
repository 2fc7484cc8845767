package catalog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/hosts"
)

// kept is a Recorder that keeps all data in memory.
type kept struct {
	columns []time.Time
	events  []eventlog.Event
	journal []driver.Entry
	saves   int
}

func (k *kept) Begin(context.Context, driver.Plan, uint64) (func() error, error) {
	return func() error { return nil }, nil
}
func (k *kept) Save(*driver.Host) error      { k.saves++; return nil }
func (k *kept) Column(c *perf.Column)        { k.columns = append(k.columns, c.Time) }
func (k *kept) Events(list []eventlog.Event) { k.events = append(k.events, list...) }
func (k *kept) Journal(entry driver.Entry)   { k.journal = append(k.journal, entry) }

// TestLabIsRecorded: the recorder gets each sample, event and change once, in order.
func TestLabIsRecorded(t *testing.T) {
	t.Parallel()
	d := description.Default()
	model, err := device.New(d, 7)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	record := &kept{}
	host := hosts.OnLab(source, record, nil)
	var out bytes.Buffer
	runner := exec.Runner{Table: Commands(), Open: func(context.Context) (exec.Host, error) { return host, nil }, Out: &out, Err: &out}
	start := source.Host().Now()
	if status := runner.Script(t.Context(), strings.NewReader("advance 3s\ncable pull 'Ethernet 7'\nadvance 1s\nadapter list\nundo 1 --yes\n")); status != exec.Done {
		t.Fatal(out.String())
	}
	var seconds []float64
	for _, at := range record.columns {
		seconds = append(seconds, at.Sub(start).Seconds())
	}
	if got := fmt.Sprint(seconds); got != "[0 1 2 3 3 4]" {
		t.Errorf("samples after %s s", got)
	}
	if len(record.journal) != 2 || record.journal[0].Sequence != 1 || record.journal[1].Undoes != 1 {
		t.Errorf("changes: %+v", record.journal)
	}
	for i, e := range record.events {
		if e.Sequence != uint64(i)+1 {
			t.Fatalf("event %d has the number %d", i+1, e.Sequence)
		}
	}
	if down := strings.Count(fmt.Sprint(record.events), "link is down"); down == 0 {
		t.Error("no event of the cable")
	}
	if err := host.Close(); err != nil || record.saves == 0 {
		t.Errorf("%d saves, %v", record.saves, err)
	}
	saves := record.saves
	if err := host.Close(); err != nil || record.saves != saves {
		t.Errorf("a host that did not change is saved again: %v", err)
	}
	if err := host.Reset(t.Context()); err == nil || !strings.Contains(err.Error(), "can't be reset") {
		t.Errorf("reset: %v", err)
	}
}

// TestElsewhere checks commands while another process owns the host: they run there, and the host is opened again if that process
// ends.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status exec.Status
		err    error
		want   exec.Status
		says   string
		opened int
	}{
		"it runs there":       {status: exec.Done, want: exec.Done},
		"it fails there":      {status: exec.Failed, want: exec.Failed},
		"the owner ended":     {err: exec.ErrOwnerEnded, want: exec.Done, says: "Ethernet 7", opened: 1},
		"it was interrupted":  {err: context.Canceled, want: exec.Failed, says: "interrupted; completed changes are kept"},
		"it can't be reached": {err: errors.New("no answer"), want: exec.Failed, says: "no answer"},
	} {
		b := newBench(t, nil)
		var logged []string
		opened := 0
		b.Log = func(line string, status exec.Status) { logged = append(logged, fmt.Sprint(line, " ", status)) }
		b.Open = func(context.Context) (exec.Host, error) { opened++; return b.host, nil }
		b.Elsewhere = func(_ context.Context, words []string, place string) (exec.Status, error) {
			if strings.Join(words, " ") != "adapter list" || place != "" {
				t.Errorf("%s: %q, %q", name, words, place)
			}
			return c.status, c.err
		}
		status := b.Run(t.Context(), []string{"adapter", "list"})
		if said := b.out.String() + b.errs.String(); status != c.want || opened != c.opened || (c.says == "") != (said == "") || !strings.Contains(said, c.says) {
			t.Errorf("%s: status %d, opened %d times, %q", name, status, opened, said)
		}
		if want := fmt.Sprint("adapter list ", c.want); len(logged) != 1 || logged[0] != want {
			t.Errorf("%s: the log has %q", name, logged)
		}
	}
	b := newBench(t, nil)
	b.Unwritable = errors.New("the disk is full")
	if b.script("adapter list") != exec.Done || b.script("cable pull 'Ethernet 7'") != exec.Failed || !strings.Contains(b.errs.String(), "the disk is full") {
		t.Errorf("%q", b.errs.String())
	}
}
