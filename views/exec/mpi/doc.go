// Package mpi has the commands of MS-MPI: smpd, mpiexec, and the hosts of a cluster.
package mpi
