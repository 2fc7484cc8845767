package ets

import (
	"fmt"
	"slices"
	"strconv"
)

const (
	fineUnit   = 100   // Mbit/s
	coarseUnit = 1000  // Mbit/s
	maxFine    = 25500 // Mbit/s: 255 fine units fill the field of eight bits
)

// RoundLimit returns the limit in Mbit/s that the adapter stores for a requested one, and the unit that it is stored in:
// rounded down, but at least the smaller unit (QOS-8).
func RoundLimit(requested int) (stored, unit int) {
	unit = fineUnit
	if requested > maxFine {
		unit = coarseUnit
	}
	return max(fineUnit, requested/unit*unit), unit
}

// Limits are the limits of all classes in Mbit/s; 0 means no limit.
type Limits [Classes]int

// ParseLimits reads the pairs of class and Mbit/s of mlxtool modify tc-bw, and rounds the limits (QOS-8).
func ParseLimits(fields []string) (Limits, error) {
	var limits Limits
	if len(fields) == 0 || len(fields)%2 != 0 {
		return limits, fmt.Errorf("%d values are not pairs; give a traffic class and a limit in Mbit/s, such as 3 100", len(fields))
	}
	for pair := range slices.Chunk(fields, 2) {
		class, err := strconv.ParseUint(pair[0], 10, 8)
		if err != nil || class >= Classes {
			return limits, fmt.Errorf("invalid traffic class %.20q; give 0 to %d", pair[0], Classes-1)
		}
		requested, err := strconv.ParseUint(pair[1], 10, 31)
		if err != nil {
			return limits, fmt.Errorf("invalid limit %.20q; give an integer in Mbit/s", pair[1])
		}
		limits[class], _ = RoundLimit(int(requested))
	}
	return limits, nil
}
