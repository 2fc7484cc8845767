package powershell

import (
	"errors"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
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

func getNetAdapterSriov(p *invocation) (exec.Answer, error) {
	ports, err := p.ports()
	if err != nil {
		return exec.Answer{}, err
	}
	rows, list := []netAdapterRow{}, []block{}
	for _, port := range ports {
		s := &port.SRIOV
		r := netAdapterRow{port.Description.Connection, port.Description.Device, s.Enabled, string(s.Support), "", s.NumVFs}
		switchName := ""
		if s.Enabled {
			r.Switch = defaultNICSwitch
			switchName = strconv.Quote(r.Switch)
		}
		rows = append(rows, r)
		list = append(list, block{
			{"Name", r.Name}, {"InterfaceDescription", r.Description}, {"Enabled", boolText(r.Enabled)}, {"SriovSupport",
				r.Support},
			{"SwitchName", switchName}, {"NumVFs", strconv.Itoa(r.NumVFs)},
		})
	}
	return blocks(list, struct {
		Adapters []netAdapterRow `json:"adapters"`
	}{rows}, "No adapter matches."), nil
}

func setNetAdapterSriov(p *invocation, in *struct {
	Name   connectionNames
	NumVFs int `need:"a number"`
}) (exec.Answer, error) {
	return p.applyToConnections(in.Name, func(name string) driver.Operation {
		return virtualization.SetNumVFs{Connection: name, NumVFs: in.NumVFs}
	})
}

// iovSupport implements (Get-VmHost).IovSupport, or with reasons (Get-VmHost).IovSupportReasons.
func iovSupport(reasons bool) func(*exec.Call) (exec.Answer, error) {
	return func(c *exec.Call) (exec.Answer, error) {
		view, err := c.View()
		if err != nil {
			return exec.Answer{}, err
		}
		m := &view.Machine
		if !m.HyperV {
			return exec.Answer{}, errors.New(m.WhyNoHyperV)
		}
		lines := []string{boolText(m.IovSupport)}
		if reasons {
			lines = m.IovSupportReasons
		}
		return exec.PrintLines(lines, struct {
			Support bool     `json:"iov_support"`
			Reasons []string `json:"iov_support_reasons"`
		}{m.IovSupport, m.IovSupportReasons}), nil
	}
}

// getCimInstance implements Get-CimInstance for the two classes that say what the host is.
func getCimInstance(p *invocation) (exec.Answer, error) {
	type row struct {
		Class      string `json:"class"`
		Host       string `json:"host"`
		System     string `json:"system"`
		Processors int    `json:"processors"`
	}
	class := p.value("ClassName")
	var found block
	switch strings.ToLower(class) {
	case "win32_operatingsystem":
		found = block{{"CSName", p.view.Name}, {"Caption", "Microsoft " + p.view.System}}
	case "win32_computersystem":
		found = block{{"Name", p.view.Name}, {"NumberOfLogicalProcessors", strconv.Itoa(p.view.Processors())}}
	default:
		return exec.Answer{}, exec.Mistake("the lab has the classes Win32_OperatingSystem and Win32_ComputerSystem, not %q", class)
	}
	return blocks([]block{found}, struct {
		Instance row `json:"instance"`
	}{row{class, p.view.Name, p.view.System, p.view.Processors()}}, ""), nil
}

// getVMHost implements Get-VMHost: what Hyper-V says of SR-IOV.
func getVMHost(p *invocation) (exec.Answer, error) {
	m := &p.view.Machine
	reasons := m.IovSupportReasons
	if reasons == nil {
		reasons = []string{}
	}
	return blocks([]block{{
		{"Name", p.view.Name}, {"IovSupport", boolText(m.IovSupport)}, {"IovSupportReasons", "{" + strings.Join(reasons, ", ") + "}"},
	}}, struct {
		Name    string   `json:"name"`
		Support bool     `json:"iov_support"`
		Reasons []string `json:"iov_support_reasons"`
	}{p.view.Name, m.IovSupport, reasons}, ""), nil
}
