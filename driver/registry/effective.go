package registry

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
)

// Facts are what a driver knows of its port and host when it reads the registry.
type Facts struct {
	Link device.LinkType
	// LineRate is in Mbit/s.
	LineRate uint32
	// Processors and Nodes are those of the host.
	Processors, Nodes int
}

// Reading is what the driver makes of one stored value.
type Reading struct {
	// Stored is the value that was read; it does not exist for a key that was absent.
	Stored Value
	// Value is the one that it works with. It does not exist when nothing usable is stored and the manuals don't say
	// what the driver does then.
	Value Value
	// Why says why it is not the stored one, as a sentence without its end; empty when it is.
	Why string
}

// Effective is what the driver of a port works with. It never changes.
type Effective struct {
	catalogue *Catalogue
	facts     Facts
	readings  []Reading
}

// Read is what a driver that starts makes of what is stored.
func Read(c *Catalogue, f Facts, stored func(*Row) Value) *Effective {
	e := &Effective{c, f, make([]Reading, len(c.Rows))}
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Scope.Stored() && r.Fits(f.Link) {
			e.readings[i] = e.Judge(r, stored(r)) // the frame size stands first, and others depend on it
		}
	}
	return e
}

// With is the same after a key was read again.
func (e *Effective) With(r *Row, stored Value) *Effective {
	next := *e
	next.readings = slices.Clone(e.readings)
	next.readings[r.Index] = next.Judge(r, stored)
	return &next
}

// Replace is the same with other readings of some keys.
func (e *Effective) Replace(readings map[*Row]Reading) *Effective {
	next := *e
	next.readings = slices.Clone(e.readings)
	for r, reading := range readings {
		next.readings[r.Index] = reading
	}
	return &next
}

// Reading is what the driver made of a key.
func (e *Effective) Reading(r *Row) Reading { return e.readings[r.Index] }

// Judge is what the driver would make of a stored value if it read it now.
func (e *Effective) Judge(r *Row, stored Value) Reading {
	value, why := e.judge(r, stored)
	return Reading{stored, value, why}
}

// number is the effective number of a key.
func (e *Effective) number(scope Scope, name string) (uint32, bool) {
	r, ok := e.catalogue.Find(name, scope)
	if !ok {
		return 0, false
	}
	v := e.readings[r.Index].Value
	return v.Number(), v.Type() == Number
}

// judge is the value that the driver works with, and why it is not the stored one.
func (e *Effective) judge(r *Row, stored Value) (value Value, why string) {
	fallback := r.Default(e.facts.Link)
	if !stored.Exists() {
		if r.Optional {
			return Value{}, ""
		}
		return fallback, ""
	}
	n := stored.Number()
	if stored.Type() == Text {
		if r.Min == nil && r.Max == nil {
			return stored, ""
		}
		parsed, err := strconv.ParseUint(strings.TrimSpace(stored.String()), 0, 32)
		if err != nil {
			return fallback, fmt.Sprintf("%q is no number; %s", stored, instead(fallback))
		}
		n = uint32(parsed)
	}
	why, nearest := e.fault(r, n)
	switch {
	case why == "":
		return stored, ""
	case r.Bad == FeatureOff:
		return NumberValue(0), why + "; the feature is off"
	case r.Bad == Clamp:
		return NumberValue(nearest), fmt.Sprintf("%s; %d is used", why, nearest)
	}
	return fallback, why + "; " + instead(fallback)
}

func instead(fallback Value) string {
	if fallback.Exists() {
		return "the default of " + fallback.String() + " is used"
	}
	return "the driver does as if there were none"
}

// fault says what is wrong with a number, and which is the nearest that is not.
func (e *Effective) fault(r *Row, n uint32) (why string, nearest uint32) {
	least, most := e.bounds(r)
	closed := r.Min == nil && r.Max == nil && len(r.Choices) > 1
	switch {
	case strings.HasSuffix(r.Name, "Processor") && n == Automatic:
		return "", n
	case most != nil && n > *most:
		return fmt.Sprintf("%d is above the limit of %d", n, *most), *most
	case least != nil && n < *least:
		return fmt.Sprintf("%d is below the limit of %d", n, *least), *least
	case closed && !slices.ContainsFunc(r.Choices, func(c Choice) bool { return c.Value == n }):
		return fmt.Sprintf("%d is none of its values", n), n
	case r.Name == "GUIDMask" && n != 0 && bits.OnesCount32(n) != guidMaskBits:
		return fmt.Sprintf("%d has not exactly six bits", n), n
	}
	return "", n
}

// guidMaskBits is how many of the eight bytes of a GUID make the six of a MAC address.
const guidMaskBits = 6

// Automatic is the value -1 of the keys that name a processor: the driver chooses.
const Automatic uint32 = 1<<32 - 1

// processorsPerGroup is how many processors Windows puts into a group.
const processorsPerGroup = 64

// bounds are the limits of a key on this port: those of the table, and those that depend on other things.
func (e *Effective) bounds(r *Row) (least, most *uint32) {
	least, most = r.Range(e.facts.Link)
	switch r.Name {
	case "LSOSize": // the MTU and 1024 (NIC-3)
		frame, _ := e.number(Miniport, "*JumboPacket")
		if e.facts.Link == device.Ethernet {
			frame -= ethernetHeader
		}
		least = new(frame + 1024)
	case "MaxNumRssCpus", "RssBaseCpu":
		most = new(uint32(e.facts.Processors))
	case "*RssBaseProcNumber", "TxForwardingProcessor", "DefaultRecvRingProcessor", "TxInterruptProcessor":
		most = new(uint32(e.facts.Processors - 1))
	case "*NumaNodeID":
		most = new(uint32(e.facts.Nodes - 1))
	case "*RssBaseProcGroup":
		most = new(uint32((e.facts.Processors - 1) / processorsPerGroup))
	}
	if r.lineRate {
		most = new(e.facts.LineRate)
	}
	return least, most
}

// ethernetHeader is what a frame has before its payload, in bytes.
const ethernetHeader = 14

// Bounds are the limits of a key on the port that was read; nil is an end that nothing is known of.
func (e *Effective) Bounds(r *Row) (least, most *uint32) { return e.bounds(r) }
