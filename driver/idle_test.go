package driver

import (
	"testing"

	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
)

// TestIdle: an Operation on values is idle once it was applied, and not before; others never are.
func TestIdle(t *testing.T) {
	t.Parallel()
	const path = `HKLM\SOFTWARE\Vendor`
	for _, o := range []Operation{
		edit.SetValue{Connection: "Ethernet 7", Key: "*RSS", Value: "0"},
		edit.SetValue{Connection: "Ethernet 7", Key: "*RSS", Value: "0", Type: registry.Text},
		edit.DeleteValue{Connection: "Ethernet 7", Key: "*RSS"},
		edit.SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/LogNumQP", Value: "20"},
		edit.StoreValues{Path: path, Values: []edit.StoredValue{{Name: "Name", Value: registry.TextValue("x")}, {Name: "", Value: registry.NumberValue(1)}}},
	} {
		h := newHost(t, 1)
		if h.Idle(o) {
			t.Errorf("%s: idle before", o.Describe())
		}
		if _, err := h.Apply(Plan{Title: "x", Operations: []Operation{o}}); err != nil {
			t.Fatal(err)
		}
		if !h.Idle(o) {
			t.Errorf("%s: not idle after", o.Describe())
		}
	}
	h := newHost(t, 1)
	for _, o := range []Operation{
		adapters.RestartAdapter{Connection: "Ethernet 7"}, edit.SetValue{Connection: "none", Key: "*RSS", Value: "0"}, edit.DeleteValue{Connection: "Ethernet 7", Key: "none"},
		edit.StoreValues{Path: path}, edit.StoreValues{Path: "nowhere", Values: []edit.StoredValue{{Name: "x", Value: registry.Value{}}}},
	} {
		if h.Idle(o) {
			t.Errorf("%s is idle", o.Describe())
		}
	}
}
