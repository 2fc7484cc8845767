// Package hyperv has the cmdlets of Hyper-V: virtual switches, virtual machines with their network adapters, and the records of
// network virtualization; and vfpctrl.
package hyperv
