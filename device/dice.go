package device

import "fmt"

// dice draws numbers that depend only on a key and a count, never on earlier draws: the same step gives the same number
// in every run and in every copy of a lab.
type dice uint64

// The uses of dice, so that a flow and a schedule of the same number draw differently.
const (
	scheduleDice = iota + 1
	rhythmDice
	functionDice
	guidDice
	leaseDice
)

// newDice keys dice by the lab's seed, their use and an index.
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

// DrawGUID is the n-th GUID that the seed gives, as "C71781EC-F459-4A8E-ABAC-74CA05F13AE8": a random one by its version
// and variant.
func (l *Lab) DrawGUID(n int) string {
	d := newDice(l.seed, guidDice, n)
	high, low := scramble(uint64(d)), scramble(uint64(d)+1)
	high, low = high&^0xf000|0x4000, low&^(3<<62)|1<<63
	return fmt.Sprintf("%08X-%04X-%04X-%04X-%012X", high>>32, high>>16&0xffff, high&0xffff, low>>48, low&(1<<48-1))
}
