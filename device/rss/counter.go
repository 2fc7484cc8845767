package rss

import "strings"

// Counter is one of the counters of received packets that a processor keeps (RSS-3; manual: Mellanox Adapter RSS
// Counters). Counters number from 0 to Counters-1.
type Counter uint8

// Counters is the number of counters.
const Counters = 2 * 2 * perGroup

// Each of the four groups, by encapsulation and hash, has one counter for packets that are not IP and three for each IP
// version.
const (
	perGroup     = 7
	encapsulated = 2 * perGroup
	notHashed    = perGroup
	misc         = perGroup - 1
)

// CounterOf returns the counter of a packet: the Rss counters are for packets with a hash. A fragment is counted as IP only.
func (s Settings) CounterOf(p Packet) Counter {
	var c Counter
	if p.Encapsulated {
		c += encapsulated
	}
	if s.HashType(p) == NoHash {
		c += notHashed
	}
	if p.Network == NotIP {
		return c + misc
	}
	return c + Counter(p.Network-IPv4)*3 + Counter(p.visibleTransport())
}

// String returns the counter's name as in "Encapsulated NonRss IPv6/Udp". "Rss Misc" is always 0.
func (c Counter) String() string {
	return [Counters]string{
		"Rss IPv4 Only", "Rss IPv4/Tcp", "Rss IPv4/Udp",
		"Rss IPv6 Only", "Rss IPv6/Tcp", "Rss IPv6/Udp", "Rss Misc",
		"NonRss IPv4 Only", "NonRss IPv4/Tcp", "NonRss IPv4/Udp",
		"NonRss IPv6 Only", "NonRss IPv6/Tcp", "NonRss IPv6/Udp", "NonRss Misc",
		"Encapsulated Rss IPv4 Only", "Encapsulated Rss IPv4/Tcp", "Encapsulated Rss IPv4/Udp",
		"Encapsulated Rss IPv6 Only", "Encapsulated Rss IPv6/Tcp", "Encapsulated Rss IPv6/Udp", "Encapsulated Rss Misc",
		"Encapsulated NonRss IPv4 Only", "Encapsulated NonRss IPv4/Tcp", "Encapsulated NonRss IPv4/Udp",
		"Encapsulated NonRss IPv6 Only", "Encapsulated NonRss IPv6/Tcp", "Encapsulated NonRss IPv6/Udp",
		"Encapsulated NonRss Misc",
	}[c]
}

// Hashed reports whether the counted packets are hashed.
func (c Counter) Hashed() bool {
	return strings.HasPrefix(strings.TrimPrefix(c.String(), "Encapsulated "), "Rss")
}
