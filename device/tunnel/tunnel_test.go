package tunnel

import "testing"

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind         Kind
		added, inner int // the largest inner packet in an MTU of 1500
	}{{NVGRE, 42, 1458}, {VXLAN, 50, 1450}} {
		k := c.kind
		if k.Added() != c.added || k.OuterIP(1000) != 1000+c.added || k.Frame(1000) != 1014+c.added {
			t.Errorf("%v adds %d, makes %d and %d of 1000", k, k.Added(), k.OuterIP(1000), k.Frame(1000))
		}
		if !k.Fits(c.inner, 1500) || k.Fits(c.inner+1, 1500) {
			t.Errorf("%v: %d is not the largest packet in 1500", k, c.inner)
		}
	}
}

func TestHeadersBelongToTheCaller(t *testing.T) {
	t.Parallel()
	for _, k := range []Kind{NVGRE, VXLAN} {
		k.Headers()[0] = "changed"
		if k.Headers()[0] != "Outer ETH Header" {
			t.Errorf("the headers of %v were changed from outside", k)
		}
	}
}

func TestKeysHoldSubnetAndFlow(t *testing.T) {
	t.Parallel()
	for subnet := uint32(1); subnet < 1<<24; subnet = subnet*3 + 1 {
		for _, flow := range []uint8{0, 17, 255} {
			if key := GREKey(subnet, flow); key>>8 != subnet || uint8(key) != flow {
				t.Errorf("subnet %d and flow %d make %#x", subnet, flow, key)
			}
		}
	}
}

func TestOneUDPPort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ports []Port
		want  bool
	}{
		{nil, true},
		{[]Port{{4789, true}, {4789, true}}, true},
		{[]Port{{4789, true}, {8472, true}}, false},
		{[]Port{{4789, true}, {8472, false}}, true},
		{[]Port{{4789, false}, {8472, true}}, true},
	} {
		if got := Offloads(c.ports...); got != c.want {
			t.Errorf("%v: %v", c.ports, got)
		}
	}
}
