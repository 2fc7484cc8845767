// Package local reads the network interfaces of this machine as a source of the perf package: from netlink or sysfs, with the
// statistics of their drivers. It changes nothing on the machine, and supports only Linux.
package local
