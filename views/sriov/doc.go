// Package sriov implements the SR-IOV screen: the requirements of SR-IOV at each port, the virtual functions, the adapters of
// virtual machines with and without a function, and the actions and wizards for them. The rules of functions and machines are
// in driver/virtualization.
package sriov
