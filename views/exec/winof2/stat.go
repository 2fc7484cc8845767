package winof2

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// statRow is a connection of mlx5cmd -stat as JSON.
type statRow struct {
	Connection string `json:"connection"`
	Device     string `json:"device"`
	PCI        string `json:"pci_address"`
	DeviceID   uint16 `json:"device_id"`
	PSID       string `json:"psid"`
	Firmware   string `json:"firmware"`
	Driver     string `json:"driver"`
	Node       string `json:"node_guid"`
	Link       string `json:"link"`
	Up         bool   `json:"up"`
	Gbps       int    `json:"rate_gbps"`
	RoCE       string `json:"roce_mode"`
}

// stat implements mlx5cmd -stat. The manual does not show its output, and uses it to compare the RoCE modes of two ends.
func stat(c *exec.Call) (exec.Answer, error) {
	list, err := registrykey.ToolTargets(c, description.WinOF2, "mlx5cmd -stat", "", false)
	if err != nil {
		return exec.Answer{}, err
	}
	rows, lines := []statRow{}, []string{}
	for i := range list {
		ports, err := c.PortsOf(list[i].Connection)
		if err != nil {
			return exec.Answer{}, err
		}
		var r statRow
		err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
			port := ports[0]
			d, card, _ := h.Lab().Port(port.Port)
			a := h.Lab().Description().Adapters[card]
			link, _ := d.Link.MarshalText() // no error for the link of a lab
			roce, _ := h.Lab().Settings(port.Port).RoCE.MarshalText()
			r = statRow{d.Connection, d.Device, a.PCI.String(), a.DeviceID, a.PSID, a.Firmware, a.DriverVersion, a.NodeGUID.String(), string(link),
				port.Up, int(port.Rate / 1e9), string(roce)}
			return nil
		})
		if err != nil {
			return exec.Answer{}, err
		}
		if len(rows) > 0 {
			lines = append(lines, "")
		}
		state := "Disconnected"
		if r.Up {
			state = fmt.Sprintf("Connected, %d Gbps", r.Gbps)
		}
		lines = append(lines, fmt.Sprintf("%s: %s", r.Connection, r.Device),
			"\tPCI Address: "+r.PCI, fmt.Sprintf("\tDevice Id: %d", r.DeviceID), "\tPSID: "+r.PSID, "\tFirmware Version: "+r.Firmware,
			"\tDriver Version: "+r.Driver, "\tNode GUID: "+r.Node, "\tLink Type: "+r.Link, "\tState: "+state, "\tRoCE Mode: "+r.RoCE)
		rows = append(rows, r)
	}
	return exec.PrintLines(lines, struct {
		Adapters []statRow `json:"adapters"`
	}{rows}), nil
}
