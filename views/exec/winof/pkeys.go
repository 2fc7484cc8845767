package winof

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/limits"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

// pkeysRow is the table of partitions of an IPoIB interface as JSON.
type pkeysRow struct {
	Connection string             `json:"connection"`
	PKeys      []description.PKey `json:"pkeys"`
}

// brokenSkipped is the first driver whose mlxtool skips a broken entry of the registry: WinOF 5.22.50000. Earlier tools fail at it.
const brokenSkipped = "5.22.12433"

// pkeysOfPorts implements mlxtool dbg pkeys: it lists the partitions of one or all IPoIB interfaces, including virtual ports. A
// transcript of the manual pins its output.
func pkeysOfPorts(c *exec.Call) (exec.Answer, error) {
	var ports []pkeysRow
	var broken []string
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
		for _, p := range h.BrokenPartitions() {
			broken = append(broken, p.Connection)
			_, card, _ := h.Lab().Port(p.Port)
			if limits.Older(h.Lab().Description().Adapters[card].DriverVersion, brokenSkipped) {
				return request.Errorf("the registry entry of the IPoIB interface %s is broken, since it was not fully removed; remove it with part_man rem %[1]q, "+
					"or install WinOF 5.22 or later, whose mlxtool skips it", p.Connection)
			}
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
	if len(rows) == 0 && len(c.Arguments) > 0 && slices.ContainsFunc(broken, func(name string) bool { return strings.EqualFold(name, c.Arguments[0]) }) {
		return exec.Answer{}, request.Errorf("the registry entry of the IPoIB interface %s is broken; part_man rem removes it", c.Arguments[0])
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
