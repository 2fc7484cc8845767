package guides_test

import (
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow before garbage is collected: the hosts of these tests are small and die young, and collecting at each
// doubling takes a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
