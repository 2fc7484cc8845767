package hyperv

import (
	"fmt"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// guestOperation returns the Operation of a cmdlet for one network adapter.
type guestOperation func(*virtualization.VMAdapterView) driver.Operation

// guestChange is a cmdlet that makes the same change to each network adapter that its parameters, or the cmdlet before it in a
// pipe, select.
type guestChange struct {
	name   string
	change func(*powershell.Invocation) (guestOperation, error)
}

func guestChanges() []guestChange {
	return []guestChange{
		{"Set-VMNetworkAdapter", changeSettings},
		{"Set-VMNetworkAdapterVlan", changeVLAN},
		{"Set-VMNetworkAdapterRdma", changeRdmaWeight},
		{"Set-VMNetworkAdapterTeamMapping", mapToTeam},
		{"Remove-VMNetworkAdapterTeamMapping", unmapFromTeam},
		{"Connect-VMNetworkAdapter", connectAdapters},
		{"Disconnect-VMNetworkAdapter", disconnectAdapters},
		{"Remove-VMNetworkAdapter", removeAdapters},
	}
}

// onGuests returns the cmdlet of guestChanges with a name, for the adapters that its parameters select.
func onGuests(name string) func(*powershell.Invocation) (exec.Answer, error) {
	return func(p *powershell.Invocation) (exec.Answer, error) {
		for _, command := range guestChanges() {
			if command.name != name {
				continue
			}
			change, err := command.change(p)
			if err != nil {
				return exec.Answer{}, err
			}
			list, err := targetAdapters(p)
			if err != nil {
				return exec.Answer{}, err
			}
			return applyToEach(p, list, change)
		}
		return exec.Answer{}, fmt.Errorf("%s changes no network adapters", name)
	}
}

// applyToEach applies a cmdlet's Operation to each network adapter, as one plan.
func applyToEach(p *powershell.Invocation, list []virtualization.VMAdapterView, change guestOperation) (exec.Answer, error) {
	var operations []driver.Operation
	for i := range list {
		operations = append(operations, change(&list[i]))
	}
	return p.Apply(fmt.Sprintf("Change %d network adapters", len(list)), operations...)
}

// adapterSettings has the parameters of Set-VMNetworkAdapter that take a value.
type adapterSettings struct {
	IovWeight, IovQueuePairsRequested, VmqWeight, VmmqQueuePairs *int
	VmmqEnabled                                                  *bool
	StaticMacAddress                                             *description.MAC
	VirtualSubnetId                                              *int //nolint:revive // the parameter's spelling in PowerShell
}

// guestSettings returns the Operation for the parameters of Set-VMNetworkAdapter, without machine and adapter.
func guestSettings(p *powershell.Invocation) (o virtualization.SetVMAdapter, err error) {
	var in adapterSettings
	if err := p.Bind(&in); err != nil {
		return o, err
	}
	o = virtualization.SetVMAdapter{IovWeight: in.IovWeight, IovQueuePairs: in.IovQueuePairsRequested, VmqWeight: in.VmqWeight,
		VmmqQueuePairs: in.VmmqQueuePairs, VmmqEnabled: in.VmmqEnabled, MAC: in.StaticMacAddress}
	if p.Flag("DynamicMacAddress") {
		if o.MAC != nil {
			return o, exec.Mistake("%s takes -StaticMacAddress or -DynamicMacAddress, not both", p.Command)
		}
		o.MAC = new(description.MAC)
	}
	if n := in.VirtualSubnetId; n != nil {
		const low, high = 4096, 1<<24 - 2 // as in the records of NVGRE
		if *n != 0 && (*n < low || *n > high) {
			return o, exec.Mistake("-VirtualSubnetId of %s must be 0 for none, or %d to %d, not %d", p.Command, low, high, *n)
		}
		o.VirtualSubnet = new(uint32(*n))
	}
	if p.Has("IeeePriorityTag") {
		word, err := powershell.ChooseWord(p.Command, "IeeePriorityTag", p.Values["IeeePriorityTag"], []string{"On", "Off"})
		if err != nil {
			return o, err
		}
		o.PriorityTag = new(word == "On")
	}
	if in == (adapterSettings{}) && o.MAC == nil && o.PriorityTag == nil {
		return o, exec.Mistake("%s changes nothing: a parameter is required", p.Command)
	}
	return o, nil
}

func changeSettings(p *powershell.Invocation) (guestOperation, error) {
	o, err := guestSettings(p)
	return func(a *virtualization.VMAdapterView) driver.Operation {
		o.VM, o.Adapter = a.VM, a.Name
		return o
	}, err
}

func removeAdapters(p *powershell.Invocation) (guestOperation, error) {
	return func(a *virtualization.VMAdapterView) driver.Operation {
		return virtualization.RemoveVMAdapter{VM: a.VM, Adapter: a.Name}
	}, nil
}

func connectAdapters(p *powershell.Invocation) (guestOperation, error) {
	var in struct {
		SwitchName *virtualization.SwitchView `need:"the name of a virtual switch"`
	}
	err := p.Bind(&in)
	return func(a *virtualization.VMAdapterView) driver.Operation {
		return virtualization.SetVMAdapter{VM: a.VM, Adapter: a.Name, Switch: &in.SwitchName.Name}
	}, err
}

func disconnectAdapters(p *powershell.Invocation) (guestOperation, error) {
	return func(a *virtualization.VMAdapterView) driver.Operation {
		return virtualization.SetVMAdapter{VM: a.VM, Adapter: a.Name, Switch: new(string)}
	}, nil
}

func changeVLAN(p *powershell.Invocation) (guestOperation, error) {
	vlan := 0
	switch {
	case p.Flag("Untagged") && (p.Flag("Access") || p.Has("VlanId")):
		return nil, exec.Mistake("%s takes -Untagged, or -Access with -VlanId, not both", p.Command)
	case p.Flag("Untagged"):
	case p.Has("VlanId"):
		n, err := strconv.Atoi(p.Value("VlanId"))
		if err != nil || n < 1 || n > 4094 {
			return nil, exec.Mistake("-VlanId of %s must be 1 to 4094, not %q", p.Command, p.Value("VlanId"))
		}
		vlan = n
	default:
		return nil, exec.Mistake("%s requires -Access -VlanId with an id, or -Untagged", p.Command)
	}
	return func(a *virtualization.VMAdapterView) driver.Operation {
		return virtualization.SetVMAdapter{VM: a.VM, Adapter: a.Name, VLAN: &vlan}
	}, nil
}

func changeRdmaWeight(p *powershell.Invocation) (guestOperation, error) {
	var in struct {
		RdmaWeight *int `need:"0 to 100"`
	}
	err := p.Bind(&in)
	return func(a *virtualization.VMAdapterView) driver.Operation {
		return virtualization.SetVMAdapter{VM: a.VM, Adapter: a.Name, RdmaWeight: in.RdmaWeight}
	}, err
}
