package driver

import (
	"fmt"

	"cxdeck/driver/intent"
)

// Intent returns the stored intent; nil for none.
func (h *Host) Intent() *intent.Kept { return h.intent }

func (h partHost) HostName() string            { return h.lab.Description().Host.Name }
func (h partHost) SetIntent(kept *intent.Kept) { h.intent = kept }

// restoreIntent takes over a saved intent.
func (h *Host) restoreIntent(saved *intent.Kept) (err error) {
	if saved == nil {
		return nil
	}
	if h.intent, err = (intent.Keep{File: saved.File, Data: saved.Data, Kept: saved.Kept}).Parse(partHost{h}); err != nil {
		return fmt.Errorf("the stored intent: %w", err)
	}
	return nil
}
