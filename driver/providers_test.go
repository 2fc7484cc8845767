package driver

import (
	"strings"
	"testing"
	"time"

	"cxdeck/driver/fabric"
	"cxdeck/driver/stack"
)

// TestProgramsNeedAProvider: without a NetworkDirect provider of the driver, NDSPI programs stop and tests can't connect; SMB Direct goes on.
func TestProgramsNeedAProvider(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	const program = "Weather model over NDSPI"
	mustApply(t, h, fabric.ScaleFlow{Flow: program, Scale: 1})
	rates := func() (ndspi, smb float64) {
		h.Advance(2 * time.Second)
		for _, f := range h.lab.Flows() {
			switch f.Name {
			case program:
				ndspi = f.ReceiveRate + f.SendRate
			case "SMB Direct reads, volume 1":
				smb = f.ReceiveRate + f.SendRate
			}
		}
		return ndspi, smb
	}
	if ndspi, smb := rates(); ndspi == 0 || smb == 0 {
		t.Fatalf("at first %g and %g", ndspi, smb)
	}
	mustApply(t, h, stack.SetProvider{Provider: "MLX5ND"})
	if ndspi, smb := rates(); ndspi != 0 || smb == 0 {
		t.Errorf("without a provider %g and %g", ndspi, smb)
	}
	port, _ := h.port("Ethernet 8")
	local := h.Stack().IP("Ethernet 8").Addresses[0].Addr()
	if why := h.Stack().WhyNoTest(port, local, true); why != "no NetworkDirect provider of the driver is installed" {
		t.Errorf("a test says %q", why)
	}
	if why := h.Stack().WhyNoSMBDirect(port, local); why != "" {
		t.Errorf("SMB Direct says %q", why)
	}
	data, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := RestoreHost(h.lab.Description(), data); err != nil || back.Stack().HasProvider("MLX5ND") {
		t.Errorf("restored: %v", err)
	}
	if _, err := RestoreHost(h.lab.Description(), []byte(strings.Replace(string(data), `"MLX5ND"]`, `"MLX9ND"]`, 1))); err == nil {
		t.Error("an unknown provider was restored")
	}
	if _, err := h.Undo(); err != nil {
		t.Fatal(err)
	}
	if ndspi, _ := rates(); ndspi == 0 || h.stack.RemovedProviders != nil {
		t.Errorf("after undo %g", ndspi)
	}
	mustApply(t, h, stack.SetProvider{Provider: "MLX4ND2"})
	if port, _ := h.port("Ethernet 3"); h.Stack().WhyNoTest(port, h.Stack().IP("Ethernet 3").Addresses[0].Addr(), true) != "" {
		t.Error("MLX4ND alone is not enough for WinOF")
	}
	for _, o := range []stack.SetProvider{{Provider: "MLX4ND", Installed: true}, {Provider: "MLX4ND2"}, {Provider: "mlx5nd"}, {Provider: "x"}} {
		if _, err := h.Apply(Plan{Title: "provider", Operations: []Operation{o}}); err == nil {
			t.Errorf("%s was not refused", o.Describe())
		}
	}
}
