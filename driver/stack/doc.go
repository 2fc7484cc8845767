// Package stack holds the part of Windows' network stack that decides how SMB travels: the settings of SMB client and server,
// the global switch of Network Direct, and the IP addresses and DNS servers of connections; with their rules and the Operations
// that change them. SMB Direct is the RDMA of SMB.
package stack
