package apply

import (
	"errors"
	"runtime"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"cxdeck/driver/linuxhost"
)

// inNamespace runs a test in a network namespace of its own, whose interfaces nobody else has. The thread ends with the test.
func inNamespace(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread keeps the namespace
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			t.Logf("a network namespace can't be made: %v", err)
			return
		}
		test(t)
	}()
	<-done
}

// add adds an interface of a kind, or says why the kernel has none.
func add(t *testing.T, link netlink.Link) bool {
	t.Helper()
	err := netlink.LinkAdd(link)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOENT) {
		t.Logf("this kernel has no interfaces of the kind %s: %v", link.Type(), err)
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// TestSettingsOfRealInterfaces changes the MTU, the channels and an offload of a pair of virtual interfaces, reads each back and undoes
// all.
func TestSettingsOfRealInterfaces(t *testing.T) {
	if unix.Geteuid() != 0 {
		t.Skip("making network namespaces requires root")
	}
	ran := false
	inNamespace(t, func(t *testing.T) {
		attributes := netlink.NewLinkAttrs()
		attributes.Name, attributes.NumTxQueues, attributes.NumRxQueues = "cx0", 4, 4
		if !add(t, &netlink.Veth{LinkAttrs: attributes, PeerName: "cx1"}) {
			return
		}
		m, err := Open()
		if err != nil {
			t.Error(err)
			return
		}
		defer m.Close()
		before, ok := m.Machine().Interface("cx0")
		if !ok {
			t.Error("the interface is not read")
			return
		}
		assignments := []string{"mtu=1400"}
		for name, value := range map[string]string{"channels.rx": "2", "offload.tx-generic-segmentation": "off"} {
			if s, ok := before.Setting(name); ok && s.Value != value {
				assignments = append(assignments, name+"="+value)
			}
		}
		plan, err := linuxhost.NewPlan(m.Machine(), "cx0", assignments)
		if err != nil || len(plan) != len(assignments) {
			t.Errorf("%v: %v", plan, err)
			return
		}
		if err := Run(m, plan); err != nil {
			t.Error(err)
		}
		if err := Run(m, plan); err == nil {
			t.Error("a plan for old values is applied again")
		}
		if err := Run(m, plan.Inverse()); err != nil {
			t.Error(err)
		}
		after, _ := m.Machine().Interface("cx0")
		for _, s := range before.Settings {
			if now, _ := after.Setting(s.Name); now.Value != s.Value {
				t.Errorf("%s is %s and was %s", s.Name, now.Value, s.Value)
			}
		}
		t.Logf("changed and undone: %v", plan)
		ran = true
	})
	if !ran && !t.Failed() {
		t.Skip("this machine has no pairs of virtual interfaces to try")
	}
}

// TestBondAndVLANOfRealInterfaces reads a bond over two virtual interfaces and a VLAN on it.
func TestBondAndVLANOfRealInterfaces(t *testing.T) {
	if unix.Geteuid() != 0 {
		t.Skip("making network namespaces requires root")
	}
	ran := false
	inNamespace(t, func(t *testing.T) {
		bond := netlink.NewLinkBond(attributes("cxbond"))
		bond.Mode = netlink.BOND_MODE_ACTIVE_BACKUP
		if !add(t, bond) {
			return
		}
		if !add(t, &netlink.Vlan{LinkAttrs: netlink.LinkAttrs{Name: "cxbond.7", ParentIndex: bond.Index}, VlanId: 7}) {
			return
		}
		r := linuxhost.Open()
		defer r.Close()
		m := r.Machine()
		if i, ok := m.Interface("cxbond"); !ok || i.Kind != "bond" {
			t.Errorf("the bond is %+v", i)
		}
		if i, ok := m.Interface("cxbond.7"); !ok || i.Kind != "vlan" || i.VLAN != 7 || i.Below != "cxbond" {
			t.Errorf("the VLAN is %+v", i)
		}
		ran = true
	})
	if !ran && !t.Failed() {
		t.Skip("this kernel has no bonds or VLANs")
	}
}

// TestPrivilegeIsNamed: without privileges a change fails with the one that is absent.
func TestPrivilegeIsNamed(t *testing.T) {
	t.Parallel()
	for _, err := range []error{unix.EPERM, unix.EACCES} {
		if got := linuxhost.Reason(err); got != "it requires root, or the capability CAP_NET_ADMIN" {
			t.Error(got)
		}
	}
}

// attributes returns the attributes of a link with a name.
func attributes(name string) netlink.LinkAttrs {
	a := netlink.NewLinkAttrs()
	a.Name = name
	return a
}
