package sniffer

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"cxdeck/device"
	"cxdeck/device/capture/pcap"
	"cxdeck/device/counter"
	"cxdeck/device/packet"
	"cxdeck/driver"
)

// Limits of a capture.
const (
	DefaultFrames = 1000
	MaxFrames     = 100_000_000
	MaxTime       = time.Hour
	MaxRing       = 1_000_000
	// DefaultSize is the default limit of a file's size in bytes, MaxSize the highest.
	DefaultSize = 100 << 20
	MaxSize     = 100 << 30
	// WholeFrames is the number of frames up to which whole frames are kept by default; of more, the first HeaderBytes are.
	WholeFrames = 10_000
	HeaderBytes = 64
	// idle is the time without a frame that is kept after which a capture of a number of frames ends.
	idle = time.Minute
)

// Options bound a capture. Zero values mean the defaults.
type Options struct {
	// Frames is the number of frames after which it ends; 0 for DefaultFrames without a time, for no limit with a time.
	Frames uint64
	// For is the time after which it ends.
	For time.Duration
	// Filter selects the frames that are kept.
	Filter packet.Filter
	// Bytes is the number of bytes kept of each frame; 0 for the default, whole frames up to WholeFrames of them.
	Bytes int
	// Ring keeps the newest frames, at most this many; 0 keeps all.
	Ring int
	// Size is the limit of the file's size in bytes; 0 for DefaultSize.
	Size int64
	// Watch is called with each frame that is kept; nil for none. The frame may be read until it returns.
	Watch func(*packet.Frame)
}

// Count is a number of frames and their bytes, without FCS.
type Count struct {
	Frames uint64 `json:"frames"`
	Bytes  uint64 `json:"bytes"`
}

// Key is what frames of a Count have in common.
type Key struct {
	Sent     bool
	Protocol string
	// Priority and VLAN are of the tag, -1 for frames without one; DSCP is -1 for frames without one.
	Priority, VLAN, DSCP int
	Marked               bool
}

// Result describes a finished capture.
type Result struct {
	From, To time.Time
	// Seen is the number of frames at the place, Kept the number in the file.
	Seen, Kept uint64
	// Bytes is the number of bytes kept of each frame at most, 0 for whole frames; Size is the size of the file.
	Bytes int
	Size  int64
	// Full reports that the file reached its limit, Silent that no more frames to keep came.
	Full, Silent bool
	// Counts are the kept frames by what they have in common.
	Counts map[Key]Count
	// Received and Sent are the frames that the port counted in the time of the capture, Complete that the capture has exactly them.
	Received, Sent uint64
	Complete       bool
}

// OptionError is the error of an option that is out of range.
type OptionError struct{ text string }

func (e *OptionError) Error() string { return e.text }

// check returns an error for options that are out of range.
func (o *Options) check() error {
	if text := o.mistake(); text != "" {
		return &OptionError{text}
	}
	return nil
}

// mistake returns the reason why the options are out of range, empty otherwise.
func (o *Options) mistake() string {
	switch {
	case o.Frames > MaxFrames:
		return fmt.Sprintf("a capture can have at most %d frames", MaxFrames)
	case o.For < 0 || o.For > MaxTime:
		return fmt.Sprintf("a capture can last at most %v", MaxTime)
	case o.Bytes < 0 || o.Bytes > 1<<16:
		return "a capture keeps 1 to 65536 bytes of each frame"
	case o.Ring < 0 || o.Ring > MaxRing:
		return fmt.Sprintf("the ring of a capture can have at most %d frames", MaxRing)
	case o.Ring > 0 && o.For == 0:
		return "a ring requires a time, after which its newest frames are written"
	case o.Size < 0 || o.Size > MaxSize:
		return fmt.Sprintf("a capture can have at most %d GB", MaxSize>>30)
	}
	return ""
}

// complete replaces zero values by the defaults.
func (o Options) complete() Options {
	if o.Frames == 0 {
		if o.Frames = MaxFrames; o.For == 0 {
			o.Frames = DefaultFrames
		}
	}
	if o.For == 0 {
		o.For = MaxTime
	}
	if o.Size == 0 {
		o.Size = DefaultSize
	}
	if o.Bytes == 0 && o.Ring == 0 && o.Frames > WholeFrames {
		o.Bytes = HeaderBytes
	}
	return o
}

// run is a capture that runs.
type run struct {
	Options
	Result
	out    *pcap.Writer
	counts map[class]*Count
	ring   []kept // the newest frames; when it is full, next is the oldest
	next   int
	err    error
}

// class is the class of a frame; classes with the same Key are one at the end.
type class struct {
	group  *packet.Group
	marked bool
}

// kept is a frame in the ring.
type kept struct {
	pcap.Packet
	class class
}

// Run captures the frames at a place of a host, whose time passes: it is to be called with a copy. It writes the file to out.
func Run(ctx context.Context, h *driver.Host, place Place, options Options, out io.Writer, format pcap.Format) (*Result, error) {
	if err := options.check(); err != nil {
		return nil, err
	}
	r := &run{Options: options.complete()}
	lab := h.Lab()
	r.From, r.counts = lab.Now(), map[class]*Count{}
	r.Result.Bytes = r.Options.Bytes
	r.out = pcap.NewWriter(out, format, pcap.Interface{
		Name: place.Name, Description: place.Description, System: h.View().Name, Program: "cxdeck", Link: place.Link, Bytes: r.Options.Bytes, Bits: place.Bits,
		Directions: r.Options.Bytes != HeaderBytes, // which would be an eighth of such a file
	})
	before := countsAt(lab, place.Port)
	tap := lab.Tap(place.Place)
	builder := packet.Builder{Bytes: r.Options.Bytes}
	end, last, whole := r.From.Add(r.For), r.From, true
	for more := true; more && lab.Now().Before(end); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h.Advance(min(device.Step, end.Sub(lab.Now())))
		span := tap.Take()
		keptBefore := r.Kept
		if more = builder.Each(span, r.take); r.err != nil {
			return nil, r.err
		}
		whole = whole && more
		if r.Kept > keptBefore {
			last = lab.Now()
		} else if options.For == 0 && lab.Now().Sub(last) > idle {
			r.Silent = true
			break
		}
	}
	for i := range r.ring {
		one := &r.ring[(r.next+i)%len(r.ring)]
		if err := r.write(&one.Packet, one.class); err != nil {
			return nil, err
		}
	}
	r.sum()
	r.To = lab.Now()
	after := countsAt(lab, place.Port)
	r.Received, r.Sent = after[0]-before[0], after[1]-before[1]
	r.Complete = whole && options.Filter == nil && place.Function < 0 && !place.AtSwitch && r.Ring == 0 && r.Kept == r.Seen &&
		r.frames(false) == r.Received && r.frames(true) == r.Sent
	if err := r.out.Close(r.From, r.To, r.Seen); err != nil {
		return nil, err
	}
	r.Result.Size = r.out.Size()
	return &r.Result, nil
}

// frames returns the number of kept frames in a direction that the port counts: LLDP frames end in the firmware.
func (r *Result) frames(sent bool) (n uint64) {
	for key, count := range r.Counts {
		if key.Sent == sent && key.Protocol != "LLDP" {
			n += count.Frames
		}
	}
	return n
}

// countsAt returns the frames that a port has received and sent.
func countsAt(lab *device.Lab, port int) [2]uint64 {
	cells := lab.Counters()
	return [2]uint64{cells[counter.Cell(port, counter.ReceivedPackets)], cells[counter.Cell(port, counter.SentPackets)]}
}

// take keeps a frame, and reports whether the capture goes on.
func (r *run) take(f *packet.Frame) bool {
	r.Seen++
	if r.Filter != nil && !r.Filter(f) {
		return true
	}
	if r.Watch != nil {
		r.Watch(f)
	}
	of := class{f.Group, f.Marked}
	p := pcap.Packet{Time: f.Time, Sent: f.Sent, Length: f.Length, Data: f.Data}
	if r.Ring > 0 {
		r.keep(p, of)
		return true
	}
	if r.err = r.write(&p, of); r.err != nil {
		return false
	}
	r.Full = r.out.Size() >= r.Options.Size
	return !r.Full && r.Kept < r.Frames
}

// keep puts a frame into the ring.
func (r *run) keep(p pcap.Packet, of class) {
	if len(r.ring) < r.Ring {
		p.Data = slices.Clone(p.Data)
		r.ring = append(r.ring, kept{p, of})
		return
	}
	old := &r.ring[r.next]
	p.Data = append(old.Data[:0], p.Data...)
	*old = kept{p, of}
	r.next = (r.next + 1) % len(r.ring)
}

func (r *run) write(p *pcap.Packet, of class) error {
	if err := r.out.Write(p); err != nil {
		return err
	}
	r.Kept++
	count := r.counts[of]
	if count == nil {
		count = &Count{}
		r.counts[of] = count
	}
	count.Frames++
	count.Bytes += uint64(p.Length)
	return nil
}

// sum adds up the counts of all classes by what their frames have in common.
func (r *run) sum() {
	r.Counts = map[Key]Count{}
	for of, count := range r.counts {
		key := of.key()
		all := r.Counts[key]
		r.Counts[key] = Count{all.Frames + count.Frames, all.Bytes + count.Bytes}
	}
}

// key returns what the frames of a class have in common with others.
func (c class) key() Key {
	g := c.group
	protocol := (&packet.Frame{Group: g}).Protocol()
	k := Key{Sent: g.Sent, Protocol: protocol, Priority: -1, VLAN: -1, DSCP: -1, Marked: c.marked}
	if g.Tagged && g.Flow.Priority != nil {
		k.Priority, k.VLAN = *g.Flow.Priority, g.Flow.VLAN
	}
	if g.Kind != packet.Pause && g.Kind != packet.PriorityPause && g.Kind != packet.Discovery && protocol != "ARP" {
		k.DSCP = max(g.Flow.DSCP, 0)
	}
	return k
}
