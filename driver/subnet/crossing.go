package subnet

import (
	"fmt"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/site"
	"cxdeck/device/measurement"
)

// WhySlow returns why the links of the subnet slow a performance test down, a clause; empty when they let all pass, and on Ethernet.
func WhySlow(lab *device.Lab, test *measurement.Test) (why string) {
	f := description.Flow{Protocol: description.RDMA, Peer: test.Peer, Application: description.NDSPI}
	if test.Kernel {
		f.Application = description.SMBDirect
	}
	if test.Sockets {
		f.Protocol = description.IPoIB
	}
	direction := 1
	if test.Receives {
		direction = 0
	}
	_ = lab.ReadSubnet(func(s *site.Site) error { // Ethernet has no subnet
		if d, _, _ := lab.Port(test.Port); d.Link != description.InfiniBand {
			return nil
		}
		switch at, share := s.Narrowest(site.CrossingOf(test.Port, &f), direction); {
		case share == 1:
		case at == infiniband.Nowhere:
			why = "no path of the subnet leads to the peer: look at its links, partitions and levels"
		default:
			why = fmt.Sprintf("the link at %s of the subnet is congested, and lets %.0f%% of the test pass", Name(s.Fabric, at), 100*share)
		}
		return nil
	})
	return why
}
