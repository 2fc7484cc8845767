// Package virtualization holds the state of Hyper-V on a host with its rules: virtual switches and machines, virtual
// functions, queues, and the records of NVGRE, with the BIOS and the settings of cards that they depend on. What it needs
// of the host it asks through Facts. Operations and commands belong to driver; the arithmetic of SR-IOV and of queues to
// hyperv.
package virtualization
