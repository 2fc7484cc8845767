package mux

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/device/setup"
)

func machine(t Type, n int) *Machine {
	m := &Machine{Type: t, Failback: true, Primary: NoMember, Chosen: NoMember}
	for key := range n {
		m.Members = append(m.Members, Member{Key: 10 + key})
	}
	m.ChooseActive()
	return m
}

func TestTypesHaveTheirWords(t *testing.T) {
	t.Parallel()
	for i, row := range Types() {
		parsed, err := ParseType(strings.ToLower(row.Name))
		if err != nil || parsed != row.Type || row.Type != Type(i+1) || row.Type.String() != row.Name || row.Benefit == "" || row.Requirements == "" {
			t.Errorf("%+v: %v, %v", row, parsed, err)
		}
	}
	if sft, err := ParseType("SFT2"); err != nil || sft != SFT {
		t.Errorf("SFT2 is %v, %v", sft, err)
	}
	for _, word := range []string{"", "LACP", "AFT1", "5"} {
		if _, err := ParseType(word); err == nil {
			t.Errorf("%q was taken", word)
		}
	}
}

// TestEveryBucketHasACarrier: for each type and number of members, and none while the team is down.
func TestEveryBucketHasACarrier(t *testing.T) {
	t.Parallel()
	for _, row := range Types() {
		for n := range 9 {
			m := machine(row.Type, n)
			if n > 1 {
				m.Members[0].Status = Disabled
				m.ChooseActive()
			}
			set, c := m.ActiveSet(), m.Carriers()
			if len(set) == 0 {
				if c.Send != nil || c.Receive != nil {
					t.Errorf("%s of %d: a team that is down carries", row.Name, n)
				}
				continue
			}
			for _, list := range [][]int{c.Receive, c.Send} {
				for _, key := range set {
					spread := row.Type == RLB || row.Type == ALB || row.Type.Aggregates() || row.Type == SLB && &list[0] == &c.Send[0]
					if spread && !slices.Contains(list, key) {
						t.Errorf("%s of %d: %d carries nothing", row.Name, n, key)
					}
				}
				if len(list) != setup.Buckets || slices.ContainsFunc(list, func(key int) bool { return !slices.Contains(set, key) }) {
					t.Errorf("%s of %d: %v are not carried by %v", row.Name, n, list, set)
				}
			}
		}
	}
}

func TestRebalance(t *testing.T) {
	t.Parallel()
	m := machine(ALB, 3)
	before := m.Carriers()
	for _, c := range []struct {
		busy  map[int]float64
		moves bool
	}{
		{map[int]float64{10: 0.9, 11: 0.1, 12: 0.5}, true}, {map[int]float64{10: 0.9, 11: 0.89, 12: 0.88}, false},
		{map[int]float64{10: 0.05, 11: 0, 12: 0}, false}, {map[int]float64{10: 0.2, 11: 0, 12: 0}, true}, {nil, false},
	} {
		after, moved := Rebalance(before, c.busy)
		count := func(list []int, key int) (n int) {
			for _, k := range list {
				if k == key {
					n++
				}
			}
			return n
		}
		if moved != c.moves || moved != (count(after.Send, 10) < count(before.Send, 10)) || moved != (count(after.Send, 11) > count(before.Send, 11)) ||
			count(after.Send, 12) != count(before.Send, 12) || !slices.Equal(after.Send, after.Receive) {
			t.Errorf("%v: it moved: %t", c.busy, moved)
		}
	}
}

func TestCaptureBreaksFaultTolerantTeams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind     Type
		captured int
		breaks   bool
	}{{AFT, 11, true}, {SFT, 12, true}, {AFT, 10, false}, {ALB, 11, false}, {LACP, 11, false}} {
		if got := machine(c.kind, 3).Breaks(c.captured); got != c.breaks {
			t.Errorf("a capture on %d of %s breaks it: %t", c.captured, c.kind, got)
		}
	}
}

func TestTheIdsOfVLANs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, priority int
		ok           bool
	}{{1, 0, true}, {4094, 7, true}, {0, 0, false}, {4095, 0, false}, {-1, 0, false}, {5, 8, false}, {5, -1, false}} {
		if err := CheckVLAN(c.id, c.priority); (err == nil) != c.ok {
			t.Errorf("%d, %d: %v", c.id, c.priority, err)
		}
	}
}

// TestTheSettingsOfWindows maps every pair of settings to a type that has that mode and allows that algorithm.
func TestTheSettingsOfWindows(t *testing.T) {
	t.Parallel()
	for _, mode := range Modes() {
		for _, algorithm := range Algorithms() {
			kind := WindowsType(mode, algorithm)
			parsed, err := ParseAlgorithm(strings.ToUpper(algorithm))
			if kind.Mode() != mode || !kind.Allows(algorithm) || parsed != algorithm || err != nil {
				t.Errorf("%s with %s is %s, of mode %s; the algorithm is read as %q, %v", mode, algorithm, kind, kind.Mode(), parsed, err)
			}
		}
	}
	for _, row := range Types() {
		if !row.Type.Allows(row.Type.Algorithm()) && row.Type != RLB { // Windows has nothing like RLB
			t.Errorf("%s does not allow its usual algorithm", row.Name)
		}
	}
	for _, c := range []struct {
		kind      Type
		algorithm string
		allows    bool
	}{
		{SLB, Dynamic, false}, {SLB, HyperVPort, false}, {ALB, TransportPorts, false}, {AFT, HyperVPort, true}, {SFT, Dynamic, true},
		{LACP, IPAddresses, true}, {SLA, MacAddresses, true}, {AFT, "", false}, {SLA, "Other", false},
	} {
		if c.kind.Allows(c.algorithm) != c.allows {
			t.Errorf("%s allows %q: %t", c.kind, c.algorithm, !c.allows)
		}
	}
	if word, err := ParseAlgorithm("hypervports"); word != HyperVPort || err != nil {
		t.Errorf("the misprint of Microsoft is %q, %v", word, err)
	}
	for _, word := range []string{"", "Dynamics", "TransportPortss", "Lacp"} {
		if _, err := ParseAlgorithm(word); err == nil {
			t.Errorf("%q was taken", word)
		}
	}
}
