package ets

// Classes is the number of traffic classes of a port; their priorities are 0 to 7.
const Classes = 8

// Class is what a traffic class wants and may have. Rates are in one unit of the caller's choice.
type Class struct {
	// Priority orders strict classes; the highest goes first.
	Priority uint8
	// Strict classes go before all others, which share by Weight (QOS-6).
	Strict bool
	// Weight is the class's percentage in the share of what strict classes leave (QOS-7).
	Weight float64
	// Demand is what the class would send, Limit the most that it may; 0 is no limit (QOS-8).
	Demand, Limit float64
}

func (c *Class) want() float64 {
	if c.Limit > 0 {
		return min(c.Demand, c.Limit)
	}
	return c.Demand
}

// Share writes the rate of each class into rates, which is as long as classes. Nothing is left over while a class wants
// more and may have it: strict classes first, then those with a weight, in proportion to it, then those without one in
// equal parts (QOS-6, QOS-7).
func Share(link float64, classes []Class, rates []float64) {
	left := link
	for priority := Classes - 1; priority >= 0; priority-- {
		for i := range classes {
			if c := &classes[i]; c.Strict && int(c.Priority) == priority {
				rates[i] = max(0, min(c.want(), left))
				left -= rates[i]
			}
		}
	}
	left = fill(left, classes, rates, true)
	fill(left, classes, rates, false)
}

const (
	open  = -1 // a class that takes part and has no rate yet
	equal = 1  // the weight of those without one
)

// fill shares what is left among the classes with a weight, or those without, and gives back what none of them wants.
// In each round classes that want no more than their part keep what they want; when there is none, all get their part.
func fill(left float64, classes []Class, rates []float64, weighted bool) float64 {
	for i := range classes {
		if c := &classes[i]; !c.Strict && (c.Weight > 0) == weighted {
			rates[i] = open
		}
	}
	for {
		total := 0.0
		for i := range classes {
			if rates[i] == open {
				total += weight(&classes[i])
			}
		}
		if total == 0 {
			return left
		}
		part, served := left/total, 0.0
		full := true
		for i := range classes {
			c := &classes[i]
			if want := max(0, c.want()); rates[i] == open && want <= part*weight(c) {
				rates[i] = want
				served += want
				full = false
			}
		}
		left = max(0, left-served)
		if full {
			for i := range classes {
				if rates[i] == open {
					rates[i] = part * weight(&classes[i])
				}
			}
			return 0
		}
	}
}

func weight(c *Class) float64 {
	if c.Weight > 0 {
		return c.Weight
	}
	return equal
}

// DefaultWeight is the percentage that explicit ones leave to the default class; percentages that add up to more than
// 100 are not accepted (QOS-5).
func DefaultWeight(explicit ...float64) (percent float64, accepted bool) {
	percent = 100
	for _, one := range explicit {
		percent -= one
	}
	return max(0, percent), percent >= 0
}
