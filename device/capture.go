package device

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device/rss"
)

// PacketCapture is what is kept of received packets that were not hashed: the first bytes of each, in a buffer in which
// the oldest make way for new ones (WinOF manual, "Non-RSS Packet Capturing").
type PacketCapture struct {
	// On says whether packets are captured; all else is 0 when they are not.
	On bool
	// Packets is how many the buffer holds, Bytes how many bytes of each.
	Packets, Bytes int
	// Held is how many are in the buffer, Lost how many made way since it was last emptied.
	Held int
	Lost uint64
}

// The sizes of the capture buffer: what it has when none are named, and the most; the manual gives no most.
const (
	CapturePackets     = 1024
	CaptureBytes       = 128
	MostCapturePackets = 16384
	MostCaptureBytes   = 9618
)

// CapturedPacket is one of the captured packets.
type CapturedPacket struct {
	// Time is when it came, Length how long it is from its header on, without FCS, and Data what was kept of it.
	Time   time.Time
	Length int
	Data   []byte
}

// capture is the buffer of a port. Of a packet it is enough to know of which flow it is: its bytes follow from that.
type capture struct {
	Packets, Bytes int
	Lost           uint64
	// Records are the packets; when the buffer is full, Next is the oldest of them.
	Records []capturedRecord
	Next    int
	// fresh came in this step, in no order yet.
	fresh []capturedRecord
}

// capturedRecord is a packet of a five-tuple of a flow, with the microsecond in which it came.
type capturedRecord struct {
	At           int64
	Flow, Tuple  int32
	Tags, Length uint16
	Overlay      Overlay `json:",omitzero"`
}

var errNotCapturing = errors.New("it does not capture packets; start that first")

// PacketCapture is how the capture of a port is.
func (l *Lab) PacketCapture(port int) PacketCapture {
	c := l.captures[port]
	if c == nil {
		return PacketCapture{}
	}
	return PacketCapture{On: true, Packets: c.Packets, Bytes: c.Bytes, Held: len(c.Records), Lost: c.Lost}
}

// StartCapture begins to capture, with an empty buffer. The port must watch its packets (RssMonitoringEnabled).
func (l *Lab) StartCapture(port, packets, length int) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if !l.settings[port].CountRSS || !l.plan.ports[port].ethernet {
		return errors.New("it does not look at how its packets are hashed; set RssMonitoringEnabled to 1 and restart it")
	}
	c := &capture{Packets: packets, Bytes: length}
	if err := c.check(); err != nil {
		return err
	}
	l.captures[port] = c
	return nil
}

// StopCapture ends it. What was not collected is gone.
func (l *Lab) StopCapture(port int) error {
	if l.captures[port] == nil {
		return errNotCapturing
	}
	l.captures[port] = nil
	return nil
}

// EmptyCapture empties the buffer, as collecting it does.
func (l *Lab) EmptyCapture(port int) error {
	c := l.captures[port]
	if c == nil {
		return errNotCapturing
	}
	c.Records, c.Next, c.Lost = nil, 0, 0
	return nil
}

func (c *capture) check() error {
	if c.Packets < 1 || c.Packets > MostCapturePackets {
		return fmt.Errorf("a capture buffer holds 1 to %d packets, and not %d", MostCapturePackets, c.Packets)
	}
	if c.Bytes < 1 || c.Bytes > MostCaptureBytes {
		return fmt.Errorf("1 to %d bytes of a packet can be captured, and not %d", MostCaptureBytes, c.Bytes)
	}
	return nil
}

// clone is a copy that goes its own way.
func (c *capture) clone() *capture {
	if c == nil {
		return nil
	}
	copied := *c
	copied.Records, copied.fresh = slices.Clone(c.Records), nil
	return &copied
}

func cloneCaptures(list []*capture) []*capture {
	copied := make([]*capture, len(list))
	for i, c := range list {
		copied[i] = c.clone()
	}
	return copied
}

// hashed says whether a hash was made of packets of a kind.
func hashed(kind int) bool {
	return strings.HasPrefix(strings.TrimPrefix(rss.Counter(kind).String(), "Encapsulated "), "Rss")
}

// keepPackets notes the newest of n packets of a lane in a step that were not hashed. It changes no counter.
func (l *Lab) keepPackets(s *stream, here *lane, n uint64) {
	c := l.captures[s.port]
	if c == nil || here.kind < 0 || n == 0 {
		return
	}
	if hashed((int(here.kind) - l.plant.layout.kinds[s.port]) % ReceiveKinds) {
		return
	}
	kept := min(n, uint64(c.Packets))
	c.Lost += n - kept
	flow := &l.plant.traffic[s.flow]
	tags := uint16(0)
	if flow.Priority != nil {
		tags = 1
	}
	end := l.steps * int64(Step/time.Microsecond)
	for i := n - kept; i < n; i++ {
		c.fresh = append(c.fresh, capturedRecord{
			At: end - int64(Step/time.Microsecond)*int64(n-1-i)/int64(n), Flow: s.flow,
			Tuple: int32((uint64(l.steps) + i) % uint64(flow.Flows)), Tags: tags, Length: uint16(s.frame),
			Overlay: l.overlayOf(s, i),
		})
	}
}

// keepCaptured puts what came in a step into the buffers, in the order in which it came.
func (l *Lab) keepCaptured() {
	for _, c := range l.captures {
		if c == nil || len(c.fresh) == 0 {
			continue
		}
		slices.SortStableFunc(c.fresh, func(a, b capturedRecord) int { return int(a.At - b.At) })
		for _, r := range c.fresh {
			c.keep(r)
		}
		c.fresh = c.fresh[:0]
	}
}

func (c *capture) keep(r capturedRecord) {
	if len(c.Records) < c.Packets {
		c.Records = append(c.Records, r)
		return
	}
	c.Records[c.Next] = r
	c.Next = (c.Next + 1) % c.Packets
	c.Lost++
}

// CapturedPackets are the packets in the buffer of a port, oldest first.
func (l *Lab) CapturedPackets(port int) []CapturedPacket {
	c := l.captures[port]
	if c == nil {
		return nil
	}
	records := slices.Concat(c.Records[c.Next:], c.Records[:c.Next])
	list := make([]CapturedPacket, len(records))
	for i, r := range records {
		data := l.packetBytes(port, &r)
		list[i] = CapturedPacket{
			Time:   l.plant.description.Epoch.Add(time.Duration(r.At) * time.Microsecond),
			Length: len(data), Data: data[:min(len(data), c.Bytes)],
		}
	}
	return list
}

// checkCaptures finds what no lab at a step could have captured.
func (l *Lab) checkCaptures(list []*capture, steps int64) error {
	if len(list) != len(l.captures) {
		return errDamaged
	}
	for _, c := range list {
		if c == nil {
			continue
		}
		full := len(c.Records) == c.Packets
		if c.check() != nil || len(c.Records) > c.Packets || c.Next < 0 || c.Next > 0 && (!full || c.Next >= c.Packets) {
			return errDamaged
		}
		for _, r := range c.Records {
			if r.At < 0 || r.At > steps*int64(Step/time.Microsecond) || r.Flow < 0 || int(r.Flow) >= len(l.plant.flows) || r.Tuple < 0 ||
				int(r.Tuple) >= l.plant.traffic[r.Flow].Flows || r.Tags > 1 || r.Length < leastFrame || r.Length > MostCaptureBytes+fcs ||
				r.Overlay.check() != nil {
				return errDamaged
			}
		}
	}
	return nil
}
