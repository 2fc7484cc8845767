package catalog

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
	"cxdeck/views/exec"
	"cxdeck/views/exec/hosts"
)

// TestOnMonitor runs commands on a host that a monitor owns.
func TestOnMonitor(t *testing.T) {
	t.Parallel()
	model, err := device.New(description.Default(), 7)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	monitor, err := monitor.New(source, monitor.Options{Interval: time.Second, Speed: monitor.MaxSpeed})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- monitor.Run(ctx) }()
	for at := monitor.Status().Info.Started; !monitor.Status().Now.After(at.Add(2 * time.Second)); {
		<-monitor.Updates()
	}
	var changes []string
	var out, errs bytes.Buffer
	host := hosts.OnMonitor(monitor, monitor.Notify(func(entry driver.Entry) { changes = append(changes, entry.Plan.Title) }))
	runner := exec.Runner{Table: Commands(), Open: func(context.Context) (exec.Host, error) { return host, nil }, Out: &out, Err: &errs}
	for _, c := range []struct {
		line string
		want exec.Status
		says string
	}{
		{`cable pull "Ethernet 7"`, exec.Done, "Pull the cable of Ethernet 7: done."},
		{`cable pull "Ethernet 7"`, exec.Done, "nothing changes"},
		{"adapter list", exec.Done, "no cable"},
		{"events --severity warning", exec.Done, "link is down"},
		{"undo 1", exec.Done, "Undo: Pull the cable of Ethernet 7: done."},
		{"undo", exec.Failed, "nothing to undo"},
		{"journal", exec.Done, "undid 1"},
		{"advance 1s", exec.Failed, "its time passes automatically"},
		{"counters --interval 1s", exec.Failed, "its time passes automatically"},
		{`counters "\cxdeck Port(Ethernet 5)\Bytes Received/sec"`, exec.Done, "b/s"},
	} {
		out.Reset()
		errs.Reset()
		words, err := Commands().Split(c.line)
		if err != nil {
			t.Fatal(err)
		}
		if got := runner.Run(ctx, words); got != c.want || !strings.Contains(out.String()+errs.String(), c.says) {
			t.Errorf("%s: status %d, %s%s", c.line, got, out.String(), errs.String())
		}
	}
	if strings.Join(changes, "; ") != "Pull the cable of Ethernet 7; Undo: Pull the cable of Ethernet 7" {
		t.Errorf("notified of %q", changes)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := runner.Run(t.Context(), []string{"adapter", "list"}); got != exec.Failed {
		t.Errorf("a monitor that has ended: %d", got)
	}
}

// TestShortSetNeedsNoNameForOnePort: mlx5cmd -Set without -Name sets the only WinOF-2 connection.
func TestShortSetNeedsNoNameForOnePort(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(d *description.Description) {
		d.Adapters[0].Ports = d.Adapters[0].Ports[:1]
		d.Adapters = []description.Adapter{d.Adapters[0], d.Adapters[2]}
		d.Flows, d.Faults, d.Switches, d.Machines = nil, nil, nil, nil
	})
	if status := b.Run(t.Context(), []string{"mlx5cmd", "-Set", "-DcqcnEnablePrio5", "1"}); status != exec.Done {
		t.Fatalf("status %d: %s", status, b.errs.String())
	}
	b.out.Reset()
	if b.Run(t.Context(), []string{"mlx5cmd", "-RegKeys", "|", "grep", "DcqcnEnablePrio5"}); !strings.Contains(b.out.String(), "DcqcnEnablePrio5  1         1") {
		t.Error(b.out.String())
	}
}
