// Package limits holds the version requirements of the manuals: which version of Windows, of the driver, of the firmware or of
// the tools a feature needs. It is one table, with the line of the manual for each row, and the comparison of versions. It
// depends on the host only through Facts.
package limits

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/device/description"
	"cxdeck/driver/table"
)

//go:embed limits.json
var text string

// Part is the component whose version is limited.
type Part string

// The components.
const (
	System        Part = "system"       // Windows on the host
	GuestSystem   Part = "guest-system" // Windows in a virtual machine
	Driver        Part = "driver"
	GuestDriver   Part = "guest-driver" // the adapter's driver in a virtual machine
	Firmware      Part = "firmware"
	Tools         Part = "tools" // the package of mlxconfig and mst
	SubnetManager Part = "subnet-manager"
)

// Feature identifies the feature of a limit, the same in all its rows.
type Feature string

// The features that the host itself checks; the others are found by their keys, settings and commands.
const (
	SRIOV           Feature = "sriov"
	SRIOVIPoIB      Feature = "sriov-ipoib"
	GuestRDMA       Feature = "guest-rdma"
	HostRDMA        Feature = "ndk"
	VMMQ            Feature = "vmmq"
	VMQ             Feature = "vmq"
	PacketDirect    Feature = "packet-direct"
	NVGRE           Feature = "nvgre"
	Dropless        Feature = "dropless"
	Partitions      Feature = "partitions"
	Teams           Feature = "teams"
	TeamTool        Feature = "team-tool"
	Congestion      Feature = "congestion"
	DCBX            Feature = "dcbx"
	VFCounters      Feature = "vf-counters"
	VLANsOfPhysical Feature = "vlan-physical"
	RoCE            Feature = "roce"
	Speed56         Feature = "speed-56"
	DHCPRedirect    Feature = "dhcp-redirect"
	RSC             Feature = "rsc"
	WakeOnLAN       Feature = "wake-on-lan"
)

// Limit is one row: a feature is supported since a version, or before one.
type Limit struct {
	Feature Feature            `json:"feature"`
	What    string             `json:"what"` // as the subject of a sentence: "RDMA in a virtual machine"
	Family  description.Family `json:"family"`
	Part    Part               `json:"part"`
	// Since is the first version that supports the feature; versions separated by slashes are for different cards, identified
	// by the first number. Above is the last version without the feature, Until the first version that no longer has it.
	Since string `json:"since"`
	Above string `json:"above"`
	Until string `json:"until"`
	// Client replaces Since on a Windows client.
	Client string `json:"client"`
	// ServerOnly reports that the limit does not apply to Windows clients.
	ServerOnly bool `json:"servers"`
	// HostSince and HostUntil are the range of the host's Windows versions to which a guest limit applies.
	HostSince string `json:"on_since"`
	HostUntil string `json:"on_until"`
	// Link and Speed in Gb/s, and Devices as hexadecimal ids, narrow it to ports and cards; empty for all.
	Link    *description.LinkType `json:"link"`
	Speed   int                   `json:"speed"`
	Devices []string              `json:"devices"`
	// Keys are the registry keys, Settings the firmware settings that enable it; a name may end in *. Values are the numbers
	// that enable it; without them every number but 0 does.
	Keys     []string `json:"keys"`
	Settings []string `json:"settings"`
	Values   []uint32 `json:"values"`
	// Commands are the beginnings of command lines that set or show it. Refuse reports that such a line fails below the limit;
	// otherwise it is executed with a warning.
	Commands []string `json:"commands"`
	Refuse   bool     `json:"refuse"`
	// Source is the manual's text and line: "002:3715".
	Source string `json:"source"`
}

// OfKey returns the rows of a family that a registry key sets.
func OfKey(family description.Family, key string) (list []*Limit) {
	for i := range all() {
		if l := &all()[i]; l.Family == family && matchesAny(l.Keys, key) {
			list = append(list, l)
		}
	}
	return list
}

// All returns the table, which must not be changed.
func All() []Limit { return all() }

var all = sync.OnceValue(func() []Limit {
	rows, err := table.Read[[]Limit](text)
	if err != nil {
		panic("limits: the embedded table is damaged: " + err.Error()) // a test reads it: this can't ship
	}
	return rows
})

// Facts are the versions of one port with its card and host. An empty version is unknown, and breaks no limit.
type Facts struct {
	Family   description.Family
	Link     description.LinkType
	Speed    int // of the port, in Gb/s
	DeviceID uint16
	System   string
	Driver   string
	Firmware string
	Tools    string
	// SubnetManager is the version of the subnet manager of an InfiniBand port.
	SubnetManager string
	// Guest reports that GuestSystem and GuestDriver belong to a virtual machine; without it they are ignored.
	Guest                    bool
	GuestSystem, GuestDriver string
}

// AppliesTo reports whether a limit concerns a port.
func (l *Limit) AppliesTo(f *Facts) bool {
	switch {
	case l.Family != f.Family,
		l.Link != nil && *l.Link != f.Link,
		l.Speed != 0 && l.Speed != f.Speed,
		len(l.Devices) > 0 && !slices.Contains(l.Devices, fmt.Sprintf("%04x", f.DeviceID)),
		(l.Part == GuestSystem || l.Part == GuestDriver) && !f.Guest:
		return false
	}
	if l.HostSince == "" && l.HostUntil == "" {
		return true
	}
	host := systemOf(f.System)
	return (l.HostSince == "" || host.known() && !host.before(systemOf(l.HostSince))) &&
		(l.HostUntil == "" || host.known() && host.before(systemOf(l.HostUntil)))
}

// Broken returns a sentence, without a full stop, on what a port lacks for a limit; empty when it lacks nothing or the limit
// does not apply to it.
func (l *Limit) Broken(f *Facts) string {
	if !l.AppliesTo(f) {
		return ""
	}
	has, whose := l.version(f)
	if has == "" {
		return ""
	}
	if l.Part == System || l.Part == GuestSystem {
		return l.brokenBySystem(systemOf(has), has, whose)
	}
	since := l.firstVersion(has)
	switch {
	case since != "" && Older(has, since):
		return fmt.Sprintf("%s needs %s %s or later, and %s %s", l.What, l.productName(), since, whose, has)
	case l.Above != "" && !Older(l.Above, has):
		return fmt.Sprintf("%s needs %s later than %s, and %s %s", l.What, l.productName(), l.Above, whose, has)
	case l.Until != "" && !Older(has, l.Until):
		return fmt.Sprintf("%s is not supported in %s %s and later, and %s %s", l.What, l.productName(), l.Until, whose, has)
	}
	return ""
}

func (l *Limit) brokenBySystem(now system, has, whose string) string {
	since := l.Since
	if now.client && l.Client != "" {
		since = l.Client
	}
	switch {
	case !now.known() || l.ServerOnly && now.client:
	case since != "" && now.before(systemOf(since)):
		return fmt.Sprintf("%s needs %s or later, and %s %s", l.What, since, whose, has)
	case l.Until != "" && !now.before(systemOf(l.Until)):
		on := ""
		if l.HostUntil != "" {
			on = " on a host before " + l.HostUntil
		}
		return fmt.Sprintf("%s is not supported in %s and later%s, and %s %s", l.What, l.Until, on, whose, has)
	}
	return ""
}

// version returns the version that a limit concerns, and the beginning of a sentence about it.
func (l *Limit) version(f *Facts) (has, whose string) {
	switch l.Part {
	case System:
		return f.System, "this host has"
	case GuestSystem:
		return f.GuestSystem, "the machine has"
	case Driver:
		return f.Driver, "this adapter has"
	case GuestDriver:
		return f.GuestDriver, "the machine has"
	case Firmware:
		return f.Firmware, "this card has"
	case Tools:
		return f.Tools, "this host has"
	case SubnetManager:
		return f.SubnetManager, "this subnet has"
	}
	return "", ""
}

func (l *Limit) productName() string {
	names := map[Part]string{
		Firmware: "firmware", Tools: "the firmware tools (MFT)", SubnetManager: "a subnet manager of version",
	}
	if name, ok := names[l.Part]; ok {
		return name
	}
	name := map[description.Family]string{description.WinOF: "WinOF", description.WinOF2: "WinOF-2"}[l.Family]
	if l.Part == GuestDriver {
		return "a driver of " + name
	}
	return name
}

// firstVersion returns the first version that supports it, for the kind of card that has a version.
func (l *Limit) firstVersion(has string) string {
	all := strings.Split(l.Since, "/")
	major, _, _ := strings.Cut(has, ".")
	for _, version := range all {
		if m, _, _ := strings.Cut(version, "."); m == major {
			return version
		}
	}
	return all[0]
}

// Needs returns the requirement of a limit, as a phrase: "Windows Server 2016 or later", "WinOF before 5.35".
func (l *Limit) Needs() string {
	noun := l.productName() + " "
	if l.Part == System || l.Part == GuestSystem {
		noun = ""
	}
	var words []string
	switch {
	case l.Since != "" && l.Client != "":
		words = append(words, noun+l.Since+" or later, or "+l.Client+" or later")
	case l.Since != "":
		words = append(words, noun+l.Since+" or later")
	case l.Above != "":
		words = append(words, noun+"later than "+l.Above)
	}
	if l.Until != "" {
		words = append(words, "before "+noun+l.Until)
	}
	phrase := strings.Join(words, ", ")
	if l.Part == GuestSystem || l.Part == GuestDriver {
		phrase += " in the machine"
	}
	switch {
	case l.HostSince != "" && l.HostUntil != "":
		phrase += " on a host of " + l.HostSince + " before " + l.HostUntil
	case l.HostSince != "":
		phrase += " on a host of " + l.HostSince + " or later"
	case l.HostUntil != "":
		phrase += " on a host before " + l.HostUntil
	}
	return phrase
}

// Check returns what a port lacks for a feature, a sentence for each limit.
func Check(feature Feature, f *Facts) (list []string) {
	for i := range all() {
		if l := &all()[i]; l.Feature == feature {
			if why := l.Broken(f); why != "" {
				list = append(list, why)
			}
		}
	}
	return list
}

// Missing returns the features that a port lacks, each with the first reason.
func Missing(f *Facts) map[Feature]string {
	list := map[Feature]string{}
	for i := range all() {
		if l := &all()[i]; list[l.Feature] == "" {
			if why := l.Broken(f); why != "" {
				list[l.Feature] = why
			}
		}
	}
	return list
}

// EnabledBy reports whether a number in one of its registry keys enables the feature.
func (l *Limit) EnabledBy(number uint32) bool {
	return number != 0 && l.Values == nil || slices.Contains(l.Values, number)
}

// HasSetting reports whether a firmware setting enables the feature.
func (l *Limit) HasSetting(name string) bool { return matchesAny(l.Settings, name) }

// MatchesCommand reports whether a command line sets or shows the feature; it ignores case.
func (l *Limit) MatchesCommand(line string) bool {
	return slices.ContainsFunc(l.Commands, func(c string) bool {
		return len(line) >= len(c) && strings.EqualFold(line[:len(c)], c) && (len(line) == len(c) || line[len(c)] == ' ')
	})
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if head, star := strings.CutSuffix(p, "*"); star && len(name) >= len(head) {
			return strings.EqualFold(name[:len(head)], head)
		}
		return strings.EqualFold(p, name)
	})
}

// Unique returns the reasons of a list that are not empty, each once.
func Unique(list []string) (reasons []string) {
	for _, reason := range list {
		if reason != "" && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}
