// Package fabric holds the network side of a host: its virtual IPoIB ports with their partitions, the Operations that change them,
// the switch port at the other end and the traffic. It gets facts about the host through Ports.
package fabric
