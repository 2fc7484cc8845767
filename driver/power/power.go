// Package power holds the power state of the host, and Wake-on-LAN: which ports let a magic packet wake it, and why others do not. The host
// stops and starts its drivers.
package power

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/limits"
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// Mode is the power state of the host.
type Mode string

// The power states. The zero Mode is a host that runs.
const (
	Running   Mode = ""
	Sleep     Mode = "sleep"     // S3: memory keeps its power
	Hibernate Mode = "hibernate" // S4: memory is on the disk
	Off       Mode = "off"       // S5
)

// Phrase returns the state as a predicate.
func (m Mode) Phrase() string {
	return map[Mode]string{Running: "runs", Sleep: "sleeps", Hibernate: "hibernates", Off: "is off"}[m]
}

// Button is the source of a wake that is no magic packet.
const Button = "power button"

// ResumeTime is the time from a wake from sleep or hibernation to the start of the drivers. The manuals give none.
const ResumeTime = 3 * time.Second

// maxRecords is the number of changes that the host keeps.
const maxRecords = 32

// State is the power state of the host. It is saved as JSON, and its lists are replaced, never modified.
type State struct {
	Mode Mode `json:"mode,omitempty"`
	// Ports are the ports whose drivers start when it wakes.
	Ports   []int    `json:"ports,omitempty"`
	Records []Record `json:"records,omitempty"`
}

// Record is a change of the power state. Source is the connection that woke the host, or Button; empty for a host that went down.
type Record struct {
	Time   time.Time `json:"time"`
	From   Mode      `json:"from,omitempty"`
	To     Mode      `json:"to,omitempty"`
	Source string    `json:"source,omitempty"`
}

// Host is the host with its ports.
type Host interface {
	Lab() *device.Lab
	// Versions returns the versions of a port, and Flash a setting in the firmware of its card, named without the port.
	Versions(port int) limits.Facts
	Flash(port int, name string) uint32
	// Running and Restarting report the state of a port's driver.
	Running(port int) bool
	Restarting(port int) bool
	// GoDown stops all drivers, and returns their ports. ComeUp starts them after a mode.
	GoDown() []int
	ComeUp(ports []int, from Mode)
}

// Set is the power state with its host.
type Set struct {
	Host
	*State
}

// name returns the name of the host.
func (s Set) name() string { return s.Lab().Description().Host.Name }

// wakeSetting is the firmware's setting, named without the port. The tools have it for port 2 alone; port 1 has the default, which is on.
const wakeSetting = "WOL_MAGIC_EN"

// WhyNot returns why a magic packet at a port does not wake the host, or would not if it slept; empty if it does.
func (s Set) WhyNot(port int) string {
	d, card, index := s.Lab().Port(port)
	facts := s.Versions(port)
	setting := fmt.Sprintf("%s_P%d", wakeSetting, index+1)
	_, has := firmware.Find(s.Lab().Description().Adapters[card].Family == description.WinOF, setting)
	prepared := s.Running(port) || s.Restarting(port)
	if s.Mode != Running {
		prepared = slices.Contains(s.Ports, port)
	}
	switch limit := limits.Check(limits.WakeOnLAN, &facts); {
	case len(limit) > 0:
		return limit[0]
	case d.Link == description.InfiniBand:
		return d.Connection + " is an InfiniBand port, and a magic packet is an Ethernet frame"
	case has && s.Flash(port, wakeSetting) == 0:
		return fmt.Sprintf("%s is 0 in the firmware of %s", setting, s.Lab().Description().Adapters[card].Name)
	case !prepared:
		return "the driver of " + d.Connection + " did not run, and prepared no wake"
	case !s.Lab().State(port).Cabled:
		return "the cable of " + d.Connection + " is not plugged in"
	}
	return ""
}

// Operation is a change of the power state.
type Operation = operation.Of[Set]

// Down puts the host to sleep, hibernates it, or shuts it down.
type Down struct {
	Host string `json:"host"`
	Mode Mode   `json:"mode"`
}

// Up wakes the host or turns it on: by a magic packet for a MAC address, or by the power button without one.
type Up struct {
	Host string           `json:"host"`
	MAC  *description.MAC `json:"mac,omitempty"`
}

func (Down) Kind() string     { return "power-down" }
func (Up) Kind() string       { return "power-up" }
func (o Down) Target() string { return o.Host }
func (o Up) Target() string   { return o.Host }

func (o Down) Describe() string {
	if o.Mode == Sleep {
		return "put " + o.Host + " to sleep"
	}
	if o.Mode == Hibernate {
		return "hibernate " + o.Host
	}
	return "shut " + o.Host + " down"
}

func (o Up) Describe() string {
	if o.MAC == nil {
		return "turn " + o.Host + " on by its power button"
	}
	return fmt.Sprintf("send %s a magic packet for %s", o.Host, o.MAC)
}

// Commands returns the command of Windows. It has none that only sleeps.
func (o Down) Commands() []string {
	if o.Mode == Hibernate {
		return []string{"shutdown /h"}
	}
	if o.Mode == Off {
		return []string{"shutdown /s /t 0"}
	}
	return nil
}

// Commands is empty: another host sends the packet.
func (Up) Commands() []string { return nil }

// Consequence names what the Operation interrupts.
func (o Down) Consequence() string {
	return "all adapters are down until the power button or a magic packet wakes the host; this can't be undone"
}

// checkName returns an error for another host.
func (s Set) checkName(name string) error {
	if name != s.name() {
		return request.Errorf("the host's name is %q, not %q", s.name(), name)
	}
	return nil
}

// Inverse is nil: the host wakes by a packet or by its button.
func (o Down) Inverse(s Set) (Operation, error) {
	if o.Mode != Sleep && o.Mode != Hibernate && o.Mode != Off {
		return nil, request.Errorf("a host can sleep, hibernate or be off, not %q", o.Mode)
	}
	return nil, s.checkName(o.Host)
}

// Apply stops the drivers.
func (o Down) Apply(s Set) error {
	s.Ports = s.GoDown()
	s.change(o.Mode, "")
	return nil
}

// Inverse is nil: a host that was woken stays on.
func (o Up) Inverse(s Set) (Operation, error) {
	if err := s.checkName(o.Host); err != nil {
		return nil, err
	}
	if s.Mode == Running {
		return nil, request.Unchanged("%s runs already", s.name())
	}
	_, err := o.source(s)
	return nil, err
}

// source returns the connection that wakes the host, or why none does.
func (o Up) source(s Set) (string, error) {
	if o.MAC == nil {
		return Button, nil
	}
	why := ""
	for port := range s.Lab().Ports() {
		if s.Lab().Address(port) != *o.MAC {
			continue
		}
		if why = s.WhyNot(port); why == "" {
			return s.Lab().Connection(port), nil
		}
	}
	if why == "" {
		why = fmt.Sprintf("no port has the MAC address %s", o.MAC)
	}
	return "", fmt.Errorf("%s %s still: %s", s.name(), s.Mode.Phrase(), why)
}

// Apply starts the drivers.
func (o Up) Apply(s Set) error {
	source, err := o.source(s)
	if err != nil {
		return err
	}
	ports, mode := s.Ports, s.Mode
	s.change(Running, source)
	s.Ports = nil
	s.ComeUp(ports, mode)
	return nil
}

// change enters a mode.
func (s Set) change(to Mode, source string) {
	s.Records = append(slices.Clone(s.Records), Record{s.Lab().Now(), s.Mode, to, source})
	s.Records = s.Records[max(0, len(s.Records)-maxRecords):]
	s.Mode = to
}

// Holds reports whether a port keeps its link without its driver, so that a magic packet can arrive.
func (s Set) Holds(port int) bool { return s.Mode != Running && s.WhyNot(port) == "" }

// outside are the kinds of Operations that do not need the host to run: cables, switches, other hosts, workloads and the console's own.
var outside = []string{
	"power-up", "pull-cable", "plug-cable", "set-switch-port", "set-far-end", "scale-flow", "burst-flow", "write-linux-file", "mark-management",
	"keep-intent", "set-subnet-link", "set-subnet-port", "set-subnet-manager", "clear-subnet-counters",
}

// Refusal returns why an Operation of a kind can't be applied now.
func (s Set) Refusal(kind string) error {
	if s.Mode == Running || slices.Contains(outside, kind) {
		return nil
	}
	return fmt.Errorf("%s %s; host wake turns it on", s.name(), s.Mode.Phrase())
}

var errDamaged = errors.New("the saved host has a damaged power state")

// Check validates a saved state.
func (s *State) Check(ports int) error {
	modes := []Mode{Running, Sleep, Hibernate, Off}
	if !slices.Contains(modes, s.Mode) || len(s.Records) > maxRecords || s.Mode == Running && len(s.Ports) > 0 {
		return errDamaged
	}
	for i, port := range s.Ports {
		if port < 0 || port >= ports || i > 0 && port <= s.Ports[i-1] {
			return errDamaged
		}
	}
	for _, r := range s.Records {
		if !slices.Contains(modes, r.From) || !slices.Contains(modes, r.To) || len(r.Source) > 256 || strings.ContainsFunc(r.Source, request.IsUnsafe) {
			return errDamaged
		}
	}
	return nil
}
