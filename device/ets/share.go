package ets

import "math/bits"

// Classes is the number of traffic classes of a port; their priorities are 0 to 7.
const Classes = 8

// Class is the demand and the limits of a traffic class. All rates have the same unit.
type Class struct {
	// Priority orders strict classes; the highest goes first.
	Priority uint8
	// Strict classes are served before all others, which share by Weight (QOS-6).
	Strict bool
	// Weight is the class's percentage of the rate that remains after strict classes (QOS-7).
	Weight float64
	// Demand is the offered rate of the class, Limit its maximum rate; 0 means no limit (QOS-8).
	Demand, Limit float64
}

func (c *Class) demandedRate() float64 {
	want := max(0, c.Demand)
	if c.Limit > 0 {
		want = min(want, c.Limit)
	}
	return want
}

func (c *Class) weight() float64 {
	if c.Weight > 0 {
		return c.Weight
	}
	return 1 // classes without a weight have equal shares
}

// Share writes the rate of each class into rates, which is as long as classes, 64 at most. No rate is unused while a
// class has demand below its limit: strict classes first, then classes with a weight in proportion to it, then classes
// without a weight in equal parts (QOS-6, QOS-7).
func Share(link float64, classes []Class, rates []float64) {
	rates = rates[:len(classes)]
	wanted, strict := 0.0, uint64(0) // strict has a bit for each priority
	for i := range classes {
		c := &classes[i]
		rates[i] = c.demandedRate()
		wanted += rates[i]
		if c.Strict {
			strict |= 1 << c.Priority
		}
	}
	if wanted <= link { // the usual case
		return
	}
	left := link
	for strict != 0 {
		priority := uint8(bits.Len64(strict) - 1)
		strict &^= 1 << priority
		for i := range classes {
			if c := &classes[i]; c.Strict && c.Priority == priority {
				rates[i] = min(rates[i], left)
				left -= rates[i]
			}
		}
	}
	left = fill(left, classes, rates, true)
	fill(left, classes, rates, false)
}

// fill shares the remaining rate among the classes with a weight, or without one, and returns the rate that they do not
// use; rates holds their demand. Each round serves the classes whose demand is within their share, and shares the rest
// again; when all demand more, each gets its share.
func fill(left float64, classes []Class, rates []float64, weighted bool) float64 {
	var served uint64 // a bit for each class that is served or does not take part
	total := 0.0
	for i := range classes {
		if c := &classes[i]; c.Strict || (c.Weight > 0) != weighted || rates[i] == 0 {
			served |= 1 << i
		} else {
			total += c.weight()
		}
	}
	for total > 0 {
		part, before := left/total, served
		total = 0
		for i := range classes {
			if before>>i&1 == 1 {
				continue
			}
			if w := classes[i].weight(); rates[i] <= part*w {
				served |= 1 << i
				left -= rates[i]
			} else {
				total += w
			}
		}
		left = max(0, left)
		if served != before {
			continue
		}
		for i := range classes {
			if served>>i&1 == 0 {
				rates[i] = part * classes[i].weight()
			}
		}
		return 0
	}
	return left
}

// DefaultWeight returns the percentage of the default class: 100 minus the explicit percentages, which must not exceed 100
// in total (QOS-5).
func DefaultWeight(explicit ...float64) (percent float64, accepted bool) {
	percent = 100
	for _, share := range explicit {
		percent -= share
	}
	return max(0, percent), percent >= 0
}
