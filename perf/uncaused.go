package perf

// uncausedReasons are the reasons why counters stay 0 in the lab, by the key that the rows of the catalogue have.
var uncausedReasons = map[string]string{
	"InfiniBand":    "the InfiniBand ports of the lab carry IPoIB and no RDMA",
	"VF RoCE":       "no key of the lab's drivers restricts the RoCE of virtual functions",
	"VF priority":   "no queue of a virtual function gets another priority in the lab",
	"VF queues":     "no queue of a virtual function breaks in the lab",
	"VF tags":       "Hyper-V tags the frames of the lab's virtual machines, and none tags its own",
	"cable":         "a bad cable in the lab damages only the FCS and the symbols of received frames",
	"credits":       "InfiniBand waits for credits, and has neither control frames nor drops for lack of buffers",
	"driver":        "the lab's driver does not work that way",
	"firmware":      "the firmware of the lab's cards does not count it",
	"guests":        "the VF drivers of the lab do not talk to the host's driver",
	"hash":          "a packet without an IP header has nothing to hash",
	"marks":         "only RDMA frames carry congestion marks in the lab, and they bypass the rings",
	"multicast":     "the lab's applications use no multicast over RDMA",
	"own end":       "the lab's applications make no requests that fail at their own end",
	"peers":         "the lab's peers answer each request once, and as the protocol requires",
	"queues":        "the lab's driver makes its queues large enough for all outstanding requests",
	"sends":         "frames sent there are never lost in the adapter, or their loss has a counter of its own",
	"shared queues": "the lab's applications share no receive queues",
	"slots":         "the lab's slots are too narrow or too slow, but never broken",
	"steering":      "every frame and queue pair of the lab has a steering rule and a key that allow it",
	"tunnels":       "only TCP and UDP go through the lab's tunnels",
}
