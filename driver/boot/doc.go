// Package boot models a boot over the network: the option ROM of the cards, the boot order, the servers for DHCP, Windows deployment and iSCSI, and
// the run of stages from power-on to Windows, each with the reason for which it fails.
package boot
