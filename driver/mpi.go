package driver

import "cxdeck/driver/mpi"

// MPI returns the hosts of the cluster as MPI sees them.
func (h *Host) MPI() mpi.State { return h.mpi }

func (h *Host) restoreMPI(saved mpi.State) error {
	h.mpi = saved
	return h.mpi.Check()
}
