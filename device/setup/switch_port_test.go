package setup_test

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/device/setup"
)

func TestVLANsOfATrunk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		allowed []int
	}{
		{"", []int{1, 70, 4094}}, {"70", []int{70}}, {"1-69, 71-4094", []int{1, 4094}}, {"30,31,70-80", []int{70}},
		{"70-", nil}, {"0", nil}, {"4095", nil}, {"31,30", nil}, {"5-3", nil}, {"x", nil}, {",", nil}, {"1,,2", nil},
	} {
		allows, err := setup.ParseVLANs(c.text)
		if (err != nil) != (c.allowed == nil) {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		for _, id := range []int{1, 70, 4094} {
			if err == nil && allows(id) != slices.Contains(c.allowed, id) {
				t.Errorf("%q lets %d through: %t", c.text, id, allows(id))
			}
		}
		if err != nil && !strings.Contains(err.Error(), "such as 30,31,100-200") {
			t.Errorf("%q: %v does not help", c.text, err)
		}
	}
}

// TestForwardVLANs holds that VLANs join the ones that a switch port forwards, in ascending order and each once.
func TestForwardVLANs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		trunk bool
		vlans string
		ids   []int
		want  string
	}{
		{true, "70", []int{71}, "70,71"}, {true, "70,90-95", []int{80, 92, 96}, "70,80,90-95,96"}, {true, "70", []int{70}, "70"},
		{true, "", []int{71}, ""}, {false, "", []int{71, 5}, "5,71"}, {true, "10-20", []int{1, 4094}, "1,10-20,4094"},
	} {
		s := setup.SwitchPort{Trunk: c.trunk, VLANs: c.vlans}
		s.ForwardVLANs(c.ids...)
		if !s.Trunk || s.VLANs != c.want {
			t.Errorf("%q with %v gives %q, trunk %t", c.vlans, c.ids, s.VLANs, s.Trunk)
		}
		for _, id := range c.ids {
			if !s.Forwards(id) {
				t.Errorf("%q with %v does not forward %d", c.vlans, c.ids, id)
			}
		}
	}
}
