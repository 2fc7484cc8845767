package device

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"strconv"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/dscp"
	"cxdeck/device/farend"
	"cxdeck/device/setup"
	"cxdeck/device/wire"
)

// TestLosslessNetworks draws configurations of a port, its switch port and its traffic at random, and holds what no
// configuration may break: bytes by priority are the port's bytes; strict classes go before ETS classes, which share the rest
// as the rule says, to 2% of the line; no frame of a priority with PFC at both ends is dropped for want of buffer, where both
// ends queue its frames with that priority; the same at the second cable of the path, from the switch to the peers; and no pause
// names a priority without PFC.
//
// CXDECK_NETWORKS=1000 takes so many configurations (task networks).
func TestLosslessNetworks(t *testing.T) {
	t.Parallel()
	n := 80
	if text := os.Getenv("CXDECK_NETWORKS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	protected, paused, shared, beyond := 0, 0, 0, 0
	for seed := range uint64(n) {
		w := newNetwork(t, seed)
		w.lab.Advance(300 * time.Millisecond)
		w.before, w.remote = append(w.before, w.lab.Counters()...), w.lab.RemotePath(w.port)
		w.lab.Advance(time.Second)
		w.sums()
		shared += w.shares()
		protected += w.drops()
		paused += w.pauses()
		beyond += w.secondCable()
		if t.Failed() {
			t.Fatalf("seed %d: %+v, switch %+v, far end %+v", seed, w.settings, w.far, w.lab.Remote(w.port))
		}
	}
	if protected == 0 || paused == 0 || shared == 0 || beyond == 0 {
		t.Errorf("of %d configurations %d protect a priority, %d pause one, %d fill the line, %d hold the peers", n, protected, paused, shared, beyond)
	}
}

// network is one configuration, and what it has counted at the begin of the second that is looked at.
type network struct {
	*testing.T
	seed     uint64
	lab      *Lab
	port     int
	settings setup.Port
	far      setup.SwitchPort
	before   []uint64
	remote   farend.Path
}

func newNetwork(t *testing.T, seed uint64) *network {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 15))
	d := description.Default()
	d.Schedules, d.Faults, d.Flows = nil, nil, nil
	const connection = "Ethernet 7"
	for priority := range 9 {
		f := description.Flow{
			Name: fmt.Sprint("traffic ", priority), Port: connection, Protocol: description.UDP, Flows: 16, DSCP: r.IntN(64),
			Local: netip.MustParseAddr("10.7.0.10"), Peer: netip.MustParseAddr("10.7.0.21"),
			ReceiveGbps: 6 * r.Float64(), SendGbps: 0.1 + 12*r.Float64(), Packets: []description.PacketSize{{IP: 8000, Share: 1}},
		}
		if priority < 8 {
			f.Priority = &priority
			if r.IntN(2) == 0 {
				f.DSCP = 8 * priority
			}
		}
		d.Flows = append(d.Flows, f)
	}
	l, err := New(d, seed)
	if err != nil {
		t.Fatal(err)
	}
	w := &network{T: t, seed: seed, lab: l}
	for port := range l.Ports() {
		if l.Connection(port) == connection {
			w.port = port
		}
	}
	w.settings, w.far = l.Settings(w.port), l.SwitchPort(w.port)
	w.drawPort(r)
	w.drawSwitch(r)
	_, adapter, _ := l.Port(w.port)
	if r.IntN(2) == 0 { // arriving frames find too little room
		err = l.SetSlot(adapter, 1, 4)
	}
	if err := l.Configure(w.port, w.settings); err != nil {
		t.Fatal(err)
	}
	if err != nil || l.SetSwitchPort(w.port, w.far) != nil || l.SetFarEnd(w.port, drawFarEnd(r)) != nil {
		t.Fatal(err)
	}
	return w
}

func (w *network) drawPort(r *rand.Rand) {
	s := &w.settings
	s.QoS, s.Lossless = r.IntN(5) > 0, uint8(r.IntN(256))
	s.AsksPause, s.ObeysPause = r.IntN(2) == 0, r.IntN(2) == 0
	if s.Lossless&uint8(r.IntN(256)) == 0 {
		s.Lossless = 0
	}
	if s.QoS && s.Lossless != 0 {
		s.AsksPause, s.ObeysPause = false, false
	}
	s.TrustDSCP, s.BarePriority = r.IntN(3) == 0, r.IntN(4) == 0
	s.UntaggedLossless, s.UntaggedPriority = r.IntN(2) == 0, max(0, r.IntN(16)-8)
	if s.DSCP = dscp.DefaultMap(); r.IntN(2) == 0 {
		s.DSCP = dscp.ConsistentMap()
	}
	left := 100
	for priority := range s.Shares {
		share := 1 + r.IntN(max(1, left-8+priority))
		if priority == 7 {
			share = left
		}
		s.Shares[priority], left = float64(share), left-share
	}
	if r.IntN(2) == 0 {
		some := r.IntN(256)
		s.StrictPriorities = uint8(some & r.IntN(256)) // a quarter of the priorities on average
	}
	s.DSCPClasses = r.IntN(4) == 0 // frames that go by their DSCP have other classes than by their priority
}

func (w *network) drawSwitch(r *rand.Rand) {
	f := &w.far
	f.SpeedGbps, f.MaxFrame = []int{10, 25, 50}[r.IntN(3)], 9216
	f.FlowControl = []description.FlowControl{description.NoFlowControl, description.GlobalPause, description.PriorityPause, description.PriorityPause}[r.IntN(4)]
	f.Lossless = w.settings.Lossless
	if r.IntN(2) == 0 {
		f.Lossless = uint8(r.IntN(256))
	}
	f.Trust = setup.Trust(w.settings.TrustDSCP)
	if r.IntN(4) == 0 {
		f.Trust = !f.Trust
	}
	if r.IntN(3) == 0 {
		f.PauseShare, f.PausePriority = r.Float64(), r.IntN(8)
	}
}

// drawFarEnd draws the settings of the far end: half of them agree with the near one.
func drawFarEnd(r *rand.Rand) (f setup.FarEnd) {
	modes := []description.FlowControl{description.NoFlowControl, description.GlobalPause, description.PriorityPause, description.PriorityPause}
	if r.IntN(2) == 0 {
		return f
	}
	if r.IntN(3) == 0 {
		f.FlowControl = &modes[r.IntN(4)]
	}
	if r.IntN(2) == 0 {
		f.Lossless = new(uint8(r.IntN(256)))
	}
	if r.IntN(3) == 0 {
		f.AdapterFlowControl = &modes[r.IntN(4)]
	}
	if r.IntN(2) == 0 {
		f.AdapterLossless = new(uint8(r.IntN(256)))
	}
	if r.IntN(3) == 0 {
		f.Trust = new(setup.Trust(r.IntN(2) == 0))
	}
	if r.IntN(3) == 0 {
		f.AdapterTrust = new(setup.Trust(r.IntN(2) == 0))
	}
	return f
}

// secondCable holds what must hold between switch and peers, and reports whether the switch held the peers.
func (w *network) secondCable() (held int) {
	remote, now := w.lab.Remote(w.port), w.lab.RemotePath(w.port)
	control := &w.lab.plan.ports[w.port].flowControl
	for priority := range counter.Priorities {
		pauses := now.PausesToPeers[priority] - w.remote.PausesToPeers[priority]
		if pauses > 0 {
			held = 1
			if !remote.Switch.Pauses(priority) || !remote.Adapter.Pauses(priority) {
				w.Errorf("seed %d: %d pauses to the peers on priority %d, which has no PFC there", w.seed, pauses, priority)
			}
		}
		safe, some := w.far.PauseShare == 0, false
		for _, f := range w.lab.Flows() {
			h := f.Received
			if h.QueueUntagged(); h.Switch == priority {
				some = true
				safe = safe && control.Protects(&h) && control.Obeys(h.Adapter) && (h.Agree() || w.far.FlowControl == description.GlobalPause) && remote.HoldsPeers(&h)
			}
		}
		if lost := now.SwitchDrops[priority] - w.remote.SwitchDrops[priority]; lost > 0 && safe && some {
			w.Errorf("seed %d: the switch drops %d frames of priority %d, which has PFC on the whole path", w.seed, lost, priority)
		}
	}
	return held
}

// of returns how much a counter of a priority rose.
func (w *network) of(priority int, c counter.Priority) uint64 {
	at := counter.PriorityCell(w.port, priority, c)
	return w.lab.Counters()[at] - w.before[at]
}

func (w *network) all(c counter.Port) uint64 {
	at := counter.Cell(w.port, c)
	return w.lab.Counters()[at] - w.before[at]
}

// sums holds that bytes by priority are the port's.
func (w *network) sums() {
	var received, sent uint64
	for priority := range counter.Priorities {
		received += w.of(priority, counter.PriorityReceivedBytes)
		sent += w.of(priority, counter.PrioritySentBytes)
	}
	if received+controlFrame*w.all(counter.ReceivedControl) != w.all(counter.ReceivedBytes) || sent+controlFrame*w.all(counter.SentControl) != w.all(counter.SentBytes) {
		w.Errorf("seed %d: %d and %d bytes by priority, %d and %d in all", w.seed, received, sent, w.all(counter.ReceivedBytes), w.all(counter.SentBytes))
	}
}

// shares holds that the line is shared by the rule, and reports whether it was full. Pauses and a narrow slot take shares away.
func (w *network) shares() (full int) {
	held := w.far.PauseShare > 0
	if held || !w.settings.QoS || w.lab.loads[w.port].slotSendShare < 1 {
		return 0
	}
	line := w.lab.plan.ports[w.port].rate*headroom - 8*float64(controlFrame+wire.PreambleGap)*float64(w.all(counter.SentControl))
	demand, got := [8]float64{}, [8]float64{}
	for i := range w.lab.Flows() {
		f, plan := w.lab.Flows()[i], &w.lab.plan.flows[i]
		class := f.Sent.Class % counter.Untagged
		demand[class] += plan.demand[send]
		for j := plan.first; j < plan.last; j++ {
			s, a := &w.lab.plan.streams[j], &w.lab.streams[j]
			if s.direction == send { // what passes in the last step; each is alike
				got[class] += a.Want * (1 - a.Held) * s.wire * w.lab.loads[w.port].priorityShare[s.class] * 8 / stepSeconds
			}
		}
	}
	want := w.rule(line, demand)
	sum, asked := 0.0, 0.0
	for class := range want {
		sum, asked = sum+got[class], asked+demand[class]
		if math.Abs(want[class]-got[class]) > 0.02*line {
			w.Errorf("seed %d: class %d sends %.3g b/s of %.3g, the rule gives %.3g; demand %.3g", w.seed, class, got[class], line, want[class], demand)
		}
		strict := w.settings.StrictPriorities>>class&1 == 1
		for other := range want {
			if strict && want[class] < 0.98*demand[class] && w.settings.StrictPriorities>>other&1 == 0 && got[other] > 0.005*line {
				w.Errorf("seed %d: the ETS class %d sends while the strict class %d waits", w.seed, other, class)
			}
		}
	}
	if asked <= line {
		return 0
	}
	if sum < 0.98*line {
		w.Errorf("seed %d: %.3g of %.3g b/s are sent", w.seed, sum, line)
	}
	measured := float64(w.all(counter.SentBytes)+wire.PreambleGap*w.all(counter.SentPackets)) * 8
	if measured < 0.96*line || measured > line/headroom {
		w.Errorf("seed %d: %.3g b/s are counted on a line of %.3g", w.seed, measured, line)
	}
	return 1
}

// rule shares a line: strict classes first, the highest before the others, then by percentage, and what a class leaves again.
func (w *network) rule(line float64, demand [8]float64) (rates [8]float64) {
	for class := 7; class >= 0; class-- {
		if w.settings.StrictPriorities>>class&1 == 1 {
			rates[class] = math.Min(demand[class], line)
			line -= rates[class]
		}
	}
	open := map[int]bool{}
	for class := range demand {
		open[class] = w.settings.StrictPriorities>>class&1 == 0 && demand[class] > 0
	}
	for again := true; again; {
		again = false
		weights := 0.0
		for class, on := range open {
			if on {
				weights += w.settings.Shares[class]
			}
		}
		for class := range demand {
			if open[class] && demand[class] <= line*w.settings.Shares[class]/weights {
				rates[class], open[class], again = demand[class], false, true
				line -= demand[class]
				break
			}
		}
		if !again {
			for class := range demand {
				if open[class] {
					rates[class] = line * w.settings.Shares[class] / weights
				}
			}
		}
	}
	return rates
}

// drops holds that protected priorities lose nothing, and reports whether one was short of buffer.
func (w *network) drops() (protected int) {
	control := &w.lab.plan.ports[w.port].flowControl
	for priority := range counter.Priorities {
		safe, some := true, false
		for _, f := range w.lab.Flows() {
			if h := f.Received; h.Adapter == priority {
				some = true
				safe = safe && control.Protects(&h) && h.Agree()
			}
		}
		both := w.settings.QoS && w.settings.Lossless>>priority&1 == 1 && w.far.PFC(priority)
		if !both || !safe || !some {
			continue
		}
		if lost := w.of(priority, counter.PriorityDiscarded); lost > 0 {
			w.Errorf("seed %d: %d frames of priority %d are dropped, which has PFC at both ends", w.seed, lost, priority)
		}
		if w.of(priority, counter.PauseSent) > 0 {
			protected = 1
		}
	}
	return protected
}

// pauses holds that pauses stay on priorities with PFC, and reports whether there were any.
func (w *network) pauses() (some int) {
	pfc := uint8(0)
	if w.settings.QoS {
		pfc = w.settings.Lossless
	}
	far := w.lab.FarEnd(w.port)
	for priority := range 8 {
		here, there := pfc>>priority&1 == 1, w.far.PFC(priority)
		sent, received, held := w.of(priority, counter.PauseSent), w.of(priority, counter.PauseReceived), w.of(priority, counter.SelfPaused)
		if !here && sent+received+held > 0 {
			w.Errorf("seed %d: priority %d has no PFC at the port, and %d pauses sent, %d received, %d us held", w.seed, priority, sent, received, held)
		}
		if !there && far.SentPauses[priority]+far.ReceivedPauses[priority] > 0 {
			w.Errorf("seed %d: priority %d has no PFC at the switch port, which sent %d pauses and obeyed %d", w.seed, priority, far.SentPauses[priority], far.ReceivedPauses[priority])
		}
		if sent+received > 0 {
			some = 1
		}
	}
	return some
}
