package scenes

import (
	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/wire"
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
)

// conditionWords are the requirements of a scene that a port may lack.
var conditionWords = map[Condition]string{
	onEthernet:    "an Ethernet port: InfiniBand has credits instead of pause frames, and one MTU for the whole subnet",
	withPauses:    "a port with PFC on priority 3, or with global pause, at both ends",
	withJumbo:     "a port that accepts jumbo frames",
	withDatagrams: "a constant flow of datagrams above 1514 bytes to the port",
	withIncoming:  "a constant flow to the port",
	forHost:       "a constant flow to the port other than RDMA",
}

const (
	sceneLossless = 3    // the priority that the scenes use
	plainFrame    = 1514 // the largest frame without jumbo packets, in bytes
	plainPacket   = 1500 // the largest IP packet in it
)

// conditions returns the conditions that a port meets now.
func conditions(lab *device.Lab, port int) map[Condition]bool {
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
	for i, state := range lab.Flows() {
		f := &lab.Description().Flows[i]
		if state.Port != port {
			continue
		}
		rdma := state.Protocol == description.RDMA
		has[withRDMA] = has[withRDMA] || rdma && f.Connections > 0
		if f.Rhythm.Kind == description.Burst && f.Rhythm.Rest == 0 {
			continue
		}
		has[isSender] = has[isSender] || f.SendGbps > 0 && !rdma
		if f.ReceiveGbps == 0 {
			continue
		}
		has[withIncoming] = true
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

// incoming returns the names of the flows that constantly send to a port.
func incoming(lab *device.Lab, port int) (names []string) {
	for i, state := range lab.Flows() {
		f := &lab.Description().Flows[i]
		if state.Port == port && f.ReceiveGbps > 0 && (f.Rhythm.Kind != description.Burst || f.Rhythm.Rest > 0) {
			names = append(names, f.Name)
		}
	}
	return names
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
