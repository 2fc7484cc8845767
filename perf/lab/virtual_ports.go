package lab

import (
	"fmt"
	"strconv"

	"cxdeck/device"
	"cxdeck/device/setup"
)

// virtualPortGateOf returns the gate of the counters of a virtual port on one processor.
func virtualPortGateOf(port int, c *setup.VirtualCount) gate {
	at := (c.Slot-setup.DefaultSlot)<<processorBits | (c.Processor - setup.AllProcessors)
	return gate{virtualPortGate, port, at}
}

// processorBits is the number of bits for the processor in a gate's at.
const processorBits = 16

// virtualCount returns the counts of a virtual port's gate, nil if the port is gone.
func (g gate) virtualCount(lab *device.Lab) *setup.VirtualCount {
	return lab.VirtualCount(g.port, g.at>>processorBits+setup.DefaultSlot, g.at&(1<<processorBits-1)+setup.AllProcessors)
}

// virtualPortsLackSeries reports whether a virtual port, or a processor of one, has no series.
func (b *Builder) virtualPortsLackSeries() bool {
	for port := range b.rings {
		counts := b.lab.VirtualPorts(port)
		for i := range counts {
			if !b.known[virtualPortGateOf(port, &counts[i])] {
				return true
			}
		}
	}
	return false
}

// virtualPortParts returns the instances of virtual ports without series in the sets of received packets by kind. Virtual ports
// appear while the operator watches, with the queues of a virtual machine.
func (b *Builder) virtualPortParts() (parts []setPart, err error) {
	if !b.virtualPortsLackSeries() {
		return nil, nil
	}
	description := b.lab.Description()
	for _, set := range spreadSets() {
		counters, err := describedCounters(&set)
		if err != nil {
			return nil, err
		}
		part := setPart{set: &set, counters: counters}
		for port := range b.lab.Ports() {
			if d, a, _ := b.lab.Port(port); set.has(&description.Adapters[a], d) {
				part.instances = b.virtualPortInstances(part.instances, &set, port)
			}
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// virtualPortInstances appends the instances without series of a port's virtual ports.
func (b *Builder) virtualPortInstances(list []instance, set *counterSet, port int) []instance {
	d, a, _ := b.lab.Port(port)
	counts := b.lab.VirtualPorts(port)
	for i := range counts {
		c := &counts[i]
		added := instance{
			name: virtualPortName(d.Connection, c.Slot), line: uint64(d.SpeedGbps) * 1e9, gate: virtualPortGateOf(port, c),
			places: []place{{port: port, adapter: a, at: ownCounters}},
		}
		if b.known[added.gate] {
			continue
		}
		if c.Processor == setup.AllProcessors {
			added.name, added.sum = added.name+" "+set.total, set.sum
		} else {
			added.name += " " + set.suffix + strconv.Itoa(c.Processor)
		}
		added.name = b.takeName(set.name, added.name)
		list = append(list, added)
	}
	return list
}

// virtualPortName returns the instance name of a virtual port: "Ethernet 7 VPort_0" for the default one. The others have the
// numbers that Get-NetAdapterVPort shows. The manuals don't give the drivers' spelling.
func virtualPortName(connection string, slot int) string {
	return fmt.Sprintf("%s VPort_%d", connection, slot-setup.DefaultSlot)
}
