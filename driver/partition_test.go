package driver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
)

// namedHost is a host of a lab that needs no file.
func namedHost(t *testing.T, name string) *Host {
	t.Helper()
	for _, named := range description.NamedLabs() {
		if named.Name != name {
			continue
		}
		description, err := description.ParseText(named.Text())
		if err != nil {
			t.Fatal(err)
		}
		lab, err := device.New(description, 1)
		if err != nil {
			t.Fatal(err)
		}
		return NewHost(lab)
	}
	t.Fatalf("no lab is called %s", name)
	return nil
}

func do(t *testing.T, h *Host, operations ...Operation) {
	t.Helper()
	if _, err := h.Apply(Plan{Title: "Test", Operations: operations}); err != nil {
		t.Fatal(err)
	}
}

// TestVirtualPortsAreUpWithAPartition goes through all that a virtual port can wait for.
func TestVirtualPortsAreUpWithAPartition(t *testing.T) {
	t.Parallel()
	h := namedHost(t, "manual-winof")
	keys := func(list ...description.PKey) *[]description.PKey { return &list }
	want := func(connection string, uses description.PKey, why string) {
		t.Helper()
		i, err := h.fabric.Find(connection)
		if err != nil {
			t.Fatal(err)
		}
		v := h.Partitions()[i]
		if v.Uses != uses || v.Up != (why == "") || !strings.Contains(v.Why, why) || (v.Rate > 0) != v.Up {
			t.Errorf("%s: %+v, want the PKey %s and %q", connection, v, uses, why)
		}
	}
	do(t, h, fabric.AddPartition{Connection: "Ethernet 4", Name: "ipoib_4_1"}, fabric.AddPartition{Connection: "Ethernet 5",
		PKey: 0x7123},
		fabric.AddPartition{Connection: "Ethernet 5", PKey: 0x1563}, fabric.AddPartition{Connection: "Ethernet 4", PKey: 0xf123})
	want("Ethernet 6", 0xffff, "")
	want("Ethernet 7", 0xf123, "") // the full one wins
	want("Ethernet 8", 0x9563, "")
	want("Ethernet 9", 0, "the subnet manager does not give Ethernet 4 the PKey F123")
	do(t, h, fabric.SetSwitchPort{Connection: "Ethernet 4", PKeys: keys(0x7123)})
	want("Ethernet 9", 0, "does not give") // only a partial one
	do(t, h, fabric.SetSwitchPort{Connection: "Ethernet 4", PKeys: keys(0xf123, 0x7123)},
		fabric.SetSwitchPort{Connection: "Ethernet 5", PKeys: keys(0x7123)})
	want("Ethernet 9", 0xf123, "")
	want("Ethernet 7", 0x7123, "")
	do(t, h, hardware.PullCable{Connection: "Ethernet 4"})
	want("Ethernet 6", 0xffff, "Ethernet 4, which it is on, has no link")
	do(t, h, hardware.PlugCable{Connection: "Ethernet 4"}, adapters.DisableAdapter{Connection: "Ethernet 5"})
	h.Advance(time.Minute)
	want("Ethernet 6", 0xffff, "")
	want("Ethernet 7", 0x7123, "the driver of Ethernet 5, which it is on, does not run")
}

// TestVirtualPortsAreRefused checks the sentence of each refusal, and holds that nothing comes of it.
func TestVirtualPortsAreRefused(t *testing.T) {
	t.Parallel()
	h := namedHost(t, "manual-winof")
	do(t, h, fabric.AddPartition{Connection: "Ethernet 4", Name: "i1"})
	for _, c := range []struct {
		operation Operation
		why       string
	}{
		{fabric.AddPartition{Connection: "Ethernet 2"}, "is an Ethernet port"},
		{fabric.AddPartition{Connection: "Ethernet 40"}, "there is no adapter"},
		{fabric.AddPartition{Connection: "Ethernet 4", Name: "port"}, "must begin with an i"},
		{fabric.AddPartition{Connection: "Ethernet 4", Name: "i-1"}, "can't contain a space"},
		{fabric.AddPartition{Connection: "Ethernet 4", Name: "i\x1b1"}, "can't contain a space"},
		{fabric.AddPartition{Connection: "Ethernet 4", Name: "I1"}, "has the virtual port I1 with the PKey FFFF already"},
		{fabric.AddPartition{Connection: "Ethernet 4", PKey: 0x8000}, "there is no partition 0"},
		{fabric.AddPartition{Connection: "Ethernet 4", Virtual: "ethernet 6"}, "there is a connection"},
		{fabric.AddPartition{Connection: "Ethernet 4", Virtual: "Ethernet 2"}, "there is a connection"},
		{fabric.AddPartition{Connection: "Ethernet 4", GUID: "{30C354DB-62E9-41CB-B709-11063FAF4E95}"},
			"belongs to another adapter"},
		{fabric.RemovePartition{Connection: "Ethernet 4"}, "there is no virtual IPoIB port"},
	} {
		if _, err := h.Apply(Plan{Title: "Test", Operations: []Operation{c.operation}}); err == nil ||
			!strings.Contains(err.Error(), c.why) {
			t.Errorf("%+v: %v, want %q", c.operation, err, c.why)
		}
	}
	if len(h.Partitions()) != 1 {
		t.Errorf("there are %+v", h.Partitions())
	}
}

// TestVirtualPortsAreLimited: 32 of a port, 64 of a host.
func TestVirtualPortsAreLimited(t *testing.T) {
	t.Parallel()
	h := namedHost(t, "manual-winof")
	for range fabric.MaxPartitionsOfPort {
		do(t, h, fabric.AddPartition{Connection: "Ethernet 4"}, fabric.AddPartition{Connection: "Ethernet 5"})
	}
	for _, connection := range []string{"Ethernet 4", "Ethernet 5"} {
		_, err := h.Apply(Plan{Title: "Test", Operations: []Operation{fabric.AddPartition{Connection: connection}}})
		if err == nil || !strings.Contains(err.Error(), "32 virtual ports") {
			t.Errorf("%s took one more: %v", connection, err)
		}
	}
	if got := h.Partitions()[63].Connection; got != "Ethernet 69" {
		t.Errorf("the last one is %s", got)
	}
}

// TestVirtualPortsComeBack: undo rebuilds a removed one as it was, and a saved host has all of them.
func TestVirtualPortsComeBack(t *testing.T) {
	t.Parallel()
	h := namedHost(t, "manual-winof")
	none, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	do(t, h, fabric.AddPartition{Connection: "Ethernet 4"}, fabric.AddPartition{Connection: "Ethernet 5", PKey: 0xf123},
		fabric.AddPartition{Connection: "Ethernet 4"})
	before := h.Partitions()
	do(t, h, fabric.RemovePartition{Connection: "Ethernet 7"}, fabric.RemovePartition{Connection: "Ethernet 6"})
	clone := h.Clone()
	if _, err := h.Undo(); err != nil || !slices.Equal(h.Partitions(), before) {
		t.Errorf("after undo there are %+v, want %+v; %v", h.Partitions(), before, err)
	}
	if len(clone.Partitions()) != 1 {
		t.Error("the copy changed with the host")
	}
	saved, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := RestoreHost(h.lab.Description(), saved)
	if err != nil || !slices.Equal(again.Partitions(), before) {
		t.Errorf("it was restored with other virtual ports: %v", err)
	}
	damaged := strings.ReplaceAll(string(saved), `"name":"ipoib_5_1"`, `"name":"x"`)
	if _, err := RestoreHost(h.lab.Description(), []byte(damaged)); err == nil || !strings.Contains(err.Error(),
		"damaged virtual IPoIB port") {
		t.Errorf("a damaged host is restored: %v", err)
	}
	if strings.Contains(string(none), "partitions") {
		t.Error("a host without virtual ports writes some")
	}
	if got := fmt.Sprint(h.Commands(fabric.AddPartition{Connection: "Ethernet 4", Name: "i_x",
		PKey: 0xf123})); got != `[part_man add "Ethernet 4" i_x F123]` {
		t.Errorf("it is typed %s", got)
	}
}

// TestRemovedWithoutDriverLeavesAnEntry: the entry survives a restart of the console, keeps the name, and goes by another removal.
func TestRemovedWithoutDriverLeavesAnEntry(t *testing.T) {
	t.Parallel()
	h := namedHost(t, "manual-winof")
	broken := func(want int) {
		t.Helper()
		back, err := RestoreHost(h.lab.Description(), mustSave(t, h))
		if err != nil {
			t.Fatal(err)
		}
		if list := h.BrokenPartitions(); len(list) != want || len(back.BrokenPartitions()) != want {
			t.Fatalf("%d broken entries, want %d: %+v", len(list), want, list)
		}
	}
	remove := fabric.RemovePartition{Connection: "Ethernet 6"}
	do(t, h, fabric.AddPartition{Connection: "Ethernet 4", Name: "ipoib_4_1"}, fabric.AddPartition{Connection: "Ethernet 4"})
	before := h.Partitions()
	do(t, h, adapters.DisableAdapter{Connection: "Ethernet 4"})
	do(t, h, remove)
	broken(1)
	if _, err := h.Apply(Plan{Title: "Again", Operations: []Operation{remove}}); err == nil {
		t.Error("the entry is removed without the driver")
	}
	if _, err := h.Apply(Plan{Title: "Add", Operations: []Operation{fabric.AddPartition{Connection: "Ethernet 4", Virtual: "Ethernet 6"}}}); err == nil {
		t.Error("the name of the entry is free")
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	broken(0)
	if list := h.Partitions(); len(list) != 2 || list[0].GUID != before[0].GUID {
		t.Errorf("undo restores %+v", list)
	}
	do(t, h, remove)
	do(t, h, adapters.EnableAdapter{Connection: "Ethernet 4"})
	h.Advance(30 * time.Second)
	do(t, h, remove)
	broken(0)
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	broken(1)
	do(t, h, fabric.AddPartition{Connection: "Ethernet 4"})
	if list := h.Partitions(); list[len(list)-1].Connection != "Ethernet 8" {
		t.Errorf("the next port is %+v", list[len(list)-1])
	}
}
