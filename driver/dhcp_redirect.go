package driver

import (
	"fmt"
	"strings"

	"cxdeck/driver/registry"
)

// keyRedirect is the key that sends the DHCP of virtual functions to the physical one (IOV-13).
const keyRedirect = "RedirectVfDHCPToPF"

// viewRedirect says whether the physical function of a port takes the DHCP of its virtual ones, and what is missing where
// that was asked for.
func (h *Host) viewRedirect(port int) (toPF bool, why string) {
	r, ok := h.catalogue(port).Find(keyRedirect, registry.Miniport)
	if !ok {
		return false, ""
	}
	stored := h.hive.Of(h.place(port, r.Scope), r)
	switch on, wanted := h.is(port, keyRedirect, 1), stored.Number() == 1; {
	case !on && wanted:
		return false, keyRedirect + " counts when the driver has been started anew"
	case !on:
		return false, ""
	case !h.virtual.Ports[port].Promiscuous:
		return false, "the physical function is not promiscuous"
	}
	var old []string
	h.virtual.each(func(name AdapterName, m *vm, a *vmAdapter) {
		if m != nil && a.Port == port && a.Function >= 0 && !h.redirects(m, a) {
			old = append(old, name.VM)
		}
	})
	if old == nil {
		return true, ""
	}
	return true, fmt.Sprintf("not that of %s: the driver there must be later than 2.50 with this card", strings.Join(old, ", "))
}
