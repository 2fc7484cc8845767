package virtualization

import (
	"cmp"
	"errors"
	"strings"

	"cxdeck/driver/request"
)

// VFProtocol is the protocol of the Hyper-V adapter in a guest that moves its traffic to a virtual function, and VFProtocolFile the file
// in the guest from which netcfg installs it.
const (
	VFProtocol     = "netvsc_vfpp"
	VFProtocolFile = `c:\windows\inf\wnetvsc_vfpp.inf`
)

// NetVSC is what the co-installer of the Hyper-V adapter left in a guest. A virtual function is assigned with neither Stale nor Unbound.
type NetVSC struct {
	// Stale reports devices without hardware that hold the place of the virtual function; PnpClean removes them.
	Stale bool `json:"stale_devices,omitempty"`
	// Unbound reports that VFProtocol is not installed.
	Unbound bool `json:"no_protocol,omitempty"`
	// Known reports that the co-installer has run: its fault does not come back.
	Known bool `json:"known,omitempty"`
}

// SetNetVSC changes the Hyper-V adapter's devices and protocol in a guest, as PnpClean and netcfg do there. Nil fields leave their part
// unchanged.
type SetNetVSC struct {
	VM      string `json:"vm"`
	Stale   *bool  `json:"stale_devices,omitempty"`
	Unbound *bool  `json:"no_protocol,omitempty"`
	Answers
}

func (SetNetVSC) Kind() string                    { return "set-netvsc" }
func (o SetNetVSC) Target() string                { return o.VM }
func (o SetNetVSC) OnGuest() (vm, adapter string) { return o.VM, "" }
func (o SetNetVSC) Inverse(v Hypervisor) (Operation, error) {
	i, err := v.FindMachine(o.VM)
	if err != nil {
		return nil, err
	}
	if o.Stale == nil && o.Unbound == nil {
		return nil, errors.New("a part of the Hyper-V adapter is required")
	}
	m := &v.VMs[i]
	back := SetNetVSC{VM: o.VM, Answers: m.answersOf(nil)}
	if o.Stale != nil && *o.Stale != m.NetVSC.Stale {
		back.Stale = new(m.NetVSC.Stale)
	}
	if o.Unbound != nil && *o.Unbound != m.NetVSC.Unbound {
		back.Unbound = new(m.NetVSC.Unbound)
	}
	if back.Stale == nil && back.Unbound == nil {
		return nil, request.Unchanged("the guest is so already")
	}
	return back, nil
}

func (o SetNetVSC) Apply(v Hypervisor) error {
	v.changeMachine(o.VM, o.Answers, func() {
		i, err := v.FindMachine(o.VM)
		panicOn(err)
		m := &v.VMs[i]
		if o.Stale != nil {
			m.NetVSC.Stale = *o.Stale
		}
		if o.Unbound != nil {
			m.NetVSC.Unbound = *o.Unbound
		}
	})
	return nil
}

func (o SetNetVSC) Describe() string {
	var words []string
	if o.Stale != nil {
		words = append(words, map[bool]string{false: "remove stale network devices from", true: "restore the stale network devices of"}[*o.Stale])
	}
	if o.Unbound != nil {
		words = append(words, map[bool]string{false: "install", true: "uninstall"}[*o.Unbound]+" the protocol "+VFProtocol+" in")
	}
	return strings.Join(words, " and ") + " the guest " + o.VM
}

// Commands returns the commands that run in the guest. Removed devices have no command that restores them.
func (o SetNetVSC) Commands() (list []string) {
	if o.Stale != nil && !*o.Stale {
		list = append(list, "RUNDLL32.exe pnpclean.dll,RunDLL_PnpClean /devices /maxclean")
	}
	if o.Unbound != nil {
		list = append(list, map[bool]string{false: "netcfg -c p -i " + VFProtocol + " -l " + VFProtocolFile, true: "netcfg -u " + VFProtocol}[*o.Unbound])
	}
	return list
}

// problem returns why the Hyper-V adapter of a guest leaves a virtual function unused; empty when it does not.
func (n *NetVSC) problem() string {
	switch clean := "run RUNDLL32.exe pnpclean.dll,RunDLL_PnpClean /devices /maxclean"; {
	case n.Stale && n.Unbound:
		return "the co-installer of the Hyper-V adapter failed in the guest: " + clean + ", then netcfg -c p -i " + VFProtocol + " -l " + VFProtocolFile + ", there"
	case n.Stale:
		return "stale devices hold the place of the virtual function in the guest: " + clean + " there"
	case n.Unbound:
		return "the guest lacks the protocol " + VFProtocol + ": run netcfg -c p -i " + VFProtocol + " -l " + VFProtocolFile + " there"
	}
	return ""
}

// hasCoInstallerFault reports whether a machine has the one Windows whose co-installer of the Hyper-V adapter has the fault (002:466-475).
func (v Hypervisor) hasCoInstallerFault(system string) bool {
	system = strings.ToLower(cmp.Or(system, v.Lab().Description().Host.System))
	return strings.Contains(strings.ReplaceAll(system, "2012r2", "2012 r2"), "server 2012 r2")
}

// newNetVSC returns what the co-installer leaves in a new machine. The manual says that in some cases of several machines one stays
// without its virtual function; here it is each machine of Windows Server 2012 R2 but the first.
func (v Hypervisor) newNetVSC(r *VMRecord) NetVSC {
	if r.NetVSC.Known || !v.hasCoInstallerFault(r.System) {
		return r.NetVSC
	}
	for i := range v.VMs {
		if v.hasCoInstallerFault(v.VMs[i].System) {
			return NetVSC{Stale: true, Unbound: true, Known: true}
		}
	}
	return NetVSC{Known: true}
}
