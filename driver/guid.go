package driver

import "cxdeck/driver/request"

// guid returns the GUID of a new virtual miniport: the given one, with or without braces; or else the first unused one that the
// lab's description names for it; or else one drawn from the seed.
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

// checkGUID returns a GUID in the form of the host, or why no new virtual miniport can have it.
func (h *Host) checkGUID(given string) (string, error) {
	guid, err := request.ParseGUID(given)
	if err == nil && h.hasGUID(guid) {
		err = request.TakenGUID(guid)
	}
	return guid, err
}

// hasGUID reports whether an adapter of the host real or virtual, has a GUID.
func (h *Host) hasGUID(guid string) bool { return h.team.HasGUID(guid) || partHost{h}.HasGUID(guid) }
