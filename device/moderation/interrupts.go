// Package moderation models interrupt moderation: how many completions share an interrupt, for fixed settings, for the
// registry's profiles, and for settings that adapt to the traffic. Package completion counts the interrupts.
package moderation

import (
	"math"
	"time"
)

// Setting is a packet count and a time. An interrupt occurs at that number of packets, or when that time has passed since the
// first waiting packet (NIC-9; manual: registry key *InterruptModeration). When either is zero, each packet interrupts
// (NIC-10).
type Setting struct {
	Packets int
	Time    time.Duration
}

// Default returns the setting of a receive ring with moderation on (NIC-9).
func Default() Setting { return Setting{Packets: 5, Time: 10 * time.Microsecond} }

// Interrupt is one interrupt and the packets that it reports.
type Interrupt struct {
	At      time.Duration
	Packets int
}

// AppendInterrupts appends to dst the interrupts for packets that arrive at these times, which must not decrease. A time that
// expires at the instant of an arrival expires first.
func (s Setting) AppendInterrupts(dst []Interrupt, arrivals []time.Duration) []Interrupt {
	var waiting Interrupt // At is the time at which it expires
	for _, at := range arrivals {
		if waiting.Packets > 0 && waiting.At <= at {
			dst = append(dst, waiting)
			waiting.Packets = 0
		}
		if waiting.Packets == 0 {
			waiting.At = at + s.Time
		}
		waiting.Packets++
		if waiting.Packets >= s.Packets {
			dst = append(dst, Interrupt{At: at, Packets: waiting.Packets})
			waiting.Packets = 0
		}
	}
	if waiting.Packets > 0 {
		dst = append(dst, waiting)
	}
	return dst
}

// PacketsPerInterrupt returns the number of packets that share an interrupt when they arrive evenly at a rate in packets a
// second; at least 1.
func (s Setting) PacketsPerInterrupt(rate float64) int {
	inTime := math.Ceil(float64(s.Time) * rate / float64(time.Second))
	return int(max(1, min(float64(s.Packets), inTime)))
}
