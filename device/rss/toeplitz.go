// Package rss implements receive side scaling: the Toeplitz hash of a packet's addresses and ports, the table that maps it to a
// receive queue, the number of queues, and the counter of a received packet. It contains only arithmetic; rings, processor load
// and traffic belong to the lab.
package rss

import (
	"encoding/hex"
	"fmt"
	"net/netip"
)

// KeyBytes is the length of a key (RSS-1).
const KeyBytes = 40

// DefaultKey is Microsoft's key for verifying the hash, in hexadecimal (RSS-1).
const DefaultKey = "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa"

// maxInput is the maximum length of the input in bytes: two IPv6 addresses and two ports.
const maxInput = 2*16 + 2*2

// Tuple holds the header fields that a hash can cover. Only hash types with ports use the ports.
type Tuple struct {
	Source, Destination         netip.Addr
	SourcePort, DestinationPort uint16
}

// Hasher hashes with one key (RSS-1; manual: registry key *RSS). It never changes, and is safe for concurrent use.
type Hasher struct {
	// tables has the contribution of each value of each input byte; the hash is the XOR of all contributions, as it is linear.
	tables [maxInput][256]uint32
}

// NewHasher returns a hasher for a key in hexadecimal digits. It fails if the key does not have KeyBytes bytes.
func NewHasher(key string) (*Hasher, error) {
	digits, err := hex.DecodeString(key)
	if err != nil {
		return nil, fmt.Errorf("RSS key: %w; give %d hexadecimal digits", err, 2*KeyBytes)
	}
	if len(digits) != KeyBytes {
		return nil, fmt.Errorf("RSS key of %d bytes; give %d bytes as %d hexadecimal digits", len(digits), KeyBytes, 2*KeyBytes)
	}
	h := new(Hasher)
	for at := range h.tables {
		h.fill(at, digits)
	}
	return h, nil
}

// fill computes the table of an input byte. Its top bit selects the 32 key bits from its position on, and each lower bit the
// bits one position further.
func (h *Hasher) fill(at int, key []byte) {
	var window uint64 // 40 bits of the key
	for _, b := range key[at : at+5] {
		window = window<<8 | uint64(b)
	}
	table := &h.tables[at]
	for bit := range 8 {
		weight := 1 << bit
		part := uint32(window >> (1 + bit))
		for lower := range weight {
			table[weight|lower] = table[lower] ^ part
		}
	}
}

// Hash returns the 32-bit result for a packet, 0 without a hash type. For the IPv4 types both addresses must be IPv4, for
// the IPv6 types IPv6.
func (h *Hasher) Hash(kind HashType, t Tuple) uint32 {
	if kind == NoHash {
		return 0
	}
	source, destination := t.Source.As16(), t.Destination.As16()
	first := kind.firstAddressByte()
	var hash uint32
	at := 0
	for _, b := range source[first:] {
		hash ^= h.tables[at][b]
		at++
	}
	for _, b := range destination[first:] {
		hash ^= h.tables[at][b]
		at++
	}
	if kind.Ports() {
		hash ^= h.tables[at][t.SourcePort>>8] ^ h.tables[at+1][t.SourcePort&0xff] ^
			h.tables[at+2][t.DestinationPort>>8] ^ h.tables[at+3][t.DestinationPort&0xff]
	}
	return hash
}
