package driver

import "cxdeck/driver/request"

// guid returns the GUID of a new virtual miniport: the given one, with or without braces, or else the first that the
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

// checkGUID returns a GUID as the host writes it, and says why no new virtual miniport can have it.
func (h *Host) checkGUID(given string) (string, error) {
	guid, err := request.ParseGUID(given)
	if err == nil && h.hasGUID(guid) {
		err = request.TakenGUID(guid)
	}
	return guid, err
}

// hasGUID reports whether an adapter of the host has a GUID, be it a real or a virtual one.
func (h *Host) hasGUID(guid string) bool {
	return h.team.HasGUID(guid) || partHost{h}.HasGUID(guid)
}
