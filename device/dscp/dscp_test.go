package dscp

import "testing"

func TestPriorityIsTheUpperThreeBitsOfTheDSCP(t *testing.T) {
	t.Parallel()
	for dscp := range uint8(64) {
		if got := FromDSCP(dscp); got != dscp/8 {
			t.Errorf("DSCP %d has priority %d", dscp, got)
		}
	}
}

func TestTrustedFieldGivesThePriority(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		trust  Trust
		packet Packet
		want   uint8
	}{
		{"the tag", TrustPCP, Packet{Tagged: true, PCP: 5, IP: true, DSCP: 8}, 5},
		{"the field", TrustDSCP, Packet{Tagged: true, PCP: 5, IP: true, DSCP: 8}, 1},
		{"the tag where there is no field", TrustDSCP, Packet{Tagged: true, PCP: 5, DSCP: 8}, 5},
		{"neither", TrustDSCP, Packet{}, 4},
		{"an untagged packet's field", TrustPCP, Packet{IP: true, DSCP: 26}, 4},
		{"DSCP 4 is not priority 4", TrustDSCP, Packet{IP: true, DSCP: 4}, 0},
	} {
		if got := (Receiver{c.trust, 4}).Priority(c.packet); got != c.want {
			t.Errorf("%s: priority %d, expected %d", c.name, got, c.want)
		}
	}
}

func TestConsistentMapKeepsPrioritiesOnTheWire(t *testing.T) {
	t.Parallel()
	byDefault, consistent := DefaultMap(), ConsistentMap()
	for priority := range uint8(Priorities) {
		if !consistent.Consistent(priority) {
			t.Errorf("the consistent map loses priority %d", priority)
		}
		if byDefault.Consistent(priority) != (priority == 0) {
			t.Errorf("the default map keeps priority %d", priority)
		}
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		untag    bool
		vlan     uint16
		priority uint8
		tagged   bool
	}{
		{false, 0, 0, false}, {false, 0, 3, true}, {true, 0, 3, false}, {true, 0, 0, false}, {true, 55, 0, true}, {false, 55, 3, true},
	} {
		s := Sender{Map: DefaultMap(), Untag: c.untag, Global: DefaultGlobal}
		if _, tagged := s.RDMA(c.priority, c.vlan); tagged != c.tagged {
			t.Errorf("%+v: tagged is %v", c, tagged)
		}
		s.GlobalPause = true
		if dscp, _ := s.RDMA(c.priority, c.vlan); dscp != DefaultGlobal {
			t.Errorf("%+v: DSCP %d under global pause", c, dscp)
		}
	}
}

func TestBuffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		buffers  Buffers
		tagged   bool
		priority uint8
		lossless bool
	}{
		{Buffers{Lossless: 1 << 3}, true, 3, true},
		{Buffers{Lossless: 1 << 3}, true, 1, false},
		{Buffers{Lossless: 1 << 3}, false, 3, false},
		{Buffers{Lossless: 1 << 3, UntaggedLossless: true}, true, 1, false},
		{Buffers{UntaggedLossless: true}, false, 0, true},
		{Buffers{ByDSCP: true}, true, 1, true},
		{Buffers{ByDSCP: true}, false, 1, true},
	} {
		if got := c.buffers.TakesLossless(c.tagged, c.priority); got != c.lossless {
			t.Errorf("%+v: lossless is %v", c, got)
		}
	}
}

func TestInvalidKeyValuesBecomeTheDefault(t *testing.T) {
	t.Parallel()
	for value, want := range map[int64]uint8{-1: 0, 0: 0, 1: 1, 7: 7, 8: 0, 1 << 40: 0} {
		if got := DefaultUntagged(value); got != want {
			t.Errorf("DefaultUntaggedPriority %d becomes %d", value, got)
		}
		if on := Flag(value) == 1; on != (value == 1) {
			t.Errorf("RxUntaggedMapToLossless %d is on: %v", value, on)
		}
	}
}
