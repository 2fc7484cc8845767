package counter

// rateSteps is the number of steps in the mean rate of limiters.
const rateSteps = 20

// CountLimiters counts the rate limiters of a priority in a step: how many limit now, and the sum of their rates. cells are the counters of
// the priority.
func CountLimiters(cells []uint64, limited, rate uint64) {
	before := cells[PriorityLimited]
	cells[PriorityLimited], cells[PriorityRate] = limited, rate
	switch {
	case limited == 0:
		cells[PriorityRateMean] = 0
		return
	case before == 0:
		cells[PriorityRateMean], cells[PriorityRateLow] = rate, rate
	default:
		cells[PriorityRateMean] = (cells[PriorityRateMean]*(rateSteps-1) + rate) / rateSteps
		cells[PriorityRateLow] = min(cells[PriorityRateLow], rate)
	}
	cells[PriorityRateHigh] = max(cells[PriorityRateHigh], rate)
}

// Increase returns the increase of a counter since the last call, and keeps the counter for the next one.
func Increase(before *uint64, now uint64) uint64 {
	rise := now - min(*before, now)
	*before = now
	return rise
}
