package hyperv

// Request is the request of an adapter on the synthetic path to its port.
type Request struct {
	// Queue reports that it requests a queue of its own (VmqWeight above 0); Pairs is the number of queue pairs, 1 without
	// VMMQ.
	Queue bool
	Pairs int
}

// Queue is the queue that an adapter gets.
type Queue struct {
	// Default reports that it has none of its own and shares the default queue (VIRT-2).
	Default bool
	// Rings are the receive rings of the port that serve it.
	Rings []int
}

// Port holds the queues of a port for virtual machines.
type Port struct {
	// Rings is the number of its receive rings; ring 0 is the default queue.
	Rings int
	// MaxAdapters is MaxNumVmqs: the maximum number of adapters with a queue; 0 when the port offers none.
	MaxAdapters int
	// PerAdapter is the maximum number of queues of an adapter (VIRT-3): 1 without *RssOnHostVPorts.
	PerAdapter int
}

// Queues assigns queues to adapters, in order (VIRT-1 to VIRT-3): each adapter that requests a queue gets one while queues are
// left, from the ring after the previous adapter's last one. An adapter with several queue pairs is granted at most the port's
// number of rings.
func (p Port) Queues(requests []Request) []Queue {
	list := make([]Queue, len(requests))
	next, given := 0, 0
	for i, r := range requests {
		if !r.Queue || given >= p.MaxAdapters || p.Rings < 1 {
			list[i] = Queue{Default: true, Rings: []int{0}}
			continue
		}
		given++
		n := max(1, min(r.Pairs, p.PerAdapter, p.Rings))
		rings := make([]int, n)
		for j := range rings {
			next = next%p.Rings + 1 // from ring 1 on: ring 0 has all remaining traffic
			rings[j] = next % p.Rings
		}
		list[i].Rings = rings
	}
	return list
}
