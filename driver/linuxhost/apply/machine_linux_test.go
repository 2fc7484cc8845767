package apply

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"cxdeck/driver/linuxhost"
)

// onTestMachine skips a test that changes interfaces which may be in use: tools/qemu/run.sh starts a machine for it.
func onTestMachine(t *testing.T) {
	t.Helper()
	if os.Getenv("CXDECK_MACHINE") == "" {
		t.Skip("run it on a machine made for it: task qemu")
	}
}

// settingsOf returns the settings of the interfaces with their values.
func settingsOf(m *linuxhost.Machine) map[string]string {
	all := map[string]string{}
	for _, i := range m.Interfaces {
		for _, s := range i.Settings {
			all[i.Name+" "+s.Name] = s.Value
		}
	}
	return all
}

// sameSettings fails the test for each setting that differs.
func sameSettings(t *testing.T, before, after map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if after[name] != before[name] {
			t.Errorf("%s is %q and was %q", name, after[name], before[name])
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			t.Errorf("%s is new: %q", name, after[name])
		}
	}
}

// do applies a plan, and returns what undoes it.
func do(t *testing.T, m *Machine, plan linuxhost.Plan, err error) linuxhost.Plan {
	t.Helper()
	if err != nil {
		t.Error(err)
		return nil
	}
	if err := Run(m, plan); err != nil {
		t.Errorf("%v: %v", plan, err)
		return nil
	}
	for _, line := range plan.Commands(m.Machine()) {
		t.Log(line)
	}
	return plan.Inverse()
}

// TestBondsAreMadeAndUndone makes a bond of two interfaces with a VLAN on it, changes its options and members, removes it, and undoes
// all in turn.
func TestBondsAreMadeAndUndone(t *testing.T) {
	if unix.Geteuid() != 0 {
		t.Skip("making network namespaces requires root")
	}
	ran := false
	inNamespace(t, func(t *testing.T) {
		probe := netlink.NewLinkBond(attributes("cxprobe"))
		if !add(t, probe) {
			return
		}
		if err := netlink.LinkDel(probe); err != nil {
			t.Error(err)
			return
		}
		for _, name := range []string{"cx0", "cx2"} {
			if !add(t, &netlink.Veth{LinkAttrs: attributes(name), PeerName: name + "p"}) {
				return
			}
		}
		m, err := Open()
		if err != nil {
			t.Error(err)
			return
		}
		defer m.Close()
		for _, name := range []string{"cx0", "cx0p", "cx2p"} { // members with a link
			do(t, m, linuxhost.Plan{{Interface: name, Name: "state", Old: "down", New: "up"}}, nil)
		}
		before := settingsOf(m.Machine())
		var undo []linuxhost.Plan
		step := func(plan linuxhost.Plan, err error) {
			t.Helper()
			undo = append(undo, do(t, m, plan, err))
		}
		step(linuxhost.AddBond(m.Machine(), "cxbond", []string{"mode=802.3ad", "miimon=50", "lacp_rate=fast", "xmit_hash_policy=layer3+4", "members=cx0"}))
		bond, _ := m.Machine().Interface("cxbond")
		if s, _ := bond.Setting("link"); s.Value != "bond mode 802.3ad miimon 50 xmit_hash_policy layer3+4 lacp_rate fast" || len(bond.Members) != 1 || !bond.Up {
			t.Errorf("the bond is %+v", bond)
		}
		set := func(name string, assignments ...string) { step(linuxhost.NewPlan(m.Machine(), name, assignments)) }
		set("cx2", "master=cxbond")
		set("cxbond", "bond.miimon=200", "bond.xmit_hash_policy=layer2+3")
		set("cxbond", "bond.lacp_rate=slow")
		step(linuxhost.AddVLAN(m.Machine(), "cxbond", "7", ""))
		if vlan, ok := m.Machine().Interface("cxbond.7"); !ok || vlan.VLAN != 7 || vlan.Below != "cxbond" || !vlan.Up {
			t.Errorf("the VLAN is %+v", vlan)
		}
		step(linuxhost.RemoveLink(m.Machine(), "cxbond.7"))
		step(linuxhost.RemoveLink(m.Machine(), "cxbond"))
		if _, ok := m.Machine().Interface("cxbond"); ok {
			t.Error("the bond is still there")
		}
		for _, plan := range slices.Backward(undo) {
			if err := Run(m, plan); err != nil {
				t.Errorf("%v: %v", plan, err)
			}
		}
		sameSettings(t, before, settingsOf(m.Machine()))
		step(linuxhost.AddBond(m.Machine(), "cxbond", []string{"mode=active-backup", "members=cx0,cx2"}))
		for range 100 { // the bond looks at the links ten times a second
			if bond, _ := m.Machine().Interface("cxbond"); bond != nil && len(bond.Group("bond")) == 4 {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		set("cxbond", "bond.active_slave=cx2")
		set("cx2", "master=none")
		set("cx0", "master=none")
		set("cxbond", "bond.mode=balance-xor")
		ran = true
	})
	if !ran && !t.Failed() {
		t.Skip("this kernel has no bonds: task qemu has a machine with them")
	}
}

// TestSettingsOfEthernetCards changes rings, coalescing, pause, MTU and offloads of emulated cards, reads each back and undoes all.
func TestSettingsOfEthernetCards(t *testing.T) {
	onTestMachine(t)
	m, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	tried := 0
	for _, i := range m.Machine().Interfaces {
		if i.Adapter == "" {
			continue
		}
		before := settingsOf(m.Machine())
		var assignments []string
		for name, value := range map[string]string{"mtu": "1400", "ring.rx": "512", "ring.tx": "512", "channels.combined": "1", "coalesce.rx-usecs": "50",
			"offload.tx-tcp-segmentation": "off", "offload.rx-checksum": "off", "offload.rx-gro": "off"} {
			if s, ok := i.Setting(name); ok && s.Fixed == "" && s.Value != value {
				assignments = append(assignments, name+"="+value)
			}
		}
		slices.Sort(assignments)
		plan, err := linuxhost.NewPlan(m.Machine(), i.Name, assignments)
		undo := do(t, m, plan, err)
		if err := Run(m, undo); err != nil {
			t.Errorf("%s: %v", i.Name, err)
		}
		sameSettings(t, before, settingsOf(m.Machine()))
		tried += len(plan)
	}
	if tried < 10 {
		t.Errorf("only %d settings were changed", tried)
	}
}

// TestVirtualFunctionsOfACard makes virtual functions, changes their attributes, reads each back and undoes all.
func TestVirtualFunctionsOfACard(t *testing.T) {
	onTestMachine(t)
	m, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	at := slices.IndexFunc(m.Machine().Interfaces, func(i linuxhost.Interface) bool { s, ok := i.Setting("vfs"); return ok && s.Value == "0" })
	if at < 0 {
		t.Skip("no card of this machine has virtual functions: igb needs QEMU 8")
	}
	name := m.Machine().Interfaces[at].Name
	plan := func(assignments ...string) (linuxhost.Plan, error) {
		return linuxhost.NewPlan(m.Machine(), name, assignments)
	}
	made, err := plan("vfs=2")
	none := do(t, m, made, err)
	before := settingsOf(m.Machine())
	var undo []linuxhost.Plan
	for _, assignment := range []string{"vf.1.mac=02:00:00:00:00:0a", "vf.1.vlan=7", "vf.1.qos=3", "vf.1.spoofchk=off", "vf.1.trust=on", "vf.1.max-rate=100", "vf.1.state=enable"} {
		changed, err := plan(assignment)
		if err != nil {
			t.Errorf("%s: %v", assignment, err)
			continue
		}
		if err := Run(m, changed); err != nil {
			t.Logf("%s: %v", assignment, err) // drivers do not have all
			continue
		}
		t.Log(strings.Join(changed.Commands(m.Machine()), "; "))
		undo = append(undo, changed.Inverse())
	}
	if len(undo) < 4 {
		t.Errorf("only %d attributes were changed", len(undo))
	}
	for _, changed := range slices.Backward(undo) {
		if err := Run(m, changed); err != nil {
			t.Errorf("%v: %v", changed, err)
		}
	}
	sameSettings(t, before, settingsOf(m.Machine()))
	if err := Run(m, none); err != nil {
		t.Error(err)
	}
	if i, _ := m.Machine().Interface(name); len(i.Functions) != 0 {
		t.Errorf("the functions are still there: %+v", i.Functions)
	}
}

// TestParametersOfDevlink changes the parameters of a simulated device that the driver reads at a reload, and undoes them.
func TestParametersOfDevlink(t *testing.T) {
	onTestMachine(t)
	bus := filepath.Join("/sys", "bus", "netdevsim")
	if err := os.WriteFile(filepath.Join(bus, "new_device"), []byte("7 1"), 0o200); err != nil {
		t.Skipf("this kernel simulates no devices (netdevsim): %v", err)
	}
	defer func() {
		if err := os.WriteFile(filepath.Join(bus, "del_device"), []byte("7"), 0o200); err != nil {
			t.Error(err)
		}
	}()
	m, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	at := slices.IndexFunc(m.Machine().Interfaces, func(i linuxhost.Interface) bool { return i.Devlink == "netdevsim/netdevsim7" })
	if at < 0 {
		t.Fatalf("the simulated device is not read: %+v", m.Machine().Interfaces)
	}
	i := &m.Machine().Interfaces[at]
	before := settingsOf(m.Machine())
	changed, err := linuxhost.NewPlan(m.Machine(), i.Name, []string{"devlink-init.test1=false", "devlink-init.max_macs=16"})
	if err != nil {
		t.Fatalf("%v: %v", err, i.Settings)
	}
	if got := changed.Commands(m.Machine())[0]; got != "devlink dev param set netdevsim/netdevsim7 name test1 value false cmode driverinit" {
		t.Error(got)
	}
	undo := do(t, m, changed, nil)
	if err := Run(m, undo); err != nil {
		t.Error(err)
	}
	sameSettings(t, before, settingsOf(m.Machine()))
	if _, err := linuxhost.NewPlan(m.Machine(), i.Name, []string{"devlink-init.test1=1"}); err == nil || errors.Is(err, unix.EINVAL) {
		t.Errorf("a wrong value is accepted: %v", err)
	}
}

// TestRDMAOverEthernet makes an RDMA device over a card and reads its port.
func TestRDMAOverEthernet(t *testing.T) {
	onTestMachine(t)
	m, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	at := slices.IndexFunc(m.Machine().Interfaces, func(i linuxhost.Interface) bool { return i.Adapter != "" })
	if at < 0 {
		t.Fatal("the machine has no card")
	}
	name := m.Machine().Interfaces[at].Name
	do(t, m, linuxhost.Plan{{Interface: name, Name: "state", Old: "down", New: "up"}}, nil)
	if err := netlink.RdmaLinkAdd("cxrxe", "rxe", name); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := netlink.RdmaLinkDel("cxrxe"); err != nil {
			t.Error(err)
		}
	}()
	ports := m.Machine().RDMA
	if len(ports) != 1 || ports[0].Device != "cxrxe" || ports[0].Interface != name || ports[0].Layer != "Ethernet" {
		t.Errorf("the RDMA ports are %+v", ports)
	}
}
