// Package tuning computes the scenarios of the drivers' tuning tool: the key values that the tool writes for each connection,
// and the processors that it chooses. It changes nothing itself.
package tuning

import (
	"fmt"
	"slices"
	"strings"
)

// Scenario is a purpose for which a host is tuned (TUNE-1, TUNE-8).
type Scenario struct {
	// Name is the name in words: "single-port". Flag is the option of perf_tuning, empty for none.
	Name, Flag string
	// About is the purpose, as a sentence.
	About string

	fixed []Setting
	// chooses are the keys that are set to a processor.
	chooses []string
	// minConnections and maxConnections bound the number of connections; a second one of single port and single stream is
	// restored.
	minConnections, maxConnections int
	ethernetOnly                   bool
}

// Setting is a key with its new value; -1 is automatic.
type Setting struct {
	Key   string
	Value int64
}

// NDIS is the version of the network driver interface of the host's Windows.
type NDIS uint8

// The versions: 6.2 belongs to Windows Server 2008 R2, 6.3 covers 2012 and later.
const (
	NDIS63 NDIS = iota
	NDIS62
)

// Automatic is a processor that the driver chooses itself.
const Automatic = -1

// Keys that hold a processor each.
const (
	receiveRing   = "DefaultRecvRingProcessor"
	sendInterrupt = "TxInterruptProcessor"
	forwarding    = "TxForwardingProcessor"
)

// Scenarios returns all scenarios, in the order of the tool's dialog, followed by the two that only the command line has.
func Scenarios() []Scenario {
	work := []Setting{{"SendCompletionMethod", 0}, {"RecvCompletionMethod", 2}, {"*ReceiveBuffers", 1024}}
	all := []string{receiveRing, sendInterrupt, forwarding}
	return []Scenario{
		{Name: "single-port", Flag: "-s", About: "One port carries the traffic.", fixed: work, chooses: all, minConnections: 1, maxConnections: 2},
		{
			Name: "single-stream", Flag: "-st", About: "One TCP stream carries the traffic of an Ethernet port.",
			fixed: work, chooses: all, minConnections: 1, maxConnections: 2, ethernetOnly: true,
		},
		{
			Name: "dual-port", Flag: "-d", About: "Two ports carry the traffic together.", fixed: work,
			chooses: []string{receiveRing, forwarding}, minConnections: 2, maxConnections: 2,
		},
		{
			Name: "forwarding", Flag: "-f", About: "The host forwards what it receives on one port to the other.",
			fixed:   []Setting{{"SendCompletionMethod", 1}, {"RecvCompletionMethod", 0}, {"*ReceiveBuffers", 4096}, {"UseRSSForRawIP", 0}, {"UseRSSForUDP", 0}},
			chooses: all, minConnections: 2, maxConnections: 2,
		},
		{ // the tool's values are not documented: the single port values, with room for the addresses of many groups
			Name: "multicast", About: "The host is a member of many multicast groups.",
			fixed:   append(slices.Clone(work), Setting{"UseRSSForUDP", 1}, Setting{"MaxNumOfMCList", 1024}),
			chooses: all, minConnections: 1, maxConnections: 1,
		},
		{Name: "manual", Flag: "-m", About: "RSS uses the given processors.", minConnections: 1, maxConnections: 1},
		{Name: "restore", Flag: "-r", About: "The tool's values of a fresh installation.", minConnections: 1, maxConnections: 2},
	}
}

// Title returns the title of a plan that tunes connections.
func (s *Scenario) Title(connections []string) string {
	return fmt.Sprintf("Tune %s: %s", strings.Join(connections, " and "), s.Name)
}

// Find returns the scenario with a name or flag.
func Find(word string) (Scenario, bool) {
	for _, s := range Scenarios() {
		if word != "" && (word == s.Name || word == s.Flag) {
			return s, true
		}
	}
	return Scenario{}, false
}

// Connection holds the facts about a connection that a tuning requires.
type Connection struct {
	InfiniBand bool
	// Processors are the processors of the card's NUMA node, in order.
	Processors []int
}

// Request is a scenario with its connections and processors.
type Request struct {
	Scenario    Scenario
	NDIS        NDIS
	Connections []Connection
	// Base is the first processor and Number the number of processors of the manual scenario; nil if not given.
	Base, Number *int
}

// Tuned holds the values for a connection.
type Tuned struct {
	// Settings are fixed by the scenario, Chosen depend on the available processors.
	Settings, Chosen []Setting
	// Restored reports that the values of an installation are restored.
	Restored bool
	// Processors are the processors that RSS uses afterwards, where the scenario sets them.
	Processors []int
}

// All returns the Settings, followed by the Chosen.
func (t *Tuned) All() []Setting { return slices.Concat(t.Settings, t.Chosen) }

// RejectedError is a request that the tool refuses.
type RejectedError struct {
	// Reason is a word for programs: "c2_required".
	Reason string
	// Problem is a sentence for people, without a full stop.
	Problem string
}

// Error returns the sentence.
func (e *RejectedError) Error() string { return e.Problem }

// Tune returns the values for each connection, or a *RejectedError.
func Tune(r Request) ([]Tuned, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	tuned := make([]Tuned, len(r.Connections))
	taken := map[int]bool{}
	for i, c := range r.Connections {
		switch {
		case r.Scenario.Name == "manual":
			tuned[i] = manual(*r.Base, *r.Number)
		case r.Scenario.Name == "restore", i == 1 && r.Scenario.minConnections == 1:
			tuned[i] = Tuned{Settings: restored(c, r.NDIS), Restored: true}
		default:
			tuned[i] = r.tune(c, taken)
		}
	}
	return tuned, nil
}

func (r *Request) check() error {
	s := &r.Scenario
	manual := s.Name == "manual"
	switch n := len(r.Connections); {
	case n < s.minConnections && s.minConnections == 2:
		return &RejectedError{"c2_required", fmt.Sprintf("%s needs a second connection", s.Name)}
	case n < s.minConnections:
		return &RejectedError{"c1_required", fmt.Sprintf("%s needs a connection", s.Name)}
	case n > s.maxConnections:
		return &RejectedError{"c2_not_allowed", fmt.Sprintf("%s takes at most %d connections, not %d", s.Name, s.maxConnections, n)}
	case manual && (r.Base == nil || r.Number == nil):
		return &RejectedError{"b_and_n_required", "the manual tuning requires the first processor and the number of processors"}
	case !manual && (r.Base != nil || r.Number != nil):
		return &RejectedError{"b_and_n_not_allowed", "only the manual tuning takes a first processor and a number of processors"}
	case manual && (*r.Base < 0 || *r.Number < 1):
		return &RejectedError{"b_and_n_range", "the first processor must be 0 or above, and the number of processors at least 1"}
	}
	if s.ethernetOnly && slices.ContainsFunc(r.Connections, func(c Connection) bool { return c.InfiniBand }) {
		return &RejectedError{"ethernet_required", fmt.Sprintf("%s is for Ethernet connections", s.Name)}
	}
	return nil
}

// manual assigns RSS a range of processors, the default ring its first and the send interrupt its second (TUNE-6).
func manual(base, number int) (t Tuned) {
	for k := range number {
		t.Processors = append(t.Processors, base+k)
	}
	t.Settings = []Setting{
		{"*RssBaseProcNumber", int64(base)}, {"*MaxRssProcessors", int64(number)},
		{receiveRing, int64(base)}, {sendInterrupt, int64(t.Processors[min(1, number-1)])},
	}
	return t
}

// restored returns the values of a fresh installation according to the tool, which differ from the key tables.
func restored(c Connection, ndis NDIS) []Setting {
	send := int64(1)
	if c.InfiniBand {
		send = 0
	}
	list := []Setting{
		{"SendCompletionMethod", send}, {"RecvCompletionMethod", 2}, {"*ReceiveBuffers", 1024},
		{"UseRSSForRawIP", 1}, {"UseRSSForUDP", 1},
		{receiveRing, Automatic}, {sendInterrupt, Automatic}, {forwarding, Automatic},
	}
	if ndis == NDIS62 {
		return append(list, Setting{"MaxRssProcessors", maxQueues})
	}
	return append(list, Setting{"NumRSSQueues", maxQueues})
}

// maxQueues is the default number of queues of a port.
const maxQueues = 8

// tune returns the fixed values of the scenario and processors of a connection's node, from the lowest that no other connection
// uses (TUNE-7).
func (r *Request) tune(c Connection, taken map[int]bool) (t Tuned) {
	t.Settings = slices.Clone(r.Scenario.fixed)
	if r.NDIS == NDIS63 && r.Scenario.Name != "forwarding" {
		t.Settings = append(t.Settings, Setting{"RssProfile", 4})
	}
	free := slices.DeleteFunc(slices.Clone(c.Processors), func(p int) bool { return taken[p] })
	if len(free) == 0 {
		free = c.Processors
	}
	for i, key := range r.Scenario.chooses {
		processor := Automatic
		if len(free) > 0 {
			processor = free[i%len(free)]
			taken[processor] = true
		}
		t.Chosen = append(t.Chosen, Setting{key, int64(processor)})
	}
	queues := int64(1)
	for queues < maxQueues && int(queues*2) <= len(c.Processors) {
		queues *= 2
	}
	if r.NDIS == NDIS62 {
		t.Chosen = append(t.Chosen, Setting{"RssBaseProcNumber", int64(first(c.Processors))}, Setting{"MaxRssProcessors", queues})
		return t
	}
	t.Chosen = append(t.Chosen, Setting{"NumRSSQueues", queues}, Setting{"RssMaxProcNumber", int64(lastProcessor(c.Processors))})
	return t
}

func first(list []int) int {
	if len(list) == 0 {
		return 0
	}
	return slices.Min(list)
}

func lastProcessor(list []int) int {
	if len(list) == 0 {
		return 0
	}
	return slices.Max(list)
}
