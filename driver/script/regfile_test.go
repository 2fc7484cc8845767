package script

import (
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regfile"
)

// TestRegistryFileAndItsUndo: the second file restores each value that the first one sets, adds or removes.
func TestRegistryFileAndItsUndo(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	for i, plan := range []driver.Plan{
		{Operations: []driver.Operation{set("Ethernet 7", "*JumboPacket", "4000"), set("Ethernet 8", "*ReceiveBuffers", "1024")}},
		{Operations: []driver.Operation{set("Ethernet 7", "*FlowControl", "0"), set("Ethernet 7", "*InterruptModeration", "0"), set("Ethernet 3", "*JumboPacket", "4088")}},
		{Operations: []driver.Operation{edit.DeleteValue{Connection: "Ethernet 7", Key: "*JumboPacket"}, set("Ethernet 7", "*RSS", "0")}},
	} {
		restarts := h.Complete(plan)
		if len(restarts.Operations) == len(plan.Operations) {
			t.Fatalf("plan %d needs no restart", i)
		}
		files, left, err := Files(h, restarts, "change.reg")
		if err != nil || len(left) != len(restarts.Operations)-len(plan.Operations) || len(files) != 2 || files[0].Path != "change.reg" || files[1].Path != "change-undo.reg" {
			t.Fatalf("plan %d: %d files, left %q: %v", i, len(files), left, err)
		}
		changed := h.Clone()
		imported(t, changed, files[0].Data)
		if same(t, h, changed) {
			t.Fatalf("plan %d: the file changes nothing", i)
		}
		imported(t, changed, files[1].Data)
		if !same(t, h, changed) {
			t.Errorf("plan %d: the second file does not restore the registry:\n%s", i, files[1].Data)
		}
	}
}

// imported applies a registry file to a host.
func imported(t *testing.T, h *driver.Host, data []byte) {
	t.Helper()
	f, err := regfile.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	plan, _, err := h.ImportRegistry("import", f)
	if err == nil {
		_, err = h.Apply(plan)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// same reports whether two hosts have the same values in the registry.
func same(t *testing.T, a, b *driver.Host) bool {
	t.Helper()
	var texts [2]string
	for i, h := range []*driver.Host{a, b} {
		file, err := h.ExportRegistry()
		if err != nil {
			t.Fatal(err)
		}
		data, err := regfile.Encode(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(data)
	}
	return texts[0] == texts[1]
}
