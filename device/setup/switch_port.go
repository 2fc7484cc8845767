package setup

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
)

// SwitchPort is the setup of the switch port at the far end of a cable.
type SwitchPort struct {
	// SpeedGbps is the line rate in Gb/s.
	SpeedGbps int
	// MaxFrame is the largest frame that the switch port forwards, in bytes with header, without FCS.
	MaxFrame    int
	FlowControl description.FlowControl
	// Lossless has a bit for each priority with PFC.
	Lossless uint8
	// Trust is the header field that gives the priority of frames in both directions.
	Trust Trust `json:",omitzero"`
	// Marking holds the ECN thresholds of the queue towards the host (DCQ-22).
	Marking dcqcn.Marking
	// PauseShare is the fraction of time for which the switch pauses the host, in addition to faults; PausePriority is the
	// priority that it pauses with PFC.
	PauseShare    float64
	PausePriority int
	// SubnetManager is the state of the subnet manager of an InfiniBand port's subnet.
	SubnetManager description.SubnetManager
	// IgnoresVirtual reports that the subnet manager of an InfiniBand port's subnet leaves virtual ports alone.
	IgnoresVirtual bool `json:",omitempty"`
	// PKeys are the port's partitions other than the default one.
	PKeys []description.PKey `json:",omitempty"`
	// Aggregation is the number of the aggregation group, 0 for none.
	Aggregation int
	// Trunk forwards frames of the VLANs in VLANs (see ParseVLANs); an access port forwards only untagged frames.
	Trunk bool
	VLANs string
	// DCBX is the version of DCBX, Willing the willing bit. Classes and Applications are the content of the ETS and application
	// priority TLVs; an empty TLV is not sent.
	DCBX         description.DCBXMode            `json:",omitempty"`
	Willing      bool                            `json:",omitempty"`
	Classes      []description.SwitchClass       `json:",omitempty"`
	Applications []description.SwitchApplication `json:",omitempty"`
}

// PFC reports whether the switch port has priority flow control for a priority.
func (s *SwitchPort) PFC(priority int) bool {
	return s.FlowControl == description.PriorityPause && s.Lossless>>priority&1 == 1
}

// maxAggregation is the highest number of an aggregation group.
const maxAggregation = 4096

// Check rejects values that no switch port of a link type supports.
func (s *SwitchPort) Check(link description.LinkType) error {
	switch {
	case s.SpeedGbps < 1 || s.SpeedGbps > 400:
		return fmt.Errorf("the speed of a switch port must be 1 to 400 Gb/s, not %d", s.SpeedGbps)
	case s.MaxFrame < 614 || s.MaxFrame > 65535:
		return fmt.Errorf("the largest frame of a switch port must be 614 to 65535 bytes, not %d", s.MaxFrame)
	case !s.FlowControl.Known():
		return fmt.Errorf("the flow control of a switch port must be off, global or pfc")
	case !(s.PauseShare >= 0 && s.PauseShare <= 1):
		return fmt.Errorf("the share of time for which a switch port pauses the host must be 0 to 1, not %v", s.PauseShare)
	case s.Aggregation < 0 || s.Aggregation > maxAggregation:
		return fmt.Errorf("the aggregation group of a switch port must be 1 to %d, or 0 for none, not %d", maxAggregation, s.Aggregation)
	case s.PausePriority < 0 || s.PausePriority > 7:
		return fmt.Errorf("the priority that a switch pauses must be 0 to 7, not %d", s.PausePriority)
	}
	if _, err := ParseVLANs(s.VLANs); err != nil {
		return err
	}
	m := s.Marking
	if !(m.Min >= 0 && m.Max >= m.Min && m.Max <= math.MaxUint32 && m.Probability >= 0 && m.Probability <= 1) {
		return fmt.Errorf("a switch must mark from 0 bytes up to a higher number, with a probability of 0 to 1")
	}
	return errors.Join(s.checkSubnet(link), s.checkDCBX(link))
}

// checkSubnet rejects a subnet manager on an Ethernet port.
func (s *SwitchPort) checkSubnet(link description.LinkType) error {
	if !s.SubnetManager.Known() {
		return description.ErrSubnetManager
	}
	if link == description.Ethernet && (s.SubnetManager != description.SubnetManaged || len(s.PKeys) > 0 || s.IgnoresVirtual) {
		return errNoSubnet
	}
	if len(s.PKeys) > description.MaxPKeys {
		return fmt.Errorf("a subnet manager gives a port at most %d partitions besides the default one", description.MaxPKeys)
	}
	for _, key := range s.PKeys {
		if !key.Valid() {
			return errors.New("there is no partition 0: a PKey is four hexadecimal digits, and not 0000 or 8000")
		}
	}
	return nil
}

var errNoSubnet = errors.New("an Ethernet port has no subnet manager; name an InfiniBand port")

func defaultSwitchPort(d *description.SwitchPort) SwitchPort {
	s := SwitchPort{
		SpeedGbps: d.SpeedGbps, MaxFrame: d.MaxFrame, FlowControl: d.FlowControl, Marking: dcqcn.DefaultMarking(),
		SubnetManager: d.SubnetManager, PKeys: d.PKeys, Trunk: true,
		DCBX: d.DCBX, Willing: d.Willing, Classes: d.Classes, Applications: d.Applications,
	}
	if d.FlowControl == description.PriorityPause {
		s.Lossless = uint8(PrioritySet(d.Lossless))
	}
	return s
}

// vlanRange is a range of VLAN IDs, both ends included.
type vlanRange struct{ from, to int }

// readVLANs reads the ranges of a list of VLAN IDs in ascending order: "30,31,100-200".
func readVLANs(text string) (ranges []vlanRange, err error) {
	last := 0
	for _, word := range strings.Split(text, ",") {
		from, to, two := strings.Cut(strings.TrimSpace(word), "-")
		if !two {
			to = from
		}
		low, err1 := strconv.Atoi(from)
		high, err2 := strconv.Atoi(to)
		if err := errors.Join(err1, err2); err != nil || low <= last || high < low || high > description.MaxVLAN {
			return nil, fmt.Errorf("the VLAN IDs of a trunk must be in ascending order, such as 30,31,100-200, from 1 to %d, not %q", description.MaxVLAN, text)
		}
		ranges, last = append(ranges, vlanRange{low, high}), high
	}
	return ranges, nil
}

// ParseVLANs reads the VLAN IDs that a trunk forwards, in ascending order: "30,31,100-200"; empty means all.
func ParseVLANs(text string) (allows func(id int) bool, err error) {
	if text == "" {
		return func(int) bool { return true }, nil
	}
	ranges, err := readVLANs(text)
	if err != nil {
		return nil, err
	}
	return func(id int) bool {
		return slices.ContainsFunc(ranges, func(r vlanRange) bool { return id >= r.from && id <= r.to })
	}, nil
}

// ForwardVLANs makes a switch port forward VLANs in addition to the ones that it forwards now. An access port becomes a trunk.
func (s *SwitchPort) ForwardVLANs(ids ...int) {
	var ranges []vlanRange
	if s.Trunk && s.VLANs != "" {
		ranges, _ = readVLANs(s.VLANs) // it was read when it was set
	}
	if s.Trunk && len(ranges) == 0 {
		return // a trunk of all VLANs
	}
	for _, id := range ids {
		ranges = append(ranges, vlanRange{id, id})
	}
	slices.SortFunc(ranges, func(a, b vlanRange) int { return cmp.Compare(a.from, b.from) })
	var words []string
	last := 0
	for _, r := range ranges {
		r.from = max(r.from, last+1)
		switch {
		case r.to < r.from:
			continue
		case r.to == r.from:
			words = append(words, strconv.Itoa(r.from))
		default:
			words = append(words, fmt.Sprintf("%d-%d", r.from, r.to))
		}
		last = r.to
	}
	s.Trunk, s.VLANs = true, strings.Join(words, ",")
}

// Forwards reports whether a switch port forwards frames of a VLAN; id 0 means untagged frames.
func (s *SwitchPort) Forwards(id int) bool {
	if id == 0 {
		return true
	}
	allows, err := ParseVLANs(s.VLANs)
	return s.Trunk && id <= description.MaxVLAN && err == nil && allows(id)
}
