// Package virtualization holds the state of Hyper-V on a host with its rules: virtual switches and machines, virtual functions,
// queues, and the records of NVGRE, with the BIOS and the settings of cards that they depend on, and the Operations that change
// them. It gets facts about the host through Facts. The arithmetic of SR-IOV and of queues belongs to hyperv.
package virtualization
