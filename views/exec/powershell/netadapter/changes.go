package netadapter

import (
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
	"cxdeck/views/exec/registrykey"
)

// adapterCmdlet returns a cmdlet that restarts, starts or stops adapters.
func adapterCmdlet(operationOn func(string) (driver.Operation, string)) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		list, err := p.Connections()
		if err != nil {
			return exec.Answer{}, err
		}
		return p.ApplyToConnections(list, func(name string) driver.Operation {
			o, _ := operationOn(name)
			return o
		})
	}
}

// changeProperty applies the Operation of an advanced property cmdlet to each named connection, and restarts it unless
// -NoRestart was typed.
func changeProperty(p *powershell.Invocation, change func(name, key string) driver.Operation) (exec.Answer, error) {
	names, err := p.Connections()
	if err != nil {
		return exec.Answer{}, err
	}
	key, err := p.Required("RegistryKeyword", "the name of a key, such as *JumboPacket")
	if err != nil {
		return exec.Answer{}, err
	}
	plan := driver.Plan{Title: p.Command + " " + key + " of " + strings.Join(names, ", ")}
	for _, name := range names {
		k, err := registrykey.Find(p.Call, registrykey.Target{Connection: name}, key)
		if err != nil {
			return exec.Answer{}, err
		}
		plan.Operations = append(plan.Operations, change(name, k.Row.Name))
		if !p.Flag("NoRestart") {
			plan.Operations = append(plan.Operations, adapters.RestartAdapter{Connection: name})
		}
	}
	return p.Call.Apply(plan)
}

func setProperty(p *powershell.Invocation) (exec.Answer, error) {
	if !p.Has("RegistryValue") {
		return exec.Answer{}, exec.Mistake("%s requires -RegistryValue with a value", p.Command)
	}
	kind, err := powershell.RegistryType(p.Value("RegistryDataType"))
	if err != nil {
		return exec.Answer{}, err
	}
	if answer, done, err := hostJumbo(p); done {
		return answer, err
	}
	answer, err := changeProperty(p, func(name, key string) driver.Operation {
		return edit.SetValue{Connection: name, Key: key, Value: p.Value("RegistryValue"), Type: kind}
	})
	if err == nil {
		noteUnusedValues(p)
	}
	return answer, err
}

// hostJumbo sets *JumboPacket of an adapter of the host at a virtual switch, which Windows calls "vEthernet (NAME)"; done is false
// for any other adapter.
func hostJumbo(p *powershell.Invocation) (answer exec.Answer, done bool, err error) {
	inner, ok := strings.CutPrefix(p.Value("Name"), "vEthernet (")
	if !ok || !strings.HasSuffix(inner, ")") {
		return answer, false, nil
	}
	n, err := strconv.Atoi(p.Value("RegistryValue"))
	if err != nil || !strings.EqualFold(p.Value("RegistryKeyword"), "*JumboPacket") {
		return answer, true, exec.Mistake("an adapter of the host at a virtual switch has only *JumboPacket, a number of bytes")
	}
	answer, err = p.Call.ApplyOne(virtualization.SetVMAdapter{Adapter: strings.TrimSuffix(inner, ")"), JumboPacket: &n})
	return answer, true, err
}

func removeProperty(p *powershell.Invocation) (exec.Answer, error) {
	return changeProperty(p, func(name, key string) driver.Operation {
		return edit.DeleteValue{Connection: name, Key: key}
	})
}

// renameNetAdapter renames the interface of a team's VLAN; other names can't be changed in the lab.
func renameNetAdapter(p *powershell.Invocation, in *struct {
	Name    string `need:"the name of an interface"`
	NewName string `need:"its new name"`
}) (exec.Answer, error) {
	for _, t := range p.View.Teams {
		for _, v := range t.VLANs {
			if strings.EqualFold(v.Name, in.Name) {
				return p.Call.ApplyOne(teams.ModifyVLAN{Team: t.Name, VLAN: v.Name, Name: in.NewName, ID: v.ID, Priority: v.Priority})
			}
		}
	}
	return exec.Answer{}, request.Errorf("%q is not the interface of a team's VLAN, and only these can be renamed; "+
		"Get-NetLbfoTeamNic lists them", in.Name)
}
