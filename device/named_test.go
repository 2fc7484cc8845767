package device

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// namedLab is the description of a lab that needs no file.
func namedLab(t *testing.T, name string) *description.Description {
	t.Helper()
	for _, lab := range description.NamedLabs() {
		if lab.Name == name {
			d, err := description.ParseText(lab.Text())
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return d
		}
	}
	t.Fatalf("no lab is called %s", name)
	return nil
}

// TestTheManualsHostsAreTheirs holds the names and numbers that transcripts of the manuals show.
func TestTheManualsHostsAreTheirs(t *testing.T) {
	t.Parallel()
	d := namedLab(t, "manual-winof")
	type port struct{ connection, device, id string }
	want := []port{
		{"Ethernet 2", "Mellanox ConnectX-3 Ethernet Adapter", "{30C354DB-62E9-41CB-B709-11063FAF4E95}"},
		{"Ethernet 3", "Mellanox ConnectX-3 Ethernet Adapter #2", "{53AE4E6B-A308-4C74-9791-153BB3104509}"},
	}
	for i, p := range d.Adapters[0].Ports {
		if got := (port{p.Connection, p.Device, p.Interface}); got != want[i] {
			t.Errorf("got %v, want %v", got, want[i])
		}
	}
	hca := d.Adapters[1]
	if hca.Name != "HCA 0" || hca.DeviceID != 0x1007 || hca.NodeGUID != 0x24be05ffffb9e2e0 || hca.SubsystemID != 0x22f5 ||
		hca.SubvendorID != 0x103c || hca.FirmwareVFs != 16 || d.Host.Name != "LAB-N4LABJSS5EE" {
		t.Errorf("the host %s has %+v", d.Host.Name, hca)
	}
	if keys := hca.Ports[1].Switch.PKeys; len(keys) != 2 || keys[0] != 0xf123 || keys[1] != 0x9563 ||
		hca.Ports[1].Link != description.InfiniBand {
		t.Errorf("%s has the partitions %v", hca.Ports[1].Connection, keys)
	}
	if guids := slices.Concat(d.Host.TeamGUIDs, d.Host.VLANGUIDs); len(guids) != 2 ||
		guids[0] != "{C71781EC-F459-4A8E-ABAC-74CA05F13AE8}" || guids[1] != "{3D7CFE4E-0EE9-4CF6-9843-F44CFBE2E223}" {
		t.Errorf("teams and VLANs get %v", guids)
	}
	if a := namedLab(t, "manual-winof2").Adapters[0]; a.DeviceID != 4115 || a.Ports[0].Connection != "Ethernet" {
		t.Errorf("the WinOF-2 host has %+v", a)
	}
}

// TestNothingIsLostInTheManualsHosts is TestConservationOfFrames for the labs of the manuals, with fewer seeds.
func TestNothingIsLostInTheManualsHosts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"manual-winof", "manual-winof2"} {
		for seed := range uint64(10) {
			r := rand.New(rand.NewPCG(seed, 6))
			l, err := New(namedLab(t, name), seed)
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				slots, switches := append([]setup.Slot(nil), l.setup.Slots...), append([]setup.SwitchPort(nil), l.setup.Switches...)
				from := append([]uint64(nil), l.Counters()...)
				l.Advance(time.Second)
				holdsLimits(t, seed, l, from, slots, switches)
				disturb(t, l, r)
			}
			holdsSums(t, seed, l)
			if t.Failed() {
				t.Fatalf("that was %s", name)
			}
		}
	}
}

// TestTheManualsHostsAreCalm: all of their ports carry traffic, and lose none of it.
func TestTheManualsHostsAreCalm(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"manual-winof", "manual-winof2"} {
		l, err := New(namedLab(t, name), 1)
		if err != nil {
			t.Fatal(err)
		}
		l.Advance(2 * time.Minute)
		for port := range l.Ports() {
			at := func(c counter.Port) uint64 { return l.Counters()[counter.Cell(port, c)] }
			if at(counter.ReceivedPackets) == 0 || at(counter.SentPackets) == 0 || at(counter.Discarded)+at(counter.NoDescriptor)+at(counter.ReceiveErrors) > 0 {
				t.Errorf("%s, port %d: %d packets received, %d sent, %d discarded, %d without a descriptor, %d damaged", name, port,
					at(counter.ReceivedPackets), at(counter.SentPackets), at(counter.Discarded), at(counter.NoDescriptor), at(counter.ReceiveErrors))
			}
		}
	}
}
