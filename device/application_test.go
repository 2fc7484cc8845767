package device

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// TestIdleFlowsChangeNothing: what nobody has started is as if it was not described.
func TestIdleFlowsChangeNothing(t *testing.T) {
	t.Parallel()
	with, without := description.Default(), description.Default()
	idle := func(f description.Flow) bool { return f.Idle }
	if !slices.ContainsFunc(with.Flows, idle) {
		t.Fatal("the default lab has no idle flow")
	}
	without.Flows = slices.DeleteFunc(without.Flows, idle)
	var counters [2][]uint64
	for i, d := range []*description.Description{with, without} {
		l, err := New(d, 8)
		if err != nil {
			t.Fatal(err)
		}
		l.Advance(40 * time.Second)
		counters[i] = l.Counters()
	}
	if !slices.Equal(counters[0], counters[1]) {
		t.Error("an idle flow moves a counter")
	}
}

// TestAnIdleFlowStarts: it moves once it is scaled, with its queue pairs, and its connections count nowhere.
func TestAnIdleFlowStarts(t *testing.T) {
	t.Parallel()
	l := newLab(t, 3)
	l.Advance(time.Second)
	flow := slices.IndexFunc(l.Description().Flows, func(f description.Flow) bool { return f.Application == description.NDSPI })
	port := l.Flows()[flow].Port
	_, card, _ := l.Port(port)
	pairs := func() uint64 { return l.Counters()[l.CardCell(card, counter.CardQueuePairs)] }
	opened := func() uint64 {
		return l.Counters()[counter.Cell(port, counter.RDMAInitiated)] + l.Counters()[counter.Cell(port, counter.RDMAAccepted)]
	}
	before, connections := pairs(), opened()
	if err := l.SetFlowScale(flow, 1); err != nil {
		t.Fatal(err)
	}
	l.Advance(5 * time.Second)
	if got := pairs() - before; got != uint64(l.Description().Flows[flow].Flows) {
		t.Errorf("it brought %d queue pairs", got)
	}
	if f := l.Flows()[flow]; f.ReceiveRate == 0 || f.SendRate == 0 || f.Application != description.NDSPI {
		t.Errorf("it moves %v and %v b/s", f.ReceiveRate, f.SendRate)
	}
	if l.Counters()[counter.Cell(port, counter.OwnFrames)] == 0 || opened() != connections {
		t.Errorf("%d frames, %d more connections", l.Counters()[counter.Cell(port, counter.OwnFrames)], opened()-connections)
	}
}

func TestApplicationsOfFlows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		application description.Application
		transport   description.Transport
		protocol    description.Protocol
		ok          bool
	}{
		{description.SMBDirect, description.Reliable, description.RDMA, true}, {description.NDSPI, description.Reliable, description.RDMA, true}, {description.Verbs, description.Datagram, description.RDMA, true}, {description.SMBDirect, description.Reliable, description.TCP, true},
		{description.SMBDirect, description.Unreliable, description.RDMA, false}, {description.NDSPI, description.Datagram, description.RDMA, false}, {description.NDSPI, description.Reliable, description.TCP, false}, {description.StorageSpaces, description.Reliable, description.RDMA, true}, {description.StorageSpaces, description.Datagram, description.RDMA, false},
		{description.StorageSpaces + 1, description.Reliable, description.RDMA, false},
	} {
		d := description.Default()
		i := slices.IndexFunc(d.Flows, func(f description.Flow) bool { return f.Protocol == test.protocol })
		d.Flows[i].Application, d.Flows[i].Transport, d.Flows[i].Connections = test.application, test.transport, 0
		if _, err := New(d, 1); (err == nil) != test.ok {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
