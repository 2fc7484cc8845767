package driver

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
)

// guid is that of a new virtual miniport: the one that is given, with or without braces, or else the first that the
// lab's description names for it and nothing has, or else one from the seed.
func (h *Host) guid(given string, named []string) (string, error) {
	if given != "" {
		return h.checkGUID(given)
	}
	for _, guid := range named {
		if !h.hasGUID(guid) {
			return guid, nil
		}
	}
	for {
		h.drawn++
		if guid := "{" + h.lab.DrawGUID(h.drawn) + "}"; !h.hasGUID(guid) {
			return guid, nil
		}
	}
}

// checkGUID is a GUID as the host writes it, and says why no new virtual miniport can have it.
func (h *Host) checkGUID(given string) (string, error) {
	guid, err := ParseGUID(given)
	if err == nil && h.hasGUID(guid) {
		err = fmt.Errorf("the GUID %s belongs to another adapter already; give another one, or none", guid)
	}
	return guid, err
}

// ParseGUID is the GUID of a network interface, which was typed with or without braces and in any case, as the host
// writes it: in braces and capital letters.
func ParseGUID(given string) (string, error) {
	digits := strings.ToUpper(strings.TrimSuffix(strings.TrimPrefix(given, "{"), "}"))
	if guid := "{" + digits + "}"; description.IsInterfaceGUID(guid) {
		return guid, nil
	}
	return "", fmt.Errorf("%q is no GUID such as {C71781EC-F459-4A8E-ABAC-74CA05F13AE8}", given)
}

// hasGUID says whether an adapter of the host has a GUID, be it a real or a virtual one.
func (h *Host) hasGUID(guid string) bool {
	is := func(w vlan) bool { return w.GUID == guid }
	for i := range h.teams {
		if h.teams[i].guid == guid || slices.ContainsFunc(h.teams[i].vlans, is) {
			return true
		}
	}
	if slices.ContainsFunc(h.partitions, func(p partition) bool { return p.guid == guid }) {
		return true
	}
	for port := range h.miniports {
		if d, _, _ := h.lab.Port(port); d.Interface == guid || slices.ContainsFunc(h.vlans[port], is) {
			return true
		}
	}
	return false
}
