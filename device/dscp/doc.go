// Package dscp maps between the priorities of a port and the DSCP field of IP packets (model rules QOS-9 to QOS-14; WinOF
// manual, "Differentiated Services Code Point"; WinOF-2 manual, "Receive Trust State"): the priority of a received packet, the
// marks of sent RDMA packets, and the receive buffer of a packet. The caller says whether a port trusts the tag or the DSCP.
package dscp
