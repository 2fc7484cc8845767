// Package sniffer captures the frames of a host's ports, virtual functions and switch ports. It lets time pass on a copy of the host, and
// writes the frames that the copy counts to a file of pcapng or libpcap.
package sniffer
