package plans

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
)

// RoCE sets the RoCE mode: of one adapter with WinOF-2, or of all adapters of a driver.
type RoCE struct {
	Connection string
	// Mode is a word of Modes.
	Mode string
	// Driver sets the mode of the driver, for adapters that set none themselves. WinOF has no other.
	Driver bool
}

// Mode is a RoCE mode.
type Mode struct {
	Word, About string
	value       uint32
	// winOF reports that only WinOF has it.
	winOF bool
}

// Modes returns the modes (ROCE-1).
func Modes() []Mode {
	return []Mode{
		{"v2", "over UDP, for routed networks and ECMP", registry.RoCEv2, false},
		{"v1", "addressed by MAC, within one subnet", registry.RoCEv1, false},
		{"v1.25", "addressed by IP, within one subnet; only WinOF", registry.RoCEIP, true},
		{"off", "no RDMA", registry.NoRoCE, false},
	}
}

// ModesOf returns the modes of a driver.
func ModesOf(family description.Family) []Mode {
	return slices.DeleteFunc(Modes(), func(m Mode) bool { return m.winOF && family != description.WinOF })
}

const (
	roceKey       = "roce_mode"
	driverRoCEKey = string(registry.RoCE) + "/" + roceKey
)

// key returns the key that sets the mode.
func (s RoCE) key(family description.Family) string {
	if s.Driver || family == description.WinOF {
		return driverRoCEKey
	}
	return string(registry.Miniport) + "/" + roceKey
}

// Plan implements Setup.
func (s RoCE) Plan(h *driver.Host) (AnnotatedPlan, error) {
	at, _, err := ethernet(h, s.Connection)
	if err != nil {
		return AnnotatedPlan{}, err
	}
	family := h.Lab().Family(at)
	modes := ModesOf(family)
	i := slices.IndexFunc(modes, func(m Mode) bool { return strings.EqualFold(m.Word, s.Mode) })
	if i < 0 {
		var words []string
		for _, m := range modes {
			words = append(words, m.Word)
		}
		return AnnotatedPlan{}, request.Errorf("the RoCE mode of %s must be %s, not %q", s.Connection, strings.Join(words, ", "), s.Mode)
	}
	card := cardOf(h, at)
	if is := registry.SupportedRoCE(family, card.DeviceID, card.Firmware, modes[i].value); is != modes[i].value {
		return AnnotatedPlan{}, fmt.Errorf("%s does not support RoCE %s: its card would use RoCE %s", s.Connection, modes[i].Word, wordOf(is))
	}
	b := newBuilder(h, fmt.Sprintf("Set RoCE of %s to %s", s.Connection, modes[i].Word))
	if err := b.key(s.Connection, s.key(family), int(modes[i].value)); err != nil {
		return AnnotatedPlan{}, err
	}
	if number, ok := technology[modes[i].value]; ok { // where it is stored it comes before the mode
		if k, err := h.Key(s.Connection, technologyKey); err == nil && k.Stored.Exists() {
			if err := b.key(s.Connection, technologyKey, number); err != nil {
				return AnnotatedPlan{}, err
			}
		}
	}
	if len(b.Operations) == 0 && h.Lab().Settings(at).RoCE != settingOf(modes[i].value) {
		b.restart(s.Connection)
	}
	if s.key(family) == driverRoCEKey && len(b.Operations) > 0 {
		b.note("it is the mode of all adapters of the driver: the other adapters use it from their next start")
	}
	if modes[i].value == registry.NoRoCE {
		b.note("RDMA of %s ends: its programs use TCP", s.Connection)
	} else {
		b.note("both ends of a connection must use the same RoCE mode")
	}
	made, err := b.made()
	if is := b.host.Lab().Settings(at).RoCE; err == nil && is != settingOf(modes[i].value) && running(h, s.Connection) {
		why := "another setting takes precedence over the mode"
		if k, err := b.host.Key(s.Connection, s.key(family)); err == nil && k.Reason != "" {
			why = k.Reason
		}
		word, _ := is.MarshalText() // a valid mode encodes without an error
		return AnnotatedPlan{}, fmt.Errorf("%s would use RoCE %s: %s", s.Connection, word, why)
	}
	return made, err
}

// technologyKey is Windows' own key for the mode, with its values.
const technologyKey = "*NetworkDirectTechnology"

var technology = map[uint32]int{registry.RoCEv1: 3, registry.RoCEv2: 4}

// cardOf returns the card of a port.
func cardOf(h *driver.Host, at int) *description.Adapter {
	_, card, _ := h.Lab().Port(at)
	return &h.Lab().Description().Adapters[card]
}

func wordOf(value uint32) string {
	for _, m := range Modes() {
		if m.value == value {
			return m.Word
		}
	}
	return "off"
}

// settingOf returns the mode of the hardware: it has one v1.
func settingOf(value uint32) description.RoCEMode {
	switch value {
	case registry.RoCEv2:
		return description.RoCEv2
	case registry.NoRoCE:
		return description.NoRoCE
	default:
		return description.RoCEv1
	}
}

// Check implements Setup.
func (s RoCE) Check(h *driver.Host) []Finding {
	h = h.Clone()
	h.Advance(settle)
	at, _, err := port(h, s.Connection)
	if err != nil {
		return []Finding{{Title: "the port", Text: err.Error()}}
	}
	is := h.Lab().Settings(at).RoCE
	want := description.RoCEv1
	for _, m := range Modes() {
		if strings.EqualFold(m.Word, s.Mode) {
			want = settingOf(m.value)
		}
	}
	word, _ := is.MarshalText() // a valid mode encodes without an error
	list := []Finding{{"RoCE of " + s.Connection + " is " + s.Mode, string(word), is == want}}
	if is == description.NoRoCE {
		return list
	}
	var gids []string
	stack := h.Stack()
	for _, a := range stack.IP(s.Connection).Addresses {
		gids = append(gids, a.Addr().String())
	}
	text := "no IP address, and so no GID"
	if len(gids) > 0 {
		text = strings.Join(gids, ", ")
	}
	return append(list, Finding{"it has a GID made of an IP address", text, len(gids) > 0 || is == description.RoCEv1})
}
