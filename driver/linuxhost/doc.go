// Package linuxhost reads the network adapters of a machine with Linux: what sysfs, ethtool, devlink, DCB and the routing socket say
// of their settings, states and versions. It changes nothing: package apply does, and only there are the calls that change a
// machine. Text of the machine is cleaned, and each file and list has a limit.
package linuxhost
