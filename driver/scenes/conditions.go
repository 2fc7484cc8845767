package scenes

import (
	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/wire"
	"cxdeck/driver"
)

// Condition is a property of a port or of its traffic that a scene or a sign requires.
type Condition string

// The conditions.
const (
	onWinOF      Condition = "winof"
	onWinOF2     Condition = "winof-2"
	onEthernet   Condition = "ethernet"
	onInfiniBand Condition = "infiniband"
	// The two ends pause each other: priority 3 with PFC, or the whole link with global pause.
	withPauses Condition = "pauses"
	withPFC    Condition = "pfc"
	withGlobal Condition = "global pause"
	// The port accepts frames above 1514 bytes; such frames arrive in datagrams, whose size no handshake limits.
	withJumbo     Condition = "jumbo"
	withDatagrams Condition = "datagrams"
	// There is constant traffic to the port; part of it goes to the host's processors, can be lost for lack of buffers, or is
	// controlled by congestion control.
	withIncoming Condition = "incoming"
	forHost      Condition = "for the host"
	isLossy      Condition = "lossy"
	isMarked     Condition = "marked"
	// The port has RDMA connections; the host's processors send traffic.
	withRDMA Condition = "rdma"
	isSender Condition = "sends"
	// There is constant RDMA to the port, or from it.
	receivesRDMA Condition = "receives rdma"
	sendsRDMA    Condition = "sends rdma"
	// The card and its driver exchange settings by DCBX.
	withDCBX Condition = "dcbx"
	// A port of another card receives RDMA on priority 3 with PFC; peers send datagrams to the port, which can come in bursts.
	withOther  Condition = "other"
	withBursts Condition = "bursts"
	// Priority 3 is in the default traffic class, and adapter QoS acts.
	isUnclassed Condition = "unclassed"
)

// conditionWords are the requirements of a scene that a port may lack.
var conditionWords = map[Condition]string{
	onEthernet:    "an Ethernet port: InfiniBand has credits instead of pause frames, and one MTU for the whole subnet",
	withPauses:    "a port with PFC on priority 3, or with global pause, at both ends",
	withJumbo:     "a port that accepts jumbo frames",
	withDatagrams: "a constant flow of datagrams above 1514 bytes to the port",
	withIncoming:  "a constant flow to the port",
	forHost:       "a constant flow to the port other than RDMA",
	onWinOF2:      "a WinOF-2 adapter",
	withPFC:       "a port with PFC on priority 3 at both ends",
	isMarked:      "a constant RDMA flow to the port on a priority with congestion control",
	receivesRDMA:  "a constant RDMA flow to the port",
	sendsRDMA:     "a constant RDMA flow from the port",
	isSender:      "a constant flow from the port other than RDMA",
	withDCBX:      "an adapter whose card and driver have DCBX",
	withOther:     "a port of another card that receives RDMA on priority 3 with PFC",
	withBursts:    "a constant flow of datagrams of 0.1 Gb/s to the port",
	isUnclassed:   "traffic classes that leave priority 3 to the default class",
}

const (
	sceneLossless = 3    // the priority that the scenes use
	plainFrame    = 1514 // the largest frame without jumbo packets, in bytes
	plainPacket   = 1500 // the largest IP packet in it
)

// Survey knows which conditions the ports of a host meet at a moment.
type Survey struct {
	host *driver.Host
	has  []map[Condition]bool
}

// NewSurvey examines all ports of a host.
func NewSurvey(h *driver.Host) *Survey {
	v := &Survey{host: h, has: make([]map[Condition]bool, h.Lab().Ports())}
	flows, qosView := h.Lab().Flows(), h.QoS()
	unclassed := qosView.Classes[0].Priorities.Has(sceneLossless) // of the default class
	for port := range v.has {
		v.has[port] = conditions(h.Lab(), port, flows)
		v.has[port][withDCBX] = qosView.Ports[port].DCBX.Supported
		v.has[port][isUnclassed] = unclassed && qosView.Ports[port].Acts
	}
	for port := range v.has {
		v.has[port][withOther] = v.other(port) != ""
	}
	return v
}

// other returns the first connection of another card that receives RDMA on priority 3 with PFC; empty for none.
func (v *Survey) other(port int) string {
	lab := v.host.Lab()
	_, card, _ := lab.Port(port)
	for i, has := range v.has {
		if _, a, _ := lab.Port(i); a != card && has[onWinOF2] && has[withPFC] && has[receivesRDMA] {
			return lab.Connection(i)
		}
	}
	return ""
}

// conditions returns the conditions that a port meets now, as far as the lab knows.
func conditions(lab *device.Lab, port int, flows []device.FlowState) map[Condition]bool {
	d, _, _ := lab.Port(port)
	settings, far := lab.Settings(port), lab.SwitchPort(port)
	ethernet := d.Link == description.Ethernet
	const bit = 1 << sceneLossless
	pfc := ethernet && settings.QoS && settings.Lossless&bit != 0 && far.FlowControl == description.PriorityPause && far.Lossless&bit != 0
	global := ethernet && settings.Lossless == 0 && settings.AsksPause && settings.ObeysPause && far.FlowControl == description.GlobalPause
	has := map[Condition]bool{
		onWinOF: lab.Family(port) == description.WinOF, onWinOF2: lab.Family(port) == description.WinOF2,
		onEthernet: ethernet, onInfiniBand: !ethernet,
		withPFC: pfc, withGlobal: global, withPauses: pfc || global, withJumbo: ethernet && settings.MaxFrame > plainFrame,
	}
	for i := range flows {
		state, f := &flows[i], &lab.Description().Flows[i]
		if state.Port != port {
			continue
		}
		rdma := state.Protocol == description.RDMA
		has[withRDMA] = has[withRDMA] || rdma && f.Connections > 0
		if !isConstant(f) {
			continue
		}
		has[isSender] = has[isSender] || f.SendGbps > 0 && !rdma
		has[sendsRDMA] = has[sendsRDMA] || f.SendGbps > 0 && rdma
		if f.ReceiveGbps == 0 {
			continue
		}
		has[withIncoming], has[receivesRDMA] = true, has[receivesRDMA] || rdma
		has[withBursts] = has[withBursts] || makesBursts(f)
		has[forHost] = has[forHost] || !rdma
		prioritised := state.Priority < counter.Untagged
		lossless := global || pfc && prioritised && settings.Lossless>>state.Priority&1 != 0
		has[isLossy] = has[isLossy] || ethernet && !lossless
		has[isMarked] = has[isMarked] || rdma && prioritised && settings.Congestion.Notifies(uint8(state.Priority))
		for _, size := range f.Packets {
			has[withDatagrams] = has[withDatagrams] || f.Protocol == description.UDP && size.IP > plainPacket
		}
	}
	return has
}

// isConstant reports whether a flow sends all the time.
func isConstant(f *description.Flow) bool {
	return !f.Idle && (f.Rhythm.Kind != description.Burst || f.Rhythm.Rest > 0)
}

// incoming returns the names of the flows that constantly send to a port: all, or RDMA only.
func incoming(lab *device.Lab, port int, rdma bool) (names []string) {
	for i, state := range lab.Flows() {
		f := &lab.Description().Flows[i]
		if state.Port == port && f.ReceiveGbps > 0 && isConstant(f) && (!rdma || state.Protocol == description.RDMA) {
			names = append(names, f.Name)
		}
	}
	return names
}

// rdmaSent returns the names of the RDMA flows that a port constantly sends.
func rdmaSent(lab *device.Lab, port int) (names []string) {
	for i, state := range lab.Flows() {
		f := &lab.Description().Flows[i]
		if state.Port == port && f.SendGbps > 0 && isConstant(f) && state.Protocol == description.RDMA {
			names = append(names, f.Name)
		}
	}
	return names
}

// burstGbps is the rate in Gb/s from which on a flow of datagrams makes bursts.
const burstGbps = 0.1

// makesBursts reports whether a flow of datagrams constantly fills the rings of its port.
func makesBursts(f *description.Flow) bool {
	return f.Protocol == description.UDP && f.ReceiveGbps >= burstGbps && isConstant(f)
}

// burstOf returns the first flow to a port that makes bursts; empty for none.
func burstOf(lab *device.Lab, port int) string {
	flows, states := lab.Description().Flows, lab.Flows()
	for i := range flows {
		if f := &flows[i]; makesBursts(f) && states[i].Port == port {
			return f.Name
		}
	}
	return ""
}

// firstPort returns the first port of a card.
func firstPort(lab *device.Lab, adapter int) int {
	for port := range lab.Ports() {
		if _, a, _ := lab.Port(port); a == adapter {
			return port
		}
	}
	return 0
}

// sendOverload returns the scale at which the RDMA flows that a port sends demand more than its line rate even at the trough of
// their rhythms, at most the largest scale of a flow.
func sendOverload(lab *device.Lab, port int) float64 {
	d, _, _ := lab.Port(port)
	described := 0.0
	for i, state := range lab.Flows() {
		if f := &lab.Description().Flows[i]; state.Port == port && state.Protocol == description.RDMA && isConstant(f) {
			described += f.SendGbps
		}
	}
	if described == 0 {
		return maxOverload
	}
	const troughs = 4 // demand at a trough is a fraction of the described one
	return min(maxOverload, max(minOverload, float64(int(troughs*incastDemand*float64(d.SpeedGbps)/described))))
}

// The overload of an incast relative to the line rate, and the bounds of the factor by which flows are scaled up.
const (
	incastDemand = 2.0
	minOverload  = 2
	maxOverload  = 100
)

// overload returns the scale at which the flows to a port demand more than its line rate.
func overload(lab *device.Lab, port int) float64 {
	d, _, _ := lab.Port(port)
	described := 0.0
	for i, state := range lab.Flows() {
		if f := &lab.Description().Flows[i]; state.Port == port && f.Rhythm.Kind != description.Burst {
			described += f.ReceiveGbps
		}
	}
	if described == 0 {
		return maxOverload
	}
	return min(maxOverload, max(minOverload, float64(int(incastDemand*float64(d.SpeedGbps)/described))))
}

// narrowSlot returns the widest slot that carries at most half of the line rate of a port.
func narrowSlot(lab *device.Lab, port int) (generation, lanes int) {
	d, a, _ := lab.Port(port)
	payload := lab.Description().Adapters[a].PCIeMaxPayload
	half := float64(d.SpeedGbps) * 1e9 / 8 / 2
	generation, lanes = 1, 1
	for g := 1; g <= 3; g++ {
		for _, n := range []int{1, 2, 4, 8} {
			if usable := wire.PCIeUsable(g, n, payload); usable <= half && usable > wire.PCIeUsable(generation, lanes, payload) {
				generation, lanes = g, n
			}
		}
	}
	return generation, lanes
}
