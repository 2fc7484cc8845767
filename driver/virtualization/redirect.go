package virtualization

import (
	"fmt"
	"strings"

	"cxdeck/driver/registry"
)

// keyRedirect is the key that sends the DHCP traffic of virtual functions to the physical one (IOV-13).
const keyRedirect = "RedirectVfDHCPToPF"

// viewRedirect reports whether the physical function of a port receives the DHCP packets of its virtual functions. why is the
// failedCheck requirement if the key requests it, or lists machines that are left out.
func (v Hypervisor) viewRedirect(port int) (toPF bool, why string) {
	stored, ok := v.Stored(port, keyRedirect, registry.Miniport)
	if !ok {
		return false, ""
	}
	switch on, wanted := v.enabled(port, keyRedirect), stored.Number() == 1; {
	case !on && wanted:
		return false, keyRedirect + " takes effect after a restart of the driver"
	case !on:
		return false, ""
	case !v.Ports[port].Promiscuous:
		return false, "the physical function is not promiscuous"
	}
	var old []string
	v.Each(func(name AdapterName, m *Machine, a *Adapter) {
		if m != nil && a.Port == port && a.Function >= 0 && !v.redirects(m, a) {
			old = append(old, name.VM)
		}
	})
	if old == nil {
		return true, ""
	}
	return true, fmt.Sprintf("not the packets of %s: its driver must be later than 2.50 with this card", strings.Join(old, ", "))
}
