package virtualization

import (
	"errors"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// RoleName is the feature of Windows that is Hyper-V.
const RoleName = "Hyper-V"

// SetRole installs or removes the role Hyper-V. It takes effect at the next boot.
type SetRole struct {
	Installed bool `json:"installed"`
}

func (SetRole) Kind() string   { return "set-hyper-v-role" }
func (SetRole) Target() string { return RoleName }

func (o SetRole) Describe() string {
	if o.Installed {
		return "install the role " + RoleName
	}
	return "remove the role " + RoleName
}

// Commands returns the cmdlet of Windows.
func (o SetRole) Commands() []string {
	if o.Installed {
		return []string{cmdlet.New("Install-WindowsFeature").With("Name", RoleName).Switch("IncludeManagementTools").String()}
	}
	return []string{cmdlet.New("Uninstall-WindowsFeature").With("Name", RoleName).String()}
}

func (o SetRole) Differences(v Hypervisor) []operation.Difference {
	return []operation.Difference{{Name: "The role " + RoleName, From: roleText(!v.NextNoRole), To: roleText(o.Installed)}}
}

func roleText(installed bool) string {
	if installed {
		return "installed"
	}
	return "not installed"
}

// Inverse returns the opposite. A host with virtual machines or switches keeps the role: the lab has no place for them without it.
func (o SetRole) Inverse(v Hypervisor) (Operation, error) {
	switch {
	case o.Installed != v.NextNoRole:
		return nil, request.Unchanged("%s is %s already", RoleName, roleText(o.Installed))
	case !o.Installed && len(v.VMs)+len(v.Switches) > 0:
		return nil, errors.New("the lab keeps no virtual machines and switches without " + RoleName + ": remove them first")
	}
	return SetRole{!o.Installed}, nil
}

func (o SetRole) Apply(v Hypervisor) error {
	v.NextNoRole = !o.Installed
	v.Reallocate()
	return nil
}

// WhyNoRole returns why virtual machines and switches can't be created for lack of the role, a sentence without its full stop; empty if
// they can.
func (v *State) WhyNoRole() string {
	switch {
	case v.NoRole && v.NextNoRole:
		return RoleName + " is not installed; " + SetRole{Installed: true}.Commands()[0] + " installs it, and a reboot starts it"
	case v.NoRole:
		return RoleName + " starts at the next reboot"
	case v.NextNoRole:
		return RoleName + " is removed at the next reboot"
	}
	return ""
}

// requireRole returns an error while virtual machines and switches can't be created.
func (v *State) requireRole() error {
	if why := v.WhyNoRole(); why != "" {
		return errors.New(why)
	}
	return nil
}
