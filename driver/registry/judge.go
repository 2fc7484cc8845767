package registry

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Judge returns how the driver would read a stored value now.
func (e *Effective) Judge(r *Row, stored Value) Reading {
	reading := e.readAlone(r, stored)
	if value, why, _ := e.judgeWithOthers(r, reading.Value); why != "" && stored.Exists() {
		reading.Value, reading.Why = value, why
	}
	return reading
}

// readAlone reads a stored value as the driver does, independently of other keys.
func (e *Effective) readAlone(r *Row, stored Value) Reading {
	fallback := r.Default(e.facts.Link)
	if !stored.Exists() {
		if r.Optional {
			fallback = Value{}
		}
		return Reading{Value: fallback}
	}
	if r.Type == Text {
		return e.text(r, stored, fallback)
	}
	n, ok := stored.number, stored.kind == Number
	if stored.kind == Text {
		n, ok = parseNumber(stored.text)
	}
	if !ok {
		return Reading{stored, fallback, fmt.Sprintf("%s is not a number; %s", stored.inSentence(), fallbackText(fallback))}
	}
	why, nearest := e.fault(r, n)
	switch {
	case why == "":
		return Reading{stored, NumberValue(n), ""}
	case r.Bad == FeatureOff:
		return Reading{stored, NumberValue(0), why + "; the feature is off"}
	case r.Bad == Clamp:
		return Reading{stored, NumberValue(nearest), fmt.Sprintf("%s; %d is used", why, nearest)}
	}
	return Reading{stored, fallback, why + "; " + fallbackText(fallback)}
}

// text reads the value of a text key as the driver does.
func (e *Effective) text(r *Row, stored, fallback Value) Reading {
	s := stored.String()
	switch {
	case stored.kind != Text && stored.kind != Number:
		return Reading{stored, fallback, fmt.Sprintf("%s is not a text; %s", stored.inSentence(), fallbackText(fallback))}
	case r.Form == Path && !isKernelPath(s):
		return Reading{stored, fallback, `a folder must be an NT path such as \??\C:\Dumps; ` + fallbackText(fallback)}
	case r.Form == MAC:
		if _, ok := hardwareAddress(s); !ok {
			return Reading{stored, fallback, "it is not a MAC address of twelve hexadecimal digits; the card's address is used"}
		}
	case r.Min != nil || r.Max != nil:
		n, ok := parseNumber(s)
		if !ok {
			return Reading{stored, fallback, fmt.Sprintf("invalid number %q; %s", s, fallbackText(fallback))}
		}
		if why, _ := e.fault(r, n); why != "" {
			return Reading{stored, fallback, why + "; " + fallbackText(fallback)}
		}
	case len(r.Choices) > 0:
		if n, ok := parseNumber(s); !ok || r.Label(NumberValue(n)) == "" && n != 0 {
			return Reading{stored, fallback, fmt.Sprintf("%q is not one of its values; %s", s, fallbackText(fallback))}
		}
	}
	return Reading{stored, TextValue(s), ""}
}

// parseNumber reads a number that is stored as text: decimal, or hexadecimal with 0x in front; -1 is the greatest.
func parseNumber(s string) (uint32, bool) {
	s = strings.TrimSpace(s)
	base := 10
	if rest, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
		s, base = rest, 16
	}
	n, err := strconv.ParseInt(s, base, 64)
	return uint32(n), err == nil && n >= -1<<31 && n < 1<<32
}

// Integer returns the number that a value is, also one that is stored as text.
func (v Value) Integer() (uint32, bool) {
	if v.Type() == Number {
		return v.Number(), true
	}
	if v.Type() != Text {
		return 0, false
	}
	return parseNumber(v.String())
}

func fallbackText(fallback Value) string {
	if fallback.Exists() {
		return "the default of " + fallback.String() + " is used"
	}
	return "the driver ignores it"
}

// signedText returns a number, and in brackets the negative number that it is when -1 or the like was stored.
func signedText(n uint32) string {
	if int32(n) < 0 {
		return fmt.Sprintf("%d (%d)", n, int32(n))
	}
	return strconv.FormatUint(uint64(n), 10)
}

// fault returns why a number is invalid, and the nearest valid one.
func (e *Effective) fault(r *Row, n uint32) (why string, nearest uint32) {
	minimum, maximum := e.bounds(r)
	switch {
	case n == Automatic && r.namesProcessor():
		return "", n
	case maximum != nil && n > *maximum:
		return fmt.Sprintf("%s is above the limit of %d", signedText(n), *maximum), *maximum
	case minimum != nil && n < *minimum:
		return fmt.Sprintf("%d is below the limit of %d", n, *minimum), *minimum
	case r.Closed() && !slices.ContainsFunc(slices.Concat(r.Choices, r.Taken), func(c Choice) bool { return c.Value == n }):
		return fmt.Sprintf("%d is not one of its values", n), n
	case r.Name == "GUIDMask" && n != 0 && bits.OnesCount32(n) != guidMaskBits:
		return fmt.Sprintf("%d does not have exactly six bits set", n), n
	}
	return "", n
}

// guidMaskBits is the number of bytes of a GUID, of eight, that form a MAC address.
const guidMaskBits = 6

// namesProcessor reports whether the value is the number of a processor.
func (r *Row) namesProcessor() bool { return strings.HasSuffix(r.Name, "Processor") }

// Automatic is the value -1 of the keys that name a processor: the driver chooses.
const Automatic uint32 = 1<<32 - 1

// processorsPerGroup is the maximum size of a processor group in Windows.
const processorsPerGroup = 64

// bounds returns the limits of a key on this port, from the table or dependent on the port and other keys.
func (e *Effective) bounds(r *Row) (minimum, maximum *uint32) {
	minimum, maximum = r.Range(e.facts.Link)
	switch r.Name {
	case "*JumboPacket":
		if e.facts.Virtual && e.facts.HostFrame > 0 && e.facts.HostFrame < *maximum {
			maximum = new(e.facts.HostFrame)
		}
	case "LSOSize": // the MTU and 1024 (NIC-3)
		minimum = new(e.mtu() + 1024)
	case "MaxNumRssCpus", "RssBaseCpu":
		maximum = new(uint32(e.facts.Processors))
	case "*RssBaseProcNumber", "TxForwardingProcessor", "DefaultRecvRingProcessor", "TxInterruptProcessor":
		maximum = new(uint32(e.facts.Processors - 1))
	case "*NumaNodeID":
		maximum = new(uint32(e.facts.Nodes - 1))
	case "*RssBaseProcGroup":
		maximum = new(uint32((e.facts.Processors - 1) / processorsPerGroup))
	}
	if r.lineRate {
		maximum = new(e.facts.LineRate)
	}
	return minimum, maximum
}

// ethernetHeader is the length of the Ethernet header, in bytes.
const ethernetHeader = 14

// Bounds returns the limits of a key on the port that was read; nil for an unknown limit.
func (e *Effective) Bounds(r *Row) (minimum, maximum *uint32) { return e.bounds(r) }

// isKernelPath reports whether a path names a folder in the notation of the kernel: on a drive, or in the folder of Windows.
func isKernelPath(path string) bool {
	const maxPath = 260
	lower := strings.ToLower(path)
	rest, drive := strings.CutPrefix(lower, `\??\`)
	if drive {
		if len(rest) < 3 || rest[0] < 'a' || rest[0] > 'z' || rest[1:3] != `:\` {
			return false
		}
		rest = rest[3:]
	} else if rest, drive = strings.CutPrefix(lower, `\systemroot\`); !drive {
		return false
	}
	return len(path) <= maxPath && !strings.ContainsAny(rest, `<>:"/|?*`)
}

// hardwareAddress returns the six bytes of an address of twelve hexadecimal digits, with or without hyphens or colons.
func hardwareAddress(s string) (address [6]byte, ok bool) {
	digits := strings.NewReplacer("-", "", ":", "").Replace(strings.TrimSpace(s))
	if len(digits) != 2*len(address) {
		return address, false
	}
	n, err := strconv.ParseUint(digits, 16, 64)
	for i := range address {
		address[i] = byte(n >> (8 * (len(address) - 1 - i)))
	}
	return address, err == nil
}

// isMulticast reports whether an address is a multicast address.
func isMulticast(address [6]byte) bool { return address[0]&1 != 0 }
