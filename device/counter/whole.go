package counter

import "math"

// Whole adds to a remainder, and returns and removes its integer part.
func Whole(remainder *float64, more float64) uint64 {
	sum := *remainder + more
	n := math.Floor(sum)
	*remainder = sum - n
	return uint64(n)
}
