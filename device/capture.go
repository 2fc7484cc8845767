package device

import (
	"errors"
	"time"

	"cxdeck/device/capture"
	"cxdeck/device/counter"
	"cxdeck/device/rss"
	"cxdeck/device/traffic"
)

var errNotCapturing = errors.New("no capture is running; start one first")

// PacketCapture returns the capture state of a port.
func (l *Lab) PacketCapture(port int) capture.Status { return l.captures[port].Status() }

// StartCapture starts a capture with an empty buffer. The port must monitor its packets (RssMonitoringEnabled).
func (l *Lab) StartCapture(port, packets, length int) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if !l.setup.Ports[port].CountRSS || !l.plan.ports[port].ethernet {
		return errors.New("RSS monitoring is off; set RssMonitoringEnabled to 1 and restart the adapter")
	}
	b, err := capture.NewBuffer(packets, length)
	if err == nil {
		l.captures[port] = b
	}
	return err
}

// StopCapture ends the capture, and drops uncollected packets.
func (l *Lab) StopCapture(port int) error {
	if l.captures[port] == nil {
		return errNotCapturing
	}
	l.captures[port] = nil
	return nil
}

// EmptyCapture empties the buffer, as collecting the packets does.
func (l *Lab) EmptyCapture(port int) error {
	if l.captures[port] == nil {
		return errNotCapturing
	}
	l.captures[port].Clear()
	return nil
}

// keepPackets records the newest of n packets of a lane in a step that were not hashed. It changes no counter.
func (l *Lab) keepPackets(s *stream, lane *lane, n uint64) {
	b := l.captures[s.port]
	if b == nil || lane.kind < 0 || n == 0 {
		return
	}
	if rss.Counter((int(lane.kind) - l.KindCell(int(s.port), 0, 0)) % counter.ReceiveKinds).Hashed() {
		return
	}
	kept := min(n, uint64(b.Packets))
	b.Lost += n - kept
	flow := l.setup.Marked(&l.plant.traffic[s.flow], int(s.flow))
	tags := uint16(0)
	if flow.Priority != nil {
		tags = 1
	}
	end := l.steps * int64(Step/time.Microsecond)
	for i := n - kept; i < n; i++ {
		b.Add(capture.Record{
			At: end - int64(Step/time.Microsecond)*int64(n-1-i)/int64(n), Flow: s.flow,
			Tuple: int32((uint64(l.steps) + i) % uint64(flow.Flows)), Tags: tags, Length: uint16(s.frame),
			Overlay: l.overlayOf(s, i),
		})
	}
}

// CapturedPackets returns the packets in the buffer of a port, oldest first.
func (l *Lab) CapturedPackets(port int) []capture.Packet {
	b := l.captures[port]
	if b == nil {
		return nil
	}
	records := b.Oldest()
	list := make([]capture.Packet, len(records))
	for i := range records {
		r := &records[i]
		f := &l.plant.traffic[r.Flow]
		frame := capture.Frame{Record: r, Flow: f, Tuple: traffic.TupleOf(f, int(r.Tuple), traffic.Named(f.Name)), To: l.Address(port)}
		frame.TunnelPort = traffic.FirstDynamic + uint16(traffic.Mix(uint64(frame.Tuple.SourcePort))%traffic.DynamicPorts)
		data := frame.Bytes()
		list[i] = capture.Packet{
			Time:   l.plant.description.Epoch.Add(time.Duration(r.At) * time.Microsecond),
			Length: len(data), Data: data[:min(len(data), b.Bytes)],
		}
	}
	return list
}

// checkCaptures returns an error for captures that are impossible at the lab's step.
func (l *Lab) checkCaptures(list []*capture.Buffer, steps int64) error {
	if len(list) != len(l.captures) {
		return errDamaged
	}
	tuples := func(flow int32) (int, bool) {
		if flow < 0 || int(flow) >= len(l.plant.flows) {
			return 0, false
		}
		return l.plant.traffic[flow].Flows, true
	}
	for _, b := range list {
		if b != nil && !b.Valid(steps*int64(Step/time.Microsecond), tuples) {
			return errDamaged
		}
	}
	return nil
}
