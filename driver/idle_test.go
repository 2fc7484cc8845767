package driver

import (
	"testing"

	"cxdeck/driver/registry"
)

// TestIdle: an Operation on values is idle once it was applied, and not before; others never are.
func TestIdle(t *testing.T) {
	t.Parallel()
	const path = `HKLM\SOFTWARE\Vendor`
	for _, o := range []Operation{
		SetValue{Connection: "Ethernet 7", Key: "*RSS", Value: "0"},
		SetValue{Connection: "Ethernet 7", Key: "*RSS", Value: "0", Type: registry.Text},
		DeleteValue{Connection: "Ethernet 7", Key: "*RSS"},
		SetValue{Adapter: "ConnectX-3 Pro", Key: "bus-driver/LogNumQP", Value: "20"},
		StoreValues{path, []StoredValue{{"Name", registry.TextValue("x")}, {"", registry.NumberValue(1)}}},
	} {
		h := newHost(t, 1)
		if h.Idle(o) {
			t.Errorf("%s: idle before", o.Describe())
		}
		if _, err := h.Apply(Plan{"x", []Operation{o}}); err != nil {
			t.Fatal(err)
		}
		if !h.Idle(o) {
			t.Errorf("%s: not idle after", o.Describe())
		}
	}
	h := newHost(t, 1)
	for _, o := range []Operation{
		RestartAdapter{"Ethernet 7"}, SetValue{Connection: "none", Key: "*RSS", Value: "0"}, DeleteValue{Connection: "Ethernet 7", Key: "none"},
		StoreValues{Path: path}, StoreValues{"nowhere", []StoredValue{{"x", registry.Value{}}}},
	} {
		if h.Idle(o) {
			t.Errorf("%s is idle", o.Describe())
		}
	}
}
