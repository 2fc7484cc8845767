package device

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"cxdeck/device/capture"
	"cxdeck/device/description"
)

// savedVersion is the version of the saved form.
const savedVersion = 8

// maxSaved bounds what Restore reads, in bytes; maxElapsed is the longest life of a lab.
const (
	maxSaved   = 64 << 20
	maxElapsed = 100 * 365 * 24 * time.Hour
)

// savedHeader is the setup of a lab, with its clock. It is written as JSON behind its length; the moving state follows.
type savedHeader struct {
	Version     int
	Description string // its hash
	Seed        uint64
	Elapsed     time.Duration
	Settings    []Settings
	Switches    []SwitchSettings
	Slots       []Slot
	Speeds      []float64
	Scales      []float64
	Faults      []faultShares
	Changes     []LinkChange
	Captures    []*capture.Buffer
	Bindings    []Binding `json:",omitempty"`
	Guests      [][]Guest
	Leases      []leases
	Books       []shareBase
	Virtual     []virtualPorts
	Misdeeds    []FunctionFault `json:",omitempty"`
}

// Save encodes the moving state, so that Restore can continue from here. It is bound to the description.
func (l *Lab) Save() ([]byte, error) {
	header, err := json.Marshal(savedHeader{
		Version: savedVersion, Description: l.plant.hash, Seed: l.seed, Elapsed: l.elapsed,
		Settings: l.settings, Switches: l.switches, Slots: l.slots, Speeds: l.speeds, Scales: l.scales,
		Faults: l.faults, Changes: l.changes, Captures: l.captures, Bindings: l.bindings,
		Guests: l.guests, Leases: l.leases, Books: l.shareBases, Virtual: l.virtual, Misdeeds: l.functionFaults,
	})
	if err != nil {
		return nil, fmt.Errorf("the lab can't be saved: %w", err)
	}
	out := binary.AppendUvarint(nil, uint64(len(header)))
	out = append(out, header...)
	for i := 0; i < len(l.counters); i++ { // most are small, and many are 0 together
		out = binary.AppendUvarint(out, l.counters[i])
		if l.counters[i] != 0 {
			continue
		}
		first := i
		for i+1 < len(l.counters) && l.counters[i+1] == 0 {
			i++
		}
		out = binary.AppendUvarint(out, uint64(i-first)) // how many more of them follow
	}
	for _, part := range l.savedMoving().parts() {
		if out, err = binary.Append(out, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("the lab can't be saved: %w", err)
		}
	}
	return out, nil
}

// errDamaged reports an invalid saved lab.
var errDamaged = errors.New("the saved lab is damaged; start a new one")

// FormError reports a lab that another version saved, in an unsupported form.
type FormError struct{ Form int }

// Error says which form it is.
func (e *FormError) Error() string {
	return fmt.Sprintf("the lab was saved in form %d, and this program reads form %d; start a new lab", e.Form, savedVersion)
}

// Restore returns a lab that continues where Save was called; see Plant.Restore.
func Restore(d *description.Description, saved []byte) (*Lab, error) {
	p, err := NewPlant(d)
	if err != nil {
		return nil, err
	}
	return p.Restore(saved)
}

// Restore returns a lab that continues where Save was called: it gives the same numbers from then on. The plant's
// description must be the one that the saved lab was built from. It returns a *FormError for a lab that another version
// saved.
func (p *Plant) Restore(saved []byte) (*Lab, error) {
	if len(saved) > maxSaved {
		return nil, errDamaged
	}
	length, n := binary.Uvarint(saved)
	if n <= 0 || length > uint64(len(saved)-n) {
		return nil, errDamaged
	}
	var h savedHeader
	if err := json.Unmarshal(saved[n:n+int(length)], &h); err != nil {
		return nil, errDamaged
	}
	if h.Version != savedVersion {
		return nil, &FormError{h.Version}
	}
	if h.Description != p.hash {
		return nil, errors.New("the lab was saved with another description; start a new one")
	}
	l := p.New(h.Seed)
	if err := l.applyHeader(&h); err != nil {
		return nil, err
	}
	if err := l.readMoving(saved[n+int(length):]); err != nil {
		return nil, err
	}
	return l, nil
}

// applyHeader sets a new lab up as a header says.
func (l *Lab) applyHeader(h *savedHeader) error {
	if h.Elapsed < 0 || h.Elapsed > maxElapsed || len(h.Settings) != len(l.settings) ||
		len(h.Switches) != len(l.switches) || len(h.Slots) != len(l.slots) || len(h.Speeds) != len(l.speeds) ||
		len(h.Scales) != len(l.scales) || len(h.Faults) != len(l.faults) || len(h.Changes) > maxChanges {
		return errDamaged
	}
	for _, c := range h.Changes {
		if c.Port < 0 || c.Port >= len(l.links) || c.Elapsed < 0 || c.Elapsed > h.Elapsed {
			return errDamaged
		}
	}
	if err := l.checkCaptures(h.Captures, int64(h.Elapsed/Step)); err != nil {
		return err
	}
	for i := range h.Settings {
		if err := h.Settings[i].check(); err != nil {
			return errDamaged
		}
	}
	for i := range h.Switches {
		if s := &h.Switches[i]; s.check() != nil || s.checkSubnet(l.plant.ports[i].description.Link) != nil {
			return errDamaged
		}
	}
	for i, s := range h.Slots {
		if s.check() != nil {
			return errDamaged
		}
		l.slots[i] = s
	}
	for i := range h.Speeds {
		if checkSpeed(h.Speeds[i]) != nil {
			return errDamaged
		}
	}
	for i := range h.Scales {
		if checkScale(h.Scales[i]) != nil {
			return errDamaged
		}
	}
	for i := range h.Faults {
		for kind, share := range h.Faults[i] {
			if checkFault(description.FaultKind(kind), share) != nil {
				return errDamaged
			}
		}
	}
	l.settings, l.switches, l.speeds, l.scales, l.changes = h.Settings, h.Switches, h.Speeds, h.Scales, h.Changes
	l.faults = h.Faults
	l.captures = h.Captures
	if l.checkBindings(h.Bindings) != nil {
		return errDamaged
	}
	l.bindings = h.Bindings
	invalid := func(b shareBase) bool { return !b.valid() }
	if len(h.Guests) != len(l.guests) || len(h.Books) != len(l.shareBases) || slices.ContainsFunc(h.Books, invalid) || !l.checkFunctionFaults(h.Misdeeds) {
		return errDamaged
	}
	for _, guests := range h.Guests {
		if l.checkGuests(guests) != nil {
			return errDamaged
		}
	}
	if len(h.Leases) != len(l.leases) {
		return errDamaged
	}
	for port := range h.Leases {
		if !h.Leases[port].valid(h.Guests[port]) {
			return errDamaged
		}
	}
	if len(h.Virtual) != len(l.virtual) {
		return errDamaged
	}
	for port := range h.Virtual {
		if !h.Virtual[port].valid(l, port) {
			return errDamaged
		}
	}
	l.guests, l.leases, l.shareBases, l.virtual, l.functionFaults = h.Guests, h.Leases, h.Books, h.Virtual, h.Misdeeds
	l.elapsed, l.steps = h.Elapsed, int64(h.Elapsed/Step)
	l.replan()
	return nil
}

// maxChanges limits the pending link changes of a saved lab.
const maxChanges = 1 << 20

// readMoving reads the moving state. Its length must match the lab exactly.
func (l *Lab) readMoving(saved []byte) error {
	in := bytes.NewReader(saved)
	for i := 0; i < len(l.counters); i++ {
		n, err := binary.ReadUvarint(in)
		if err != nil {
			return errDamaged
		}
		if l.counters[i] = n; n != 0 {
			continue
		}
		more, err := binary.ReadUvarint(in)
		if err != nil || more > uint64(len(l.counters)-i-1) {
			return errDamaged
		}
		clear(l.counters[i : i+int(more)+1])
		i += int(more)
	}
	m := l.savedMoving()
	for _, part := range m.parts() {
		if err := binary.Read(in, binary.LittleEndian, part); err != nil {
			return errDamaged
		}
	}
	if in.Len() > 0 || !m.valid(l.steps) {
		return errDamaged
	}
	l.adopt(m)
	return nil
}

// valid says whether a number could have come from a step.
func valid(x float64) bool { return x >= 0 && x <= math.MaxUint32*1e6 }

// valid says whether the moving state is possible at a step.
func (m *savedMoving) valid(steps int64) bool {
	for i := range m.Schedules {
		s := &m.Schedules[i]
		if s.Draws < 0 || s.Draws > 2+2*steps || s.From < 0 || s.Until < s.From || s.From > steps+maxAhead || s.Until > steps+2*maxAhead {
			return false
		}
	}
	now := steps * int64(Step/time.Microsecond)
	for i := range m.Pairs {
		p := &m.Pairs[i]
		for _, at := range []int64{p.AlphaFrom, p.MonitorFrom, p.TimerFrom} {
			if at < 0 || at > now || p.Limited && at < now-int64(time.Minute/time.Microsecond) {
				return false
			}
		}
		if !valid(p.Current) || !valid(p.Target) || !valid(p.Alpha) || p.Unspent < 0 || p.ByteStage < 0 || p.TimeStage < 0 {
			return false
		}
	}
	for i := range m.Rings {
		r := &m.Rings[i]
		if !(r.PerInterrupt >= 1) || !(r.PerPass >= 1) || !(r.SendPerInterrupt >= 1) || r.Class > 1 {
			return false
		}
	}
	for i := range m.Controls {
		if c := &m.Controls[i]; !(c.Allowed >= 0 && c.Allowed <= 1) || c.Pending > maxPending || c.Cuts > maxPending {
			return false
		}
	}
	for i := range m.Links {
		if s := &m.Links[i]; s.Ready < 0 || s.Ready > training || s.Stalled < 0 || s.Stalled > steps || s.Waiting > 1 {
			return false
		}
	}
	return !slices.ContainsFunc(m.floats(), func(x float64) bool { return !valid(x) })
}

const (
	maxAhead   = int64(2 * description.MaxDuration / Step) // steps to the next thing of a schedule
	maxPending = 1 << 32
)
