package lab

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
)

// labSeeds is the number of random runs that check the invariants of docs/model.md.
const labSeeds = 200

// TestTheCounterModelHolds samples the lab at random times with random changes of the host in between, and checks the
// invariants of docs/model.md for each pair of columns. The checks have the names of the model.
func TestTheCounterModelHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	const groups = 4
	var own, kept, starts atomic.Uint64
	t.Run("seeds", func(t *testing.T) {
		for group := range groups {
			t.Run(fmt.Sprint(group), func(t *testing.T) {
				t.Parallel()
				for seed := uint64(group); seed < labSeeds/labShare && !t.Failed(); seed += groups {
					c := tryInvariants(t, seed)
					own.Add(c.own)
					kept.Add(c.kept)
					starts.Add(c.starts)
				}
			})
		}
	})
	if labShare == 1 && (own.Load() == 0 || kept.Load() == 0 || starts.Load() == 0) {
		t.Errorf("%d frames of RDMA beside SMB Direct, %d captured packets, %d starts of drivers: D5, R9 or T3 was not tested",
			own.Load(), kept.Load(), starts.Load())
	}
}

// smallLab is the default lab on a host with fewer processors and a port with virtual functions, with fewer flows per group,
// and with bursts and faults that begin early: the same mechanisms in a fraction of the time.
var smallLab = sync.OnceValue(func() *description.Description {
	d := description.Default()
	d.Host.ProcessorsPerNode = 4
	for i := range d.Adapters {
		d.Adapters[i].NUMANode %= d.Host.NUMANodes
		for j := range d.Adapters[i].Ports {
			p := &d.Adapters[i].Ports[j]
			p.BaseProcessor %= d.Host.NUMANodes * d.Host.ProcessorsPerNode
			if p.Connection == "Ethernet 10" {
				p.VirtualFunctions = 3
			}
		}
	}
	for i := range d.Flows {
		f := &d.Flows[i]
		f.Flows, f.Idle = min(f.Flows, 64), false
		if f.Protocol == description.RDMA && f.Port == "Ethernet 9" { // D5: not by SMB Direct
			f.Application = description.NDSPI
		}
	}
	for i := range d.Schedules {
		d.Schedules[i].First = []description.Duration{description.Duration(time.Second), description.Duration(20 * time.Second)}
	}
	return d
})

// checkedLab returns the lab of a run. In every second one the WinOF adapters also count by processor and kind: from the
// start, or from the first Watch. One eighth use the unchanged default lab, another eighth the labs of the manuals.
func checkedLab(t *testing.T, seed uint64) *Source {
	description := smallLab()
	switch seed % 16 {
	case 0, 8:
		description = defaultLab()
	case 4:
		description = manualLab(t, "manual-winof")
	case 12:
		description = manualLab(t, "manual-winof2")
	}
	lab, err := device.New(description, seed)
	if err != nil {
		t.Fatal(err)
	}
	host := driver.NewHost(lab)
	for port := range lab.Ports() {
		s, far := lab.Settings(port), lab.SwitchPort(port)
		was := s
		if seed%2 == 1 && !s.CountRSS {
			s.CountRSS, s.CountFromStart = true, seed%4 == 1
		}
		switch seed % 10 { // cases that random changes reach too rarely
		case 3:
			s.RSSUDP, s.RSSRawIP, s.BlueFlame = false, false, false
		case 5:
			s.RSS, s.Completion = false, setup.Polling
		case 7:
			far.PauseShare, far.PausePriority = 1, 3
			if err := lab.SetSwitchPort(port, far); err != nil {
				t.Fatal(err)
			}
		}
		if s != was {
			if err := lab.Configure(port, s); err != nil {
				t.Fatal(err)
			}
		}
	}
	source, err := New(host)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// manualLab is the description of a lab of the manuals.
func manualLab(t *testing.T, name string) *description.Description {
	t.Helper()
	for _, lab := range description.NamedLabs() {
		if lab.Name == name {
			d, err := description.ParseText(lab.Text())
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
	}
	t.Fatalf("no lab is named %s", name)
	return nil
}

// tryInvariants makes one run with a seed.
func tryInvariants(t *testing.T, seed uint64) *labCheck {
	random := rand.New(rand.NewPCG(seed, 7))
	c := &labCheck{t: t, seed: seed, lab: checkedLab(t, seed)}
	c.index()
	next(t, c.lab, 0, &c.before)
	next(t, c.lab, time.Duration(random.IntN(140))*device.Step, &c.before)
	for range 4 {
		c.begin()
		next(t, c.lab, c.elapsed(random), &c.after)
		c.index()
		c.all()
		c.before, c.after, c.did = c.after, c.before, nil
		if random.IntN(2) == 0 {
			plan := driver.Plan{Title: "random", Operations: []driver.Operation{randomOperation(c.lab, random)}}
			if random.IntN(4) == 0 {
				plan.Operations[0] = endOperation("Ethernet 3", random.IntN(5))
			}
			if _, err := c.lab.Host().Apply(plan); err == nil { // many can't be applied, which is fine
				c.did = plan.Operations[0]
			}
		}
		if t.Failed() {
			break
		}
	}
	return c
}

// labCheck is a pair of columns of one run.
type labCheck struct {
	t      *testing.T
	seed   uint64
	lab    *Source
	schema *perf.Schema
	// cells are the cells of counters that the checks find by name.
	cells         map[labName]int
	before, after perf.Column
	// began is the state of the lab at the time of before, after the last change.
	began labBegan
	did   driver.Operation
	// span is the time between the columns.
	span time.Duration
	// own is the number of RDMA frames other than SMB Direct, kept the number of checked captured packets.
	own, kept uint64
	// starts is the number of driver starts after which T3 was checked.
	starts uint64
}

// labBegan is the state of the lab at a time: hardware counters, settings of each port, slots, and the number of events.
type labBegan struct {
	counters []uint64
	settings []setup.Port
	counting []bool
	events   uint64
	ends     []labEnds
}

// labName is the name of a series in the schema.
type labName struct{ set, instance, counter string }

// lookedFor are the suffixes of the sets whose counters the checks find by name.
var lookedFor = []string{"Traffic", "Traffic Counters", "QoS", "QoS Counters", "Rss Counters", "RSS Counters", "Diagnostics Counters",
	"Network Interface", "RDMA Activity"}

// index indexes a new schema. It omits the counters of single rings and processors, which are not found by name.
func (c *labCheck) index() {
	if c.schema == c.lab.Schema() {
		return
	}
	c.schema = c.lab.Schema()
	c.before.Grow(c.schema.Cells)
	c.cells = make(map[labName]int, 2500)
	set, looked := "", false
	for i := range c.schema.Series {
		s := &c.schema.Series[i]
		if s.Set != set {
			set, looked = s.Set, slices.ContainsFunc(lookedFor, func(end string) bool { return strings.HasSuffix(s.Set, end) })
			looked = looked && !strings.Contains(s.Set, " VF ")
		}
		if looked && (!strings.Contains(s.Instance, " Cpu_") || strings.Contains(s.Instance, " VPort_")) {
			c.cells[labName{s.Set, s.Instance, s.Counter}] = s.Cell
		}
	}
}

// find returns the cell of a counter.
func (c *labCheck) find(set, instance, counter string) (cell int, ok bool) {
	cell, ok = c.cells[labName{set, instance, counter}]
	return cell, ok
}

func (c *labCheck) begin() {
	lab := c.lab.Host().Lab()
	b := &c.began
	b.counters = append(b.counters[:0], lab.Counters()...)
	b.settings, b.counting = b.settings[:0], b.counting[:0]
	for port := range lab.Ports() {
		b.settings = append(b.settings, lab.Settings(port))
		b.counting = append(b.counting, lab.Counting(port))
	}
	c.beginEnds()
	b.events = 0
	for _, e := range c.lab.Host().EventsAfter(0) {
		b.events = e.Sequence
	}
}

// elapsed returns a random time to the next column.
func (c *labCheck) elapsed(random *rand.Rand) time.Duration {
	c.span = time.Duration(1+random.IntN(60)) * device.Step
	return c.span
}

// restarted reports whether the driver of a port started or stopped between the columns.
func (c *labCheck) restarted(p *labPort) bool {
	for _, e := range c.lab.Host().EventsAfter(c.began.events) {
		if e.Adapter == p.Connection && !strings.HasSuffix(e.Key, "link-down") && !strings.HasSuffix(e.Key, "link-up") {
			return true
		}
	}
	return c.lab.Host().State(p.port) != driver.Running
}

func (c *labCheck) need(ok bool, rule, format string, args ...any) {
	if !ok {
		c.t.Errorf("%s, seed %d, at %s, last change %+v: %s",
			rule, c.seed, c.after.Time.Format("15:04:05.00"), c.did, fmt.Sprintf(format, args...))
	}
}

// total returns a counter in the new column.
func (c *labCheck) total(set, instance, counter string) uint64 {
	cell, ok := c.find(set, instance, counter)
	if !ok {
		c.t.Fatalf("there is no %s", perf.JoinPath(set, instance, counter))
	}
	return uint64(c.after.Cells[cell])
}

// rise returns the change of a counter between the columns.
func (c *labCheck) rise(set, instance, counter string) uint64 {
	now := c.total(set, instance, counter)
	cell, _ := c.find(set, instance, counter)
	return now - uint64(c.before.Cells[cell])
}

// moved returns the change of a hardware counter.
func (c *labCheck) moved(cell int) uint64 {
	return c.lab.Host().Lab().Counters()[cell] - c.began.counters[cell]
}

// hardware returns the change of a port's counter.
func (c *labCheck) hardware(port int, cell counter.Port) uint64 {
	return c.moved(counter.Cell(port, cell))
}

// settings returns the largest frame that a port could receive between the columns, the priorities that it could pause, and
// whether it had global pause.
func (c *labCheck) settings(port int) (frame uint64, lossless uint8, global bool) {
	a, b := &c.began.settings[port], c.lab.Host().Lab().Settings(port)
	return uint64(max(a.MaxFrame, b.MaxFrame)), a.Lossless | b.Lossless,
		a.AsksPause || a.ObeysPause || b.AsksPause || b.ObeysPause
}

func (c *labCheck) all() {
	c.times()
	for port := range c.lab.Host().Lab().Ports() {
		d, a, _ := c.lab.Host().Lab().Port(port)
		p := labPort{port: port, Port: d, adapter: &c.lab.Host().Lab().Description().Adapters[a]}
		p.traffic, p.qos, p.pause = "Mellanox WinOF-2 Port Traffic", "Mellanox WinOF-2 Port QoS", "Rcv Pause"
		if p.adapter.Family == description.WinOF {
			p.traffic, p.qos, p.pause = "Mellanox Adapter Traffic Counters", "Mellanox Adapter QoS Counters", "Received Pause"
			if d.Link == description.InfiniBand {
				p.traffic = "Mellanox IB Adapter Traffic Counters"
			}
		}
		c.totals(&p)
		c.limits(&p)
		c.losses(&p)
		c.priorities(&p)
		c.pauses(&p)
		c.rdma(&p)
		c.still(&p)
		c.links(&p)
		c.spread(&p)
		c.rings(&p)
		c.diagnostics(&p)
		c.congestion(&p)
		c.functions(&p)
		c.held(&p)
		c.unhashed(&p)
		c.transport(&p)
		c.ends(&p)
		c.connections(&p)
		c.classes(&p)
		c.captured(&p)
		c.counting(&p)
		c.overflows(&p)
	}
	c.cards()
	c.sums()
}

// labPort is a port with the names of its sets.
type labPort struct {
	*description.Port
	port                int
	adapter             *description.Adapter
	traffic, qos, pause string
}

// times: T1 no cumulative counter falls, unless a driver's start or the vendor's tool clears (T3, T4), T8 no maximum does, T9
// no gauge is negative, T10 no completion queue errors.
func (c *labCheck) times() {
	_, reset := c.did.(hardware.ResetStatistics)
	for i := range c.schema.Series {
		s := &c.schema.Series[i]
		before, after := c.before.Cells[s.Cell], c.after.Cells[s.Cell]
		if before == perf.Missing || after == perf.Missing {
			continue
		}
		cleared := strings.HasSuffix(s.Set, "RSS Counters") || strings.HasSuffix(s.Set, "Rss Counters") ||
			s.Set == ringStatistics && reset
		if (s.Kind == perf.Cumulative || s.Kind == perf.Rate) && uint64(after) < uint64(before) && !cleared {
			c.need(false, "T1", "%s fell from %d to %d", s.Path(), before, after)
		}
		if s.Kind == perf.Maximum && after < before {
			c.need(false, "T8", "%s fell from %d to %d", s.Path(), before, after)
		}
		if (s.Kind == perf.Gauge || s.Kind == perf.Maximum) && after < 0 {
			c.need(false, "T9", "%s is %d", s.Path(), after)
		}
		if after != 0 && s.Counter == "RDMA Completion Queue Errors" {
			c.need(false, "T10", "%s is %d", s.Path(), after)
		}
	}
}

// totals: A1, A2, A9, and A3 with T6 by the cells that rates share.
func (c *labCheck) totals(p *labPort) {
	sets := map[string][]string{p.traffic: {p.Connection}}
	for priority := range counter.Priorities {
		sets[p.qos] = append(sets[p.qos], p.Connection+" "+priorityName(priority))
	}
	for set, instances := range sets {
		for _, i := range instances {
			for rule, what := range map[string]string{"A1": "Bytes", "A2": "Packets"} {
				sum := c.total(set, i, what+" Received") + c.total(set, i, what+" Sent")
				c.need(c.total(set, i, what+" Total") == sum, rule, "%s %s: %s", set, i, what)
				rate := what + " Total/Sec"
				if what == "Bytes" && p.adapter.Family == description.WinOF2 {
					rate = "K" + rate
				}
				one, _ := c.find(set, i, rate)
				other, _ := c.find(set, i, what+" Total")
				c.need(one == other, "A3", "%s %s: %s has another cell than its total", set, i, rate)
			}
		}
	}
	const ni = "Network Interface"
	sum := c.total(ni, p.Device, "Bytes Received/sec") + c.total(ni, p.Device, "Bytes Sent/sec")
	c.need(c.total(ni, p.Device, "Bytes Total/sec") == sum, "A9", "%s", p.Device)
}

// limits: A5 lengths of frames, A6 the line rate with preamble and gap.
func (c *labCheck) limits(p *labPort) {
	for _, way := range []string{"Received", "Sent"} {
		bytes, packets := c.rise(p.traffic, p.Connection, "Bytes "+way), c.rise(p.traffic, p.Connection, "Packets "+way)
		frame, _, _ := c.settings(p.port)
		longest := frame + tagAndCheck
		c.need(minFrame(p)*packets <= bytes && bytes <= longest*packets, "A5", "%s: %d bytes in %d packets %s", p.Connection, bytes, packets, way)
		rate, gap := c.lab.Host().Lab().State(p.port).Rate, uint64(20)
		if p.Link == description.InfiniBand {
			gap = 0
		}
		if way == "Received" {
			packets = c.hardware(p.port, counter.ArrivedPackets) // dropped packets used the line, too
		}
		most := rate / 8 * c.span.Seconds()
		c.need(float64(bytes+gap*packets) <= most, "A6", "%s: %d bytes %s in %s", p.Connection, bytes+gap*packets, way, c.span)
	}
}

// losses: A7, A8, E1, E2, E3, E4, E5: every packet that arrived is in exactly one place.
func (c *labCheck) losses(p *labPort) {
	const ni = "Network Interface"
	discarded := c.rise(p.traffic, p.Connection, "Packets Received Discarded")
	errors := c.rise(p.traffic, p.Connection, "Packets Received Errors")
	starved := c.hardware(p.port, counter.NoDescriptor)
	delivered := c.rise(p.traffic, p.Connection, "Packets Received")
	arrived := c.hardware(p.port, counter.ArrivedPackets)
	c.need(arrived == delivered+discarded+errors+starved, "A7, A8, E3",
		"%s: %d arrived; %d delivered, %d discarded, %d damaged, %d without descriptor",
		p.Connection, arrived, delivered, discarded, errors, starved)
	c.need(c.rise(ni, p.Device, "Packets Received Discarded") == discarded+starved, "E4, E5", "%s: discards", p.Connection)
	c.need(c.rise(ni, p.Device, "Packets Received Errors") == errors, "E4", "%s: errors", p.Connection)
	c.need(c.rise(ni, p.Device, "Packets Outbound Discarded") >= c.rise(p.traffic, p.Connection, "Packets Outbound Discarded"),
		"E4", "%s: outbound discards", p.Connection)
	with := ""
	if p.adapter.Family == description.WinOF {
		with = "with "
	}
	classes := uint64(0)
	for _, class := range []string{"Frame Length Error", "Symbol Error", "Bad CRC Error"} {
		classes += c.total(p.traffic, p.Connection, "Packets Received "+with+class)
	}
	c.need(classes <= c.total(p.traffic, p.Connection, "Packets Received Errors"), "E1, E2", "%s: %d in classes", p.Connection, classes)
}

// priorities: Q1, Q2: every frame but the control frames is in one priority.
func (c *labCheck) priorities(p *labPort) {
	for _, way := range []string{"Received", "Sent"} {
		control := c.rise(p.traffic, p.Connection, "Control Packets")
		if way == "Sent" {
			control = c.hardware(p.port, counter.SentControl)
		}
		for what, of := range map[string]uint64{"Packets": control, "Bytes": 64 * control} {
			sum := uint64(0)
			for priority := range counter.Priorities {
				sum += c.rise(p.qos, p.Connection+" "+priorityName(priority), what+" "+way)
			}
			all := c.rise(p.traffic, p.Connection, what+" "+way)
			c.need(sum == all-of, "Q1", "%s: %d %s %s in priorities, %d in the port, %d of control", p.Connection, sum, what, way, all, of)
			c.need(sum <= all, "Q2", "%s: %s %s", p.Connection, what, way)
		}
	}
}

// pauses: Q5, Q6, Q7, Q8, E7.
func (c *labCheck) pauses(p *labPort) {
	received := uint64(0)
	_, lossless, global := c.settings(p.port)
	for priority := range counter.Priorities {
		i := p.Connection + " " + priorityName(priority)
		allowed := priority == counter.Untagged && global
		allowed = allowed || priority < counter.Untagged && lossless>>priority&1 == 1
		for frames, duration := range map[string]string{
			"Sent Pause Frames": p.pause + " Duration", p.pause + " Frames": "Sent Pause Duration",
		} {
			n, held := c.total(p.qos, i, frames), c.rise(p.qos, i, duration)
			c.need(allowed || c.rise(p.qos, i, frames) == 0, "Q5", "%s: %d %s", i, c.rise(p.qos, i, frames), frames)
			c.need(held <= uint64(c.span.Microseconds()), "Q8", "%s: %s rose by %d in %s", i, duration, held, c.span)
			c.need(held == 0 || n > 0, "Q6, Q7, Q8", "%s: %s rose without %s", i, duration, frames)
		}
		received += c.total(p.qos, i, p.pause+" Frames")
	}
	control := c.total(p.traffic, p.Connection, "Control Packets")
	c.need(control >= received, "E7", "%s: %d control frames, %d pause frames", p.Connection, control, received)
}

// rdma: D1, D3, D4, D6.
func (c *labCheck) rdma(p *labPort) {
	const set = "RDMA Activity"
	if p.Link == description.InfiniBand {
		_, shown := c.find(set, p.Connection, "RDMA Active Connections")
		c.need(!shown, "D6", "%s shows %s", p.Connection, set)
		return
	}
	active := c.total(set, p.Connection, "RDMA Active Connections")
	opened := c.total(set, p.Connection, "RDMA Accepted Connections") + c.total(set, p.Connection, "RDMA Initiated Connections")
	c.need(active <= opened, "D1", "%s: %d active of %d", p.Connection, active, opened)
	for way, traffic := range map[string]string{"Inbound": "Received", "Outbound": "Sent"} {
		bytes, frames := c.rise(set, p.Connection, "RDMA "+way+" Bytes/sec"), c.rise(set, p.Connection, "RDMA "+way+" Frames/sec")
		c.need(bytes <= c.rise(p.traffic, p.Connection, "Bytes "+traffic), "D3", "%s: %s bytes", p.Connection, way)
		c.need(frames <= c.rise(p.traffic, p.Connection, "Packets "+traffic), "D3", "%s: %s frames", p.Connection, way)
		shortAcks := way == "Inbound" && p.adapter.ReceivedAckBytes > 0
		c.need(shortAcks || bytes >= 64*frames, "D4", "%s: %d bytes in %d frames %s", p.Connection, bytes, frames, way)
	}
}

// tagAndCheck is the length of a frame beyond *JumboPacket: a VLAN tag and the FCS.
const tagAndCheck = 4 + 4

// minFrame returns the minimum length of a frame of a port; InfiniBand does not pad.
func minFrame(p *labPort) uint64 {
	if p.Link == description.InfiniBand {
		return 1
	}
	return 64
}

// sums: an instance _Total is the sum of the others.
func (c *labCheck) sums() {
	type counter struct{ set, name string }
	sums := map[counter]uint64{}
	for i := range c.lab.Schema().Series {
		s := &c.lab.Schema().Series[i]
		if s.Set != perf.SummarySet && s.Instance != "_Total" && strings.HasSuffix(s.Set, "Port Traffic") {
			sums[counter{s.Set, s.Counter}] += uint64(c.after.Cells[s.Cell])
		}
		if s.Instance == "_Total" && strings.HasSuffix(s.Set, "Port Traffic") {
			c.need(uint64(c.after.Cells[s.Cell]) == sums[counter{s.Set, s.Counter}], "_Total", "%s", s.Counter)
		}
	}
}
