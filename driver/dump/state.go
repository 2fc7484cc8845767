package dump

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// Facts are the facts about a host that dumps record.
type Facts interface {
	Lab() *device.Lab
	Running(port int) bool
	// Effective returns the value of a key that the driver of a port uses.
	Effective(port int, key string, scopes ...registry.Scope) (registry.Value, bool)
	// NewestEvents returns the newest events, oldest first.
	NewestEvents(limit int) []eventlog.Event
	// VirtualFunctions returns the open virtual functions of a port.
	VirtualFunctions(port int) []virtualization.VFView
	// Note writes an event of the catalogue about a port to the log.
	Note(port int, event string, values ...string)
}

// State holds the dumps of a host. Copies share its lists, which are replaced and never changed.
type State struct {
	// Files are the files that the drivers have written.
	Files hostfiles.Store `json:"files,omitzero"`
	// Incidents is the number of dumps that Dump Me Now was asked for, Slots the folders that exist, by their slots.
	Incidents int    `json:"incidents,omitempty"`
	Slots     []Slot `json:"slots,omitempty"`
	// Sets are the numbers of state dumps by card and event.
	Sets []SetCount `json:"sets,omitempty"`
	// Trace is the trace session of the WinOF driver.
	Trace Session `json:"trace,omitzero"`
}

// Slot is a place for a folder of Dump Me Now.
type Slot struct {
	Slot   int    `json:"slot"`
	Folder string `json:"folder"`
}

// SetCount is the number of state dumps of a card for an event.
type SetCount struct {
	Adapter string `json:"adapter"`
	Event   string `json:"event"`
	Count   int    `json:"count"`
}

// Set is the state of dumps with the facts that they need.
type Set struct {
	Facts
	*State
}

// Limits of a saved state.
const (
	maxSlots = 1 << 16
	maxSets  = 4096
)

// Check validates a saved state.
func (s Set) Check() error {
	damaged := errors.New("the dumps of the saved host are damaged")
	if s.Incidents < 0 || len(s.Slots) > maxSlots || len(s.Sets) > maxSets || !s.Trace.valid() {
		return damaged
	}
	slots := map[int]bool{}
	for _, slot := range s.Slots {
		if clean, err := hostfiles.CleanPath(slot.Folder); err != nil || clean != slot.Folder || slot.Slot < 0 || slot.Slot >= maxSlots || slots[slot.Slot] {
			return damaged
		}
		slots[slot.Slot] = true
	}
	for _, set := range s.Sets {
		if set.Count < 0 || set.Count > maxSlots || !slices.ContainsFunc(s.Lab().Description().Adapters, func(a description.Adapter) bool { return a.Name == set.Adapter }) {
			return damaged
		}
	}
	return s.Files.Check()
}

// read returns the value of a key of dumps, of the bus driver, the card or the diagnostics of the driver.
func (s Set) read(port int, key string) (registry.Value, bool) {
	return s.Effective(port, key, registry.BusDriver, registry.BusDevice, registry.Diagnostics)
}

// number returns the number of a key, which may be stored as text.
func (s Set) number(port int, key string, otherwise int) int {
	value, ok := s.read(port, key)
	if !ok || !value.Exists() {
		return otherwise
	}
	if value.Type() == registry.Number {
		return int(value.Number())
	}
	n, err := strconv.ParseUint(strings.TrimSpace(value.String()), 0, 16)
	if err != nil {
		return otherwise
	}
	return int(n)
}

// card returns the description of a port's card, and the port that speaks for the card: its first one.
func (s Set) card(port int) (card *description.Adapter, first, index int) {
	_, a, index := s.Lab().Port(port)
	return &s.Lab().Description().Adapters[a], port - index, index
}

// now returns the host's time.
func (s Set) now() time.Time { return s.Lab().Now().UTC() }

// defaults of DumpMeNowDirectory and DmnIovMode.
const (
	defaultRoot    = `\Systemroot\temp\Mlx4_Dump_Me_Now`
	defaultIovMode = 2
)

// defaultTotal and defaultPreserved are the defaults of DumpMeNowTotalCount and DumpMeNowPreservedCountMin.
const (
	defaultTotal     = health.DefaultDumps
	defaultPreserved = health.DefaultPreserved
)
