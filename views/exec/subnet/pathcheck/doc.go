// Package pathcheck is the diagnostic program ibdiagpath: it traces the path between two ports of an InfiniBand subnet and checks its links,
// counters, partitions, IPoIB groups and service levels. It sends the datagrams that the real program sends; its lines follow the public
// messages of ibutils.
package pathcheck
