package setup

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// Lab is the setup of a whole lab: lists by port go over all adapters in their order. It is saved as JSON. A change creates
// new lists, so that copies of a Lab are not affected.
type Lab struct {
	Ports    []Port `json:"Settings"`
	Switches []SwitchPort
	// Slots are the slots of the cards.
	Slots []Slot
	// Speeds are the speeds of the processors for each port, as parts of their full speed.
	Speeds []float64
	// Scales multiply the demand of each flow.
	Scales []float64
	// Marks are the marks of each flow, empty when all flows are as described.
	Marks    []Mark `json:",omitempty"`
	Faults   []FaultShares
	Bindings []Binding `json:",omitempty"`
	// Guests are the virtual machines of each port, nil for a port whose described virtual functions share the traffic.
	Guests         [][]Guest
	Leases         []Leases
	ShareBases     []ShareBase `json:"Books"`
	Virtual        []VirtualPorts
	FunctionFaults []FunctionFault `json:"Misdeeds,omitempty"`
	// Bursts are the numbers of packets that the peers of each flow send at once, nil when all flows are as described.
	Bursts []int `json:",omitempty"`
	// FarEnds are the settings of the far ends of the ports' paths, nil when all agree with the near ends.
	FarEnds []FarEnd `json:",omitempty"`
	// Served says which ports a subnet manager of the host serves, nil while none does.
	Served []Service `json:",omitempty"`
}

// New returns the setup of a described lab with the given traffic.
func New(d *description.Description, traffic []description.Flow) (l Lab) {
	for i := range d.Adapters {
		a := &d.Adapters[i]
		l.Slots = append(l.Slots, Slot{a.PCIeGeneration, a.PCIeLanes})
		for j := range a.Ports {
			l.Ports = append(l.Ports, DefaultPort(a.Family, &a.Ports[j]))
			l.Switches = append(l.Switches, defaultSwitchPort(&a.Ports[j].Switch))
			l.Speeds = append(l.Speeds, 1)
		}
	}
	n := len(l.Ports)
	l.Faults, l.Guests, l.Leases = make([]FaultShares, n), make([][]Guest, n), make([]Leases, n)
	l.ShareBases, l.Virtual = make([]ShareBase, n), make([]VirtualPorts, n)
	for i := range traffic {
		scale := 1.0
		if traffic[i].Idle {
			scale = 0
		}
		l.Scales = append(l.Scales, scale)
	}
	return l
}

// lengths returns the lengths of the lists that the description determines.
func (l *Lab) lengths() []int {
	return []int{
		len(l.Ports), len(l.Switches), len(l.Slots), len(l.Speeds), len(l.Scales), len(l.Faults), len(l.Guests), len(l.Leases),
		len(l.ShareBases), len(l.Virtual),
	}
}

// errLengths reports lists that don't belong to one lab.
var errLengths = errors.New("the lists of the setup have the wrong lengths")

// Check rejects a setup that no lab of the description of a described one could have.
func (l *Lab) Check(described *Lab, links []description.LinkType, layout *counter.Layout) error {
	if !slices.Equal(l.lengths(), described.lengths()) {
		return errLengths
	}
	list := []error{l.CheckBindings(l.Bindings), l.checkFunctionFaults(l.FunctionFaults), l.CheckMarks(l.Marks), l.checkFarEnds(links), l.checkServed(links)}
	for _, s := range l.Slots {
		list = append(list, s.Check())
	}
	if len(l.Bursts) > 0 && len(l.Bursts) != len(l.Scales) {
		return errLengths
	}
	for _, packets := range l.Bursts {
		list = append(list, CheckBurst(packets))
	}
	for _, scale := range l.Scales {
		list = append(list, CheckScale(scale))
	}
	for port := range l.Ports {
		list = append(list, l.Ports[port].Check(), l.Switches[port].Check(links[port]), CheckSpeed(l.Speeds[port]),
			l.Faults[port].check(), CheckGuests(l.Guests[port]), l.Leases[port].check(l.Guests[port]),
			l.ShareBases[port].check(), l.Virtual[port].check(layout, port))
	}
	return errors.Join(list...)
}

// CheckSpeed rejects a speed of processors outside 0.01 to 1.
func CheckSpeed(part float64) error {
	if !(part >= 0.01 && part <= 1) {
		return fmt.Errorf("the speed of processors must be 0.01 to 1 of the original speed, not %v", part)
	}
	return nil
}

// maxScale is the maximum scale of a flow.
const maxScale = 100

// CheckScale rejects a scale of a flow outside 0 to 100.
func CheckScale(scale float64) error {
	if !(scale >= 0 && scale <= maxScale) {
		return fmt.Errorf("the scale of a flow must be 0 to %d, not %v", maxScale, scale)
	}
	return nil
}

// maxBurst is the maximum number of packets that a peer sends at once.
const maxBurst = 65536

// CheckBurst rejects a number of packets of a burst outside 0 to 65536.
func CheckBurst(packets int) error {
	if packets < 0 || packets > maxBurst {
		return fmt.Errorf("a burst must have 0 to %d packets, not %d", maxBurst, packets)
	}
	return nil
}

// Burst returns the number of packets that the peers of a flow send at once, 0 for the usual few.
func (l *Lab) Burst(flow int, f *description.Flow) int {
	if len(l.Bursts) == 0 {
		return f.Burst
	}
	return l.Bursts[flow]
}
