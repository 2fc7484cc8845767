package registry

import "cxdeck/device"

// Scope says whose key it is, and with that where its values are kept.
type Scope string

// The scopes. Those of a port or a card have values for each; the others one for the whole driver or system.
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
)

// Type is the registry's type of a value.
type Type string

// The types. The manuals give none for many keys, and then name numbers: these count as Number.
const (
	Number Type = "REG_DWORD"
	Text   Type = "REG_SZ"
)

// Moment is when a stored value begins to count.
type Moment string

// The moments.
const (
	AtRestart Moment = "adapter-restart"
	AtOnce    Moment = "dynamic"
	AtReload  Moment = "driver-reload" // when the driver is unloaded and loaded: for a port, its next start
	AtReboot  Moment = "reboot"
)

// Remedy is what the driver does about a stored value that it can't use.
type Remedy string

// The remedies.
const (
	UseDefault Remedy = "default"
	Clamp      Remedy = "clamp"       // use the nearest end of the range
	FeatureOff Remedy = "feature-off" // do without what the key is for
)

// Choice is one of the values that a key may have, with its meaning.
type Choice struct {
	Value uint32 `json:"value"`
	Label string `json:"label"`
}

// Row is what is known of one key of one driver family.
type Row struct {
	// Name is as the registry has it, with its asterisk if it has one: "*JumboPacket".
	Name   string
	Family device.Family
	Scope  Scope
	Group  string // "Basic", "Offload", "QoS"
	Type   Type
	// TypeGiven says that the manuals give the type; otherwise it is taken from the values that they name.
	TypeGiven bool
	// Ethernet and InfiniBand are the defaults by link type; see Default.
	Ethernet, InfiniBand Value
	// Min and Max are the range; nil is no end that the manuals give.
	Min, Max *uint32
	// Choices are the values with a meaning of their own.
	Choices []Choice
	// Constraint says in words what the range can't.
	Constraint string
	Unit       string
	Applies    Moment
	// AppliesGiven says that the manuals say when the value counts; otherwise it is the next start.
	AppliesGiven bool
	Bad          Remedy
	// BadGiven says that the manuals say what a bad value does; otherwise the default is used.
	BadGiven bool
	// InDialog says that the driver's property dialog shows the key.
	InDialog bool
	// MustCreate says that the key does not exist until someone creates it.
	MustCreate bool
	// Summary is what the key is for, Effect what other values do.
	Summary, Effect string
	Related         []string
	Notes           string
	// Decision says how the model settles what the manuals leave open or state twice; empty when they don't.
	Decision string
	// Manual is the place in the manuals that it was taken from.
	Manual string
}

// Default is the default on a port of a link type; it does not exist when the manuals give none.
func (r *Row) Default(link device.LinkType) Value {
	if link == device.InfiniBand {
		return r.InfiniBand
	}
	return r.Ethernet
}
