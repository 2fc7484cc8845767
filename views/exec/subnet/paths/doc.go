// Package paths has the programs that follow a path through the subnet: its forwarding tables, its hops, and the time of an answer.
package paths
