package fabric

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// ScaleFlow multiplies the demand of a group of flows.
type ScaleFlow struct {
	// Flow is the name of the group: "Web front end".
	Flow string `json:"flow"`
	// Scale multiplies the described demand: 0 to stop the flow, at most 100.
	Scale float64 `json:"scale"`
}

// BurstFlow has the peers of a group of flows send packets in bursts.
type BurstFlow struct {
	Flow string `json:"flow"`
	// Packets is the number of packets that a peer sends at once: 0 for the usual few, at most 65536.
	Packets int `json:"packets"`
}

// SetSwitchPort changes settings of the switch port of a connection. Nil fields leave their settings unchanged.
type SetSwitchPort struct {
	Connection string `json:"connection"`
	// SpeedGbps is the line rate in Gb/s.
	SpeedGbps *int `json:"speed_gbps,omitempty"`
	// MaxFrame is the largest frame in bytes with header, without FCS.
	MaxFrame    *int                     `json:"max_frame,omitempty"`
	FlowControl *description.FlowControl `json:"flow_control,omitempty"`
	// Lossless has a bit for each priority with PFC.
	Lossless *uint8 `json:"lossless,omitempty"`
	// Trust is the field that sets the priority of frames: "pcp" or "dscp".
	Trust *setup.Trust `json:"trust,omitempty"`
	// MarkMin and MarkMax are the queue lengths in bytes between which RDMA frames are marked (Kmin, Kmax), and
	// MarkProbability the fraction marked at the upper one (Pmax).
	MarkMin         *float64 `json:"mark_least_bytes,omitempty"`
	MarkMax         *float64 `json:"mark_most_bytes,omitempty"`
	MarkProbability *float64 `json:"mark_probability,omitempty"`
	// PauseShare is the fraction of time for which the switch pauses the host, PausePriority the priority in its PFC frames.
	PauseShare    *float64 `json:"pause_share,omitempty"`
	PausePriority *int     `json:"pause_priority,omitempty"`
	// SubnetManager is the state of the subnet manager of an InfiniBand port's subnet: "up", "down" or "absent".
	SubnetManager *description.SubnetManager `json:"subnet_manager,omitempty"`
	// IgnoresVirtual has the subnet manager leave virtual ports alone.
	IgnoresVirtual *bool `json:"ignores_virtual_ports,omitempty"`
	// Aggregation is the number of the aggregation group, 0 for none.
	Aggregation *int `json:"aggregation,omitempty"`
	// Trunk forwards tagged frames of the ids in VLANs ("30,31,100-200"), or of all ids when VLANs is empty.
	Trunk *bool   `json:"trunk,omitempty"`
	VLANs *string `json:"vlans,omitempty"`
	// DCBX is the version of DCBX, Willing the willing bit. Classes and Applications are the content of the ETS and application
	// priority TLVs; an empty TLV is not sent.
	DCBX         *description.DCBXMode            `json:"dcbx,omitempty"`
	Willing      *bool                            `json:"willing,omitempty"`
	Classes      *[]description.SwitchClass       `json:"classes,omitempty"`
	Applications *[]description.SwitchApplication `json:"applications,omitempty"`
	// PKeys are the partitions that the subnet manager assigns to the port, in addition to the default partition.
	PKeys *[]description.PKey `json:"pkeys,omitempty"`
}

func (ScaleFlow) Kind() string     { return "scale-flow" }
func (BurstFlow) Kind() string     { return "burst-flow" }
func (SetSwitchPort) Kind() string { return "set-switch-port" }

func (o ScaleFlow) Target() string     { return o.Flow }
func (o BurstFlow) Target() string     { return o.Flow }
func (o SetSwitchPort) Target() string { return o.Connection }

func (o ScaleFlow) Describe() string {
	switch o.Scale {
	case 0:
		return "stop the flow " + o.Flow
	case 1:
		return "run the flow " + o.Flow + " as described"
	}
	return fmt.Sprintf("run the flow %s at %g times its demand", o.Flow, o.Scale)
}

func (o BurstFlow) Describe() string {
	if o.Packets == 0 {
		return "end the bursts of the flow " + o.Flow
	}
	return fmt.Sprintf("have the peers of the flow %s send bursts of %d packets", o.Flow, o.Packets)
}

func (o SetSwitchPort) Describe() string {
	var changes []string
	for _, field := range o.fields(&setup.SwitchPort{}) {
		if text, set := field.text(); set {
			changes = append(changes, text)
		}
	}
	return fmt.Sprintf("set the switch port of %s to %s", o.Connection, strings.Join(changes, ", "))
}

// Commands is empty: traffic is not a setting of the host.
func (ScaleFlow) Commands() []string { return nil }

// Commands is empty: traffic is not a setting of the host.
func (BurstFlow) Commands() []string { return nil }

// Commands is empty: the commands depend on the switch.
func (SetSwitchPort) Commands() []string { return nil }

func (o ScaleFlow) Inverse(s Set) (Operation, error) {
	flow, err := s.Flow(o.Flow)
	if err != nil {
		return nil, err
	}
	return ScaleFlow{o.Flow, s.Lab().Flows()[flow].Scale}, nil
}

func (o ScaleFlow) Apply(s Set) error {
	flow, err := s.Flow(o.Flow)
	if err != nil {
		return err
	}
	return s.Lab().SetFlowScale(flow, o.Scale)
}

func (o BurstFlow) Inverse(s Set) (Operation, error) {
	flow, err := s.Flow(o.Flow)
	if err != nil {
		return nil, err
	}
	return BurstFlow{o.Flow, s.Lab().Flows()[flow].Burst}, nil
}

func (o BurstFlow) Apply(s Set) error {
	flow, err := s.Flow(o.Flow)
	if err != nil {
		return err
	}
	return s.Lab().SetFlowBurst(flow, o.Packets)
}

// UnknownFlowError is a group of flows that the lab does not have.
type UnknownFlowError struct{ Flow string }

// Error names the flow and the remedy.
func (e *UnknownFlowError) Error() string {
	return fmt.Sprintf("there is no flow %q; use a name from the lab's list of flows", e.Flow)
}

func (s Set) Flow(name string) (int, error) {
	for i, f := range s.Lab().Description().Flows {
		if f.Name == name {
			return i, nil
		}
	}
	return 0, &UnknownFlowError{name}
}

func (o SetSwitchPort) Inverse(s Set) (Operation, error) {
	port, err := s.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	was := s.Lab().SwitchPort(port)
	back := SetSwitchPort{Connection: o.Connection}
	fields, set := back.fields(&was), 0
	for i, field := range o.fields(&setup.SwitchPort{}) {
		if _, ok := field.text(); ok {
			fields[i].keep()
			set++
		}
	}
	if set == 0 {
		return nil, errors.New("a setting is required")
	}
	return back, nil
}

func (o SetSwitchPort) Apply(s Set) error {
	port, err := s.Port(o.Connection)
	if err != nil {
		return err
	}
	settings := s.Lab().SwitchPort(port)
	for _, field := range o.fields(&settings) {
		field.use()
	}
	if err := s.Lab().SetSwitchPort(port, settings); err != nil {
		return err
	}
	return s.Reclassify()
}

// switchField binds a field of SetSwitchPort to a setting.
type switchField interface {
	name() string                  // the name of the setting
	text() (text string, set bool) // the value as text, and whether it is set
	use()                          // copies the field into the setting
	keep()                         // copies the setting into the field
	value() any                    // the setting
}

type boundField[T any] struct {
	field   **T
	setting *T
	label   string
	format  string
	words   [2]string // of false and true
}

func (b boundField[T]) name() string { return b.label }

func (b boundField[T]) text() (string, bool) {
	if *b.field == nil {
		return "", false
	}
	var value any = **b.field
	switch v := value.(type) {
	case encoding.TextMarshaler:
		value = "unknown"
		if word, err := v.MarshalText(); err == nil {
			value = string(word)
		}
	case uint8:
		value = priorities(v)
	case bool:
		value = b.words[0]
		if v {
			value = b.words[1]
		}
	case []description.SwitchClass:
		value = classes(v)
	case []description.SwitchApplication:
		value = applications(v)
	case string:
		if value = v; v == "" {
			value = "all"
		}
	case []description.PKey:
		value = pkeys(v)
	}
	return fmt.Sprintf(b.format, value), true
}

// pkeys returns the keys of partitions, as a list.
func pkeys(keys []description.PKey) string {
	list := make([]string, len(keys))
	for i, key := range keys {
		list[i] = key.String()
	}
	return cmp.Or(strings.Join(list, ", "), "none")
}

// noWords are for fields other than on/off.
var noWords [2]string

// classes lists the classes of a switch port: "3 with 50%, 5 strict".
func classes(list []description.SwitchClass) string {
	words := make([]string, len(list))
	for i, c := range list {
		share := "strict"
		if c.Share > 0 {
			share = fmt.Sprintf("with %d%%", c.Share)
		}
		words[i] = priorities(uint8(setup.PrioritySet(c.Priorities))) + " " + share
	}
	return cmp.Or(strings.Join(words, "; "), "none")
}

// applications lists application priorities: "port 445 on 3".
func applications(list []description.SwitchApplication) string {
	words := make([]string, len(list))
	for i, a := range list {
		words[i] = fmt.Sprintf("port %d on %d", a.Port, a.Priority)
	}
	return cmp.Or(strings.Join(words, ", "), "none")
}

// priorities lists the bits of a mask.
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

func (b boundField[T]) value() any { return *b.setting }

// Difference returns the Operation that sets the settings of a connection's switch port that differ; differs is false when none
// does.
func Difference(connection string, from, to setup.SwitchPort) (o SetSwitchPort, differs bool) {
	o.Connection = connection
	was := new(SetSwitchPort).fields(&from)
	for i, field := range o.fields(&to) {
		if !reflect.DeepEqual(field.value(), was[i].value()) {
			field.keep()
			differs = true
		}
	}
	return o, differs
}

// Touches returns the settings of the switch port that it changes.
func (o SetSwitchPort) Touches() (list []string) {
	for _, field := range o.fields(&setup.SwitchPort{}) {
		if _, set := field.text(); set {
			list = append(list, field.name()+" of the switch port of "+o.Connection)
		}
	}
	return list
}

func (o *SetSwitchPort) fields(s *setup.SwitchPort) []switchField {
	if s.PKeys == nil {
		s.PKeys = []description.PKey{} // an empty list, unlike an unset field
	}
	if s.Classes == nil {
		s.Classes = []description.SwitchClass{}
	}
	if s.Applications == nil {
		s.Applications = []description.SwitchApplication{}
	}
	return []switchField{
		boundField[int]{&o.SpeedGbps, &s.SpeedGbps, "speed", "%d Gb/s", noWords},
		boundField[int]{&o.MaxFrame, &s.MaxFrame, "largest frame", "frames of %d bytes", noWords},
		boundField[description.FlowControl]{&o.FlowControl, &s.FlowControl, "flow control", "flow control %s", noWords},
		boundField[uint8]{&o.Lossless, &s.Lossless, "lossless priorities", "lossless priorities %s", noWords},
		boundField[setup.Trust]{&o.Trust, &s.Trust, "trust", "trust in %s", noWords},
		boundField[float64]{&o.MarkMin, &s.Marking.Min, "mark threshold Kmin", "marks from %g bytes", noWords},
		boundField[float64]{&o.MarkMax, &s.Marking.Max, "mark threshold Kmax", "marks all from %g bytes", noWords},
		boundField[float64]{&o.MarkProbability, &s.Marking.Probability, "mark probability", "a mark probability of %g", noWords},
		boundField[float64]{&o.PauseShare, &s.PauseShare, "pause share", "a pause share of %g", noWords},
		boundField[int]{&o.PausePriority, &s.PausePriority, "pause priority", "pauses of priority %d", noWords},
		boundField[description.DCBXMode]{&o.DCBX, &s.DCBX, "DCBX", "DCBX %s", noWords},
		boundField[bool]{&o.Willing, &s.Willing, "willing bit", "%s", [2]string{"not willing by DCBX", "willing by DCBX"}},
		boundField[[]description.SwitchClass]{&o.Classes, &s.Classes, "classes", "classes by DCBX %s", noWords},
		boundField[[]description.SwitchApplication]{&o.Applications, &s.Applications, "application priorities", "application priorities by DCBX %s", noWords},
		boundField[int]{&o.Aggregation, &s.Aggregation, "aggregation", "aggregation group %d", noWords},
		boundField[bool]{&o.Trunk, &s.Trunk, "trunk", "%s", [2]string{"an access port", "a trunk"}},
		boundField[string]{&o.VLANs, &s.VLANs, "VLANs", "VLANs %s", noWords},
		boundField[description.SubnetManager]{&o.SubnetManager, &s.SubnetManager, "subnet manager", "the subnet manager %s", noWords},
		boundField[bool]{&o.IgnoresVirtual, &s.IgnoresVirtual, "virtual ports", "%s", [2]string{"virtual ports managed", "virtual ports ignored"}},
		boundField[[]description.PKey]{&o.PKeys, &s.PKeys, "partitions", "the partitions %s", noWords},
	}
}
