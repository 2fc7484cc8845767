// Package infiniband has the commands that look at the lab's InfiniBand subnet as a whole and change it: cables, ports and subnet
// managers of other nodes than the host's.
package infiniband
