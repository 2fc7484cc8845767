package fleet

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// The limits of a fleet.
const (
	maxHosts  = 5000
	maxSeries = 250_000
	maxValue  = 1e20 // above any counter of 64 bits
)

// warmUp is the time before the start whose counters give the first rates.
const warmUp = time.Minute

// target is a scraped address of a host.
type target struct {
	host *host
	// up is false after a failed scrape; scraped is the time of the newest scrape in seconds, elapsed the time since the one
	// before, 0 if there is no newer scrape than at the last look.
	up               bool
	scraped, elapsed float64
}

type host struct {
	name, job, instance string
	targets             []*target
	ports               map[string]*port
}

type port struct {
	name      string
	up, speed float64 // NaN if unknown
	instances []string
	// series of the console's own set, -1 for none
	receive, send, drops int
}

// seriesKey identifies a series of a port by what it counts and the number of its part: a priority or a function.
type seriesKey struct {
	port        *port
	place, part int32
}

// cell is a series of the schema.
type cell struct {
	of     *meaning
	target *target
	port   *port
	// raw is the newest value of a counter, in the unit of the meaning, before the one of the answer before, NaN for none.
	raw, before float64
	value       float64
	round       uint64
}

// Source is the fleet as a source of counters.
type Source struct {
	client  *client
	info    perf.SourceInfo
	now     func() time.Time
	targets map[string]*target
	hosts   map[string]*host
	// clusters tells hosts of the same name apart.
	clusters clusters
	// places are the indexes of series; series and cells have the same order.
	places map[seriesKey]int32
	// parts number the values of the labels priority and vf together.
	parts     map[string]int32
	series    []perf.Series
	cells     []cell
	round     uint64
	used      bool // the first column was read
	changed   bool // hosts, ports or series are new, or a state has changed
	schema    *perf.Schema
	inventory *perf.Inventory
	key       []byte
	notes     []string
	warned    string // the warning that was reported
	left      int    // series above the limit
	// selectors are the selectors of single series, in the order of cells; nil unless they are kept.
	selectors     []string
	keepSelectors bool
}

// Open reads the hosts of a server.
func Open(ctx context.Context, access Access) (*Source, error) {
	if access.Now == nil {
		access.Now = time.Now
	}
	return open(ctx, access, access.Now)
}

func open(ctx context.Context, access Access, now func() time.Time) (*Source, error) {
	client, err := newClient(access)
	if err != nil {
		return nil, err
	}
	address, _ := url.Parse(access.URL) // newClient has parsed it
	client.now = now
	s := newSource(client, now)
	s.info = perf.SourceInfo{Kind: perf.FleetSource, Name: perf.CleanText(address.Host, perf.NameLimit), Host: perf.CleanText(address.Host, perf.NameLimit), Started: now()}
	before := client.ahead
	for range 2 { // again if the clock of the server is another one
		for _, at := range []time.Duration{-warmUp, 0} {
			if err := s.read(ctx, now().Add(before+at)); err != nil {
				return nil, fmt.Errorf("the Prometheus at %s can't be read: %w", s.info.Name, err)
			}
		}
		if client.ahead == before {
			break
		}
		before = client.ahead
	}
	if len(s.series) == 0 {
		return nil, fmt.Errorf("the Prometheus at %s has no counters of adapters: neither of cxdeck serve nor of node_exporter", s.info.Name)
	}
	if s.left > 0 {
		s.notes = append(s.notes, fmt.Sprintf("%d series are left out: a fleet has at most %d hosts and %d series", s.left, maxHosts, maxSeries))
	}
	if client.ahead != 0 {
		s.notes = append(s.notes, fmt.Sprintf("the clock of Prometheus is %s this machine's: it is asked for the times of its own", skewText(client.ahead)))
	}
	if client.warning != "" {
		s.notes = append(s.notes, s.info.Name+" warns: "+client.warning)
	}
	s.warned = client.warning
	s.publish()
	return s, nil
}

// skewText says how far a clock is ahead of another one, or behind it.
func skewText(ahead time.Duration) string {
	word := " ahead of"
	if ahead < 0 {
		word = " behind"
	}
	return ahead.Abs().Round(time.Second).String() + word
}

// Events returns a warning of the server when it has changed: that its answer is partial, for instance.
func (s *Source) Events() []eventlog.Event {
	warning := s.client.warning
	if warning == s.warned {
		return nil
	}
	s.warned = warning
	event := eventlog.Event{Time: s.now(), Source: "cxdeck", Channel: "System", Severity: eventlog.Warning, Message: s.info.Name + " warns: " + warning}
	if warning == "" {
		event.Severity, event.Message = eventlog.Information, s.info.Name+" warns no longer"
	}
	return []eventlog.Event{event}
}

func newSource(client *client, now func() time.Time) *Source {
	return &Source{client: client, now: now, targets: map[string]*target{}, hosts: map[string]*host{}, clusters: clusters{shared: map[string]bool{}}, places: map[seriesKey]int32{}, parts: map[string]int32{}}
}

// Info describes the source.
func (s *Source) Info() perf.SourceInfo { return s.info }

// Schema returns the newest schema.
func (s *Source) Schema() *perf.Schema { return s.schema }

// Inventory returns the newest inventory.
func (s *Source) Inventory() *perf.Inventory { return s.inventory }

// Notes returns sentences for the operator.
func (s *Source) Notes() []string { return s.notes }

// Close ends the connections.
func (s *Source) Close() error {
	s.client.http.CloseIdleConnections()
	return nil
}

// Next asks the server; an answer that can't be used is a *perf.UnavailableError. The first column is of the answers at the start.
func (s *Source) Next(ctx context.Context, _ time.Duration, column *perf.Column) error {
	if s.used { // the answers at the start are the first column
		at := s.now().Add(s.client.ahead)
		if err := s.read(ctx, at); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return &perf.UnavailableError{Err: err}
		}
	}
	s.used = true
	s.fill(column, s.now())
	return nil
}

// fill writes the newest values to a column, and publishes a new schema where it is due.
func (s *Source) fill(column *perf.Column, at time.Time) {
	if s.changed {
		s.publish()
	}
	column.Time = at
	column.Grow(s.schema.Cells)
	for i := range s.cells {
		c := &s.cells[i]
		column.Cells[i] = perf.Missing
		if c.round == s.round && !math.IsNaN(c.value) {
			column.Cells[i] = int64(math.Float64bits(c.value))
		}
	}
}

// read asks for the state of the hosts at a time.
func (s *Source) read(ctx context.Context, at time.Time) error {
	s.round++
	ups := map[*target]bool{}
	if err := s.readUp(ctx, at, func(labels []label, up bool) {
		if t := s.targetOf(labels); t != nil {
			ups[t] = ups[t] || up // of several replicas
		}
	}); err != nil {
		s.round--
		return err
	}
	times := map[*target]float64{}
	if err := s.client.query(ctx, "timestamp(up)", at, func(labels []label, value float64) {
		if t := s.targetOf(labels); t != nil && times[t] == 0 { // of the first replica, as the counters
			times[t] = value
		}
	}); err != nil {
		s.round--
		return err
	}
	s.takeScrapes(at, ups, times)
	if err := s.client.query(ctx, selector(), at, s.take); err != nil {
		s.round--
		return err
	}
	return nil
}

// takeScrapes takes over whether the targets were scraped before a time, and when.
func (s *Source) takeScrapes(at time.Time, ups map[*target]bool, times map[*target]float64) {
	for _, t := range s.targets {
		if up := ups[t]; up != t.up {
			t.up, s.changed = up, true
		}
		scraped, known := times[t]
		if !known {
			scraped = seconds(at)
		}
		t.elapsed = 0
		if scraped > t.scraped {
			t.elapsed, t.scraped = scraped-t.scraped, scraped
		}
	}
}

// find returns the value of a label; nil for none.
func find(labels []label, name string) []byte {
	for i := range labels {
		if string(labels[i].name) == name {
			return labels[i].value
		}
	}
	return nil
}

// targetOf returns the target of a sample; nil above the limit of hosts, and for samples without an instance.
func (s *Source) targetOf(labels []label) *target {
	key := s.key[:0]
	for _, name := range identity {
		key = append(append(key, find(labels, name)...), 0)
	}
	for _, name := range s.clusters.labels {
		key = append(append(key, find(labels, name)...), 0)
	}
	s.key = key
	if t, known := s.targets[string(key)]; known {
		return t
	}
	name := targetName(labels)
	if name == "" {
		return nil
	}
	name += s.clusters.suffix(labels, name)
	h := s.hosts[name]
	if h == nil {
		if len(s.hosts) >= maxHosts {
			return nil
		}
		h = &host{name: name, job: perf.CleanText(string(find(labels, "job")), perf.NameLimit), instance: perf.CleanText(string(find(labels, "instance")), perf.NameLimit), ports: map[string]*port{}}
		s.hosts[name], s.changed = h, true
	}
	t := &target{host: h}
	h.targets = append(h.targets, t)
	s.targets[string(key)] = t
	return t
}

// ignored are the beginnings of the names of interfaces without hardware.
var ignored = []string{"lo", "veth", "docker", "br-", "virbr", "cni", "cali", "flannel", "tap", "vnet", "tunl"}

// take takes over a sample.
func (s *Source) take(labels []label, value float64) {
	name := find(labels, "__name__")
	of, known := meanings()[string(name)]
	device := find(labels, "device")
	if !known || len(device) == 0 {
		return
	}
	if strings.HasPrefix(string(name), "node_network") && slices.ContainsFunc(ignored, func(begin string) bool { return strings.HasPrefix(string(device), begin) }) {
		return
	}
	t := s.targetOf(labels)
	if t == nil {
		s.left++
		return
	}
	if math.IsInf(value, 0) || math.Abs(value) > maxValue {
		value = math.NaN() // no counter has it
	}
	number := find(labels, "port")
	s.key = append(s.key[:0], device...)
	if len(number) > 0 && strings.HasPrefix(string(name), "node_infiniband") {
		s.key = append(append(s.key, '/'), number...)
	}
	p := t.host.ports[string(s.key)]
	if p == nil {
		p = &port{name: perf.CleanText(string(s.key), perf.NameLimit), up: math.NaN(), speed: math.NaN(), receive: -1, send: -1, drops: -1}
		t.host.ports[string(s.key)], s.changed = p, true
	}
	switch {
	case (of.up || of.speed) && !(value >= 0):
		return
	case of.up:
		up := 0.0
		if value == of.active {
			up = 1
		}
		s.changed = s.changed || p.up != up
		p.up = up
		return
	case of.speed:
		s.changed = s.changed || p.speed != value*of.factor
		p.speed = value * of.factor
		return
	}
	for ; of != nil; of = of.also {
		s.takeCounter(t, p, of, labels, value*of.factor)
	}
}

// takeCounter takes over the value of a counter in its unit.
func (s *Source) takeCounter(t *target, p *port, of *meaning, labels []label, value float64) {
	priority, function := find(labels, "priority"), find(labels, "vf")
	s.key = append(append(append(s.key[:0], priority...), 0), function...)
	number, known := s.parts[string(s.key)]
	if !known {
		number = int32(len(s.parts))
		s.parts[string(s.key)] = number
	}
	key := seriesKey{p, of.place, number}
	at, known := s.places[key]
	if !known {
		if len(s.cells) >= maxSeries {
			s.left++
			return
		}
		at = int32(s.add(t, p, of, string(priority), string(function)))
		if s.keepSelectors {
			s.selectors = append(s.selectors, selectorOf(labels))
		}
		s.places[key] = at
	}
	c := &s.cells[at]
	if c.target != t || c.of != of && (!of.sum || !c.of.sum) {
		return // another exporter counts the same
	}
	if !of.counts() {
		c.round, c.value = s.round, value
		return
	}
	if first := c.round != s.round; first {
		previous := c.raw
		if c.round != s.round-1 { // it was not in the answer before
			previous = math.NaN()
		}
		c.round = s.round
		if t.elapsed == 0 && !math.IsNaN(previous) {
			c.before = math.Inf(1) // no newer scrape: the rate holds
			return
		}
		c.before, c.raw = previous, value
	} else {
		if math.IsInf(c.before, 1) || !of.sum {
			return
		}
		c.raw += value
	}
	c.value = math.NaN()
	if c.raw >= c.before && t.elapsed > 0 {
		c.value = (c.raw - c.before) / t.elapsed
	}
}

// add adds a series to the schema.
func (s *Source) add(t *target, p *port, of *meaning, priority, function string) int {
	at := len(s.cells)
	instance := t.host.name + ": " + p.name + of.part
	switch {
	case priority == "untagged":
		instance += " Untagged"
	case priority != "":
		instance += " Priority " + perf.CleanText(priority, 8)
	}
	switch {
	case function == "all":
		instance += " VFs"
	case function != "":
		instance += " VF " + perf.CleanText(function, 8)
	}
	if i := slices.Index(p.instances, instance); i >= 0 {
		instance = p.instances[i] // one text for all its series
	} else {
		p.instances = append(p.instances, instance)
	}
	item := perf.Series{Set: of.set, Instance: instance, Counter: of.counter, Unit: of.rate, Kind: perf.Gauge, Cell: at, Scale: perf.FloatCells}
	if of.set == perf.SummarySet {
		switch of.counter {
		case perf.SummaryReceive:
			p.receive = at
		case perf.SummarySend:
			p.send = at
		case perf.SummaryDrops:
			p.drops = at
		}
	}
	s.series, s.cells = append(s.series, item), append(s.cells, cell{of: of, target: t, port: p, value: math.NaN()})
	s.changed = true
	return at
}
