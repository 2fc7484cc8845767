package device

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/infiniband/site"
	"cxdeck/device/rss"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// Plant is the constant part of a lab, which depends only on its description: all labs of the description share it, in any
// goroutine. The plan depends on the setup, which changes.
type Plant struct {
	description *description.Description
	hash        string
	plan        *plan // for the described setup
	layout      *counter.Layout
	ports       []portSite
	flows       []flowSite
	traffic     []description.Flow // the described flows, then the virtual machines' own, then the ones of performance tests
	tests       int                // the number of flows of performance tests
	schedules   []traffic.Spans
	faults      []faultPlan
	processors  []rss.Processor
	links       []description.LinkType // of the ports
	shared      [][]int                // the other ports to which the peer of each flow sends
	site        *site.Site             // the subnet at the start; nil without InfiniBand
	functions   [][]float64            // the shares of the described virtual functions of each port
}

// portSite is a port of the description with its place.
type portSite struct {
	adapter, index int
	description    *description.Port
	family         description.Family
}

// flowSite is a flow of the description with its references resolved.
type flowSite struct {
	port, schedule int
	tuples         []traffic.Tuple
	kind           traffic.FlowKind
	loopback       bool // its frames never leave the card
}

type faultPlan struct {
	port, schedule, priority int
	kind                     description.FaultKind
	share                    float64
	// levels are its course over a period in steps; empty for a schedule.
	levels []float64
	period float64
}

// groupSize is the maximum number of processors in a group; Windows makes several groups for more.
const groupSize = 64

// NewPlant checks a description and lays it out. Afterwards only the epoch of the description may be changed, and only before a lab
// uses it.
func NewPlant(d *description.Description) (*Plant, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	return NewCheckedPlant(d, d.Hash()), nil
}

// NewCheckedPlant is NewPlant for a valid description whose hash is known.
func NewCheckedPlant(d *description.Description, hash string) *Plant {
	p := &Plant{description: d, hash: hash, layout: counter.NewLayout(d), site: site.Of(d)}
	for i := range d.Host.NUMANodes * d.Host.ProcessorsPerNode {
		p.processors = append(p.processors, rss.Processor{
			Group: i / groupSize, Number: i % groupSize, Node: i / d.Host.ProcessorsPerNode,
		})
	}
	ports := map[string]int{}
	for a := range d.Adapters {
		adapter := &d.Adapters[a]
		for i := range adapter.Ports {
			ports[adapter.Ports[i].Connection] = len(p.ports)
			p.functions = append(p.functions, traffic.Shares(adapter.Ports[i].VirtualFunctions, len(p.ports)))
			p.links = append(p.links, adapter.Ports[i].Link)
			p.ports = append(p.ports, portSite{a, i, &adapter.Ports[i], adapter.Family})
		}
	}
	schedules := map[string]int{}
	for i := range d.Schedules {
		s := &d.Schedules[i]
		schedules[s.Name] = i
		p.schedules = append(p.schedules, traffic.NewSpans(s, Step))
	}
	hasher, err := rss.NewHasher(rss.DefaultKey)
	if err != nil {
		panic("device: the default RSS key is damaged: " + err.Error()) // a test hashes with it
	}
	running := 0 // idle flows do not count towards the limit
	for i := range d.Flows {
		if !d.Flows[i].Idle {
			running++
		}
	}
	added, kinds := traffic.GuestFlows(d)
	p.traffic = append(slices.Clip(d.Flows), added...)
	for i := range p.traffic {
		f, maxTuples, kind := &p.traffic[i], max(traffic.MinTuples, traffic.MaxTuples/max(1, running)), traffic.Described
		if n := i - len(d.Flows); n >= 0 {
			maxTuples, kind = traffic.MinTuples, kinds[n]
		}
		p.flows = append(p.flows, flowSite{
			port: ports[f.Port], schedule: schedules[f.Rhythm.Schedule],
			tuples: traffic.NewTuples(f, hasher, maxTuples), kind: kind,
		})
	}
	p.shared = traffic.SharedPeers(p.traffic, func(flow int) int { return p.flows[flow].port })
	for _, f := range d.Faults {
		if f.Kind.Entire() { // its share is always 1
			f.Share = 1
		}
		p.faults = append(p.faults, faultPlan{
			port: ports[f.Port], schedule: schedules[f.Schedule], priority: f.Priority, kind: f.Kind, share: f.Share,
			levels: f.Levels, period: float64(f.Period) / float64(Step),
		})
	}
	l := &Lab{Layout: p.layout, plant: p, setup: setup.New(d, p.traffic)}
	p.plan = l.newPlan()
	return p
}

// Hash returns the hash of the description.
func (p *Plant) Hash() string { return p.hash }

// Description returns the description; see NewPlant.
func (p *Plant) Description() *description.Description { return p.description }
