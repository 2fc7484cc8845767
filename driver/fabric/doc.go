// Package fabric holds what a host has to do with the network that it is cabled to: its virtual ports of IPoIB and their
// partitions, and the Operations that change them, the switch port at the other end and the traffic. What it needs of the
// host it asks for through Ports.
package fabric
