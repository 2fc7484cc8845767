package tunnel

import (
	"errors"
	"fmt"
	"net/netip"
)

// Overlay is the NVGRE encapsulation of a virtual machine's packets between two hosts (VIRT-6). The zero value means no
// encapsulation.
type Overlay struct {
	// Subnet is the virtual subnet in the key of its packets (VIRT-7); 0 without one.
	Subnet uint32
	// Local and Remote are the provider addresses of this host and of the other host.
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
