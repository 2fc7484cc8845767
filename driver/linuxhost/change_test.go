package linuxhost

import (
	"slices"
	"strings"
	"testing"
)

func testMachine() *Machine {
	return &Machine{Interfaces: []Interface{
		{Name: "ens1f0", Settings: []Setting{{Name: "mtu", Value: "1500"}, {Name: "ring.rx", Value: "1024", Limit: "8192"}, {Name: "channels.combined", Value: "4", Limit: "8"},
			{Name: "pause.rx", Value: "on"}, {Name: "coalesce.rx-usecs", Value: "8"}, {Name: "coalesce.adaptive-rx", Value: "on"}, {Name: "offload.tx-tcp-segmentation", Value: "on"},
			{Name: "pfc", Value: "none"}, {Name: "vfs", Value: "2", Limit: "8"}, {Name: "vf.1.mac", Value: "02:00:00:00:00:01"}, {Name: "vf.1.vlan", Value: "0"}, {Name: "vf.1.max-rate", Value: "0"}, {Name: "vf.1.state", Value: "auto"}}},
		{Name: "bond0", Kind: "bond", Members: []Member{{Name: "ens1f0"}}, Settings: []Setting{{Name: "bond.mode", Value: "802.3ad"}, {Name: "bond.miimon", Value: "100"}, {Name: "bond.active_slave", Value: "ens1f1"}}},
	}}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	plan, err := NewPlan(testMachine(), "ens1f0", []string{"mtu=9000", "ring.rx=4096", "pause.rx=on", "pfc=4,3", "vfs=4", "vf.1.mac=02-00-00-00-00-0A", "vf.1.max-rate=500"})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range plan {
		lines = append(lines, c.Old+" -> "+c.New+": "+c.Command())
	}
	want := []string{
		"1500 -> 9000: ip link set dev ens1f0 mtu 9000", "1024 -> 4096: ethtool -G ens1f0 rx 4096",
		"none -> 3,4: dcb pfc set dev ens1f0 prio-pfc all:off 3:on 4:on",
		"2 -> 0: echo 0 > /sys/class/net/ens1f0/device/sriov_numvfs", "0 -> 4: echo 4 > /sys/class/net/ens1f0/device/sriov_numvfs",
		"02:00:00:00:00:01 -> 02:00:00:00:00:0a: ip link set dev ens1f0 vf 1 mac 02:00:00:00:00:0a",
		"0 -> 500: ip link set dev ens1f0 vf 1 max_tx_rate 500",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	if !strings.Contains(plan[3].Interrupts(), "removes the 2 virtual functions") {
		t.Error(plan[3].Interrupts())
	}
	inverse := plan.Inverse()
	if inverse[0].New != "0" || inverse[0].Name != "vf.1.max-rate" || inverse[len(inverse)-1] != (Change{Interface: "ens1f0", Name: "mtu", Old: "9000", New: "1500"}) {
		t.Errorf("%+v", inverse)
	}
}

func TestPlanRefuses(t *testing.T) {
	t.Parallel()
	for assignment, want := range map[string]string{
		"ring.rx": "must be SETTING=VALUE", "ring.rx=": "must be SETTING=VALUE", "=1": "must be SETTING=VALUE", "ring.tx=5": "no setting", "mtu=67": "from 68",
		"mtu=9000x": "must be an integer", "ring.rx=8193": "from 1 to 8192", "ring.rx=0": "from 1", "channels.combined=9": "from 1 to 8", "pause.rx=yes": "on, off",
		"pfc=8": "must be none or priorities", "pfc=3,3": "must be none or priorities", "pfc=": "SETTING=VALUE", "vfs=9": "from 0 to 8", "vf.1.mac=ff:ff:ff:ff:ff:ff": "one station",
		"vf.1.mac=$(reboot)": "one station", "vf.1.vlan=4095": "from 0 to 4094", "vf.1.state=up": "auto, enable, disable", "vf.1.max-rate=-1": "from 0",
		"coalesce.rx-usecs=65536": "from 0 to 65535", "coalesce.adaptive-rx=1": "on, off",
	} {
		if _, err := NewPlan(testMachine(), "ens1f0", []string{assignment}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", assignment, err)
		}
	}
	for assignment, want := range map[string]string{"bond.mode=active-backup": "has no members", "bond.active_slave=eth9": "one of ens1f0", "bond.miimon=x": "must be an integer"} {
		if _, err := NewPlan(testMachine(), "bond0", []string{assignment}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", assignment, err)
		}
	}
	if _, err := NewPlan(testMachine(), "eth9", []string{"mtu=1"}); err == nil {
		t.Error("an unknown interface is accepted")
	}
	if _, err := NewPlan(testMachine(), "ens1f0", []string{"mtu=9000", "mtu=8000"}); err == nil {
		t.Error("a setting is accepted twice")
	}
}

// TestCommandsAreQuoted: a hostile name of an interface or an offload stays a single quoted word in the printed command line.
func TestCommandsAreQuoted(t *testing.T) {
	t.Parallel()
	c := Change{Interface: "a;reboot'", Name: "offload.x y", Old: "on", New: "off"}
	if got, want := c.Command(), `ethtool -K 'a;reboot'\''' 'x y' off`; got != want {
		t.Errorf("%s", got)
	}
}
