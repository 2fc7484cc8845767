package linuxhost

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Machine is a machine with its network adapters at one time.
type Machine struct {
	Name     string    `json:"name"`
	Kernel   string    `json:"kernel,omitempty"`
	Adapters []Adapter `json:"adapters"`
	// Interfaces are in the order of the kernel's indexes.
	Interfaces []Interface `json:"interfaces"`
	RDMA       []RDMAPort  `json:"rdma"`
	// Unread says what could not be read, and why: most often a privilege that is absent.
	Unread []string `json:"unread"`
}

// Adapter is a PCI function with a network interface, or with an RDMA device.
type Adapter struct {
	Address string `json:"address"` // "0000:04:00.0"
	Vendor  string `json:"vendor"`  // "15b3"
	Device  string `json:"device"`  // "1019"
	Driver  string `json:"driver,omitempty"`
	// Version is the driver's version, if it differs from the kernel's.
	Version  string `json:"driver_version,omitempty"`
	Firmware string `json:"firmware,omitempty"`
	// Stored is the firmware that runs after the next reset.
	Stored string `json:"stored_firmware,omitempty"`
	Board  string `json:"board,omitempty"` // the PSID
	Serial string `json:"serial,omitempty"`
	Node   string `json:"numa_node,omitempty"`
	// Parent is the physical function of a virtual one.
	Parent string `json:"physical_function,omitempty"`
	// Speed and Width describe the PCI Express link, "8.0 GT/s PCIe" and "8".
	Speed     string `json:"link_speed,omitempty"`
	Width     string `json:"link_width,omitempty"`
	BestSpeed string `json:"max_link_speed,omitempty"`
	BestWidth string `json:"max_link_width,omitempty"`
	// Errors are the errors that Advanced Error Reporting has counted; nil without it.
	Errors *PCIErrors `json:"pci_errors,omitempty"`
	// Temperatures are read from the adapter's sensors.
	Temperatures []Temperature `json:"temperatures,omitempty"`
	Parameters   []Fact        `json:"parameters,omitempty"`
	Reporters    []Reporter    `json:"health,omitempty"`
	// Switch is the mode of the embedded switch: "legacy" or "switchdev".
	Switch string `json:"eswitch,omitempty"`
}

// PCIErrors counts errors of a PCI Express port since the boot.
type PCIErrors struct {
	Correctable uint64 `json:"correctable"`
	NonFatal    uint64 `json:"non_fatal"`
	Fatal       uint64 `json:"fatal"`
}

// Temperature is a reading of a sensor in degrees Celsius.
type Temperature struct {
	Sensor  string  `json:"sensor"`
	Celsius float64 `json:"celsius"`
	// Limit is the critical temperature, 0 if the sensor has none.
	Limit float64 `json:"limit,omitempty"`
}

// Reporter is a health reporter of devlink.
type Reporter struct {
	Name string `json:"name"`
	// Handle is the devlink device or port that has the reporter: "pci/0000:04:00.0" or "pci/0000:04:00.0/65535".
	Handle      string        `json:"handle,omitempty"`
	Healthy     bool          `json:"healthy"`
	Errors      uint64        `json:"errors"`
	Recoveries  uint64        `json:"recoveries"`
	Grace       time.Duration `json:"grace_period"`
	AutoRecover bool          `json:"auto_recover"`
}

// Fact is a labelled value.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Interface is a network interface.
type Interface struct {
	Name  string `json:"name"`
	Index int    `json:"index"`
	// Kind is the kernel's word for a virtual interface: "bond", "vlan", "veth"; empty for hardware.
	Kind    string `json:"kind,omitempty"`
	Address string `json:"mac,omitempty"`
	// Adapter is the address of the PCI function; empty without one.
	Adapter string `json:"adapter,omitempty"`
	// Devlink is the devlink device below it, "pci/0000:04:00.0" or "auxiliary/mlx5_core.sf.2"; empty without one.
	Devlink string `json:"devlink,omitempty"`
	Up      bool   `json:"up"`
	// Master is the bond or bridge that it is a member of; Below is the interface below a VLAN.
	Master string `json:"master,omitempty"`
	Below  string `json:"below,omitempty"`
	VLAN   int    `json:"vlan,omitempty"`
	// Members are the members of a bond, Facts the values that are only read.
	Members   []Member   `json:"members,omitempty"`
	Settings  []Setting  `json:"settings"`
	Facts     []Fact     `json:"facts,omitempty"`
	Functions []Function `json:"functions,omitempty"`
	DCB       *DCB       `json:"dcb,omitempty"`

	// bonds are the bonds that it could be a member of.
	bonds []string
}

// Member is an interface in a bond.
type Member struct {
	Name     string `json:"name"`
	State    string `json:"state,omitempty"` // "active" or "backup"
	Link     string `json:"link,omitempty"`  // "up", "down"
	Failures string `json:"failures,omitempty"`
}

// Setting is a value that can be changed. Its name begins with its group: "ring.rx", "pause.tx", "offload.tx-tcp-segmentation",
// "vf.0.vlan".
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Limit is the largest possible number; empty if the driver gives none.
	Limit string `json:"limit,omitempty"`
	// Fixed says why it can't be changed; empty if it can.
	Fixed string `json:"fixed,omitempty"`
	// Registry is the key of Windows below HKEY_LOCAL_MACHINE that has the value; empty on Linux, as the fields below.
	Registry string `json:"registry,omitempty"`
	// Type is the type of the value, stored or to be created: "REG_SZ" or "REG_DWORD".
	Type string `json:"type,omitempty"`
	// Meaning says what the setting does, Effect when and how a new value takes effect.
	Meaning string `json:"meaning,omitempty"`
	Effect  string `json:"effect,omitempty"`
	// Choices are the possible values; nil if there are others.
	Choices []string `json:"choices,omitempty"`
	// Accept returns a value in the spelling of the registry.
	Accept func(value string) (string, error) `json:"-"`
}

// NoValue is the value of a setting that the registry does not have. Giving it to a setting deletes the value.
const NoValue = "absent"

// Function is a virtual function with the attributes that the physical function gives it.
type Function struct {
	Number    int    `json:"number"`
	Adapter   string `json:"adapter,omitempty"`
	Interface string `json:"interface,omitempty"` // its interface, if it is on this machine
	Address   string `json:"mac"`
	VLAN      int    `json:"vlan"`
	Priority  int    `json:"priority"`
	Link      string `json:"link"` // "auto", "enable", "disable"
	Spoof     bool   `json:"spoof_check"`
	Trust     bool   `json:"trust"`
	MinRate   uint32 `json:"min_rate"` // Mb/s
	MaxRate   uint32 `json:"max_rate"`

	ReceivedPackets uint64 `json:"received_packets"`
	SentPackets     uint64 `json:"sent_packets"`
	ReceivedBytes   uint64 `json:"received_bytes"`
	SentBytes       uint64 `json:"sent_bytes"`
	Multicast       uint64 `json:"multicast"`
	Broadcast       uint64 `json:"broadcast"`
	ReceivedDropped uint64 `json:"received_dropped"`
	SentDropped     uint64 `json:"sent_dropped"`
}

// DCB is data center bridging of an interface.
type DCB struct {
	Willing bool `json:"willing"`
	// PFC are the priorities with priority flow control; PFCClasses is the number of them that the adapter can have.
	PFC        []int    `json:"pfc"`
	PFCClasses int      `json:"pfc_classes"`
	Requests   []uint64 `json:"pfc_requests"`    // sent, by priority
	Indicated  []uint64 `json:"pfc_indications"` // received, by priority
	// Class is the traffic class of each priority; Share its bandwidth in percent, Kind its transmission selection by class.
	Class []int    `json:"priority_class"`
	Share []int    `json:"class_bandwidth"`
	Kind  []string `json:"class_selection"`
	// Apps are the rules that map traffic to priorities.
	Apps []App `json:"apps"`
	// Buffer is the receive buffer of each priority, Sizes the bytes of each buffer; empty if the driver does not report them.
	Buffer []int    `json:"priority_buffer,omitempty"`
	Sizes  []uint32 `json:"buffer_sizes,omitempty"`
	Total  uint32   `json:"buffer_total,omitempty"`
}

// App maps traffic to a priority: by Ethertype, port or DSCP.
type App struct {
	Selector string `json:"selector"` // "ethtype", "tcp", "udp", "tcp-udp", "dscp"
	Protocol int    `json:"protocol"`
	Priority int    `json:"priority"`
}

// RDMAPort is a port of an RDMA device.
type RDMAPort struct {
	Device    string `json:"device"` // "mlx5_0"
	Port      int    `json:"port"`
	Adapter   string `json:"adapter,omitempty"`
	Interface string `json:"interface,omitempty"`
	Board     string `json:"board,omitempty"`
	Firmware  string `json:"firmware,omitempty"`
	GUID      string `json:"node_guid,omitempty"`
	State     string `json:"state"`
	Physical  string `json:"physical_state"`
	Rate      string `json:"rate"`
	Layer     string `json:"link_layer"`
}

// Interface returns an interface by its name.
func (m *Machine) Interface(name string) (*Interface, bool) {
	at := slices.IndexFunc(m.Interfaces, func(i Interface) bool { return i.Name == name })
	if at < 0 {
		return nil, false
	}
	return &m.Interfaces[at], true
}

// Setting returns a setting by its name.
func (i *Interface) Setting(name string) (Setting, bool) {
	at := slices.IndexFunc(i.Settings, func(s Setting) bool { return s.Name == name })
	if at < 0 { // Windows ignores case
		at = slices.IndexFunc(i.Settings, func(s Setting) bool { return s.Registry != "" && strings.EqualFold(s.Name, name) })
	}
	if at < 0 {
		return Setting{}, false
	}
	return i.Settings[at], true
}

// Group returns the settings of a group, such as "ring".
func (i *Interface) Group(group string) (list []Setting) {
	for _, s := range i.Settings {
		if before, _, _ := strings.Cut(s.Name, "."); before == group {
			list = append(list, s)
		}
	}
	return list
}

// Limits of what is read of a machine.
const (
	textLimit      = 256
	interfaceLimit = 4096
	listLimit      = 1024
)

// clean returns a text of the machine without control characters, cut at textLimit runes.
func clean(text string) string {
	n := 0
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if n++; n > textLimit || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?")))
}

// priorityList writes priorities as "0,3", or "none".
func priorityList(list []int) string {
	if len(list) == 0 {
		return "none"
	}
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = strconv.Itoa(p)
	}
	return strings.Join(words, ",")
}
