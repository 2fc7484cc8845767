// Package boot has the commands of a boot over the network: the Windows tools that prepare images and servers (dism, imagex, wdsutil, netsh dhcp),
// and cxdeck's own for the BIOS, the expansion ROM, the iSCSI target and the boot itself.
package boot
