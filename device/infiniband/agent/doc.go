// Package agent answers management datagrams on the wire: it reads the 256 bytes of a packet, has the nodes of the network answer it, and
// writes the answer. It knows no sockets and no clients.
package agent
