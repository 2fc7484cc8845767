package lab

import (
	"strings"

	"cxdeck/device"
	"cxdeck/device/capture"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
)

// labEnds is the state around a port that is not in the host's counters: the other end of its cable, and its capture buffer.
type labEnds struct {
	far     device.FarEnd
	capture capture.Status
	up      bool
}

// beginEnds stores labEnds for all ports.
func (c *labCheck) beginEnds() {
	lab := c.lab.Host().Lab()
	c.began.ends = c.began.ends[:0]
	for port := range lab.Ports() {
		c.began.ends = append(c.began.ends, labEnds{lab.FarEnd(port), lab.PacketCapture(port), lab.State(port).Up})
	}
}

// clean reports whether the cable of a port damages no frames: it has no fault, neither from an operator nor from a schedule.
func (c *labCheck) clean(p *labPort) bool {
	for _, f := range c.lab.Host().Lab().Description().Faults {
		if f.Port == p.Connection && f.Kind == description.BadCable {
			return false
		}
	}
	return c.lab.Host().Lab().Fault(p.port, description.BadCable) == 0
}

// alike reports whether both ends of a cable had the same flow control all the time.
func (c *labCheck) alike(p *labPort) bool {
	mode := func(s *setup.Port) description.FlowControl {
		switch {
		case s.QoS && s.Lossless != 0:
			return description.PriorityPause
		case s.AsksPause:
			return description.GlobalPause
		}
		return description.NoFlowControl
	}
	lab := c.lab.Host().Lab()
	far, after := lab.SwitchPort(p.port), lab.Settings(p.port)
	before := &c.began.settings[p.port]
	return mode(before) == far.FlowControl && mode(&after) == far.FlowControl && before.Lossless == after.Lossless &&
		(far.FlowControl != description.PriorityPause || after.Lossless&^far.Lossless == 0 && !before.UntaggedLossless && !after.UntaggedLossless)
}

// started reports whether the driver of a port started between the columns.
func (c *labCheck) started(p *labPort) bool {
	for _, e := range c.lab.Host().EventsAfter(c.began.events) {
		if e.Adapter == p.Connection && (e.Key == "mlx4.eth-started-mac" || e.Key == "mlx5.identity") {
			return true
		}
	}
	return false
}

// counting: T3 a start of the driver clears what it counts by processor and kind, so that there is no more of it than
// came since; R5 nothing is counted before counting begins.
func (c *labCheck) counting(p *labPort) {
	lab, now, moved, taken := c.lab.Host().Lab(), uint64(0), uint64(0), uint64(0)
	for processor := range lab.Processors() {
		for kind := range rss.Counters {
			cell := lab.KindCell(p.port, processor, kind)
			now += lab.Counters()[cell]
			moved += c.moved(cell)
		}
	}
	for ring := range lab.RingSlots(p.port) {
		taken += c.moved(lab.ReceiveRingCell(p.port, ring, counter.RingPackets))
	}
	switch {
	case c.started(p):
		c.need(now <= taken, "T3", "%s: %d packets by kind, %d came since the driver started", p.Connection, now, taken)
		c.starts++
	case !c.began.counting[p.port] && !lab.Counting(p.port) && !c.restarted(p):
		c.need(moved == 0, "R5", "%s: %d packets by kind before counting has begun", p.Connection, moved)
	}
}

// ends: Q11 what one end of a link sends arrives at the other, or is damaged on the way; D7 no end gets more negative
// answers than the other gives. On a clean link all arrive.
func (c *labCheck) ends(p *labPort) {
	before, now := &c.began.ends[p.port].far, c.lab.Host().Lab().FarEnd(p.port)
	clean := c.clean(p)
	through := func(rule, what string, sent, arrived uint64) {
		c.need(sent >= arrived, rule, "%s: %d %s sent, %d arrived", p.Connection, sent, what, arrived)
		c.need(!clean || sent == arrived, rule, "%s: %d of %d %s lost on a clean link", p.Connection, sent-arrived, sent, what)
	}
	for priority := range counter.Priorities {
		pauses := func(cell counter.Priority) uint64 {
			return c.moved(counter.PriorityCell(p.port, priority, cell))
		}
		through("Q11", "pause frames of the switch", now.SentPauses[priority]-before.SentPauses[priority], pauses(counter.PauseReceived))
		sent, taken := pauses(counter.PauseSent), now.ReceivedPauses[priority]-before.ReceivedPauses[priority]
		if c.alike(p) {
			through("Q11", "pause frames of the host", sent, taken)
		} else {
			c.need(sent >= taken, "Q11", "%s: %d pause frames sent, %d taken", p.Connection, sent, taken)
		}
	}
	frames, damaged := now.ReceivedFrames-before.ReceivedFrames, now.ReceivedErrors-before.ReceivedErrors
	c.need(frames+damaged == c.hardware(p.port, counter.SentPackets), "Q11", "%s: %d frames sent, %d arrived and %d damaged",
		p.Connection, c.hardware(p.port, counter.SentPackets), frames, damaged)
	c.need(now.SentFrames-before.SentFrames == c.hardware(p.port, counter.ArrivedPackets), "Q11", "%s: %d frames sent to it, %d arrived",
		p.Connection, now.SentFrames-before.SentFrames, c.hardware(p.port, counter.ArrivedPackets))
	through("D7", "RNR answers of peers", now.PeerResponderRNR-before.PeerResponderRNR, c.hardware(p.port, counter.RequesterRNR))
	through("D7", "RNR answers", c.hardware(p.port, counter.ResponderRNR), now.PeerRequesterRNR-before.PeerRequesterRNR)
	through("D7", "requests for gaps of peers", now.PeerResponderOutOfOrder-before.PeerResponderOutOfOrder,
		c.hardware(p.port, counter.RequesterOutOfOrder))
	through("D7", "requests for gaps", c.hardware(p.port, counter.ResponderOutOfOrder),
		now.PeerRequesterOutOfOrder-before.PeerRequesterOutOfOrder)
}

// connections: D2 a connection that broke was established, and an attempt that failed never was; D5 what uses RDMA
// without SMB Direct moves bytes and frames, and no counter of connections.
func (c *labCheck) connections(p *labPort) {
	if p.Link == description.InfiniBand {
		return
	}
	const set = "RDMA Activity"
	now := func(counter string) uint64 { return c.total(set, p.Connection, counter) }
	opened := now("RDMA Accepted Connections") + now("RDMA Initiated Connections")
	active, broken, failed := now("RDMA Active Connections"), now("RDMA Connection Errors"), now("RDMA Failed Connection Attempts")
	c.need(broken+active <= opened, "D2", "%s: %d active and %d broken of %d that were established", p.Connection, active, broken, opened)
	closed := c.lab.Host().Lab().Counters()[counter.Cell(p.port, counter.RDMAClosed)]
	c.need(opened-active-broken <= closed, "D2", "%s: %d established, %d active, %d broken, %d closed", p.Connection, opened, active, broken, closed)
	down := !c.began.ends[p.port].up && !c.lab.Host().Lab().State(p.port).Up && c.hardware(p.port, counter.LinkUps) == 0
	if down {
		established, errors := c.hardware(p.port, counter.RDMAAccepted)+c.hardware(p.port, counter.RDMAInitiated), c.hardware(p.port, counter.RDMAErrors)
		c.need(established+errors == 0, "D2", "%s: without a link %d are established and %d break", p.Connection, established, errors)
	}
	if c.otherwise(p) {
		c.need(opened+active+broken+failed == 0, "D5", "%s: %d established, %d active, %d broken, %d failed", p.Connection, opened, active, broken, failed)
		for i := range c.schema.Series {
			if s := &c.schema.Series[i]; s.Set == "SMB Direct Connection" && s.Instance == p.Connection {
				c.need(c.after.Cells[s.Cell] == 0, "D5", "%s is %d", s.Path(), c.after.Cells[s.Cell])
			}
		}
		c.own += c.rise(set, p.Connection, "RDMA Inbound Frames/sec")
	}
}

// otherwise reports whether all RDMA of a port is from applications other than SMB Direct.
func (c *labCheck) otherwise(p *labPort) (all bool) {
	for _, f := range c.lab.Host().Lab().Description().Flows {
		if f.Port == p.Connection && f.Protocol == description.RDMA {
			if f.Application == description.SMBDirect {
				return false
			}
			all = true
		}
	}
	return all
}

// classes: E6 the classes of wrong size are apart: each bad frame is in one class, and so all classes are all errors.
func (c *labCheck) classes(p *labPort) {
	if p.adapter.Family != description.WinOF2 {
		return
	}
	sum := uint64(0)
	for _, class := range []string{"Frame too long Error", "Frame undersize Error", "Fragments Error", "jabbers Error", "Symbol Error", "Bad CRC Error"} {
		if _, ok := c.find(p.traffic, p.Connection, "Packets Received "+class); ok {
			sum += c.total(p.traffic, p.Connection, "Packets Received "+class)
		}
	}
	all := c.total(p.traffic, p.Connection, "Packets Received Errors")
	c.need(sum == all, "E6", "%s: %d in classes, %d errors", p.Connection, sum, all)
}

// overflows: D10 queues overflow in the card: all its ports show the same.
func (c *labCheck) overflows(p *labPort) {
	const set = "Mellanox Adapter Diagnostics Counters"
	for _, counter := range []string{"CQ overflows", "EQ overflows"} {
		for i := range p.adapter.Ports {
			other := p.adapter.Ports[i].Connection
			_, ours := c.find(set, p.Connection, counter)
			if _, theirs := c.find(set, other, counter); ours && theirs {
				c.need(c.total(set, p.Connection, counter) == c.total(set, other, counter), "D10", "%s and %s: %s", p.Connection, other, counter)
			}
		}
	}
}

// captured: R9 the buffer holds the newest packets that were not hashed, and no more than it has room for.
func (c *labCheck) captured(p *labPort) {
	lab := c.lab.Host().Lab()
	before, now := c.began.ends[p.port].capture, lab.PacketCapture(p.port)
	packets := lab.CapturedPackets(p.port)
	c.need(now.Held <= now.Packets && len(packets) == now.Held, "R9", "%s: %d packets in a buffer for %d", p.Connection, now.Held, now.Packets)
	for i := range packets {
		c.need(len(packets[i].Data) <= now.Bytes, "R9", "%s: %d bytes of a packet", p.Connection, len(packets[i].Data))
		c.need(i == 0 || !packets[i].Time.Before(packets[i-1].Time), "R9", "%s: packet %d is out of order", p.Connection, i)
	}
	if !before.On || !now.On || c.restarted(p) || !c.began.counting[p.port] || !lab.Counting(p.port) {
		return
	}
	came := uint64(before.Held) + before.Lost
	for processor := range lab.Processors() {
		for kind := range rss.Counters {
			if !strings.HasPrefix(strings.TrimPrefix(rss.Counter(kind).String(), "Encapsulated "), "Rss") {
				came += c.moved(lab.KindCell(p.port, processor, kind))
			}
		}
	}
	c.need(uint64(now.Held)+now.Lost == came, "R9", "%s: %d packets in the buffer and %d lost of %d", p.Connection, now.Held, now.Lost, came)
	c.need(now.Lost == 0 || now.Held == now.Packets, "R9", "%s: %d lost with %d of %d in the buffer", p.Connection, now.Lost, now.Held, now.Packets)
	c.kept += uint64(now.Held)
}

// endOperation returns a random Operation on objects that only this file checks.
func endOperation(connection string, at int) driver.Operation {
	return []driver.Operation{
		hardware.StartCapture{Connection: connection, Packets: capture.DefaultPackets, Bytes: capture.DefaultBytes},
		hardware.StartCapture{Connection: connection, Packets: 40, Bytes: 60}, hardware.EmptyCapture{Connection: connection},
		hardware.StopCapture{Connection: connection}, hardware.SetFault{Connection: connection, Fault: description.FewReceives, Share: 0.1},
	}[at]
}
