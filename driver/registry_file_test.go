package driver

import (
	"testing"

	"cxdeck/driver/adapters"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regfile"
)

func TestAPlanAsARegistryFile(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	plan := Plan{Title: "x", Operations: []Operation{
		set("Ethernet 7", "*JumboPacket", "1"), set("Ethernet 7", "*JumboPacket", "4000"), edit.DeleteValue{Connection: "Ethernet 7", Key: "*RSS"},
		set("Ethernet 7", "DcqcnRpgThreshold", "6"), adapters.RestartAdapter{Connection: "Ethernet 7"},
		edit.StoreValues{Path: `HKLM\SOFTWARE\X`, Values: []edit.StoredValue{{Name: "a", Value: registry.TextValue("b")}}},
	}}
	f, left, err := h.RegistryFile(plan)
	if err != nil || len(left) != 2 || len(f.Keys) != 2 || len(f.Keys[0].Values) != 2 {
		t.Fatalf("%+v, %q, %v", f, left, err)
	}
	data, err := regfile.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	read, err := regfile.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	mustApply(t, h, importFile(t, h, read).Plan.Operations...)
	if k := mustKey(t, h, "Ethernet 7", "*JumboPacket"); k.Stored.String() != "4000" {
		t.Errorf("%+v", k)
	}
	if k := mustKey(t, h, "Ethernet 7", "*RSS"); k.Stored.Exists() {
		t.Errorf("%+v", k)
	}
}
