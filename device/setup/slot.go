package setup

import (
	"fmt"
	"slices"
)

// Slot is the PCI Express slot of a card: its generation, 1 to 4, and its lanes.
type Slot struct{ Generation, Lanes int }

// Check rejects a slot that no card fits.
func (s Slot) Check() error {
	if s.Generation < 1 || s.Generation > 4 {
		return fmt.Errorf("the PCI Express generation of a slot must be 1 to 4, not %d", s.Generation)
	}
	if !slices.Contains([]int{1, 2, 4, 8, 16}, s.Lanes) {
		return fmt.Errorf("a slot must have 1, 2, 4, 8 or 16 lanes, not %d", s.Lanes)
	}
	return nil
}
