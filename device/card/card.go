// Package card counts the work of a card: the bytes through its slot, doorbells, and the look-ups of queue pairs, descriptors and memory
// keys in its caches. The manuals give no figures for the caches; the constants are assumptions of the lab. The caller has the traffic.
package card

import "cxdeck/device/counter"

const (
	// Clock is the number of core clocks per second.
	Clock = 156.25e6
	// DoorbellFrames is the number of frames per doorbell.
	DoorbellFrames = 16.0

	idleTemperature = 46.0 // degrees Celsius without load
	loadTemperature = 24.0 // additional degrees at full load
	cachedContexts  = 256  // maximum number of queue pairs with a cached context
	missTicks       = 20   // clocks that the card waits for a context that is not cached
	// nearMisses is the number of misses of a first cache for one miss of the second.
	nearMisses = 4
	// blueFlamesSwapped is the number of descriptors written into the card for one that is evicted.
	blueFlamesSwapped = 256
)

// Remainders holds the remainders of whole events of a card.
type Remainders struct{ Used, Doorbells, SendMisses, ReceiveMisses, BlueFlames float64 }

// CountSlot counts the bytes that used the slot in a step, of the available ones.
func (r *Remainders) CountSlot(cells []uint64, used, available float64) {
	cells[counter.CardUsedBytes] += counter.Whole(&r.Used, used)
	cells[counter.CardAvailableBytes] += uint64(available)
	cells[counter.CardTemperature] = uint64(idleTemperature + loadTemperature*used/max(1, available))
}

// Frames is what a port of a card moved in a step.
type Frames struct {
	In, Out uint64
	// RDMAIn and RDMAOut are the RDMA frames.
	RDMAIn, RDMAOut uint64
	// BlueFlame reports that the driver writes descriptors into the card.
	BlueFlame bool
}

// CountContexts counts the look-ups for the frames of a port. pairs is the number of queue pairs of the card, clocks the length of the
// step.
func (r *Remainders) CountContexts(cells []uint64, f Frames, pairs int, clocks float64) {
	cells[counter.CardDescriptorLookups] += f.In
	cells[counter.CardDescriptorHits] += f.In - f.In/64
	cells[counter.CardDoorbells] += counter.Whole(&r.Doorbells, float64(f.Out)/DoorbellFrames)
	if f.BlueFlame {
		cells[counter.CardBlueFlames] += counter.Whole(&r.BlueFlames, float64(f.Out)/DoorbellFrames/8)
	}
	frames, missing := f.In+f.Out, 0.0
	if pairs > cachedContexts {
		missing = 1 - cachedContexts/float64(pairs)
	}
	sending := counter.Whole(&r.SendMisses, float64(f.RDMAOut)*missing/DoorbellFrames)
	receiving := counter.Whole(&r.ReceiveMisses, float64(f.RDMAIn)*missing/DoorbellFrames)
	misses := sending + receiving
	cells[counter.CardContextPressure] += uint64(min(clocks, float64(misses)*missTicks))
	cells[counter.CardSendQueueMisses] += sending
	cells[counter.CardReceiveQueueMisses] += receiving
	cells[counter.CardSteeringHits] += f.In - receiving
	cells[counter.CardSteeringMisses] += receiving
	cells[counter.CardCompletionQueueMisses] += misses / 4
	cells[counter.CardEventQueueMisses] += misses / 16
	cells[counter.CardTranslationMisses] += misses
	cells[counter.CardProtectionMisses] += misses / 2
	cells[counter.CardTranslationHits] += frames - misses
	cells[counter.CardProtectionHits] += frames - misses/2
}

// Gauges are values of a card that rise and fall.
type Gauges struct {
	// Speed is in tenths of GT/s of a lane.
	Speed, Lanes uint64
	Pairs, Rings int
	// Limited and AllLimited are the limited flows now and ever, NoDescriptor the packets without a descriptor, and Broken the queue
	// pairs with an error.
	Limited, AllLimited, NoDescriptor, Broken uint64
}

// Show sets the gauges.
func (g *Gauges) Show(cells []uint64) {
	cells[counter.CardSlotSpeed], cells[counter.CardSlotLanes] = g.Speed, g.Lanes
	cells[counter.CardNoDescriptor] = g.NoDescriptor
	cells[counter.CardLimitedPairs], cells[counter.CardAllLimitedPairs] = g.Limited, max(g.AllLimited, g.Limited)
	cells[counter.CardMaxLimitedPairs] = max(cells[counter.CardMaxLimitedPairs], g.Limited)
	cells[counter.CardErrorQueuePairs] = g.Broken
	cells[counter.CardQueuePairs], cells[counter.CardCompletionQueues] = uint64(g.Pairs), uint64(2*g.Rings+g.Pairs)
	cells[counter.CardEventQueues], cells[counter.CardMemoryRegions] = uint64(g.Rings+1), uint64(4*g.Pairs+g.Rings)
}

// ShowIdle sets the temperature before the first step.
func ShowIdle(cells []uint64) { cells[counter.CardTemperature] = idleTemperature }

// derived lists the counters that are derived from others: the source times clocks, divided by per.
var derived = [...]struct {
	counter, source counter.Card
	clocks, per     uint64
}{
	{counter.CardSendFarMisses, counter.CardSendQueueMisses, 1, nearMisses},
	{counter.CardReceiveFarMisses, counter.CardReceiveQueueMisses, 1, nearMisses},
	{counter.CardTranslationFarMisses, counter.CardTranslationMisses, 1, nearMisses},
	{counter.CardProtectionFarMisses, counter.CardProtectionMisses, 1, nearMisses},
	{counter.CardTranslationPressure, counter.CardTranslationMisses, missTicks, 1},
	{counter.CardBlueFlameSwaps, counter.CardBlueFlames, 1, blueFlamesSwapped},
}

// Derive updates the counters that are derived from others.
func Derive(cells []uint64) {
	for i := range derived {
		d := &derived[i]
		cells[d.counter] = cells[d.source] * d.clocks / d.per
	}
}
