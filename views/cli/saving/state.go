package saving

import (
	"context"
	"fmt"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/store"
)

// State is an encoded host, with the plant to restore it on.
type State struct {
	store.HostState
	Plant *device.Plant
}

// StateOf encodes a host for the history.
func StateOf(host *driver.Host) (State, error) {
	data, err := host.Save()
	if err != nil {
		return State{}, fmt.Errorf("the host can't be saved: %w", err)
	}
	lab := host.Lab()
	return State{store.HostState{
		LabHash: lab.Plant().Hash(), Seed: lab.Seed(), Name: lab.Description().Host.Name,
		Elapsed: lab.Elapsed(), Time: host.Now(), Data: data,
	}, lab.Plant()}, nil
}

// Write replaces the saved host, after reading the new state back. A state that can't be read back is not written.
func (h *State) Write(ctx context.Context, db *store.DB) error {
	if _, err := driver.RestoreOn(h.Plant, h.Data); err != nil {
		return fmt.Errorf("the host is not saved, as it could not be read back; the history has its previous state: %w",
			err)
	}
	return db.SaveHost(ctx, h.HostState)
}
