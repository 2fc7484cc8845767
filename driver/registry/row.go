package registry

import (
	"cxdeck/device/description"
	"cxdeck/driver/limits"
)

// Scope is the owner of a key, and with it the place of its values.
type Scope string

// The scopes. Keys of a port or a card have a value for each port or card; the others have one for the whole driver or system.
const (
	Miniport         Scope = "miniport"    // a port: Class\{4d36e972-...}\nn
	Congestion       Scope = "dcqcn"       // a port: set with Mlx5Cmd, in no documented place of the registry
	BusDevice        Scope = "bus-device"  // a card: Class\{4d36e97d-...}\nn\Parameters
	BusDriver        Scope = "bus-driver"  // the bus driver: Services\mlx4_bus\Parameters
	RoCE             Scope = "driver-roce" // the driver: ...\Parameters\Roce
	Diagnostics      Scope = "driver-diag" // the driver: ...\Parameters\Diag
	System           Scope = "os"          // Windows
	Firmware         Scope = "firmware"    // a card, in its flash: set with mlxconfig, not in the registry
	DriverParameters Scope = "driverparam" // a running driver: set with mlxtool, not in the registry
	OtherPath        Scope = "elsewhere"   // another place of the registry, from an imported file; see Place.Path
)

// Stored reports whether the registry of the lab keeps values of the scope.
func (s Scope) Stored() bool { return s != Firmware && s != DriverParameters }

// Type is the registry's type of a value.
type Type string

// The types. The manuals give none for many keys, and then name numbers: these are Number. Values of the types below Text come
// from files, and no key of the catalogue has them; for types without a name see TypeOf.
const (
	Number     Type = "REG_DWORD"
	Text       Type = "REG_SZ"
	ExpandText Type = "REG_EXPAND_SZ"
	MultiText  Type = "REG_MULTI_SZ"
	Binary     Type = "REG_BINARY"
	LongNumber Type = "REG_QWORD"
	Nothing    Type = "REG_NONE"
)

// EffectTime is the moment at which a stored value takes effect.
type EffectTime string

// The moments.
const (
	AtRestart EffectTime = "adapter-restart"
	AtOnce    EffectTime = "dynamic"
	AtReload  EffectTime = "driver-reload" // when the driver is unloaded and loaded
	AtReboot  EffectTime = "reboot"
	AtNewVM   EffectTime = "new-vm" // when a virtual machine that uses the port is created or started
)

// Covers reports whether values that take effect at another moment also do at this one: a reboot restarts every adapter and
// every virtual machine, too.
func (m EffectTime) Covers(other EffectTime) bool {
	switch m {
	case AtReboot:
		return true
	case AtRestart, AtReload:
		return other == AtOnce || other == AtRestart || other == m
	default:
		return m == other
	}
}

// InvalidHandling is the driver's handling of a stored value that it can't use.
type InvalidHandling string

// The remedies.
const (
	UseDefault InvalidHandling = "default"
	Clamp      InvalidHandling = "clamp"       // use the nearest end of the range
	FeatureOff InvalidHandling = "feature-off" // turn the feature of the key off
	NoStart    InvalidHandling = "no-start"    // give up starting the adapter: Code 10
)

// Form is the notation in which a value is typed and shown.
type Form string

// The forms.
const (
	Toggle Form = "toggle" // 0 or 1, off or on
	List   Form = "list"   // one of the Choices and nothing else
	Count  Form = "number" // a number; some may have a meaning of their own, see Choices
	Mask   Form = "mask"   // a number whose bits have names, see Bits
	MAC    Form = "mac"    // a MAC address, twelve hexadecimal digits with or without hyphens or colons
	Path   Form = "path"   // a folder in the kernel's notation: \??\C:\Dumps
	Words  Form = "text"
)

// Exposure reports whether the property dialog of the driver shows a key; empty when the manuals don't say.
type Exposure string

// The exposures.
const (
	InDialog Exposure = "dialog"
	Hidden   Exposure = "hidden"
)

// VFLimit restricts a key on a virtual function; empty when the manuals set no limit.
type VFLimit string

// The limits.
const (
	LimitedByHost   VFLimit = "limited-by-host"  // at most the value of the physical function
	NotConfigurable VFLimit = "not-configurable" // not available on a virtual function
	PhysicalOnly    VFLimit = "pf-only"          // has an effect only on the physical function
)

// Choice is one of the values that a key may have, with its meaning.
type Choice struct {
	Value uint32 `json:"value"`
	Label string `json:"label"`
}

// Row describes one key of one driver family; its longer texts are in Detail. The manuals of the families leave much open:
// Type, Applies and Bad are then the model's choice, and TypeGiven, AppliesGiven and BadGiven are false.
type Row struct {
	// Name is the name in the registry, with its asterisk if it has one: "*JumboPacket".
	Name string `json:"name"`
	// Index is its index in the catalogue of its family.
	Index  int                `json:"-"`
	Family description.Family `json:"-"`
	Scope  Scope              `json:"scope"`
	// Group is the table of the manual: "Basic", "Offload", "QoS".
	Group string `json:"group"`

	Type      Type `json:"type"`
	TypeGiven bool `json:"type_given"`
	// Ethernet and InfiniBand are the defaults by link type; see Default.
	Ethernet   Value `json:"default"`
	InfiniBand Value `json:"default_ib"`
	// Min and Max are the range; nil where the manuals give no limit. InfiniBandMin and InfiniBandMax replace them on an
	// InfiniBand port; see Range.
	Min           *uint32 `json:"min"`
	Max           *uint32 `json:"max"`
	InfiniBandMin *uint32 `json:"ib_min"`
	InfiniBandMax *uint32 `json:"ib_max"`
	// Choices are the values with a meaning, Bits the bits of a mask with their meanings.
	Choices []Choice `json:"choices"`
	Bits    []Choice `json:"bits"`
	// Taken are values that the driver accepts as synonyms of one of the Choices, and that are not offered.
	Taken []Choice `json:"taken"`
	// Form is the notation of the value; Hex reports that it is shown in hexadecimal.
	Form Form `json:"form"`
	Hex  bool `json:"hex"`
	// Unit is the unit of the value: "bytes", "ms"; empty for a number, a flag or a code.
	Unit string `json:"unit"`
	// Stride is the change by one press of a step key; at least 1. Values between the steps are valid.
	Stride uint32 `json:"stride"`
	// PowerOfTwo reports that an Ethernet port rounds the value down to a power of two (RSS-5).
	PowerOfTwo bool `json:"power_of_two"`

	Applies      EffectTime      `json:"applies"`
	AppliesGiven bool            `json:"-"`
	Bad          InvalidHandling `json:"bad"`
	BadGiven     bool            `json:"bad_given"`
	// Exposure reports whether the property dialog shows the key; VF is its limit on a virtual function.
	Exposure Exposure `json:"exposure"`
	VF       VFLimit  `json:"vf"`
	// MustCreate reports that the key does not exist until someone creates it.
	MustCreate bool `json:"create"`
	// Optional reports that a driver without the value does not use the default.
	Optional bool `json:"optional"`
	// Inert is the reason why no value has an effect; empty for a key that has one.
	Inert string `json:"inert"`

	// Summary is a sentence on the purpose of the key.
	Summary string `json:"summary"`

	// KeyPath is the registry key, for scopes that do not determine it; see Path.
	KeyPath string `json:"path"`

	folded   string // the name for look-ups; see lookupName
	limits   []*limits.Limit
	lineRate bool // its maximum is the line rate of the port (DCQ-18)
}

// form returns the notation of a key's value, by its other attributes.
func (r *Row) form() Form {
	switch {
	case len(r.Bits) > 0:
		return Mask
	case r.Type == Text && r.Min == nil && r.Max == nil && len(r.Choices) == 0:
		return Words
	case r.onOff():
		return Toggle
	case r.Closed() || r.Max != nil && len(r.Choices) > 0 && r.valueCount() == len(r.Choices)+len(r.Taken):
		return List
	}
	return Count
}

func (r *Row) onOff() bool {
	if len(r.Choices) == 2 {
		return r.Choices[0].Value+r.Choices[1].Value == 1
	}
	return len(r.Choices) == 0 && r.Min != nil && r.Max != nil && *r.Min == 0 && *r.Max == 1
}

// valueCount returns the number of values in the range.
func (r *Row) valueCount() int {
	minimum := uint32(0)
	if r.Min != nil {
		minimum = *r.Min
	}
	return int(*r.Max) - int(minimum) + 1
}

// Default returns the default on a port of a link type; it does not exist when the manuals give none.
func (r *Row) Default(link description.LinkType) Value {
	if link == description.InfiniBand {
		return r.InfiniBand
	}
	return r.Ethernet
}

// Fits reports whether ports of a link type have the key: a key with a default only for the other link type does not exist there.
func (r *Row) Fits(link description.LinkType) bool {
	return r.Default(link).Exists() || !r.Ethernet.Exists() && !r.InfiniBand.Exists()
}

// Range returns the range on a port of a link type; nil where the manuals give no limit.
func (r *Row) Range(link description.LinkType) (minimum, maximum *uint32) {
	if link == description.InfiniBand && r.InfiniBandMax != nil {
		return r.InfiniBandMin, r.InfiniBandMax
	}
	return r.Min, r.Max
}

// Closed reports that no values other than the Choices are valid.
func (r *Row) Closed() bool { return r.Min == nil && r.Max == nil && len(r.Choices) > 1 }

// Label returns the meaning of a value; empty when it has none.
func (r *Row) Label(v Value) string {
	for _, list := range [...][]Choice{r.Choices, r.Taken} {
		for _, c := range list {
			if v.Type() == Number && v.Number() == c.Value {
				return c.Label
			}
		}
	}
	return ""
}

// Path returns the registry key that contains it; nn is the index of the class key of the port or card. It is empty for settings
// outside the registry.
func (r *Row) Path(nn string) string {
	const control = `HKLM\SYSTEM\CurrentControlSet\`
	bus := control + `Services\mlx5\Parameters`
	if r.Family == description.WinOF {
		bus = control + `Services\mlx4_bus\Parameters`
	}
	switch r.Scope {
	case Miniport:
		return control + `Control\Class\{4d36e972-e325-11ce-bfc1-08002be10318}\` + nn
	case BusDevice:
		return control + `Control\Class\{4d36e97d-e325-11ce-bfc1-08002be10318}\` + nn + `\Parameters`
	case BusDriver:
		return bus
	case RoCE:
		return bus + `\Roce`
	default:
		return r.KeyPath
	}
}
