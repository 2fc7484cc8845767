// Package dscp maps between the priorities of a port and the DSCP field of IP packets (model rules QOS-9 to QOS-14; WinOF
// manual, "Differentiated Services Code Point"; WinOF-2 manual, "Receive Trust State"): what priority a received packet has,
// how RDMA packets are marked on their way out, and which receive buffer a packet goes to. Which of the two a port trusts is
// not decided here.
package dscp
