// Package linuxcli implements the console of the Linux host that the lab has beside its host: the few programs that the manuals use there.
package linuxcli
