package exec

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
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
		t := newTable(w, "Name", "State", "MemoryStartup(M)", "Status")
		for i := range rows {
			t.row(rows[i].Name, rows[i].State, strconv.Itoa(rows[i].Memory), "Operating normally")
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
	record := virtualization.VMRecord{Name: name, Adapters: []virtualization.VMAdapterRecord{virtualization.NewVMAdapter(networkAdapter, at)}}
	if p.has("MemoryStartupBytes") {
		if record.Memory, err = readMemory(p.value("MemoryStartupBytes")); err != nil {
			return answer{}, err
		}
	}
	return p.call.one(driver.CreateVM{VM: record})
}

// readMemory reads the size of a memory as PowerShell does, in bytes or with a unit, in MB.
func readMemory(text string) (int, error) {
	digits, unit := strings.ToUpper(strings.TrimSpace(text)), 1.0
	for _, one := range []struct {
		name  string
		bytes float64
	}{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"TB", 1 << 40}} {
		if rest, ok := strings.CutSuffix(digits, one.name); ok {
			digits, unit = strings.TrimSpace(rest), one.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(digits, 64)
	const mega = 1 << 20
	size := n * unit / mega
	if err != nil || !(size >= 1 && size <= description.MaxMemoryMB) {
		return 0, mistake("the memory of a virtual machine is a size such as 4096MB or 8GB, and not %q", text)
	}
	return int(size), nil
}

func removeVM(p *cmdlet) (answer, error) {
	m, err := p.vm("Name")
	if err != nil {
		return answer{}, err
	}
	return p.call.one(driver.RemoveVM{VM: m.Name})
}

// vm is the virtual machine that a parameter names.
func (p *cmdlet) vm(parameter string) (*virtualization.VMView, error) {
	name, err := p.need(parameter, "the name of a virtual machine")
	if err != nil {
		return nil, err
	}
	return findVM(p.view, name)
}

// setVM is a command of PowerShell that brings virtual machines into a state.
func setVM(state virtualization.VMState) func(*cmdlet) (answer, error) {
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
