// Package opensm models the subnet manager of the manuals: it discovers what its port reaches, assigns LIDs, computes forwarding
// tables (min-hop, or up/down), partitions and multicast trees, and activates the ports. Several managers agree on a master by
// priority and GUID. Its numbers equal the real program's on the same network.
package opensm
