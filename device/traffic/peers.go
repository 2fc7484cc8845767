package traffic

import (
	"net/netip"
	"slices"

	"cxdeck/device/description"
)

// SharedPeers returns for each flow the other ports to which its first peer also sends, given the port of each flow: a pause of
// the peer for one port pauses it for all.
func SharedPeers(flows []description.Flow, portOf func(flow int) int) [][]int {
	ports, shared := map[netip.Addr][]int{}, make([][]int, len(flows))
	for i := range flows {
		if f, port := &flows[i], portOf(i); f.ReceiveGbps > 0 && f.Peer.IsValid() && !slices.Contains(ports[f.Peer], port) {
			ports[f.Peer] = append(ports[f.Peer], port)
		}
	}
	for i := range flows {
		if list := ports[flows[i].Peer]; len(list) > 1 && flows[i].ReceiveGbps > 0 {
			at := portOf(i)
			shared[i] = slices.DeleteFunc(slices.Clone(list), func(port int) bool { return port == at })
		}
	}
	return shared
}
