package fit

import "math"

// solver finds the rates, none below 0, whose effects add up to a row of values, each value weighted. It is least squares by coordinate
// descent, which starts from the last row's rates: neighbours are similar.
type solver struct {
	effects [][]float64 // by unknown and value, weighted
	gram    [][]float64
	weights []float64
	last    []float64
}

// newSolver returns a solver of unknowns with their effects on values of these scales.
func newSolver(effects [][]float64, scales []float64) *solver {
	s := &solver{last: make([]float64, len(effects))}
	for _, scale := range scales {
		s.weights = append(s.weights, 1/scale)
	}
	for _, column := range effects {
		weighted := make([]float64, len(column))
		for i, effect := range column {
			weighted[i] = effect * s.weights[i]
		}
		s.effects = append(s.effects, weighted)
	}
	for _, a := range s.effects {
		line := make([]float64, len(s.effects))
		for j, b := range s.effects {
			line[j] = dot(a, b)
		}
		s.gram = append(s.gram, line)
	}
	return s
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// maxPasses limits the descent; a row needs some hundred passes if two kinds have similar effects.
const maxPasses = 2000

// solve returns the rates for a row, in units of the effects, and the mean square that is left. The slice is valid until the next call.
func (s *solver) solve(values []float64) (rates []float64, left float64) {
	weighted := make([]float64, len(values))
	for i, value := range values {
		weighted[i] = value * s.weights[i]
	}
	aims := make([]float64, len(s.effects))
	for k := range s.effects {
		aims[k] = dot(s.effects[k], weighted)
	}
	for range maxPasses {
		moved := 0.0
		for k := range s.last {
			if s.gram[k][k] == 0 {
				continue
			}
			slope := aims[k] - dot(s.gram[k], s.last)
			rate := max(0, s.last[k]+slope/s.gram[k][k])
			moved = max(moved, math.Abs(rate-s.last[k])*math.Sqrt(s.gram[k][k]))
			s.last[k] = rate
		}
		if moved < 1e-7 {
			break
		}
	}
	for i, value := range weighted {
		for k, rate := range s.last {
			value -= rate * s.effects[k][i]
		}
		left += value * value
	}
	return s.last, left / float64(max(1, len(values)))
}
