package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/wire"
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
	of := func(c counter.Port) uint64 { return l.Counters()[counter.Cell(port, c)] }
	span := func(c counter.Port) uint64 {
		from := of(c)
		l.Advance(2 * time.Second)
		return of(c) - from
	}
	l.Advance(2 * time.Second)
	active, whole := of(counter.RDMAActive), span(counter.ReceivedBytes)
	for _, mode := range []description.RoCEMode{description.NoRoCE, description.RoCEv1, description.RoCEv2} {
		s := before
		s.RoCE = mode
		if err := l.Configure(port, s); err != nil {
			t.Fatal(err)
		}
		l.Advance(time.Second)
		rdma, failed, closed := span(counter.RDMAInBytes), of(counter.RDMAFailed), of(counter.RDMAClosed)
		if all := span(counter.ReceivedBytes); float64(all) < float64(whole)*0.3 {
			t.Errorf("mode %d: %d bytes received, and %d before", mode, all, whole)
		}
		if (rdma > 0) != (mode == description.RoCEv2) || (of(counter.RDMAActive) == active) != (mode == description.RoCEv2) || closed != active {
			t.Errorf("mode %d: %d bytes of RDMA, %d connections, %d closed", mode, rdma, of(counter.RDMAActive), closed)
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

// TestFallbackFillsItsFrames: what goes over TCP in place of RDMA has full frames of the port, tag and header included, and
// none that is longer.
func TestFallbackFillsItsFrames(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	for port := range l.Ports() {
		s := l.Settings(port)
		s.RoCE = description.NoRoCE
		if err := l.Configure(port, s); err != nil {
			t.Fatal(err)
		}
	}
	full := 0
	for i := range l.plant.traffic {
		if l.plant.traffic[i].Protocol != description.RDMA {
			continue
		}
		flow := l.effectiveFlow(i)
		limit := l.plant.ports[l.plant.flows[i].port].description.MaxFrame
		for _, size := range flow.Packets {
			frame := size.IP + wire.EthernetHeader + wire.VLANTag
			if flow.Protocol != description.TCP || frame > limit {
				t.Errorf("%s: a frame of %d bytes at a port for %d", flow.Name, frame, limit)
			}
			if frame == limit {
				full++
			}
		}
	}
	if full == 0 {
		t.Error("no frame is full")
	}
}
