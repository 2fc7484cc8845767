// Package infiniband models an InfiniBand subnet as its hardware holds it: nodes, ports, links with their width and speed, forwarding
// tables, partitions and counters. A port leaves Initialize only when a subnet manager configures it (package routing computes what
// one writes). Everything is addressed by the number of a node and of its port.
package infiniband
