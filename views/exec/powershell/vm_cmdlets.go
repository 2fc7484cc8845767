package powershell

import (
	"io"
	"slices"
	"strconv"

	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
)

func getVM(p *invocation) (exec.Answer, error) {
	names, err := p.vms("Name")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []exec.MachineRow{}
	for i := range p.view.VMs {
		if slices.Contains(names, p.view.VMs[i].Name) {
			rows = append(rows, exec.MachineOf(&p.view.VMs[i]))
		}
	}
	return exec.MachineRows(rows, func(w io.Writer) error {
		t := exec.NewTextTable(w, "Name", "State", "MemoryStartup(M)", "Status")
		for i := range rows {
			t.Row(rows[i].Name, rows[i].State, strconv.Itoa(rows[i].Memory), "Operating normally")
		}
		return t.Flush()
	}), nil
}

func newVM(p *invocation, in *struct {
	Name               string `need:"the name of the new machine"`
	SwitchName         *virtualization.SwitchView
	MemoryStartupBytes string
}) (_ exec.Answer, err error) {
	switchName := ""
	if in.SwitchName != nil {
		switchName = in.SwitchName.Name
	}
	record := virtualization.VMRecord{Name: in.Name, Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(exec.NetworkAdapter, switchName)}}
	if in.MemoryStartupBytes != "" {
		if record.Memory, err = exec.ReadMemory(in.MemoryStartupBytes); err != nil {
			return exec.Answer{}, err
		}
	}
	return p.call.ApplyOne(virtualization.CreateVM{VM: record})
}

func removeVM(p *invocation, in *struct {
	Name *virtualization.VMView `need:"the name of a virtual machine"`
}) (exec.Answer, error) {
	return p.call.ApplyOne(virtualization.RemoveVM{VM: in.Name.Name})
}

// vm finds the virtual machine that a required parameter names.
func (p *invocation) vm(parameter string) (*virtualization.VMView, error) {
	name, err := p.required(parameter, "the name of a virtual machine")
	if err != nil {
		return nil, err
	}
	return exec.FindVM(p.view, name)
}

// setVM returns a cmdlet that changes the state of virtual machines.
func setVM(state virtualization.VMState) func(*invocation) (exec.Answer, error) {
	return func(p *invocation) (exec.Answer, error) {
		if !p.hasParameter("Name") {
			return exec.Answer{}, exec.Mistake("%s requires -Name with the name of a virtual machine", p.command)
		}
		names, err := p.vms("Name")
		switch {
		case err != nil:
			return exec.Answer{}, err
		case len(names) == 0:
			return exec.Answer{}, exec.Mistake("no virtual machine matches %q; Get-VM lists them", p.value("Name"))
		}
		return p.call.SetMachines(p.view, names, state)
	}
}
