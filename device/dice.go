package device

// dice draws numbers that depend on a key and a count alone, never on what was drawn before: the same step gives the
// same number in every run and in every copy of a lab.
type dice uint64

// The uses of dice, so that a flow and a schedule of the same number draw differently.
const (
	scheduleDice = iota + 1
	rhythmDice
	functionDice
)

// newDice keys dice by the lab's seed, what they are for and which one of these.
func newDice(seed uint64, use, index int) dice {
	return dice(scramble(scramble(seed+uint64(use)*0x9e3779b97f4a7c15) + uint64(index)))
}

// draw is the number of a count, from 0 up to but not including 1.
func (d dice) draw(count int64) float64 {
	return float64(scramble(uint64(d)+uint64(count)*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

// scramble is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
