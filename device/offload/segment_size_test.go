package offload_test

import (
	"testing"

	"cxdeck/device/offload"
)

// TestAFullSegmentFillsTheMTU: headers, options and the payload of a full packet make up the MTU.
func TestAFullSegmentFillsTheMTU(t *testing.T) {
	t.Parallel()
	for _, mtu := range []int{1500, 4092, 9600} {
		for _, s := range []offload.Send{
			{}, {IPv6: true}, {TCPOptions: 12}, {IPOptions: 8}, {IPv6: true, TCPOptions: 20, IPOptions: 16},
		} {
			s.Payload = 30_000
			headers := 20 + 20
			if s.IPv6 {
				headers = 40 + 20
			}
			cut := offload.DefaultSettings(mtu).Cut(s)
			if cut.MSS+headers+s.TCPOptions+s.IPOptions != mtu {
				t.Errorf("%+v with an MTU of %d: %+v", s, mtu, cut)
			}
		}
	}
}
