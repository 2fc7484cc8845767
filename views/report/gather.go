package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/compare"
	"cxdeck/store"
	"cxdeck/views/comparison"
)

// Document is the contents of a report, as text that is not escaped yet.
type Document struct {
	Title string
	// Created is the time of the report, Version the version of cxdeck that made it.
	Created time.Time
	Version string
	Session store.Session
	From    time.Time
	To      time.Time
	// Zone is the time zone of the report.
	Zone     *time.Location
	InBytes  bool
	Findings []Finding
	Host     []perf.Field
	// Devices are the adapters, ports, functions, teams and VLANs, in the order of a tree.
	Devices []Device
	Keys    []Key
	// Assumed lists the facts of a twin that no export of its host had; it is empty if the lab is not known here.
	Assumed []string
	// HostProblem is the reason why there is no registry and no machine, a sentence; empty if the host is known.
	HostProblem     string
	Switches        []Switch
	Machines        []Machine
	Charts          []Chart
	ChangedCounters []ChangedCounter
	// ComparedPeriods describes the two compared periods.
	ComparedPeriods string
	Events          []eventlog.Event
	// HiddenEvents is the number of older events that are left out.
	HiddenEvents int
	Changes      []driver.Entry
	Marks        []store.Mark
}

// Finding is a remark on the session.
type Finding struct {
	Severity eventlog.Severity
	Text     string
}

// Device is one row of the inventory. Depth is 0 for adapters.
type Device struct {
	Depth               int
	Name, Detail, State string
	Speed               string
	Fields              []perf.Field
}

// Key is a registry key whose stored value differs from the value of a fresh installation.
type Key struct{ Connection, Name, Stored, Effective, Default, Why string }

// Switch is a virtual switch with its connection or team.
type Switch struct{ Name, Connection, Kind string }

// Machine is a virtual machine; Adapters lists its adapters with the paths of their traffic.
type Machine struct{ Name, State, Adapters string }

// ChangedCounter is a counter that differs between the last part of the range and the period before it.
type ChangedCounter struct{ Counter, Before, After, Change, Percent, Deviations string }

// Options select the contents of the report.
type Options struct {
	Session int64
	// From and To bound the report; zero is the start or end of the session.
	From, To time.Time
	Zone     *time.Location
	InBytes  bool
	Version  string
	Now      time.Time
	// Restore makes a host from a snapshot; nil without a lab.
	Restore comparison.Restore
}

const (
	maxEvents  = 500
	maxChanged = 20
)

// ErrNoSamples is returned for a session or range without samples.
var ErrNoSamples = errors.New("no samples")

// Gather reads the contents of the report of a session. progress may be nil.
func Gather(ctx context.Context, db *store.DB, o Options, progress func(done, all int)) (*Document, error) {
	session, err := db.Session(ctx, o.Session)
	if err != nil {
		return nil, err
	}
	if session.Samples == 0 {
		return nil, fmt.Errorf("session %d has %w", session.ID, ErrNoSamples)
	}
	source, err := db.Replay(ctx, session.ID)
	if err != nil {
		return nil, err
	}
	defer source.Close() //nolint:errcheck // nothing was written
	d := &Document{
		Created: o.Now, Version: o.Version, Session: session, Zone: o.Zone, InBytes: o.InBytes, From: o.From, To: o.To,
		Title: fmt.Sprintf("%s, session %d", session.Host, session.ID),
	}
	first, last := source.(perf.Seeker).Span()
	if d.From.IsZero() || d.From.Before(first) {
		d.From = first
	}
	if d.To.IsZero() || d.To.After(last) {
		d.To = last
	}
	// The inventory and the host are as they were at the end of the range.
	for _, at := range []time.Time{d.From, d.To} {
		var column perf.Column
		if err := source.(perf.Seeker).Seek(at); err != nil {
			return nil, err
		}
		if err := source.Next(ctx, 0, &column); err != nil || at.Equal(d.From) && column.Time.After(d.To) {
			return nil, fmt.Errorf("session %d has %w from %s to %s", session.ID, ErrNoSamples, d.clock(d.From), d.clock(d.To))
		}
	}
	inventory := source.Inventory()
	d.addDevices(inventory)
	if err := d.addRecords(ctx, db); err != nil {
		return nil, err
	}
	if err := d.addHost(ctx, db, o.Restore); err != nil {
		return nil, err
	}
	if err := d.addCharts(ctx, source, inventory, progress); err != nil {
		return nil, err
	}
	if err := d.addChangedCounters(ctx, source); err != nil {
		return nil, err
	}
	d.addFindings(inventory)
	return d, nil
}

func (d *Document) clock(t time.Time) string { return t.In(d.Zone).Format(time.DateTime) }

func (d *Document) addDevices(inventory *perf.Inventory) {
	for i := range inventory.Nodes {
		n := &inventory.Nodes[i]
		device := Device{Name: n.Name, Detail: n.Detail, State: stateText(n), Speed: n.SpeedText, Fields: n.Identity}
		for parent := n.Parent; parent >= 0 && parent < i && device.Depth < 8; parent = inventory.Nodes[parent].Parent {
			device.Depth++
		}
		d.Devices = append(d.Devices, device)
	}
}

func stateText(n *perf.Node) string {
	word := [...]string{"", "running", "stopped", "restarting", "failed", "up", "down"}[min(int(n.State), 6)]
	if n.StateText != "" {
		word = strings.TrimSpace(word + " " + n.StateText)
	}
	if n.Pending != "" {
		word += ", " + n.Pending
	}
	return word
}

// addRecords reads the events, changes and marks within the range.
func (d *Document) addRecords(ctx context.Context, db *store.DB) error {
	within := func(t time.Time) bool { return !t.Before(d.From) && !t.After(d.To) }
	events, err := db.SessionEvents(ctx, d.Session.ID)
	if err != nil {
		return err
	}
	d.Events = slices.DeleteFunc(events, func(e eventlog.Event) bool { return !within(e.Time) })
	if d.Changes, err = db.SessionJournal(ctx, d.Session.ID); err != nil {
		return err
	}
	d.Changes = slices.DeleteFunc(d.Changes, func(e driver.Entry) bool { return !within(e.Time) })
	if d.Marks, err = db.Marks(ctx, d.Session.ID); err != nil {
		return err
	}
	d.Marks = slices.DeleteFunc(d.Marks, func(m store.Mark) bool { return m.To.Before(d.From) || m.From.After(d.To) })
	return nil
}

// addHost adds the system, registry keys and machines of the host; without a host, it sets NoHost.
func (d *Document) addHost(ctx context.Context, db *store.DB, restore comparison.Restore) error {
	d.Host = []perf.Field{{Label: "Name", Value: d.Session.Host}}
	if source := d.Session.Source; source.Twin != "" {
		d.Host = append(d.Host, perf.Field{Label: "Twin of", Value: source.Twin}, perf.Field{Label: "Assumed", Value: wording.Count(source.Assumed, "fact")})
	}
	host, err := comparison.HostAt(ctx, db, d.Session, d.To, restore)
	if err != nil {
		d.HostProblem = wording.UpperFirst(err.Error()) + "."
		return ctx.Err()
	}
	if twin := host.Lab().Description().Twin; twin != nil {
		d.Assumed = twin.Assumed
	}
	view := host.View()
	d.Host = append(d.Host, perf.Field{Label: "System", Value: view.System},
		perf.Field{Label: "Processors", Value: fmt.Sprintf("%d in %d NUMA nodes", view.Processors(), view.NUMANodes)})
	for i := range view.Adapters {
		for j := range view.Adapters[i].Ports {
			if err := d.addKeys(host, view.Adapters[i].Ports[j].Description.Connection); err != nil {
				return err
			}
		}
	}
	d.addVirtual(view)
	return nil
}

func (d *Document) addKeys(host *driver.Host, connection string) error {
	keys, err := host.Keys(connection)
	if err != nil {
		return err
	}
	for i := range keys {
		k := &keys[i]
		fresh := k.Default.String()
		same := k.Stored.String() == fresh
		if !k.Stored.Exists() { // the driver uses its default
			same = !k.Effective.Exists() || k.Effective.String() == fresh
		}
		if k.Reason == "" && same {
			continue
		}
		d.Keys = append(d.Keys, Key{connection, k.Row.Name, valueText(k.Stored.String()), valueText(k.Effective.String()), valueText(k.Default.String()), k.Reason})
	}
	return nil
}

func valueText(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// addChangedCounters compares the last part of the range with the period before it.
func (d *Document) addChangedCounters(ctx context.Context, source perf.Source) error {
	length := d.To.Sub(d.From) / comparison.LastPart
	if length < d.Session.Interval {
		return nil
	}
	samples, err := comparison.Recording(source, d.Session.Interval)
	if err != nil {
		return err
	}
	subject := &comparison.Subject{Name: fmt.Sprintf("session %d", d.Session.ID), Session: d.Session.ID, Samples: samples}
	found, err := comparison.WhatChanged(ctx, subject, compare.Range{From: d.To.Add(-length), To: d.To}, nil)
	if errors.Is(err, comparison.ErrNothingBefore) {
		return nil
	}
	if err != nil {
		return err
	}
	d.ComparedPeriods = fmt.Sprintf("%s to %s, compared with the period from %s: %s",
		d.clock(found.Second.From), d.clock(found.Second.To), d.clock(found.First.From), found.Sentence(d.InBytes))
	for i := range found.Counters {
		if difference := &found.Counters[i]; difference.BeyondNoise() && len(d.ChangedCounters) < maxChanged {
			d.ChangedCounters = append(d.ChangedCounters, ChangedCounter{difference.Series.Path(), difference.Number(difference.Before.Mean, d.InBytes), difference.Number(difference.After.Mean, d.InBytes),
				difference.Number(difference.Change, d.InBytes), difference.Percentage(), difference.Sigma()})
		}
	}
	return nil
}

// addFindings adds the findings that an engineer would check first, the most severe first.
func (d *Document) addFindings(inventory *perf.Inventory) {
	var ports []string
	for i := range inventory.Nodes {
		if inventory.Nodes[i].Kind == perf.PortNode {
			ports = append(ports, inventory.Nodes[i].Name)
		}
	}
	add := func(severity eventlog.Severity, format string, arguments ...any) {
		d.Findings = append(d.Findings, Finding{severity, fmt.Sprintf(format, arguments...)})
	}
	seen := map[string]bool{}
	for i := range inventory.Nodes {
		n := &inventory.Nodes[i]
		if n.State == perf.StateFailed || n.State == perf.StateDown {
			add(eventlog.Warning, "%s is %s.", n.Name, stateText(n))
		}
		for _, finding := range n.Health {
			text := n.Name + ": " + finding.Text
			if n.Kind == perf.AdapterNode && slices.Contains(ports, strings.SplitN(finding.Text, ": ", 2)[0]) {
				text = finding.Text // an adapter repeats the findings of its ports
			}
			if finding.Severity > eventlog.Information && !seen[text] {
				seen[text] = true
				add(finding.Severity, "%s", text)
			}
		}
	}
	var counts [eventlog.Error + 1]int
	for i := range d.Events {
		counts[min(d.Events[i].Severity, eventlog.Error)]++
	}
	if n := counts[eventlog.Error]; n > 0 {
		add(eventlog.Error, "%s.", wording.Counted(n, "event is an error", "events are errors"))
	}
	if n := counts[eventlog.Warning]; n > 0 {
		add(eventlog.Warning, "%s.", wording.Counted(n, "event is a warning", "events are warnings"))
	}
	for _, chart := range d.Charts {
		if chart.Drops && chart.Peak > 0 {
			add(eventlog.Warning, "%s: up to %s.", chart.Title, chart.Number(chart.Peak, d.InBytes))
		}
	}
	if inventory.PendingValues > 0 {
		add(eventlog.Information, "%s a restart to take effect.", wording.Counted(inventory.PendingValues, "registry value waits for", "registry values wait for"))
	}
	if n := len(d.Changes); n > 0 {
		add(eventlog.Information, "%s in this period.", wording.Counted(n, "change was made", "changes were made"))
	}
	slices.SortStableFunc(d.Findings, func(a, b Finding) int { return int(b.Severity) - int(a.Severity) })
	if hidden := len(d.Events) - maxEvents; hidden > 0 {
		d.Events, d.HiddenEvents = d.Events[hidden:], hidden
	}
}
