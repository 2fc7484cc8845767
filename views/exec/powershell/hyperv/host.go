package hyperv

import (
	"errors"
	"strings"

	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

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
		lines := []string{powershell.BoolText(m.IovSupport)}
		if reasons {
			lines = m.IovSupportReasons
		}
		return exec.PrintLines(lines, struct {
			Support bool     `json:"iov_support"`
			Reasons []string `json:"iov_support_reasons"`
		}{m.IovSupport, m.IovSupportReasons}), nil
	}
}

// getVMHost implements Get-VMHost: what Hyper-V says of SR-IOV.
func getVMHost(p *powershell.Invocation) (exec.Answer, error) {
	m := &p.View.Machine
	reasons := m.IovSupportReasons
	if reasons == nil {
		reasons = []string{}
	}
	return powershell.Blocks([]powershell.Block{{
		{"Name", p.View.Name}, {"IovSupport", powershell.BoolText(m.IovSupport)}, {"IovSupportReasons", "{" + strings.Join(reasons, ", ") + "}"},
	}}, struct {
		Name    string   `json:"name"`
		Support bool     `json:"iov_support"`
		Reasons []string `json:"iov_support_reasons"`
	}{p.View.Name, m.IovSupport, reasons}, ""), nil
}
