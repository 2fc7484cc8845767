package mux

import (
	"slices"
	"testing"

	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestCarriersOfBuckets has the carriers of three members, of which the second is the primary one, by their formulas.
func TestCarriersOfBuckets(t *testing.T) {
	t.Parallel()
	for _, row := range Types() {
		for _, primary := range []int{NoMember, 10, 11, 99} {
			m := machine(row.Type, 3)
			m.Primary = primary
			m.ChooseActive()
			set, first := []int{10, 11, 12}, 10
			if primary == 11 {
				first = 11
			}
			if row.Type.FaultTolerant() {
				set = []int{first}
			}
			c := m.Carriers()
			if !slices.Equal(m.ActiveSet(), set) || c.ByAddress != (row.Type == RLB || row.Type == ALB) {
				t.Fatalf("%s: %v carry, by address: %t", row.Name, m.ActiveSet(), c.ByAddress)
			}
			for bucket := range setup.Buckets {
				sends := set[bucket%len(set)]
				receives := sends
				switch row.Type { //nolint:exhaustive // the others have no such rule
				case AFT, SFT, SLB:
					receives = first
				case LACP, SLA:
					receives = set[(setup.Buckets-1-bucket)%len(set)]
				}
				if c.Send[bucket] != sends || c.Receive[bucket] != receives {
					t.Fatalf("%s with primary %d: bucket %d is sent by %d and received by %d, want %d and %d", row.Name, primary, bucket,
						c.Send[bucket], c.Receive[bucket], sends, receives)
				}
			}
		}
	}
	m := machine(SLB, 3)
	m.Members[0].Status = Disconnected
	if m.ChooseActive(); m.Carriers().Receive[0] != 11 {
		t.Errorf("without its first member a team receives by %d", m.Carriers().Receive[0])
	}
}

// TestRebalanceThresholds has the exact thresholds and numbers of what an adaptive team moves.
func TestRebalanceThresholds(t *testing.T) {
	t.Parallel()
	const a, b, c = 10, 11, 12
	had := map[int]int{a: 86, b: 85, c: 85} // of 256 buckets
	for _, test := range []struct {
		name     string
		busy     map[int]float64
		from, to int
		moves    int // buckets
	}{
		{"half of the difference", map[int]float64{a: 0.9, b: 0.1, c: 0.5}, a, b, 38},
		{"the other way", map[int]float64{a: 0.2, b: 0.5, c: 0.8}, c, a, 31},
		{"ties go to the first", map[int]float64{a: 0.8, b: 0.8, c: 0.4}, a, c, 21},
		{"ties of the least", map[int]float64{a: 0.8, b: 0.4, c: 0.4}, a, b, 21},
		{"full enough, just", map[int]float64{a: 0.1, b: 0, c: 0}, a, b, 42},
		{"not full enough", map[int]float64{a: 0.0999, b: 0, c: 0}, 0, 0, 0},
		{"unequal, just", map[int]float64{a: 0.5, b: 0.4, c: 0.45}, a, b, 8},
		{"not unequal enough", map[int]float64{a: 0.4999, b: 0.4, c: 0.45}, 0, 0, 0},
		{"one alone", map[int]float64{a: 0.9}, 0, 0, 0},
	} {
		before := machine(ALB, 3).Carriers()
		after, moved := Rebalance(before, test.busy)
		count := map[int]int{}
		for _, key := range after.Send {
			count[key]++
		}
		want := map[int]int{a: had[a], b: had[b], c: had[c]}
		want[test.from] -= test.moves
		want[test.to] += test.moves
		if moved != (test.moves > 0) || count[a] != want[a] || count[b] != want[b] || count[c] != want[c] || !slices.Equal(after.Send, after.Receive) {
			t.Errorf("%s: it moved %t to %v, want %v", test.name, moved, count, want)
		}
		if !slices.Equal(before.Send, machine(ALB, 3).Carriers().Send) {
			t.Errorf("%s: the carriers before have changed, too", test.name)
		}
	}
	for has, moves := range map[int]bool{0: false, 1: false, 2: true, 3: true} {
		few := setup.Carriers{Send: slices.Repeat([]int{b}, setup.Buckets)}
		for i := range has {
			few.Send[i] = a
		}
		after, moved := Rebalance(few, map[int]float64{a: 0.9, b: 0.1})
		left := 0
		for _, key := range after.Send {
			if key == a {
				left++
			}
		}
		if moved != moves || moves && left != has-1 || !moves && left != has {
			t.Errorf("of %d buckets %d are left, moved: %t", has, left, moved)
		}
	}
}

// TestActiveMembers loses and brings back members, with and without a primary member and failback.
func TestActiveMembers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		failback bool
		primary  int
		// status of the three members step by step, and who is active then.
		steps  [][3]Status
		active []int
	}{
		{"first attached", true, NoMember, [][3]Status{{}, {Disconnected}, {Disconnected, Disabled}, {}}, []int{10, 11, 12, 10}},
		{"no failback", false, NoMember, [][3]Status{{}, {Disconnected}, {}, {Connected, Disabled}}, []int{10, 11, 11, 10}},
		{"primary", true, 12, [][3]Status{{}, {0, 0, Disabled}, {Disconnected, 0, Disabled}, {Disconnected}}, []int{12, 10, 11, 12}},
		{"primary without failback", false, 12, [][3]Status{{}, {0, 0, Disabled}, {}, {Disconnected, 0, 0}}, []int{12, 10, 10, 12}},
		{"nobody left", true, NoMember, [][3]Status{{Disabled, Disabled, Disconnected}, {Disabled, Connected, Disconnected}}, []int{NoMember, 11}},
		{"a primary that is no member", true, 99, [][3]Status{{}, {Disabled}}, []int{10, 11}},
	} {
		m := machine(AFT, 3)
		m.Failback, m.Primary, m.Chosen = c.failback, c.primary, NoMember
		for i, step := range c.steps {
			for j, status := range step {
				m.Members[j].Status = status
			}
			m.ChooseActive()
			set := []int{c.active[i]}
			if c.active[i] == NoMember {
				set = nil
			}
			if m.Chosen != c.active[i] || !slices.Equal(m.ActiveSet(), set) || m.Connected() != (set != nil) {
				t.Errorf("%s, step %d: %d is active, want %d", c.name, i, m.Chosen, c.active[i])
			}
		}
	}
	m := machine(SLB, 2)
	m.Chosen = 11
	if m.ChooseActive(); m.Chosen != NoMember {
		t.Error("a team that spreads what it sends has chosen one")
	}
	if empty := machine(AFT, 0); empty.First() != NoMember || empty.Chosen != NoMember || empty.Role(NoMember) != Backup {
		t.Errorf("nobody is %s in a team without members", empty.Role(NoMember))
	}
}

// TestAnAggregationGroupIsNeeded by the types that aggregate, and by no other.
func TestAnAggregationGroupIsNeeded(t *testing.T) {
	t.Parallel()
	for _, row := range Types() {
		m := machine(row.Type, 2)
		m.Ungrouped = true
		if m.Connected() == row.Type.Aggregates() || row.Type.Aggregates() != (row.Type == LACP || row.Type == SLA) {
			t.Errorf("%s without its group is connected: %t", row.Name, m.Connected())
		}
		if m.Ungrouped = false; !m.Connected() {
			t.Errorf("%s with its group is down", row.Name)
		}
	}
}

// TestAttachAndDetachMembers keeps their order, and finds the next primary one when it leaves.
func TestAttachAndDetachMembers(t *testing.T) {
	t.Parallel()
	m := machine(AFT, 2)
	before := m.Members
	m.Attach(Member{Key: 12}, false)
	m.Attach(Member{Key: 13}, true)
	if m.ChooseActive(); m.Primary != 13 || m.Chosen != 13 || len(m.Members) != 4 || m.Members[3].Key != 13 {
		t.Errorf("%+v", m)
	}
	if m.Detach(13); m.Primary != 10 || len(m.Members) != 3 {
		t.Errorf("without the primary one %+v", m)
	}
	if m.Detach(11); m.Primary != 10 || len(m.Members) != 2 || m.Members[1].Key != 12 || before[1].Key != 11 {
		t.Errorf("without another one %+v", m)
	}
	m.Detach(12)
	if m.Detach(10); m.Primary != NoMember || len(m.Members) != 0 {
		t.Errorf("without any %+v", m)
	}
	if m.Attach(Member{Key: 14}, false); m.Primary != NoMember || m.First() != 14 {
		t.Errorf("with one again %+v", m)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	given, own := description.MAC{0x00, 2, 3, 4, 5, 6}, description.MAC{0x02, 2, 3, 4, 5, 6}
	if Address(given, true) != given || Address(given, false) != own || Address(own, false) != own {
		t.Errorf("%s and %s", Address(given, true), Address(given, false))
	}
	if Connected.String() != "Connected" || Disconnected.String() != "Disconnected" || Disabled.String() != "Disabled" || Status(9).String() != "Disabled" ||
		Backup.String() != "Backup" || Active.String() != "Active" || Type(0).String() != "type 0" || Type(8).String() != "type 8" || SLA.String() != "SLA" {
		t.Error("the words are wrong")
	}
}

// TestACaptureOnADeadMemberBreaksNothing, nor one in a team that is down.
func TestACaptureOnADeadMemberBreaksNothing(t *testing.T) {
	t.Parallel()
	m := machine(AFT, 3)
	m.Members[1].Status = Disconnected
	if m.ChooseActive(); m.Breaks(11) || !m.Breaks(12) || m.Breaks(99) {
		t.Error("a capture on a member that is down breaks the team, or none does")
	}
	for i := range m.Members {
		m.Members[i].Status = Disabled
	}
	if m.ChooseActive(); m.Breaks(12) {
		t.Error("a team that is down can be broken")
	}
}
