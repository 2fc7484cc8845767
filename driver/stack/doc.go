// Package stack holds the settings of Windows' network stack that determine the transport of SMB: the settings of SMB client and
// server, the global setting of Network Direct, and the IP addresses and DNS servers of connections; with their rules and the
// Operations that change them; and the Network Direct performance tools, which use them. SMB Direct is SMB over RDMA.
package stack
