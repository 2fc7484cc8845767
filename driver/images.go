package driver

import "cxdeck/driver/winimage"

// Images returns the image files of Windows as they are now, to look at.
func (h *Host) Images() winimage.State { return h.images }

// restoreImages takes over a saved state.
func (h *Host) restoreImages(saved winimage.State) error {
	h.images = saved
	return saved.Check()
}
