package linuxhost

import (
	"slices"
	"strings"
	"testing"
)

// TestRemaining: of a plan that was applied up to any step, what is left is restored, in an order that the kernel accepts.
func TestRemaining(t *testing.T) {
	t.Parallel()
	functions := Plan{{Interface: "eth0", Name: "vfs", Old: "4", New: "0"}, {Interface: "eth0", Name: "vfs", Old: "0", New: "8"}}
	join := Plan{{Interface: "eth0", Name: "state", Old: "up", New: "down"}, {Interface: "eth0", Name: "master", Old: Absent, New: "bond0"}}
	two := Plan{{Interface: "eth0", Name: "mtu", Old: "1500", New: "9000"}, {Interface: "eth0", Name: "ring.rx", Old: "256", New: "4000"}}
	bond := Plan{{Interface: "bond0", Name: "state", Old: "up", New: "down"}, {Interface: "bond0", Name: "link", Old: "bond mode 802.3ad", New: Absent}}
	for name, c := range map[string]struct {
		plan   Plan
		values string // of eth0, "NAME=VALUE"
		want   string // the steps
	}{
		"nothing of two":     {two, "mtu=1500 ring.rx=256", ""},
		"the first of two":   {two, "mtu=9000 ring.rx=256", "mtu=1500"},
		"two":                {two, "mtu=9000 ring.rx=4000", "ring.rx=256 mtu=1500"},
		"a rounded value":    {two, "mtu=9000 ring.rx=4096", "mtu=1500 ring.rx=256"},
		"a setting is gone":  {two, "mtu=9000", "ring.rx=256 mtu=1500"},
		"functions before":   {functions, "vfs=4", ""},
		"functions between":  {functions, "vfs=0", "vfs=4"},
		"functions":          {functions, "vfs=8", "vfs=0 vfs=4"},
		"other functions":    {functions, "vfs=2", "vfs=0 vfs=4"},
		"a member":           {join, "state=up master=bond0", "master=none state=up"},
		"down, not a member": {join, "state=down master=none", "state=up"},
		"no member":          {join, "state=up master=none", ""},
		"a removed bond":     {bond, "mtu=1500", "link=bond mode 802.3ad state=up"},
	} {
		i := Interface{Name: "eth0"}
		for word := range strings.FieldsSeq(c.values) {
			setting, value, _ := strings.Cut(word, "=")
			i.Settings = append(i.Settings, Setting{Name: setting, Value: value})
		}
		var steps []string
		for _, step := range Remaining(&Machine{Interfaces: []Interface{i}}, c.plan) {
			steps = append(steps, step.Name+"="+step.New)
		}
		if got := strings.Join(steps, " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestRemainingOfRealPlans: a plan of NewPlan that was applied up to each of its steps leaves a machine that Remaining restores.
func TestRemainingOfRealPlans(t *testing.T) {
	t.Parallel()
	values := map[string]string{"mtu": "1500", "vfs": "4", "pause.rx": "on"}
	machine := func() *Machine {
		i := Interface{Name: "eth0"}
		for name, value := range values {
			i.Settings = append(i.Settings, Setting{Name: name, Value: value, Limit: "16"})
		}
		return &Machine{Interfaces: []Interface{i}}
	}
	plan, err := NewPlan(machine(), "eth0", []string{"mtu=9000", "vfs=8", "pause.rx=off"})
	if err != nil || len(plan) != 4 {
		t.Fatal(plan, err)
	}
	for n := range len(plan) + 1 {
		for _, c := range plan[:n] {
			values[c.Name] = c.New
		}
		for _, c := range Remaining(machine(), plan) {
			if values[c.Name] != c.Old {
				t.Errorf("after %d steps: %s is %s and not %s", n, c.Name, values[c.Name], c.Old)
			}
			values[c.Name] = c.New
		}
		if got := []string{values["mtu"], values["vfs"], values["pause.rx"]}; !slices.Equal(got, []string{"1500", "4", "on"}) {
			t.Errorf("after %d steps: %q", n, got)
		}
	}
}
