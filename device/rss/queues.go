package rss

import "math/bits"

// The maximum number of receive queues of a port, by driver (RSS-5).
const (
	MaxQueuesWinOF  = 64
	MaxQueuesWinOF2 = 16
)

// QueueSettings determine the number of receive queues (RSS-5, RSS-8; manual: registry keys *RSS, *NumRSSQueues,
// *MaxRSSProcessors and MaxNumRssCpus).
type QueueSettings struct {
	On            bool // *RSS
	Queues        int  // *NumRSSQueues
	MaxProcessors int  // *MaxRSSProcessors
	MaxCPUs       int  // MaxNumRssCpus, 0 when that key is absent
	DriverMax     int  // MaxQueuesWinOF or MaxQueuesWinOF2
	Available     int  // processors that may serve queues
	AnyNumber     bool // IPoIB; Ethernet needs a power of two
}

// Count returns the number of receive queues, at least 1.
func (s QueueSettings) Count() int {
	if !s.On {
		return 1
	}
	queues := min(s.Queues, s.MaxProcessors, s.DriverMax, s.Available)
	if s.MaxCPUs > 0 {
		queues = min(queues, s.MaxCPUs)
	}
	switch {
	case queues < 1:
		return 1
	case s.AnyNumber:
		return queues
	}
	return 1 << (bits.Len(uint(queues)) - 1)
}

// Processor is a logical processor by its group and its number in it, with its NUMA node.
type Processor struct {
	Group, Number, Node int
}

// AnyNode means no limit to a NUMA node.
const AnyNode = -1

// AppendProcessors appends to dst the processors that may serve queues, in their order; queue k runs on entry k (RSS-6;
// manual: registry keys *RssBaseProcGroup, *RssBaseProcNumber and *NumaNodeID).
func AppendProcessors(dst, all []Processor, group, base, node int) []Processor {
	for _, p := range all {
		if p.Group == group && p.Number >= base && (node == AnyNode || p.Node == node) {
			dst = append(dst, p)
		}
	}
	return dst
}

// TableSize is the number of entries of an indirection table (RSS-7).
const TableSize = 128

// Table is an indirection table: the queue of each slot. Its length is a power of two.
type Table []uint8

// NewTable spreads the queues evenly over a table (RSS-7). The size is a power of two, the number of queues 1 to 256.
func NewTable(size, queues int) Table {
	table := make(Table, size)
	for slot := range table {
		table[slot] = uint8(slot % queues)
	}
	return table
}

// Slot returns the slot that a hash falls into.
func (t Table) Slot(hash uint32) int { return int(hash) & (len(t) - 1) }

// Queue returns the queue that receives packets with a hash.
func (t Table) Queue(hash uint32) int { return int(t[t.Slot(hash)]) }
