// Package hyperv implements the rules of SR-IOV and of the queues of virtual machines, as functions without a host: how many
// virtual functions a port has, what they may send, how they are watched, and which queues serve which adapter (IOV-1
// to IOV-16, VIRT-1 to VIRT-3). State belongs to package driver.
package hyperv
