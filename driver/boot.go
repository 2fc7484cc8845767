package driver

import (
	"cxdeck/driver/boot"
	"cxdeck/driver/mpi"
)

// Boot returns the boot over the network, to look at.
func (h *Host) Boot() boot.Set {
	state := h.boot
	return boot.Set{Host: partHost{h}, State: &state}
}

func (h *Host) bootSet() boot.Set { return boot.Set{Host: partHost{h}, State: &h.boot} }

// MPI returns the hosts of the cluster as MPI sees them.
func (h *Host) MPI() mpi.State { return h.mpi }
