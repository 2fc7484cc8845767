package exec

import (
	"io"
	"slices"

	"cxdeck/driver"
)

// The commands of PowerShell for virtual machines.

func getVM(p *cmdlet) (answer, error) {
	names, err := p.vms("Name")
	if err != nil {
		return answer{}, err
	}
	rows := []vmRow{}
	for i := range p.view.VMs {
		if slices.Contains(names, p.view.VMs[i].Name) {
			rows = append(rows, vmOf(&p.view.VMs[i]))
		}
	}
	return machines(rows, func(w io.Writer) error {
		t := newTable(w, "Name", "State", "Status")
		for i := range rows {
			t.row(rows[i].Name, rows[i].State, "Operating normally")
		}
		return t.Flush()
	}), nil
}

func newVM(p *cmdlet) (answer, error) {
	name, err := p.need("Name", "the name of the new machine")
	if err != nil {
		return answer{}, err
	}
	at := ""
	if p.has("SwitchName") {
		s, err := findSwitch(p.view, p.value("SwitchName"))
		if err != nil {
			return answer{}, err
		}
		at = s.Name
	}
	record := driver.VMRecord{Name: name, Adapters: []driver.VMAdapterRecord{driver.NewVMAdapter(networkAdapter, at)}}
	return p.call.one(driver.CreateVM{VM: record})
}

func removeVM(p *cmdlet) (answer, error) {
	m, err := p.vm("Name")
	if err != nil {
		return answer{}, err
	}
	return p.call.one(driver.RemoveVM{VM: m.Name})
}

// vm is the virtual machine that a parameter names.
func (p *cmdlet) vm(parameter string) (*driver.VMView, error) {
	name, err := p.need(parameter, "the name of a virtual machine")
	if err != nil {
		return nil, err
	}
	return findVM(p.view, name)
}

// setVM is a command of PowerShell that brings virtual machines into a state.
func setVM(state driver.VMState) func(*cmdlet) (answer, error) {
	return func(p *cmdlet) (answer, error) {
		if !p.has("Name") {
			return answer{}, mistake("%s needs -Name with the name of a virtual machine", p.command)
		}
		names, err := p.vms("Name")
		switch {
		case err != nil:
			return answer{}, err
		case len(names) == 0:
			return answer{}, mistake("no virtual machine fits into %q; Get-VM lists them", p.value("Name"))
		}
		return p.call.bring(p.view, names, state)
	}
}
