// Package mpi holds what MPI needs of the hosts of a cluster: the version of their HPC Pack, the process manager smpd, and whether they have a
// NetworkDirect provider. This host's provider is part of package stack.
package mpi
