package local

import (
	"slices"
	"testing"

	"cxdeck/driver/linuxhost"
)

// TestHealthOfPorts: the reporter of a port is recovered at the port, and a firmware that waits for a reset is named.
func TestHealthOfPorts(t *testing.T) {
	t.Parallel()
	m := &linuxhost.Machine{Adapters: []linuxhost.Adapter{{Address: "0000:08:00.0", Firmware: "28.41.1000", Stored: "28.45.1000", Reporters: []linuxhost.Reporter{
		{Name: "fw"}, {Name: "vnic", Handle: "pci/0000:08:00.0/32768"}, {Name: "tx", Handle: "auxiliary/mlx5_core.eth.0/65535"}}}}}
	var got []string
	for _, row := range healthSheet(m).Rows {
		got = append(got, row[0], row[7])
	}
	if want := []string{
		"0000:08:00.0", "devlink health recover pci/0000:08:00.0 reporter fw",
		"0000:08:00.0/32768", "devlink health recover pci/0000:08:00.0/32768 reporter vnic",
		"auxiliary/mlx5_core.eth.0/65535", "devlink health recover auxiliary/mlx5_core.eth.0/65535 reporter tx",
	}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if firmware := adapterSheet(m).Rows[0][3]; firmware != "28.41.1000, 28.45.1000 after a reset" {
		t.Errorf("the firmware is %q", firmware)
	}
}
