package netadapter

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// adapterIndexRow is a connection with the properties of Get-NetAdapter.
type adapterIndexRow struct {
	Name        string `json:"name"`
	Description string `json:"interface_description"`
	Index       int    `json:"interface_index"`
	Status      string `json:"status"`
	MAC         string `json:"mac"`
	LinkSpeed   string `json:"link_speed"` // as Windows writes it: "100 Gbps", "0 bps" without a link
}

func getNetAdapter(p *powershell.Invocation) (exec.Answer, error) {
	ports, err := p.Ports()
	if err != nil {
		return exec.Answer{}, err
	}
	if err := checkNewTeam(p); err != nil {
		return exec.Answer{}, err
	}
	rows, drivers := []adapterIndexRow{}, map[string]string{}
	for i := range p.View.Adapters {
		for _, port := range p.View.Adapters[i].Ports {
			drivers[port.Description.Connection] = p.View.Adapters[i].Description.DriverVersion
		}
	}
	for _, port := range ports {
		status := "Disconnected"
		switch {
		case port.State == driver.Stopped:
			status = "Disabled"
		case port.Up:
			status = "Up"
		}
		d := port.Description
		rows = append(rows, adapterIndexRow{d.Connection, d.Device, exec.InterfaceIndex(port.Port), status, powershell.WindowsMAC(d.MAC), linkSpeed(port)})
	}
	return exec.Answer{
		Result: struct {
			Adapters []adapterIndexRow `json:"adapters"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewWideTable(w, 5, "Name", "InterfaceDescription", "ifIndex", "Status", "MacAddress", "LinkSpeed", "InterfaceGuid", "DriverVersion")
			for i, r := range rows {
				d := ports[i].Description
				t.Row(r.Name, r.Description, strconv.Itoa(r.Index), r.Status, r.MAC, r.LinkSpeed, d.Interface, drivers[d.Connection])
			}
			return t.Flush()
		},
	}, nil
}

// teamSettles is the time after vlan_config attach in which Get-NetAdapter of Windows 10 1803 and 1809 fails.
const teamSettles = 5 * time.Second

// checkNewTeam returns the harmless error of Get-NetAdapter on these clients.
func checkNewTeam(p *powershell.Invocation) error {
	if system := strings.ToLower(p.View.System); !strings.Contains(system, "windows 10") || !strings.Contains(system, "1803") && !strings.Contains(system, "1809") {
		return nil
	}
	return p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		for _, e := range slices.Backward(h.Journal()) {
			if e.Err != "" || h.Now().Sub(e.Time) >= teamSettles {
				continue
			}
			for _, o := range e.Plan.Operations {
				if attach, ok := o.(teams.Attach); ok {
					return request.Errorf("Get-NetAdapter can't read the adapters while Windows 10 sets up the team %s; the team is not affected: wait %s and repeat it",
						attach.Team, teamSettles)
				}
			}
		}
		return nil
	})
}

// linkSpeed is the property LinkSpeed of Get-NetAdapter: the rate of the port while its link is up.
func linkSpeed(port *driver.PortView) string {
	if !port.Up {
		return "0 bps"
	}
	return strconv.FormatFloat(port.Rate/1e9, 'g', 4, 64) + " Gbps"
}
