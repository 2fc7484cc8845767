package netadapter

import (
	"strconv"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// defaultNICSwitch is the name that Windows gives the switch in a card with virtual functions.
const defaultNICSwitch = "Default Switch"

// netAdapterRow is an adapter with the properties of Get-NetAdapterSriov.
type netAdapterRow struct {
	Name        string `json:"name"`
	Description string `json:"interface_description"`
	Enabled     bool   `json:"enabled"`
	Support     string `json:"sriov_support"`
	Switch      string `json:"switch_name,omitempty"`
	NumVFs      int    `json:"num_vfs"`
}

func getNetAdapterSriov(p *powershell.Invocation) (exec.Answer, error) {
	ports, err := p.Ports()
	if err != nil {
		return exec.Answer{}, err
	}
	rows, list := []netAdapterRow{}, []powershell.Block{}
	for _, port := range ports {
		s := &port.SRIOV
		r := netAdapterRow{port.Description.Connection, port.Description.Device, s.Enabled, string(s.Support), "", s.NumVFs}
		switchName := ""
		if s.Enabled {
			r.Switch = defaultNICSwitch
			switchName = strconv.Quote(r.Switch)
		}
		rows = append(rows, r)
		list = append(list, powershell.Block{
			{"Name", r.Name}, {"InterfaceDescription", r.Description}, {"Enabled", powershell.BoolText(r.Enabled)}, {"SriovSupport",
				r.Support},
			{"SwitchName", switchName}, {"NumVFs", strconv.Itoa(r.NumVFs)},
		})
	}
	return powershell.Blocks(list, struct {
		Adapters []netAdapterRow `json:"adapters"`
	}{rows}, "No adapter matches."), nil
}

func setNetAdapterSriov(p *powershell.Invocation, in *struct {
	Name   powershell.ConnectionNames
	NumVFs int `need:"a number"`
}) (exec.Answer, error) {
	return p.ApplyToConnections(in.Name, func(name string) driver.Operation {
		return virtualization.SetNumVFs{Connection: name, NumVFs: in.NumVFs}
	})
}
