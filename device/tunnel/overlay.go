package tunnel

import (
	"errors"
	"fmt"
	"net/netip"
)

// Overlay is where the packets of a virtual machine travel inside of others (NVGRE, VIRT-6): between two hosts. The zero
// value represents packets without one.
type Overlay struct {
	// Subnet is the virtual subnet, which its packets carry in their key (VIRT-7); 0 without one.
	Subnet uint32
	// Local and Remote are the provider addresses of this host and of the other one.
	Local, Remote netip.Addr
}

// MaxSubnet is the highest number of a virtual subnet, which has 24 bits.
const MaxSubnet = 1<<24 - 1

// Check returns why an overlay is invalid. The zero value, no overlay, is valid.
func (o Overlay) Check() error {
	switch {
	case o == Overlay{}:
		return nil
	case o.Subnet == 0 || o.Subnet > MaxSubnet:
		return fmt.Errorf("a virtual subnet must be 1 to %d, not %d", MaxSubnet, o.Subnet)
	case !o.Local.Is4() || !o.Remote.Is4():
		return errors.New("the provider addresses of an overlay must be IPv4 addresses")
	}
	return nil
}
