package traffic

import "slices"

// Shares returns the shares of n virtual machines in the traffic of a port: a few have the largest part.
func Shares(n, port int) []float64 {
	shares, total := make([]float64, n), 0.0
	for i := range shares {
		shares[i] = 1/float64(i+2) + 0.02*NewDice(uint64(port), FunctionDice, i).Draw(0)
		total += shares[i]
	}
	for i := range shares {
		shares[i] *= WholeShare / total
	}
	return slices.Clip(shares)
}

// WholeShare keeps the sum of rounded shares from exceeding the total.
const WholeShare = 1 - 1e-9
