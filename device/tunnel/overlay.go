package tunnel

import (
	"errors"
	"fmt"
	"net/netip"
)

// Overlay is where the packets of a virtual machine travel inside of others (NVGRE, VIRT-6): between two hosts. The zero
// value stands for packets without one.
type Overlay struct {
	// Subnet is the virtual subnet, which stands in the key of its packets (VIRT-7); 0 is none.
	Subnet uint32
	// Local and Remote are the provider addresses of this host and of the other one.
	Local, Remote netip.Addr
}

// MaxSubnet is the highest number of a virtual subnet, which has 24 bits.
const MaxSubnet = 1<<24 - 1

// Check says why there is no such overlay; the zero value is none.
func (o Overlay) Check() error {
	switch {
	case o == Overlay{}:
		return nil
	case o.Subnet == 0 || o.Subnet > MaxSubnet:
		return fmt.Errorf("a virtual subnet is 1 to %d, and not %d", MaxSubnet, o.Subnet)
	case !o.Local.Is4() || !o.Remote.Is4():
		return errors.New("the provider addresses of an overlay are of IPv4")
	}
	return nil
}
