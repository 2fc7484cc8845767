// Package trap holds the notices that agents of a subnet send to its manager: their numbers, names and kinds, and the texts that OpenSM
// writes into its log. Which event causes one is decided in the packages opensm and site.
package trap

import (
	"fmt"
	"time"

	"cxdeck/device/description"
)

// Number is the number of a trap in the architecture.
type Number uint16

// The traps that the lab sends or names.
const (
	LinkState     Number = 128 // a link of a switch went down or came up
	LinkIntegrity Number = 129
	BufferOverrun Number = 130
	FlowControl   Number = 131
	LocalChange   Number = 144 // a capability of a port, such as a subnet manager on it
	SystemGUID    Number = 145
	BadMKey       Number = 256
	BadPKey       Number = 257
	BadQKey       Number = 258
	BadSwitchPKey Number = 259 // a switch dropped a packet of a partition that its port is not in
)

// Name returns the name as OpenSM writes it.
func (n Number) Name() string {
	switch n {
	case LinkState:
		return "Link state change"
	case LinkIntegrity:
		return "Local Link integrity threshold reached"
	case BufferOverrun:
		return "Excessive Buffer Overrun Threshold reached"
	case FlowControl:
		return "Flow Control Update watchdog timer expired"
	case LocalChange:
		return "CapabilityMask, NodeDescription, Link [Width|Speed] Enabled, SM priority changed"
	case SystemGUID:
		return "System Image GUID changed"
	case BadMKey:
		return "Bad M_Key"
	case BadPKey:
		return "Bad P_Key"
	case BadQKey:
		return "Bad Q_Key"
	case BadSwitchPKey:
		return "Bad P_Key (switch external port)"
	}
	return "Unknown"
}

// Kind is the kind of a notice, with the numbers of the attribute.
type Kind uint8

// The kinds of notices.
const (
	Urgent        Kind = 1
	Security      Kind = 2
	Informational Kind = 4
)

// String returns the name as OpenSM writes it.
func (k Kind) String() string {
	return map[Kind]string{Urgent: "Urgent", Security: "Security", Informational: "Informational"}[k]
}

// Kind returns the kind of a trap.
func (n Number) Kind() Kind {
	switch {
	case n >= BadMKey:
		return Security
	case n >= LocalChange:
		return Informational
	}
	return Urgent
}

// Sweeps reports whether OpenSM sweeps the whole subnet after a trap.
func (n Number) Sweeps() bool { return n == LinkState || n == LocalChange }

// Producer is the kind of the node that sent a notice, with the numbers of the attribute.
type Producer uint8

// The producers of notices.
const (
	Adapter Producer = iota + 1
	Switch
	Router
)

// String returns the name as OpenSM writes it.
func (p Producer) String() string {
	return [...]string{"Unknown", "Channel Adapter", "Switch", "Router"}[min(p, Router)]
}

// Notice is a trap that reached a subnet manager.
type Notice struct {
	// Serial counts the notices of a subnet from 1.
	Serial uint64        `json:"serial"`
	At     time.Duration `json:"at_ns"` // since the lab's start
	Trap   Number        `json:"trap"`
	// LID and GUID are the issuer's, Node its name. Port is the port that the notice is about: of several links that changed, the first.
	LID      uint16           `json:"lid"`
	GUID     description.GUID `json:"guid"`
	Node     string           `json:"node"`
	Producer Producer         `json:"producer"`
	Port     int              `json:"port"`
}

// Valid reports whether a saved notice can be shown.
func (n *Notice) Valid() bool {
	return n.Serial > 0 && n.At >= 0 && n.Trap.Name() != "Unknown" && n.Producer >= Adapter && n.Producer <= Router && n.Port >= 0 && n.Port < 256
}

// LogLines returns the lines that OpenSM writes when it receives the notice.
func (n *Notice) LogLines() []string {
	port, about := "", ""
	if n.Trap >= LinkIntegrity && n.Trap <= FlowControl {
		port = fmt.Sprintf(" Port %d", n.Port)
		about = fmt.Sprintf(", port %d", n.Port)
	}
	if n.Trap == BadSwitchPKey {
		about = fmt.Sprintf(" port %d", n.Port)
	}
	lines := []string{fmt.Sprintf("log_trap_info: Received Generic Notice type:%d num:%d (%s) Producer:%d (%s) from LID:%d%s TID:0x%016x",
		n.Trap.Kind(), n.Trap, n.Trap.Name(), n.Producer, n.Producer, n.LID, port, n.Serial)}
	if n.Trap >= LinkIntegrity && n.Trap <= FlowControl {
		return lines // OpenSM reports them to nobody
	}
	from := ""
	if n.Trap == LinkState || n.Trap == BadSwitchPKey {
		from = "switch "
	}
	return append(lines, fmt.Sprintf("log_notice: Reporting %s Notice %q from %sLID %d, GUID 0x%016x%s",
		n.Trap.Kind(), n.Trap.Name(), from, n.LID, uint64(n.GUID), about))
}
