package device

import (
	"fmt"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// FlowState is the current state of a group of flows.
type FlowState struct {
	Name string
	// Port is the port number of the group.
	Port int
	// Protocol is its current protocol: the described one, or TCP for RDMA on a port without RDMA.
	Protocol description.Protocol
	// Application and Transport are set for RDMA.
	Application description.Application
	Transport   description.Transport
	// Priority is the priority of its frames, 0 to 7 or Untagged.
	Priority int
	// Received and Sent are the header fields of its frames on the cable, with the priorities that both ends read; empty on InfiniBand.
	Received, Sent setup.Header
	// Tuples is the number of five-tuples in the group.
	Tuples int
	// Scale multiplies its demand: 1 as described, 0 stopped. Burst is the number of packets that its peers send at once, 0 for
	// the usual few.
	Scale float64
	Burst int
	// ReceiveDemand and SendDemand are its current demand, ReceiveRate and SendRate its rates in the last step, in bits
	// a second of frames without acknowledgements.
	ReceiveDemand, SendDemand float64
	ReceiveRate, SendRate     float64
}

// Flows returns the groups of flows, in the order of the description.
func (l *Lab) Flows() []FlowState {
	list := make([]FlowState, len(l.plant.description.Flows))
	for i := range list {
		d := &l.plant.description.Flows[i]
		s := &list[i]
		*s = FlowState{
			Name: d.Name, Protocol: d.Protocol, Priority: counter.Untagged, Tuples: d.Flows, Scale: l.setup.Scales[i],
			Port: l.plant.flows[i].port, Application: d.Application, Transport: d.Transport, Burst: l.setup.Burst(i, d),
		}
		if d.Protocol == description.RDMA && d.Application.SMB() && !l.plan.flows[i].rdma {
			s.Protocol = description.TCP
		}
		level := l.level(i) * l.rhythms[i].Window
		plan := &l.plan.flows[i]
		for j := plan.first; j < plan.last; j++ {
			stream := &l.plan.streams[j]
			if stream.ack {
				continue
			}
			rate := stream.perStep * level * float64(stream.frame) * 8 / stepSeconds
			if stream.direction == receive {
				s.ReceiveDemand += rate
			} else {
				s.SendDemand += rate
			}
		}
		s.ReceiveRate = float64(l.flowBytes[2*i+receive]) * 8 / stepSeconds
		s.SendRate = float64(l.flowBytes[2*i+send]) * 8 / stepSeconds
		if marked := l.setup.Marked(d, i); marked.Priority != nil {
			s.Priority = *marked.Priority
		}
		if l.plant.ports[s.Port].description.Link == description.Ethernet {
			now := l.effectiveFlow(i)
			s.Received, s.Sent = l.header(now, s.Port, receive), l.header(now, s.Port, send)
		}
	}
	return list
}

// SetMarks sets the priorities, DSCPs and carriers of the flows, in the order of the description; nil leaves all flows
// as described. It takes effect at once.
func (l *Lab) SetMarks(marks []setup.Mark) error {
	if marks != nil { // the virtual machines' own flows come after the described flows
		marks = slices.Clone(marks)
		for len(marks) < len(l.setup.Scales) {
			marks = append(marks, setup.Mark{Priority: setup.AsDescribed, DSCP: setup.AsDescribed})
		}
	}
	if slices.Equal(marks, l.setup.Marks) {
		return nil
	}
	if err := l.setup.CheckMarks(marks); err != nil {
		return err
	}
	l.setup.Marks = marks
	l.replanRDMA()
	return nil
}

// SetFlowScale multiplies the demand of a group of flows: 0 stops it, 1 is as described, 100 the maximum. It takes
// effect at once.
func (l *Lab) SetFlowScale(flow int, scale float64) error {
	if flow < 0 || flow >= len(l.plant.description.Flows) {
		return fmt.Errorf("the lab has no flow %d", flow)
	}
	if err := setup.CheckScale(scale); err != nil {
		return err
	}
	l.setup.Scales = slices.Clone(l.setup.Scales)
	l.setup.Scales[flow] = scale
	return nil
}

// SetFlowBurst sets the number of packets that the peers of a group of flows send at once, 0 for the usual few. It takes effect at
// once.
func (l *Lab) SetFlowBurst(flow, packets int) error {
	if flow < 0 || flow >= len(l.plant.description.Flows) {
		return fmt.Errorf("the lab has no flow %d", flow)
	}
	if err := setup.CheckBurst(packets); err != nil {
		return err
	}
	bursts, described := make([]int, len(l.setup.Scales)), true
	for i := range bursts {
		bursts[i] = l.setup.Burst(i, &l.plant.traffic[i])
		if i == flow {
			bursts[i] = packets
		}
		described = described && bursts[i] == l.plant.traffic[i].Burst
	}
	if l.setup.Bursts = bursts; described { // as in a lab that never had any
		l.setup.Bursts = nil
	}
	l.replanRDMA()
	return nil
}
