package driver

import (
	"cxdeck/driver/flash"
	"cxdeck/driver/packages"
	"cxdeck/driver/registry"
)

// packageSet returns the driver packages, to look at and to change.
func (h *Host) packageSet() packages.Set {
	return packages.Set{Host: partHost{h}, State: &h.packages}
}

// Packages returns the driver packages as they are now, to look at.
func (h *Host) Packages() packages.Set {
	state := h.packages
	return packages.Set{Host: partHost{h}, State: &state}
}

// restorePackages takes over a saved state.
func (h *Host) restorePackages(saved packages.State) error {
	h.packages = saved
	if err := saved.Check(); err != nil {
		return err
	}
	h.followVersions()
	return nil
}

func (h partHost) FollowVersions()   { h.followVersions() }
func (h partHost) Images() flash.Set { return h.flashSet() }

// StoreAt stores a value in a scope, or deletes it if it does not exist.
func (h partHost) StoreAt(port int, scope registry.Scope, key string, value registry.Value) {
	if at := h.layout.Place(port, scope); value.Exists() {
		h.hive.Set(at, key, value)
	} else {
		h.hive.Delete(at, key)
	}
}

func (h partHost) ResetSettings(port int) { h.layout.InstallKeys(h.hive, port, registry.Miniport) }

func (h partHost) Burn(o flash.Burn) error {
	if err := h.flashSet().Refusal(o); err != nil {
		return err
	}
	return o.Apply(h.flashSet())
}

func (h partHost) NetworkDirectPrograms(ports []int) []string { return h.stackSet().Programs(ports) }
func (h partHost) CloseNetworkDirect(ports []int)             { h.stackSet().CloseServers(ports) }

func (h partHost) KeepOldFilter(ports []int) error {
	return h.healingSet().InjectAt(ports, "old-filter-driver")
}

func (h partHost) SetProviders(driver string, installed bool) error {
	return h.stackSet().SetProviders(driver, installed)
}

func (h partHost) WriteFile(path string, data []byte) error {
	return h.dumps.Files.Write(path, h.lab.Now(), data)
}
