package completion

import (
	"math"

	"cxdeck/device/counter"
	"cxdeck/device/moderation"
	"cxdeck/device/polling"
)

// Settings control how the driver of a port finds received packets and completed sends.
type Settings struct {
	Moderation moderation.Policy
	Rates      moderation.Rates
	Polling    polling.Settings
	// Send is the moderation of completed sends, and SendBatch their minimum number per interrupt: completions are written in
	// bursts, and a delayed interrupt reports as many as it is allowed.
	Send      moderation.Setting
	SendBatch float64
}

// RingState is the state of a pair of rings that a step leaves for the next one.
type RingState struct {
	// PerInterrupt and PerPass are the numbers of packets of an interrupt and of a hand-over to the host, computed in the last
	// step; SendPerInterrupt is the same for send completions.
	PerInterrupt, PerPass, SendPerInterrupt float64
	Polls                                   bool
	Class                                   moderation.Class
	// Remainders of whole interrupts, hand-overs and so on.
	Interrupts, SendInterrupts, Indicates, Low, LowIndicates, Limits float64
}

// Valid reports whether a saved state is possible.
func (r *RingState) Valid() bool {
	return r.PerInterrupt >= 1 && r.PerPass >= 1 && r.SendPerInterrupt >= 1 && r.Class <= 1
}

// NewRingState returns the state of a pair of rings after the start of its driver.
func NewRingState(s *Settings) RingState {
	return RingState{Polls: s.Polling.Always, PerInterrupt: 1, PerPass: 1, SendPerInterrupt: s.SendBatch, Class: moderation.Latency}
}

// Burst is the usual number of back-to-back frames of a flow.
const Burst = 8

// passTime is the duration of a pass of a polling ring, in seconds; packets that arrive meanwhile belong to the next pass.
const passTime = 20e-6

// idleCycle is the time to check an empty ring, in seconds; the manuals give no figure.
const idleCycle = 50e-9

const (
	lowResource = 0.9 // load at which the driver requests its buffers back at once
	// PassLimit is the maximum number of packets of a pass.
	PassLimit = 256
)

// IndicateRange is the width, in packets, of a range in the vendor tool's histogram of indications.
const IndicateRange = 40

// indicateRange returns the counter of that histogram for an indication's number of packets.
func indicateRange(packets uint64) counter.ReceiveRing {
	return counter.RingFewIndicates + counter.ReceiveRing(min(packets/IndicateRange, uint64(counter.RingManyIndicates-counter.RingFewIndicates)))
}

// Received are the packets of a receive ring in a step.
type Received struct {
	Taken uint64
	// Load is the load offered to its processor.
	Load float64
}

// Receive counts the packets of a receive ring in a step, whose length is in seconds, at the ring and its port, and chooses
// interrupts or polling for the next step. It returns the number of interrupts.
func (r *RingState) Receive(s *Settings, in Received, step float64, ring, port []uint64) (interrupts uint64) {
	if in.Taken > 0 {
		n := float64(in.Taken)
		if r.Polls {
			late := s.late(n, step)
			ring[counter.RingPollingPackets] += in.Taken - late
			port[counter.PassiveReceives] += in.Taken - late
			interrupts = r.interrupt(ring, port, late, Burst)
		} else {
			interrupts = r.interrupt(ring, port, in.Taken, r.PerInterrupt)
		}
		indicates := counter.Whole(&r.Indicates, n/r.PerPass)
		port[counter.HostIndicates] += indicates
		ring[counter.RingAverage] = uint64(math.Round(r.PerPass))
		if in.Load > lowResource {
			low := min(1, in.Load) * lowResource
			ring[counter.RingLowResource] += counter.Whole(&r.Low, n*low)
			back := min(indicates, counter.Whole(&r.LowIndicates, float64(indicates)*low))
			ring[counter.RingLowIndicates] += back
			indicates -= back
		}
		ring[indicateRange(ring[counter.RingAverage])] += indicates
		if r.PerPass >= PassLimit || in.Load >= 1 {
			ring[counter.RingMaxReceives] += counter.Whole(&r.Limits, n/PassLimit)
		}
		if in.Load > 1 {
			ring[counter.RingTotalStarvations]++
			port[counter.WatchDogs]++
			if in.Load > 2 {
				ring[counter.RingSingleStarvations]++
			}
		}
	}
	rate := float64(in.Taken) / step
	if class := s.Rates.Next(r.Class, rate); class != r.Class {
		r.Class = class
		ring[counter.RingTransitions]++
	}
	r.PerInterrupt = 1
	if s.Moderation.On {
		r.PerInterrupt = float64(s.Moderation.Setting(r.Class).PacketsPerInterrupt(rate))
	}
	pass, average := rate*passTime, 0.0
	if s.Polling.AverageFactor > 0 { // over so many passes in a step the average approaches the size of a pass
		average = pass
	}
	_, again := s.Polling.Pass(average, int(min(pass, PassLimit)))
	r.Polls = again
	r.PerPass = r.PerInterrupt
	if r.Polls {
		r.PerPass = max(1, min(pass, PassLimit))
	}
	if in.Load >= 1 { // each pass finds more than it may take
		r.PerPass = PassLimit
	}
	return interrupts
}

// interrupt counts packets of a receive ring that were found after an interrupt; each is the number of packets of one
// interrupt.
func (r *RingState) interrupt(ring, port []uint64, packets uint64, each float64) (interrupts uint64) {
	if packets == 0 {
		return 0
	}
	ring[counter.RingInterruptPackets] += packets
	interrupts = counter.Whole(&r.Interrupts, float64(packets)/each)
	ring[counter.RingInterrupts] += interrupts
	port[counter.Interrupts] += interrupts
	return interrupts
}

// late returns the number of packets of a polling ring in a step that arrive after polling has ended, because no burst arrived
// while the checked ring was empty (NIC-14).
func (s *Settings) late(packets, step float64) uint64 {
	if s.Polling.Always {
		return 0
	}
	gap := passTime + float64(s.Polling.IdleCycles)*idleCycle
	missed := packets / Burst * gap / step // the mean number of bursts in this time
	if missed > maxMissed {
		return 0
	}
	return uint64(packets * math.Exp(-missed))
}

// maxMissed is the mean number of bursts in a gap beyond which no gap occurs.
const maxMissed = 18.0

// Send counts the completed sends of a ring in a step, whose length is in seconds, at the ring and its port, and sets the
// moderation of the next step. It returns the number of interrupts.
func (r *RingState) Send(s *Settings, posted uint64, step float64, ring, port []uint64) (interrupts uint64) {
	if posted > 0 {
		port[counter.HostSends] += posted
		ring[counter.SendRingAverage] = uint64(math.Round(r.SendPerInterrupt))
		if s.Polling.Always {
			ring[counter.SendRingPollingPackets] += posted
			port[counter.PassiveSends] += posted
		} else {
			ring[counter.SendRingInterruptPackets] += posted
			interrupts = counter.Whole(&r.SendInterrupts, float64(posted)/r.SendPerInterrupt)
			ring[counter.SendRingInterrupts] += interrupts
			port[counter.Interrupts] += interrupts
		}
	}
	r.SendPerInterrupt = max(s.SendBatch, float64(s.Send.PacketsPerInterrupt(float64(posted)/step)))
	return interrupts
}
