package device

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/packet"
	"cxdeck/device/tap"
)

// tally is what a capture of a port has: frames and bytes with FCS by direction, as in the port's counters.
type tally struct {
	frames, bytes  [2]uint64
	marked, pauses uint64
	cnps           [2]uint64
	discovered     uint64
}

// captured lets time pass in a lab, and tallies the frames that a tap of a port records.
func captured(l *Lab, place tap.Place, d time.Duration, check func(*packet.Frame)) (got tally) {
	recorder := l.Tap(place)
	builder := packet.Builder{}
	ethernet := true
	if p, _, _ := l.Port(place.Port); p.Link != description.Ethernet {
		ethernet = false
	}
	for end := l.Now().Add(d); l.Now().Before(end); {
		l.Advance(Step)
		builder.Each(recorder.Take(), func(f *packet.Frame) bool {
			if check != nil {
				check(f)
			}
			side := 0
			if f.Sent {
				side = 1
			}
			if f.Group.Kind == packet.Discovery {
				got.discovered++
				return true
			}
			got.frames[side]++
			got.bytes[side] += uint64(f.Length)
			if ethernet {
				got.bytes[side] += 4
			}
			if f.Marked {
				got.marked++
			}
			switch f.Group.Kind {
			case packet.Pause, packet.PriorityPause:
				got.pauses++
			case packet.Notification:
				got.cnps[side]++
			case packet.Data, packet.Acknowledge, packet.Discovery:
			}
			return true
		})
	}
	return got
}

// TestCapturesEqualTheCounters compares the frames of a capture with the counters of its port, in a lab with all kinds of trouble.
func TestCapturesEqualTheCounters(t *testing.T) {
	t.Parallel()
	var marks, cnps, pauses atomic.Uint64
	t.Cleanup(func() {
		if marks.Load() == 0 || cnps.Load() == 0 || pauses.Load() == 0 {
			t.Errorf("%d marks, %d notifications and %d pauses: not all kinds were tried", marks.Load(), cnps.Load(), pauses.Load())
		}
	})
	quiet := newLab(t, 7)
	quiet.Advance(2 * time.Second)
	for port := range quiet.Ports() {
		for name, trouble := range map[string]func(*Lab) error{
			"quiet": func(*Lab) error { return nil },
			"congested": func(l *Lab) error {
				return errors.Join(l.SetFault(port, description.Congestion, 0.6), l.SetFault(port, description.BadCable, 0.01))
			},
			"narrow": func(l *Lab) error { // its slot carries less than arrives: marks, notifications and discards
				_, card, _ := l.Port(port)
				return l.SetSlot(card, 1, 2)
			},
			"paused": func(l *Lab) error {
				return errors.Join(l.SetFault(port, description.FarEndPause, 0.5), l.SetFault(port, description.LongFrames, 0.2))
			},
		} {
			l := quiet.Clone()
			if err := trouble(l); err != nil {
				if d, _, _ := l.Port(port); d.Link == description.Ethernet {
					t.Fatal(err)
				}
				continue // InfiniBand has no such fault
			}
			t.Run(fmt.Sprint(port, " ", name), func(t *testing.T) {
				t.Parallel()
				l.Advance(time.Second)
				before := append([]uint64(nil), l.Counters()...)
				got := captured(l, tap.Place{Port: port, Function: -1}, 50*time.Millisecond, func(f *packet.Frame) {
					if len(f.Data) != f.Length {
						t.Errorf("a frame of %d bytes has %d", f.Length, len(f.Data))
					}
				})
				marks.Add(got.marked)
				cnps.Add(got.cnps[1])
				pauses.Add(got.pauses)
				rose := func(c counter.Port) uint64 {
					return l.Counters()[counter.Cell(port, c)] - before[counter.Cell(port, c)]
				}
				for side, want := range [][2]counter.Port{{counter.ReceivedPackets, counter.ReceivedBytes}, {counter.SentPackets, counter.SentBytes}} {
					if frames, bytes := rose(want[0]), rose(want[1]); got.frames[side] != frames || got.bytes[side] != bytes {
						t.Errorf("side %d: %d frames with %d bytes, the counters rose by %d and %d", side, got.frames[side], got.bytes[side], frames, bytes)
					}
				}
				if marked := rose(counter.ECNMarked); got.marked != marked {
					t.Errorf("%d frames are marked, the counter rose by %d", got.marked, marked)
				}
				if sent := rose(counter.CNPsSent); got.cnps[1] != sent {
					t.Errorf("%d notifications are sent, the counter rose by %d", got.cnps[1], sent)
				}
				if pauses := rose(counter.ReceivedControl) + rose(counter.SentControl); got.pauses != pauses {
					t.Errorf("%d pause frames, the counters rose by %d", got.pauses, pauses)
				}
			})
		}
	}
}

// TestSwitchPortHasDroppedFrames compares a capture at the switch port with one at the host, whose slot carries too little.
func TestSwitchPortHasDroppedFrames(t *testing.T) {
	t.Parallel()
	l := newLab(t, 7)
	l.Advance(time.Second)
	before := append([]uint64(nil), l.Counters()...)
	got := captured(l, tap.Place{Port: 0, Function: -1, AtSwitch: true}, 200*time.Millisecond, nil)
	arrived := l.Counters()[counter.Cell(0, counter.ArrivedPackets)] - before[counter.Cell(0, counter.ArrivedPackets)]
	if got.frames[0] != arrived {
		t.Errorf("%d frames, %d arrived", got.frames[0], arrived)
	}
}

// TestFunctionCapturesEqualItsCounters compares a capture of a virtual function with its counters.
func TestFunctionCapturesEqualItsCounters(t *testing.T) {
	t.Parallel()
	l := disallowedLab(t, description.WinOF2, description.RoCEv2, func(*description.Flow) {})
	port := portOf(t, l, disallowedPort(description.WinOF2))
	for _, function := range []int{0, 2} {
		c := l.Clone()
		read := func(f counter.Function) uint64 { return c.Counters()[c.FunctionCell(port, function, f)] }
		received, sent := read(counter.FunctionReceivedPackets), read(counter.FunctionSentPackets)
		got := captured(c, tap.Place{Port: port, Function: function}, time.Second, nil)
		received, sent = read(counter.FunctionReceivedPackets)-received, read(counter.FunctionSentPackets)-sent
		if got.frames != [2]uint64{received, sent} || received == 0 {
			t.Errorf("function %d: %v frames, the counters rose by %d and %d", function, got.frames, received, sent)
		}
	}
}

// TestDiscoveryFrames checks that LLDP comes from the switch port each 30 seconds.
func TestDiscoveryFrames(t *testing.T) {
	t.Parallel()
	l := newLab(t, 7)
	recorder := l.Tap(tap.Place{Port: 4, Function: -1})
	n := 0
	for range int(65 * time.Second / Step) {
		l.Advance(Step)
		for _, b := range recorder.Take().Bursts {
			if b.Group.Kind != packet.Discovery {
				continue
			}
			n++
			f := (&packet.Builder{}).Build(b.Group, l.Now(), false)
			if binary.BigEndian.Uint16(f.Data[12:]) != 0x88cc {
				t.Errorf("the frame is % x", f.Data)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d frames of LLDP in 65 s", n)
	}
}
