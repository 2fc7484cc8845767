package registry

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/views/registry/keyset"
)

func TestPortsWithASharedKeyMayDiffer(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	plan := driver.Plan{Title: "RoCE off, and one port takes it up", Operations: []driver.Operation{
		edit.SetValue{Adapter: "ConnectX-5 Ex", Key: "driver-roce/roce_mode", Value: "4"},
		adapters.RestartAdapter{Connection: "Ethernet 7"},
	}}
	if _, err := d.Live.Apply(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	at := func() *keyset.Entry {
		return &v.snapshot.Entries[v.snapshot.Locate("Ethernet 8", "", "driver-roce/roce_mode")]
	}
	s.Await(d, "the ports to differ", func() bool { return at().Differs() })
	e := at()
	values, connections := v.snapshot.Effects(e)
	if len(values) != 2 || !slices.Equal(connections[slices.Index(values, registry.NumberValue(4))], []string{"Ethernet 7"}) {
		t.Errorf("the effective values are %v on %v", values, connections)
	}
	if !e.Pending {
		t.Error("no value is pending, although Ethernet 8 has the old value")
	}
	v.reveal(v.snapshot.Find(e.ID))
	s.Want("In effect: ", " on Ethernet 7; ")
	if cell := e.EffectiveText(); !strings.Contains(cell, "4") {
		t.Errorf("the cell is %q", cell)
	}
}

func TestKeysOutsideTheRegistryCannotBeEdited(t *testing.T) {
	t.Parallel()
	_, v, s := opened(t)
	selectKey(s, "num_of_vfs") // in the branch of Ethernet 7, the search also finds keys of its card
	s.Want("NUM_OF_VFS", "ConnectX-5 Ex", "NUM_OF_VFS is in the firmware")
	s.Press("enter")
	s.Want("where mlxconfig sets it")
	s.Press(" ", "D", "delete")
	if v.draft.Len() != 0 {
		t.Errorf("the draft has %+v", v.draft.Edits)
	}
	s.Press("esc", "o", "o")
	s.Want("▸ Elsewhere")
	for i := range v.snapshot.Entries {
		e := &v.snapshot.Entries[i]
		if e.CannotStore() != "" && (v.grades[i] != registry.Valid || e.Pending || e.Stored.Exists()) {
			t.Errorf("%s of %s is judged", e.Row.Name, e.Owner)
		}
	}
	selectKey(s, "querystatsmsec")
	s.Want("QueryStatsMsec is in the running")
}
