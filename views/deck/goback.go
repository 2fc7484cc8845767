package deck

import (
	"context"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
)

// OpenPast opens an earlier time of hosts of a fleet, as a recording.
type OpenPast func(ctx context.Context, hosts []string) (perf.Source, error)

// GoneBackMsg contains the past that GoBack has opened. The screen that called GoBack passes it to TakePast.
type GoneBackMsg struct {
	of     *goingBack
	replay *Replay
	err    error
}

// goingBack is a past that is being opened.
type goingBack struct {
	hosts  []string
	cancel context.CancelFunc
}

// defaultPastInterval is the time between two samples if the source doesn't say it.
const defaultPastInterval = 15 * time.Second

// HostsOf returns the hosts of a fleet that instances belong to, each once, in the order of the instances.
func (d *Deck) HostsOf(instances []string) (hosts []string) {
	if d.Live == nil {
		return nil
	}
	of := map[string]string{}
	inventory := d.Live.Inventory()
	for i := range inventory.Nodes {
		if n := &inventory.Nodes[i]; n.Kind == perf.HostNode {
			for _, instance := range n.Instances {
				of[instance] = n.Name
			}
		}
	}
	known := map[string]bool{}
	for _, instance := range instances {
		if host := of[instance]; host != "" && !known[host] {
			known[host] = true
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// InPast reports whether the screens show an earlier time of hosts of a fleet.
func (d *Deck) InPast() bool { return d.past != nil }

// CannotGoBack returns why there is no way to an earlier time of a fleet; empty if there is one.
func (d *Deck) CannotGoBack() string {
	switch {
	case d.OpenPast == nil:
		return "only a fleet has a past: History has the recorded sessions"
	case d.past != nil:
		return "an earlier time is shown already"
	case d.goingBack != nil:
		return "an earlier time is being read; X cancels it"
	}
	return ""
}

// GoBack opens the past of hosts at a time, outside the terminal loop; the screen gets a GoneBackMsg.
func (d *Deck) GoBack(hosts []string, at time.Time) ui.Cmd {
	if d.CannotGoBack() != "" || len(hosts) == 0 {
		return nil
	}
	going := &goingBack{hosts: hosts}
	run, cancel := context.WithCancel(context.Background())
	going.cancel = cancel
	d.goingBack = going
	open := d.OpenPast
	return ui.Background("Go back in time on "+strings.Join(hosts, ", "), func(ctx context.Context) ui.Msg {
		defer context.AfterFunc(ctx, cancel)()
		replay, err := loadPast(run, open, hosts, at)
		return GoneBackMsg{of: going, replay: replay, err: err}
	})
}

// loadPast opens the past of hosts, paused at a time.
func loadPast(ctx context.Context, open OpenPast, hosts []string, at time.Time) (*Replay, error) {
	source, err := open(ctx, hosts)
	if err != nil {
		return nil, err
	}
	interval := defaultPastInterval
	if stepped, ok := source.(interface{ RowDistance() time.Duration }); ok {
		interval = max(monitor.MinInterval, min(stepped.RowDistance(), monitor.MaxInterval))
	}
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	m, err := monitor.New(source, monitor.Options{Interval: interval, Speed: 1})
	if err != nil {
		stop()
		_ = source.Close()
		return nil, err
	}
	r := &Replay{Monitor: m, stop: stop, ended: make(chan struct{})}
	err = m.SetPaused(true)
	go func() {
		defer close(r.ended)
		_ = m.Run(run) // its error shows in the monitor's status
	}()
	if err == nil {
		err = m.Seek(ctx, at)
	}
	if err != nil {
		r.Stop()
		return nil, err
	}
	return r, nil
}

// TakePast shows the past that GoBack has opened, unless it was cancelled.
func (d *Deck) TakePast(msg GoneBackMsg) ui.Cmd {
	if msg.of != d.goingBack || d.goingBack == nil {
		if msg.replay != nil {
			msg.replay.Stop()
			d.ending = append(d.ending, msg.replay.ended)
		}
		return nil
	}
	d.goingBack = nil
	msg.of.cancel()
	if msg.err != nil {
		return ui.Toast(ui.Failure, wording.UpperFirst(msg.err.Error()))
	}
	d.past, d.Replay = msg.replay, msg.replay.Monitor
	return ui.Batch(ui.Follow(replayFeed, msg.replay.Monitor.Updates()), showNow,
		ui.Toast(ui.Note, fmt.Sprintf("This is the past of %s; X returns to the present.", strings.Join(msg.of.hosts, ", "))))
}

// closePast ends a past, or the reading of one.
func (d *Deck) closePast() {
	if d.goingBack != nil {
		d.goingBack.cancel()
		d.goingBack = nil
	}
	if d.past != nil {
		d.past.Stop()
		d.ending = append(d.ending, d.past.ended)
		d.past, d.Replay = nil, nil
	}
}

// returnAction returns from a past to the present, or cancels the way there.
func (d *Deck) returnAction(a ui.Action) ui.Action {
	a.Hidden = false
	if d.goingBack != nil {
		a.Name, a.Object = "cancel going back", strings.Join(d.goingBack.hosts, ", ")
		a.Run = func() ui.Cmd {
			d.closePast()
			return ui.Toast(ui.Note, "The screens stay in the present.")
		}
		return a
	}
	a.Name = "return to present"
	a.Object = d.past.Monitor.Status().Info.Name
	a.Run = func() ui.Cmd {
		return ui.Batch(d.CloseReplay(), ui.Toast(ui.Note, "The screens show the present again."))
	}
	return a
}
