// Package sriov implements the SR-IOV screen: what SR-IOV needs at each port, the virtual functions and the adapters of virtual
// machines that use them or go without, what can be done to them, and the wizards that set them up. The rules of functions and
// machines are in driver/virtualization.
package sriov
