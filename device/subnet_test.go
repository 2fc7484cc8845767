package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/subnet"
)

// TestSubnetManager: without one a port that comes up waits in INIT and carries nothing; one that has stopped leaves
// active ports as they are.
func TestSubnetManager(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	port := portOf(t, l, "Ethernet 4")
	manager := func(m description.SubnetManager) {
		t.Helper()
		s := l.SwitchPort(port)
		s.SubnetManager = m
		if err := l.SetSwitchPort(port, s); err != nil {
			t.Fatal(err)
		}
	}
	replug := func() {
		t.Helper()
		if l.SetCable(port, false) != nil || l.SetCable(port, true) != nil {
			t.Fatal("the cable does not move")
		}
	}
	for i, c := range []struct {
		do    func()
		want  subnet.State
		flows bool
	}{
		{func() {}, subnet.Active, true},
		{func() { manager(description.SubnetDown) }, subnet.Active, true},
		{replug, subnet.Init, false},
		{func() { manager(description.SubnetManaged) }, subnet.Active, true},
		{func() { manager(description.SubnetAbsent) }, subnet.Init, false},
		{replug, subnet.Init, false},
		{func() { manager(description.SubnetDown) }, subnet.Init, false},
		{func() { manager(description.SubnetManaged) }, subnet.Active, true},
	} {
		c.do()
		l.Advance(2 * time.Second)
		before := l.Counters()[counter.Cell(port, counter.ReceivedPackets)]
		l.Advance(time.Second)
		moved := l.Counters()[counter.Cell(port, counter.ReceivedPackets)] > before
		if s := l.State(port); s.Subnet != c.want || s.Up != (c.want == subnet.Active) || moved != c.flows {
			t.Errorf("%d: the port is %s, up %t, and traffic moves: %t", i, s.Subnet, s.Up, moved)
		}
	}
	ethernet := portOf(t, l, "Ethernet 7")
	s := l.SwitchPort(ethernet)
	s.SubnetManager = description.SubnetDown
	if err := l.SetSwitchPort(ethernet, s); err == nil {
		t.Error("an Ethernet port has a subnet manager")
	}
	if s := l.State(ethernet).Subnet; s != subnet.None || s.String() != "" {
		t.Errorf("an Ethernet port is %s in its subnet", s)
	}
}

func TestALabWithoutSubnetManager(t *testing.T) {
	t.Parallel()
	d := description.Default()
	for a := range d.Adapters {
		for i := range d.Adapters[a].Ports {
			if p := &d.Adapters[a].Ports[i]; p.Link == description.InfiniBand {
				p.Switch.SubnetManager = description.SubnetAbsent
			}
		}
	}
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	port := portOf(t, l, "Ethernet 4")
	if s := l.State(port); s.Up || s.Subnet != subnet.Init {
		t.Errorf("the port starts as %s", s.Subnet)
	}
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Restore(d, saved)
	if err != nil {
		t.Fatal(err)
	}
	again.Advance(3 * time.Second)
	if s := again.State(port); s.Subnet != subnet.Init || again.SwitchPort(port).SubnetManager != description.SubnetAbsent {
		t.Errorf("the restored port is %s", s.Subnet)
	}
}
