package hyperv

import (
	"io"
	"slices"
	"strconv"

	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/machines"
	"cxdeck/views/exec/powershell"
)

func getVM(p *powershell.Invocation) (exec.Answer, error) {
	names, err := namedMachines(p, "Name")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []machines.Row{}
	for i := range p.View.VMs {
		if slices.Contains(names, p.View.VMs[i].Name) {
			rows = append(rows, machines.RowOf(&p.View.VMs[i]))
		}
	}
	return machines.Rows(rows, func(w io.Writer) error {
		t := exec.NewTextTable(w, "Name", "State", "MemoryStartup(M)", "Status")
		for i := range rows {
			t.Row(rows[i].Name, rows[i].State, strconv.Itoa(rows[i].Memory), "Operating normally")
		}
		return t.Flush()
	}), nil
}

func newVM(p *powershell.Invocation, in *struct {
	Name               string `need:"the name of the new machine"`
	SwitchName         *virtualization.SwitchView
	MemoryStartupBytes string
}) (_ exec.Answer, err error) {
	switchName := ""
	if in.SwitchName != nil {
		switchName = in.SwitchName.Name
	}
	record := virtualization.VMRecord{Name: in.Name, Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(machines.NetworkAdapter, switchName)}}
	if in.MemoryStartupBytes != "" {
		if record.Memory, err = exec.ReadMemory(in.MemoryStartupBytes); err != nil {
			return exec.Answer{}, err
		}
	}
	return p.Call.ApplyOne(virtualization.CreateVM{VM: record})
}

func removeVM(p *powershell.Invocation, in *struct {
	Name *virtualization.VMView `need:"the name of a virtual machine"`
}) (exec.Answer, error) {
	return p.Call.ApplyOne(virtualization.RemoveVM{VM: in.Name.Name})
}

// requiredMachine finds the virtual machine that a required parameter names.
func requiredMachine(p *powershell.Invocation, parameter string) (*virtualization.VMView, error) {
	name, err := p.Required(parameter, "the name of a virtual machine")
	if err != nil {
		return nil, err
	}
	return exec.FindVM(p.View, name)
}

// setVM returns a cmdlet that changes the state of virtual machines.
func setVM(state virtualization.VMState) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		if !p.Has("Name") {
			return exec.Answer{}, exec.Mistake("%s requires -Name with the name of a virtual machine", p.Command)
		}
		names, err := namedMachines(p, "Name")
		switch {
		case err != nil:
			return exec.Answer{}, err
		case len(names) == 0:
			return exec.Answer{}, exec.Mistake("no virtual machine matches %q; Get-VM lists them", p.Value("Name"))
		}
		return machines.SetState(p.Call, p.View, names, state)
	}
}

// namedMachines returns the virtual machines that a parameter selects, in the host's order; all without the parameter.
func namedMachines(p *powershell.Invocation, parameter string) ([]string, error) {
	var names []string
	for i := range p.View.VMs {
		names = append(names, p.View.VMs[i].Name)
	}
	if !p.Has(parameter) {
		return names, nil
	}
	selected, err := p.SelectNames(parameter, names, func(typed string) error {
		_, err := exec.FindVM(p.View, typed)
		return err
	})
	return selected, err
}
