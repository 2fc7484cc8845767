package device

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"cxdeck/device/capture"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/infiniband/site"
	"cxdeck/device/measurement"
	"cxdeck/device/moving"
	"cxdeck/device/setup"
)

// savedVersion is the version of the saved form.
const savedVersion = 8

// maxSaved is the maximum size of a saved lab, in bytes; maxElapsed the maximum lab time.
const (
	maxSaved   = 64 << 20
	maxElapsed = 100 * 365 * 24 * time.Hour
)

// savedHeader is the setup of a lab, with its clock. It is written as JSON after its length, and followed by the moving state.
type savedHeader struct {
	Version     int
	Description string // its hash
	Seed        uint64
	Elapsed     time.Duration
	setup.Lab
	Changes  []LinkChange
	Captures []*capture.Buffer
	Silence  []int64           `json:",omitempty"` // nil when all are 0
	Tests    measurement.Tests `json:",omitempty"`
	Site     *site.Saved       `json:",omitempty"` // nil when it follows from the rest
}

// readHeader is a header as it is read. Its Ports hide the ports of the setup: a port is read over its defaults, which a field
// has that the version that saved the lab did not know.
type readHeader struct {
	savedHeader
	Ports []json.RawMessage `json:"Settings"` // the saved name of setup.Lab.Ports
}

// readPorts reads the ports over their defaults.
func (h *readHeader) readPorts(defaults []setup.Port) error {
	if len(h.Ports) != len(defaults) {
		return errDamaged
	}
	h.Lab.Ports = slices.Clone(defaults)
	for i, port := range h.Ports {
		if err := json.Unmarshal(port, &h.Lab.Ports[i]); err != nil {
			return errDamaged
		}
	}
	return nil
}

// Save encodes the moving state, so that Restore can continue from here. It can be restored only with the same description.
func (l *Lab) Save() ([]byte, error) {
	header, err := l.saveHeader()
	if err != nil {
		return nil, fmt.Errorf("the lab can't be saved: %w", err)
	}
	out := binary.AppendUvarint(nil, uint64(len(header)))
	out = append(out, header...)
	out = counter.AppendCells(out, l.counters)
	for _, list := range l.movingLists() {
		if out, err = list.Append(out); err != nil {
			return nil, fmt.Errorf("the lab can't be saved: %w", err)
		}
	}
	return out, nil
}

func (l *Lab) saveHeader() ([]byte, error) {
	silence := l.silence
	if !slices.ContainsFunc(silence, func(steps int64) bool { return steps != 0 }) {
		silence = nil
	}
	var saved *site.Saved
	if l.site != nil && l.site.Kept() {
		saved = l.site.Save()
	}
	return json.Marshal(savedHeader{
		Site:    saved,
		Silence: silence, Version: savedVersion, Description: l.plant.hash, Seed: l.seed, Elapsed: l.elapsed,
		Lab: l.setup, Changes: l.changes, Captures: l.captures, Tests: l.tests,
	})
}

// Same reports whether a lab equals another one of the same description, and continues in the same way.
func (l *Lab) Same(other *Lab) bool {
	if !slices.Equal(l.counters, other.counters) || !slices.EqualFunc(l.movingLists(), other.movingLists(), moving.List.Same) {
		return false
	}
	header, err := l.saveHeader()
	others, fault := other.saveHeader()
	return err == nil && fault == nil && bytes.Equal(header, others)
}

// errDamaged reports an invalid saved lab.
var errDamaged = errors.New("the saved lab is damaged; start a new one")

// Restore returns a lab that continues where Save was called; see Plant.Restore.
func Restore(d *description.Description, saved []byte) (*Lab, error) {
	p, err := NewPlant(d)
	if err != nil {
		return nil, err
	}
	return p.Restore(saved)
}

// Restore returns a lab that continues where Save was called: with the same numbers from then on. The plant's description must
// be the one that the saved lab was built from. It returns a *setup.FormError for a lab that another version saved.
func (p *Plant) Restore(saved []byte) (*Lab, error) {
	if len(saved) > maxSaved {
		return nil, errDamaged
	}
	length, n := binary.Uvarint(saved)
	if n <= 0 || length > uint64(len(saved)-n) {
		return nil, errDamaged
	}
	var h readHeader
	if err := json.Unmarshal(saved[n:n+int(length)], &h); err != nil {
		return nil, errDamaged
	}
	if h.Version != savedVersion {
		return nil, &setup.FormError{Form: h.Version, Known: savedVersion}
	}
	if h.Description != p.hash {
		return nil, errors.New("the lab was saved with another description; start a new one")
	}
	l := p.New(h.Seed)
	if h.Elapsed < 0 || h.Elapsed > maxElapsed || l.restoreTests(h.Tests, int64(h.Elapsed/Step)) != nil {
		return nil, errDamaged
	}
	if err := h.readPorts(l.setup.Ports); err != nil {
		return nil, err
	}
	if err := l.applyHeader(&h.savedHeader); err != nil {
		return nil, err
	}
	if err := l.readMoving(saved[n+int(length):]); err != nil {
		return nil, err
	}
	if l.site != nil && l.site.Resume(h.Site, l.elapsed, l.setup.Switches) != nil {
		return nil, errDamaged
	}
	return l, nil
}

// applyHeader applies a header to a new lab.
func (l *Lab) applyHeader(h *savedHeader) error {
	if h.Elapsed < 0 || h.Elapsed > maxElapsed || len(h.Changes) > maxChanges || h.Check(&l.setup, l.plant.links, l.Layout) != nil {
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
	if len(h.Silence) > 0 && (len(h.Silence) != len(l.links) || slices.Min(h.Silence) < 0 || slices.Max(h.Silence) > int64(h.Elapsed/Step)) {
		return errDamaged
	}
	copy(l.silence, h.Silence)
	l.setup, l.changes, l.captures = h.Lab, h.Changes, h.Captures
	l.elapsed, l.steps = h.Elapsed, int64(h.Elapsed/Step)
	l.replan()
	return nil
}

// maxChanges limits the pending link changes of a saved lab.
const maxChanges = 1 << 20

// readMoving reads the moving state. Its length must match the lab exactly.
func (l *Lab) readMoving(saved []byte) error {
	in := bytes.NewReader(saved)
	if counter.ReadCells(in, l.counters) != nil {
		return errDamaged
	}
	for i, list := range l.movingLists() {
		if i >= requiredLists && in.Len() == 0 {
			break
		}
		if list.Read(in) != nil {
			return errDamaged
		}
	}
	if l.filled = -1; in.Len() > 0 || !l.validMoving() {
		return errDamaged
	}
	return nil
}

// validMoving reports whether the moving state is possible at the lab's step, beyond the check of each number by possible.
func (l *Lab) validMoving() bool {
	steps := l.steps
	for i := range l.schedules {
		if !l.schedules[i].Valid(steps, maxAhead) {
			return false
		}
	}
	now := steps * int64(Step/time.Microsecond)
	for i := range l.controls {
		snapshot := l.controls[i].Pair.Snapshot()
		if !snapshot.Valid(now) || !l.controls[i].Valid() {
			return false
		}
	}
	for i := range l.rings {
		if !l.rings[i].Valid() {
			return false
		}
	}
	for i := range l.links {
		if s := &l.links[i]; s.Ready < 0 || s.Ready > training || s.Stalled < 0 || s.Stalled > steps || s.Waiting > 1 {
			return false
		}
	}
	return true
}

// maxAhead is the maximum number of steps to the next event of a schedule.
const maxAhead = int64(2 * description.MaxDuration / Step)
