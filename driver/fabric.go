package driver

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
)

// ScaleFlow multiplies the demand of a group of flows.
type ScaleFlow struct {
	// Flow is its name: "Web front end".
	Flow string `json:"flow"`
	// Scale is 0 to stop it, 1 as described, 100 the most.
	Scale float64 `json:"scale"`
}

// SetSwitchPort sets up the switch port of a connection. What is nil stays as it is.
type SetSwitchPort struct {
	Connection string `json:"connection"`
	// SpeedGbps is the line rate in Gb/s.
	SpeedGbps *int `json:"speed_gbps,omitempty"`
	// MaxFrame is the largest frame in bytes with header, without FCS.
	MaxFrame    *int                     `json:"max_frame,omitempty"`
	FlowControl *description.FlowControl `json:"flow_control,omitempty"`
	// Lossless has a bit for each priority with PFC.
	Lossless *uint8 `json:"lossless,omitempty"`
	// MarkLeast and MarkMost are the queue lengths in bytes between which RDMA frames are marked (Kmin, Kmax), and
	// MarkProbability the share at the upper one (Pmax).
	MarkLeast       *float64 `json:"mark_least_bytes,omitempty"`
	MarkMost        *float64 `json:"mark_most_bytes,omitempty"`
	MarkProbability *float64 `json:"mark_probability,omitempty"`
	// PauseShare is the part of the time for which the switch tells the host to stop, PausePriority the priority that
	// it names with PFC.
	PauseShare    *float64 `json:"pause_share,omitempty"`
	PausePriority *int     `json:"pause_priority,omitempty"`
	// SubnetManager is how the subnet manager of an InfiniBand port's subnet is: "up", "down" or "absent".
	SubnetManager *description.SubnetManager `json:"subnet_manager,omitempty"`
	// Aggregation is the number of its aggregation group, 0 for none.
	Aggregation *int `json:"aggregation,omitempty"`
	// Trunk forwards frames of VLANs, those of VLANs: "30,31,100-200", or all when that is empty.
	Trunk *bool   `json:"trunk,omitempty"`
	VLANs *string `json:"vlans,omitempty"`
	// PKeys are the partitions beside the default one that the subnet manager gives the port.
	PKeys *[]description.PKey `json:"pkeys,omitempty"`
}

// SetSlot moves a card to a slot of another kind.
type SetSlot struct {
	// Adapter is the card's name: "ConnectX-5 Ex".
	Adapter string `json:"adapter"`
	// Generation of PCI Express, 1 to 4, and Lanes: 1, 2, 4, 8 or 16.
	Generation int `json:"generation"`
	Lanes      int `json:"lanes"`
}

// SetProcessorSpeed slows the processors down in what they do for a connection.
type SetProcessorSpeed struct {
	Connection string `json:"connection"`
	// Speed is the part of their speed that is left, 0.01 to 1.
	Speed float64 `json:"speed"`
}

// Kind is "scale-flow".
func (ScaleFlow) Kind() string { return "scale-flow" }

// Kind is "set-switch-port".
func (SetSwitchPort) Kind() string { return "set-switch-port" }

// Kind is "set-slot".
func (SetSlot) Kind() string { return "set-slot" }

// Kind is "set-processor-speed".
func (SetProcessorSpeed) Kind() string { return "set-processor-speed" }

// Target is the flow.
func (o ScaleFlow) Target() string { return o.Flow }

// Target is the connection at the other end.
func (o SetSwitchPort) Target() string { return o.Connection }

// Target is the card.
func (o SetSlot) Target() string { return o.Adapter }

// Target is the connection.
func (o SetProcessorSpeed) Target() string { return o.Connection }

// Describe says what it does.
func (o ScaleFlow) Describe() string {
	switch o.Scale {
	case 0:
		return "stop the flow " + o.Flow
	case 1:
		return "run the flow " + o.Flow + " as described"
	}
	return fmt.Sprintf("run the flow %s at %g times its demand", o.Flow, o.Scale)
}

// Describe says what it does.
func (o SetSwitchPort) Describe() string {
	var changes []string
	for _, field := range o.fields(&device.SwitchSettings{}) {
		if text, set := field.text(); set {
			changes = append(changes, text)
		}
	}
	return fmt.Sprintf("set the switch port of %s to %s", o.Connection, strings.Join(changes, ", "))
}

// Describe says what it does.
func (o SetSlot) Describe() string {
	return fmt.Sprintf("move %s to a PCI Express %d slot of %d lanes", o.Adapter, o.Generation, o.Lanes)
}

// Describe says what it does.
func (o SetProcessorSpeed) Describe() string {
	return fmt.Sprintf("run the processors of %s at %g %% of their speed", o.Connection, o.Speed*100)
}

// Commands is empty: traffic is no setting of the host.
func (ScaleFlow) Commands() []string { return nil }

// Commands is empty: every switch has its own.
func (SetSwitchPort) Commands() []string { return nil }

// Commands is empty: nobody moves a card from a keyboard.
func (SetSlot) Commands() []string { return nil }

// Commands is empty: it stands for load that other programs make.
func (SetProcessorSpeed) Commands() []string { return nil }

func (o ScaleFlow) inverse(h *Host) (Operation, error) {
	flow, err := h.flow(o.Flow)
	if err != nil {
		return nil, err
	}
	return ScaleFlow{o.Flow, h.lab.Flows()[flow].Scale}, nil
}

func (o ScaleFlow) apply(h *Host) error {
	flow, err := h.flow(o.Flow)
	if err != nil {
		return err
	}
	return h.lab.SetFlowScale(flow, o.Scale)
}

// UnknownFlowError is a group of flows that the lab does not have.
type UnknownFlowError struct{ Flow string }

// Error says which, and what to do.
func (e *UnknownFlowError) Error() string {
	return fmt.Sprintf("no flow is called %q; use a name from the lab's list of flows", e.Flow)
}

func (h *Host) flow(name string) (int, error) {
	for i, f := range h.lab.Description().Flows {
		if f.Name == name {
			return i, nil
		}
	}
	return 0, &UnknownFlowError{name}
}

func (o SetSwitchPort) inverse(h *Host) (Operation, error) {
	port, err := h.port(o.Connection)
	if err != nil {
		return nil, err
	}
	was := h.lab.SwitchPort(port)
	back := SetSwitchPort{Connection: o.Connection}
	fields, set := back.fields(&was), 0
	for i, field := range o.fields(&device.SwitchSettings{}) {
		if _, ok := field.text(); ok {
			fields[i].keep()
			set++
		}
	}
	if set == 0 {
		return nil, errors.New("it says nothing that could be changed")
	}
	return back, nil
}

func (o SetSwitchPort) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	s := h.lab.SwitchPort(port)
	for _, field := range o.fields(&s) {
		field.use()
	}
	return h.lab.SetSwitchPort(port, s)
}

// switchField binds a field of SetSwitchPort to the setting that it is of.
type switchField interface {
	what() string                  // the name of the setting
	text() (text string, set bool) // what it says, and whether it says anything
	use()                          // the setting becomes what the field says
	keep()                         // the field says what the setting is
}

type boundField[T any] struct {
	field   **T
	setting *T
	name    string
	format  string
}

func (b boundField[T]) what() string { return b.name }

func (b boundField[T]) text() (string, bool) {
	if *b.field == nil {
		return "", false
	}
	var value any = **b.field
	switch v := value.(type) {
	case description.FlowControl:
		value = "unknown"
		if v <= description.PriorityPause {
			word, _ := v.MarshalText()
			value = string(word)
		}
	case description.SubnetManager:
		value = "unknown"
		if word, err := v.MarshalText(); err == nil {
			value = string(word)
		}
	case uint8:
		value = priorities(v)
	case bool:
		value = "an access port"
		if v {
			value = "a trunk"
		}
	case string:
		if value = v; v == "" {
			value = "all"
		}
	case []description.PKey:
		value = pkeys(v)
	}
	return fmt.Sprintf(b.format, value), true
}

// pkeys are the keys of partitions, as a list.
func pkeys(keys []description.PKey) string {
	list := make([]string, len(keys))
	for i, key := range keys {
		list[i] = key.String()
	}
	return cmp.Or(strings.Join(list, ", "), "none")
}

// priorities are those of a mask, as a list.
func priorities(mask uint8) string {
	var list []string
	for p := range 8 {
		if mask&(1<<p) != 0 {
			list = append(list, strconv.Itoa(p))
		}
	}
	if list == nil {
		return "none"
	}
	return strings.Join(list, ", ")
}

func (b boundField[T]) use() {
	if *b.field != nil {
		*b.setting = **b.field
	}
}

func (b boundField[T]) keep() { *b.field = new(*b.setting) }

func (o *SetSwitchPort) fields(s *device.SwitchSettings) []switchField {
	if s.PKeys == nil {
		s.PKeys = []description.PKey{} // written as a list, so that it is told from one that is not set
	}
	return []switchField{
		boundField[int]{&o.SpeedGbps, &s.SpeedGbps, "speed", "%d Gb/s"},
		boundField[int]{&o.MaxFrame, &s.MaxFrame, "largest frame", "frames of %d bytes"},
		boundField[description.FlowControl]{&o.FlowControl, &s.FlowControl, "flow control", "flow control %s"},
		boundField[uint8]{&o.Lossless, &s.Lossless, "lossless priorities", "lossless priorities %s"},
		boundField[float64]{&o.MarkLeast, &s.Marking.Least, "least mark", "marks from %g bytes"},
		boundField[float64]{&o.MarkMost, &s.Marking.Most, "most mark", "marks all from %g bytes"},
		boundField[float64]{&o.MarkProbability, &s.Marking.Probability, "mark probability", "a mark probability of %g"},
		boundField[float64]{&o.PauseShare, &s.PauseShare, "pause share", "a pause share of %g"},
		boundField[int]{&o.PausePriority, &s.PausePriority, "pause priority", "pauses of priority %d"},
		boundField[int]{&o.Aggregation, &s.Aggregation, "aggregation", "aggregation group %d"},
		boundField[bool]{&o.Trunk, &s.Trunk, "trunk", "%s"},
		boundField[string]{&o.VLANs, &s.VLANs, "VLANs", "VLANs %s"},
		boundField[description.SubnetManager]{&o.SubnetManager, &s.SubnetManager, "subnet manager", "the subnet manager %s"},
		boundField[[]description.PKey]{&o.PKeys, &s.PKeys, "partitions", "the partitions %s"},
	}
}

func (o SetSlot) inverse(h *Host) (Operation, error) {
	a, err := h.adapter(o.Adapter)
	if err != nil {
		return nil, err
	}
	slot := h.lab.Slot(a)
	return SetSlot{o.Adapter, slot.Generation, slot.Lanes}, nil
}

func (o SetSlot) apply(h *Host) error {
	a, err := h.adapter(o.Adapter)
	if err != nil {
		return err
	}
	return h.lab.SetSlot(a, o.Generation, o.Lanes)
}

func (o SetProcessorSpeed) inverse(h *Host) (Operation, error) {
	port, err := h.port(o.Connection)
	if err != nil {
		return nil, err
	}
	return SetProcessorSpeed{o.Connection, h.lab.ProcessorSpeed(port)}, nil
}

func (o SetProcessorSpeed) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	return h.lab.SetProcessorSpeed(port, o.Speed)
}
