package winof

import (
	"fmt"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

// pkeysRow is the table of partitions of an IPoIB interface as JSON.
type pkeysRow struct {
	Connection string             `json:"connection"`
	PKeys      []description.PKey `json:"pkeys"`
}

// pkeysOfPorts implements mlxtool dbg pkeys: it lists the partitions of one or all IPoIB interfaces, including virtual ports. A
// transcript of the manual pins its output.
func pkeysOfPorts(c *exec.Call) (exec.Answer, error) {
	var ports []pkeysRow
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		view := h.View()
		for _, a := range view.Adapters {
			for _, p := range a.Ports {
				if a.Description.Family == description.WinOF && p.Description.Link == description.InfiniBand {
					ports = append(ports, pkeysRow{p.Description.Connection, h.PKeys(p.Port)})
				}
			}
		}
		for _, p := range view.Partitions {
			ports = append(ports, pkeysRow{p.Connection, h.PKeys(p.Port)})
		}
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	rows, lines, names := []pkeysRow{}, []string{}, []string{}
	for _, p := range ports {
		names = append(names, p.Connection)
		if len(c.Arguments) > 0 && !strings.EqualFold(c.Arguments[0], p.Connection) {
			continue
		}
		const rule = "              ---------------- ------------"
		rows = append(rows, p)
		lines = append(lines, "ConnectX IPoIB NIC: "+p.Connection, rule, "             |    PKEY index |   PKEY     |", rule)
		for i, key := range p.PKeys {
			lines = append(lines, fmt.Sprintf("             |     %-10d|   %-9s|", i, strings.ToLower(key.String())))
		}
		lines = append(lines, rule)
	}
	if len(rows) == 0 && len(c.Arguments) > 0 {
		return exec.Answer{}, request.Errorf("there is no IPoIB interface %q%s", c.Arguments[0],
			exec.Suggest(c.Arguments[0], names, "mlxtool dbg pkeys without a name shows all"))
	}
	if len(rows) == 0 {
		lines = []string{"The host has no IPoIB interface."}
	}
	return exec.PrintLines(lines, struct {
		Ports []pkeysRow `json:"ports"`
	}{rows}), nil
}
