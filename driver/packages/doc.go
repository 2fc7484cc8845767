// Package packages holds the driver packages of the host: which exist, which are installed, and the Operation that runs a setup program,
// which installs, removes or extracts one. Package health/installer holds the results that a run can be given as a fault.
package packages
