// Package guestcli implements the console of a virtual machine: the few programs that the manuals run inside a guest.
package guestcli
