package counter

// Whole adds to a remainder, and returns and removes its integer part. The sum must be at least 0 and below 2^63, so that the
// conversion, which is faster than math.Floor, rounds down.
func Whole(remainder *float64, more float64) uint64 {
	sum := *remainder + more
	n := int64(sum)
	*remainder = sum - float64(n)
	return uint64(n)
}
