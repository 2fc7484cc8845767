package perf

// uncausedReasons say why counters stay 0 in the lab: the rows of the catalogue name one of these.
var uncausedReasons = map[string]string{
	"InfiniBand":    "the InfiniBand ports of the lab carry IPoIB and no RDMA",
	"VF RoCE":       "no key of the lab's drivers restricts the RoCE of virtual functions",
	"VF priority":   "nobody gives the queues of a virtual function another priority in the lab",
	"VF queues":     "no queue of a virtual function breaks in the lab",
	"VF tags":       "Hyper-V tags the frames of the lab's virtual machines, and none tags its own",
	"cable":         "a cable of the lab damages what is received, and nothing but the check and the symbols of it",
	"credits":       "InfiniBand waits for credits, and has neither control frames nor losses for want of room",
	"driver":        "the lab's driver does not work that way",
	"firmware":      "the firmware of the lab's cards does not count it",
	"guests":        "no driver of a virtual machine talks to that of the host in the lab",
	"hash":          "what is no IP packet has nothing to hash",
	"marks":         "only RDMA frames carry congestion marks in the lab, and those go past the rings",
	"multicast":     "the lab's applications use no multicast over RDMA",
	"own end":       "the lab's applications make no requests that fail at their own end",
	"peers":         "the lab's peers answer each request once, and as the protocol wants",
	"queues":        "the lab's driver makes its queues large enough for all that can be outstanding",
	"sends":         "what is sent there is never lost in the adapter, or where it is that has a counter of its own",
	"shared queues": "the lab's applications share no receive queues",
	"slots":         "the lab's slots are too narrow or too slow, but never broken",
	"steering":      "every frame and queue pair of the lab has a steering rule and a key that allow it",
	"tunnels":       "only TCP and UDP go through the lab's tunnels",
}
