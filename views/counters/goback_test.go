package counters

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// fleetSource is a generated source of a host with one port.
type fleetSource struct{ *madeUp }

func (f fleetSource) Inventory() *perf.Inventory {
	return &perf.Inventory{Host: "TEST", Nodes: []perf.Node{
		{ID: "web-1", Parent: -1, Kind: perf.HostNode, Name: "web-1", Instances: []string{"Port 1"}},
		{ID: "p", Parent: 0, Kind: perf.PortNode, Name: "Port 1", Instances: []string{"Port 1"}},
	}}
}

// pastSource is the hour before the generated source.
type pastSource struct {
	fleetSource
	at time.Time
}

func (p *pastSource) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: perf.PastSource, Name: "web-1", Host: "TEST", Started: began.Add(-time.Hour)}
}
func (p *pastSource) Span() (from, to time.Time) { return began.Add(-time.Hour), began.Add(time.Hour) }
func (p *pastSource) Seek(to time.Time) error    { p.at = to; return nil }
func (p *pastSource) Next(_ context.Context, interval time.Duration, column *perf.Column) error {
	if p.at.After(began.Add(time.Hour)) {
		return io.EOF
	}
	column.Time = p.at
	column.Grow(p.schema.Cells)
	column.Cells[0], column.Cells[2] = p.at.Unix()*250, p.at.Unix()*500
	p.at = p.at.Add(interval)
	return nil
}

// TestBackInTimeOnAHost goes back from the present of a fleet, moves there, and returns; a slow server blocks no key.
func TestBackInTimeOnAHost(t *testing.T) {
	t.Parallel()
	source := newMadeUp(t, 1)
	source.kind = perf.FleetSource
	p := &play{t: t, source: source}
	p.deck = viewtest.WatchWith(t, fleetSource{source}, monitor.Options{Interval: monitor.MinInterval})
	p.screen, p.Stage = staged(t, p.deck)
	var asked []string
	var wait chan struct{}
	var failure error
	p.deck.OpenPast = func(ctx context.Context, hosts []string) (perf.Source, error) {
		asked = hosts
		if wait != nil {
			select {
			case <-wait:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if failure != nil {
			return nil, failure
		}
		return &pastSource{fleetSource: fleetSource{newMadeUp(t, 1)}}, nil
	}
	p.step(3)
	present := p.screen.status.Now
	p.Press("{")
	p.WaitIdle()
	p.Want("past of web-1; X returns to the present")
	if !p.deck.InPast() || strings.Join(asked, ",") != "web-1" || len(p.screen.curves) == 0 {
		t.Fatalf("it is not the past of the host: %v", asked)
	}
	if now := p.screen.status.Now; !now.Equal(present.Add(-time.Minute)) {
		t.Errorf("the past is at %s, the present at %s", now, present)
	}
	p.Press("(")
	if now := p.screen.status.Now; !now.Equal(present.Add(-70 * time.Second)) {
		t.Errorf("10 s back is %s", now)
	}
	if why := p.deck.CannotChange(); !strings.Contains(why, "X returns") {
		t.Errorf("a change of the past is refused with %q", why)
	}
	p.Press("X")
	p.Want("The screens show the present again.", "go back")
	if p.deck.InPast() || p.deck.Recorded() {
		t.Error("it is still the past")
	}
	p.Press("@")
	p.Type("13:20")
	p.Press("enter")
	p.WaitIdle()
	if now := p.screen.status.Now; !now.Equal(began.Add(-40 * time.Minute)) {
		t.Errorf("a typed time leads to %s", now)
	}
	p.Press("X")

	failure = errors.New("the Prometheus at x can't be read: it answers with status 502")
	p.Press("{")
	p.WaitIdle()
	p.Want("status 502")
	failure, wait = nil, make(chan struct{})
	for _, action := range p.screen.Actions() {
		if action.ID == "counters.go-back" {
			p.Shell.Send(action.Run()())
			if p.deck.CannotGoBack() == "" {
				t.Error("two pasts can be opened")
			}
			p.Shell.Send(ui.KeyMsg{Name: "X"}) // the work is not idle yet
			p.WaitIdle()
			p.Want("The screens stay in the present.")
			if p.deck.InPast() || p.deck.CannotGoBack() != "" {
				t.Error("a cancelled past is shown, or hinders the next one")
			}
		}
	}
}
