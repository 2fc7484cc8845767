package traffic

// Dice draws numbers that depend only on a key and a count, never on earlier draws: the same step gives the same number
// in every run and in every copy of a lab.
type Dice uint64

// The uses of dice, so that a flow and a schedule with the same number draw different numbers.
const (
	ScheduleDice = iota + 1
	RhythmDice
	FunctionDice
	GUIDDice
	LeaseDice
)

// NewDice keys dice by the lab's seed, their use and an index.
func NewDice(seed uint64, use, index int) Dice {
	return Dice(Mix(Mix(seed+uint64(use)*0x9e3779b97f4a7c15) + uint64(index)))
}

// Draw returns the number of a count, from 0 up to but not including 1.
func (d Dice) Draw(count int64) float64 {
	return float64(Mix(uint64(d)+uint64(count)*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

// Mix returns the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
