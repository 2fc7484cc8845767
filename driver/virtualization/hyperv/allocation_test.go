package hyperv

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestNoCardOpensMoreThanItHas asks for virtual functions at random (IOV-1 to IOV-4): no card and no port opens more than
// its family can, than its firmware has or than Windows lets an interface use, and what is broken counts as none.
func TestNoCardOpensMoreThanItHas(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	few := func() int { return r.IntN(320) - 20 }
	full := false
	for range 5000 {
		c := Card{Permit: r.IntN(8) > 0, Mode: r.IntN(3), Ports: [2]int{few(), few()}, FirmwareVFs: few(), Interface: [2]int{few(), few()}}
		bus, available := c.Allocate()
		for port := range bus {
			if bus[port] < 0 || available[port] < 0 || available[port] > min(bus[port], max(0, c.Interface[port])) {
				t.Fatalf("%+v has %v, of which Windows uses %v", c, bus, available)
			}
		}
		if sum := bus[0] + bus[1]; sum > max(0, min(c.FirmwareVFs, MaxPerCard)) {
			t.Fatalf("%+v opens %d", c, sum)
		}
		full = full || bus[0]+bus[1] == MaxPerCard
		if n := PerPort(true, c.FirmwareVFs, c.Interface[0], MaxPerPort); n < 0 || n > MaxPerPort || n > max(0, min(c.FirmwareVFs, c.Interface[0])) {
			t.Fatalf("a port with %d in its firmware, of which Windows may use %d, has %d", c.FirmwareVFs, c.Interface[0], n)
		}
	}
	if !full || PerPort(true, 200, 200, MaxPerPort) != MaxPerPort {
		t.Error("no card is full")
	}
	if bus, _ := (Card{Permit: true, Mode: Manual, Ports: [2]int{-4, 20}, FirmwareVFs: 16}).Allocate(); bus != [2]int{0, 16} {
		t.Errorf("a port with less than none opens %d, and the other one %d", bus[0], bus[1])
	}
}

// TestEarlyDriversOpenFewerFunctions is the limit of the manual of WinOF-2 1.21, which no later manual has.
func TestEarlyDriversOpenFewerFunctions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id      uint16
		version string
		limit   int
	}{
		{0x1013, "1.21.51000", 32}, {0x1015, "1.21.51000", 32}, {0x1013, "1.20", 32}, {0x1015, "0.90.1", 32},
		{0x1013, "1.22.0", 127}, {0x1013, "2.10.50000", 127}, {0x1015, "24.4.26429", 127}, {0x1017, "1.21.51000", 127},
		{0x1013, "", 127}, {0x1013, "unknown", 127},
	} {
		if limit := PortLimit(c.id, c.version); limit != c.limit || PerPort(true, 200, 200, limit) != c.limit {
			t.Errorf("%04x with driver %q: %d", c.id, c.version, limit)
		}
	}
	if PerPort(false, 200, 200, MaxPerPort) != 0 || PerPort(true, 5, 7, MaxPerPort) != 5 || PerPort(true, 7, 5, MaxPerPort) != 5 {
		t.Error("the limit is not the only bound")
	}
}

// TestGrantedRequestLogsNoEvent writes the event of IOV-5 only when the answer is less than what was asked for.
func TestGrantedRequestLogsNoEvent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		requested, supported, allowed int
		reported                      bool
	}{{32, 32, 32, false}, {31, 32, 31, false}, {33, 32, 32, true}} {
		if allowed, reported := Grant(c.requested, c.supported); allowed != c.allowed || reported != c.reported {
			t.Errorf("%d of %d: %d, and reported: %t", c.requested, c.supported, allowed, reported)
		}
	}
}

// TestTheGIDTableIsShared gives out all of a table, and refuses more functions than it has room for (IOV-7).
func TestTheGIDTableIsShared(t *testing.T) {
	t.Parallel()
	for functions := range 70 {
		physical, virtual, err := GIDs(GIDTable, functions)
		if fits := functions <= 56; (err == nil) != fits {
			t.Errorf("%d functions: %v", functions, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "the maximum is 56") {
				t.Errorf("%d functions: %v", functions, err)
			}
			continue
		}
		sum := physical
		for _, n := range virtual {
			sum += n
		}
		if len(virtual) != functions || physical != 16 || functions > 0 && (sum != GIDTable || slices.Min(virtual) < 2) {
			t.Errorf("%d functions have %v of %d", functions, virtual, sum)
		}
	}
	if _, _, err := GIDs(GIDTable, -1); err == nil {
		t.Error("a port has less than no functions")
	}
}

// TestSupportSaysEachReason says of a host all that is in the way.
func TestSupportSaysEachReason(t *testing.T) {
	t.Parallel()
	if ok, reasons := (Machine{SRIOV: true, Virtualization: true}).Support(); !ok || !slices.Equal(reasons, []string{OK}) {
		t.Errorf("nothing stands in the way, and it says %q", reasons)
	}
	for said, m := range map[string]Machine{
		"BIOS of this host has SR-IOV":         {Virtualization: true},
		"BIOS of this host has virtualization": {SRIOV: true},
		"version of Windows":                   {SRIOV: true, Virtualization: true, System: "it is too old"},
	} {
		if ok, reasons := m.Support(); ok || len(reasons) != 1 || !strings.Contains(reasons[0], said) {
			t.Errorf("%+v: %q", m, reasons)
		}
	}
	if _, reasons := (Machine{System: "it is too old"}).Support(); len(reasons) != 3 {
		t.Errorf("of a host with nothing it says %q", reasons)
	}
}
