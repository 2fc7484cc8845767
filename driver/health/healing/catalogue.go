package healing

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/device/description"
	"cxdeck/driver/health"
	"cxdeck/driver/table"
)

//go:embed faults.json
var faultTable string

// EffectTime is when a fault has its effect.
type EffectTime string

// The moments.
const (
	AtCheck EffectTime = "check" // at a health check, after some checks without progress
	AtOnce  EffectTime = "now"
	AtPoll  EffectTime = "poll" // after a time, and again after the same time
	AtStart EffectTime = "start"
	AtReset EffectTime = "reset" // when self-healing resets the driver
	InState EffectTime = "state" // it changes what others do
)

// Action is what follows a fault beyond its event.
type Action string

// The actions.
const (
	LogOnly       Action = "log"
	Reset         Action = "reset"
	NDISReset     Action = "ndis-reset"
	FailStart     Action = "fail"
	FunctionReset Action = "function-reset"
)

// Fault is a fault of the driver or the firmware.
type Fault struct {
	// Name is the operator's word: "send-hang"; What is a phrase, Effect a sentence without its full stop.
	Name   string `json:"name"`
	What   string `json:"what"`
	Effect string `json:"effect"`
	// Of is "function" for a fault of a virtual function, empty for one of a port. Link limits it to ports of a kind.
	Of   string `json:"of"`
	Link string `json:"link"`
	// Own reports that the lab has the fault itself: it is set there, and its row only says what the driver does about it.
	Own bool `json:"own"`
	// Lab is the fault of the lab that it implies.
	Lab string `json:"lab"`
	// When is its moment, Every the seconds of AtPoll; Once reports that it is not repeated.
	When  EffectTime `json:"when"`
	Every int        `json:"every"`
	Once  bool       `json:"once"`
	// Sensor is the word of the sensor that finds it.
	Sensor string `json:"sensor"`
	// Healed reports that a start of the driver ends it.
	Healed bool `json:"healed"`
	// Dump is the word of the state dump that WinOF-2 writes; empty for none.
	Dump string `json:"dump"`
	// Command reports that a firmware command fails.
	Command bool `json:"command"`
	// WinOF and WinOF2 are the event of each driver and its values; empty for a driver that logs nothing.
	WinOF  []string `json:"winof"`
	WinOF2 []string `json:"winof2"`
	// Then is what follows, WinOFThen for WinOF where it differs.
	Then      Action `json:"then"`
	WinOFThen Action `json:"winof_then"`
}

// sensors are the sensors by their words.
var sensors = map[string]health.Sensor{
	"hw-send": health.HardwareSend, "sw-send": health.SoftwareSend, "sw-receive": health.SoftwareReceive,
	"receive-error": health.ReceiveError, "send-error": health.SendError,
}

// Event returns the key of the event that a driver logs, with its values; empty for none.
func (f *Fault) Event(family description.Family) (key string, values []string) {
	list := f.WinOF2
	if family == description.WinOF {
		list = f.WinOF
	}
	if len(list) == 0 {
		return "", nil
	}
	return list[0], list[1:]
}

// action returns what follows the fault with a driver.
func (f *Fault) action(family description.Family) Action {
	if family == description.WinOF && f.WinOFThen != "" {
		return f.WinOFThen
	}
	return f.Then
}

// appliesTo reports whether a fault of ports or of virtual functions has an effect with a driver.
func (f *Fault) appliesTo(family description.Family) bool {
	key, _ := f.Event(family)
	return key != "" || len(f.WinOF)+len(f.WinOF2) == 0 || f.action(family) == NDISReset
}

// OfFunction reports a fault of a virtual function.
func (f *Fault) OfFunction() bool { return f.Of == "function" }

// All returns all faults, in their order. It is read on first use.
func All() []Fault { return all() }

var all = sync.OnceValue(func() []Fault {
	list, err := table.Read[[]Fault](faultTable)
	if err != nil {
		panic("healing: the embedded faults are damaged: " + err.Error()) // a test reads them: this can't ship
	}
	return list
})

// Find returns a fault by its name, nil for none.
func Find(name string) *Fault {
	list := All()
	at := slices.IndexFunc(list, func(f Fault) bool { return f.Name == name })
	if at < 0 {
		return nil
	}
	return &list[at]
}

// Injectable returns the faults that an operator injects here, of ports or of virtual functions.
func Injectable(ofFunctions bool) (list []Fault) {
	for _, f := range All() {
		if !f.Own && f.OfFunction() == ofFunctions {
			list = append(list, f)
		}
	}
	return list
}

// facts fill the values of an event.
type facts map[string]string

func (f facts) fill(value string) string {
	for name, text := range f {
		value = strings.ReplaceAll(value, "{"+name+"}", text)
	}
	return value
}

// facts returns the values of a port's events.
func (s Set) facts(port int, a *Active) facts {
	d, card, index := s.Lab().Port(port)
	device := d.Device
	if a.Function != nil {
		device = fmt.Sprintf("%s VF %d", d.Device, *a.Function)
	}
	version := append(strings.Split(s.Lab().Description().Adapters[card].Firmware, "."), "0", "0", "0")
	return facts{
		"device": device, "index": fmt.Sprint(index), "port": fmt.Sprintf("%x", index+1), "major": version[0], "minor": version[1], "sub": version[2],
		"cq": fmt.Sprintf("%x", 0x80+4*port), "qp": fmt.Sprintf("%x", 0x100+8*port), "eq": fmt.Sprint(1 + port%8),
		"token": fmt.Sprintf("%x", s.Ports[port].Failures+1),
	}
}
