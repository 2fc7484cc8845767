package device

import (
	"testing"
	"time"

	"cxdeck/device/description"
)

// TestWithoutRDMATheDataGoesOverTCP: a port that loses RDMA while it is up closes its connections and moves the same
// data through its rings; with another RoCE mode than its peers it tries in vain to connect; all comes back with the
// mode.
func TestWithoutRDMATheDataGoesOverTCP(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	port := 0
	for d, _, _ := l.Port(port); d.Connection != "Ethernet 7"; d, _, _ = l.Port(port) {
		port++
	}
	before := l.Settings(port)
	of := func(c Counter) uint64 { return l.Counters()[Cell(port, c)] }
	span := func(c Counter) uint64 {
		from := of(c)
		l.Advance(2 * time.Second)
		return of(c) - from
	}
	l.Advance(2 * time.Second)
	active, whole := of(RDMAActive), span(ReceivedBytes)
	for _, mode := range []description.RoCEMode{description.NoRoCE, description.RoCEv1, description.RoCEv2} {
		s := before
		s.RoCE = mode
		if err := l.Configure(port, s); err != nil {
			t.Fatal(err)
		}
		l.Advance(time.Second)
		rdma, failed, closed := span(RDMAInBytes), of(RDMAFailed), of(RDMAClosed)
		if all := span(ReceivedBytes); float64(all) < float64(whole)*0.3 {
			t.Errorf("mode %d: %d bytes received, and %d before", mode, all, whole)
		}
		if (rdma > 0) != (mode == description.RoCEv2) || (of(RDMAActive) == active) != (mode == description.RoCEv2) || closed != active {
			t.Errorf("mode %d: %d bytes of RDMA, %d connections, %d closed", mode, rdma, of(RDMAActive), closed)
		}
		if (failed > 0) != (mode != description.NoRoCE) {
			t.Errorf("mode %d: %d connections failed", mode, failed)
		}
	}
	s := before
	s.RoCE = 9
	if err := l.Configure(port, s); err == nil {
		t.Error("a mode that does not exist is taken")
	}
}
