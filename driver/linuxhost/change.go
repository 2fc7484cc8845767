package linuxhost

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
)

// Change is one setting of an interface with its old and its new value.
type Change struct {
	Interface string `json:"interface"`
	Name      string `json:"setting"`
	Old       string `json:"old"`
	New       string `json:"new"`
	// Registry is the key of Windows that has the value, see Setting, and Type the value's type; Effect says when the new value takes
	// effect.
	Registry string `json:"registry,omitempty"`
	Type     string `json:"type,omitempty"`
	Effect   string `json:"effect,omitempty"`
}

// Plan is a list of changes, applied in order.
type Plan []Change

// NewPlan makes a plan of assignments such as "ring.rx=4096". What already has its value is left out.
func NewPlan(m *Machine, name string, assignments []string) (Plan, error) {
	i, ok := m.Interface(name)
	if !ok {
		return nil, fmt.Errorf("there is no interface %q", name)
	}
	var plan Plan
	for _, assignment := range assignments {
		key, value, found := strings.Cut(assignment, "=")
		if !found || key == "" || value == "" {
			return nil, fmt.Errorf("%q must be SETTING=VALUE, such as ring.rx=4096", assignment)
		}
		setting, ok := i.Setting(key)
		if !ok {
			return nil, fmt.Errorf("%s has no setting %q that can be changed", name, key)
		}
		value, err := checkValue(i, setting, value)
		if err != nil {
			return nil, fmt.Errorf("%s of %s %w", key, name, err)
		}
		if slices.ContainsFunc(plan, func(c Change) bool { return c.Name == key }) {
			return nil, fmt.Errorf("%s is given twice", key)
		}
		if value != setting.Value {
			plan = append(plan, steps(i, Change{i.Name, setting.Name, setting.Value, value, setting.Registry, setting.Type, setting.Effect})...)
		}
	}
	return plan, nil
}

// steps adds what the kernel requires around a change: a new number of virtual functions goes through 0, a member joins while it is
// down, and some options of a bond change only then.
func steps(i *Interface, c Change) []Change {
	switch {
	case c.Name == "vfs" && c.Old != "0" && c.New != "0":
		return []Change{{Interface: c.Interface, Name: c.Name, Old: c.Old, New: "0"}, {Interface: c.Interface, Name: c.Name, Old: "0", New: c.New}}
	case c.Name == "master" && c.Old != Absent && c.New != Absent: // the kernel takes a member down that leaves
		return []Change{{Interface: c.Interface, Name: c.Name, Old: c.Old, New: Absent}, {Interface: c.Interface, Name: c.Name, Old: Absent, New: c.New}}
	case c.Name == "master" && c.New != Absent:
		return joinSteps(i, c)
	case (c.Name == "bond.mode" || c.Name == "bond.lacp_rate") && i.Up:
		return []Change{{Interface: c.Interface, Name: "state", Old: "up", New: "down"}, c, {Interface: c.Interface, Name: "state", Old: "down", New: "up"}}
	}
	return []Change{c}
}

// Check returns a value of a setting as the machine spells it, or an error that says which values it accepts.
func Check(i *Interface, s Setting, value string) (string, error) { return checkValue(i, s, value) }

// Words returns the possible values of a setting that is a word; nil for numbers, addresses and lists.
func Words(i *Interface, s Setting) []string {
	if s.Registry != "" {
		return s.Choices
	}
	var err error
	if _, err = checkValue(i, s, "\x00"); err == nil {
		return nil
	}
	var wrong *wordError
	if errors.As(err, &wrong) {
		return wrong.words
	}
	return nil
}

// hashPolicies and lacpRates are the words of the bonding driver.
var (
	hashPolicies = []string{"layer2", "layer3+4", "layer2+3", "encap2+3", "encap3+4", "vlan+srcmac"}
	lacpRates    = []string{"slow", "fast"}
	bondModes    = []string{"balance-rr", "active-backup", "balance-xor", "broadcast", "802.3ad", "balance-tlb", "balance-alb"}
)

// checkValue returns a value in the spelling of the machine.
func checkValue(i *Interface, s Setting, value string) (string, error) {
	if s.Fixed != "" {
		return "", fmt.Errorf("can't be changed: %s", s.Fixed)
	}
	if s.Registry != "" {
		return s.Accept(value)
	}
	group, rest, _ := strings.Cut(s.Name, ".")
	if group == "vf" {
		_, rest, _ = strings.Cut(rest, ".")
	}
	switch {
	case s.Name == "mtu":
		return checkNumber(value, 68, 65536)
	case group == "ring", group == "channels":
		return checkNumber(value, 1, limitOf(s, 65536))
	case s.Name == "vfs":
		return checkNumber(value, 0, limitOf(s, 0))
	case s.Name == "state":
		return checkWord(value, []string{"up", "down"})
	case s.Name == "master":
		return checkWord(value, append([]string{Absent}, i.bonds...))
	case s.Name == "pfc":
		return checkPriorities(value)
	case group == "devlink", group == "devlink-init":
		return checkParameter(s, value)
	case s.Name == "bond.miimon":
		return checkNumber(value, 0, 60_000)
	case s.Name == "bond.mode":
		if len(i.Members) > 0 {
			return "", fmt.Errorf("can be changed only while the bond has no members")
		}
		return checkWord(value, bondModes)
	case s.Name == "bond.active_slave":
		names := make([]string, len(i.Members))
		for n, member := range i.Members {
			names[n] = member.Name
		}
		return checkWord(value, names)
	case s.Name == "bond.xmit_hash_policy":
		return checkWord(value, hashPolicies)
	case s.Name == "bond.lacp_rate":
		return checkWord(value, lacpRates)
	case group == "vf" && rest == "mac":
		address, err := net.ParseMAC(value)
		if err != nil || len(address) != 6 || address[0]&1 != 0 {
			return "", fmt.Errorf("must be the MAC address of one station, not %q", value)
		}
		return address.String(), nil
	case rest == "vlan":
		return checkNumber(value, 0, 4094)
	case rest == "qos":
		return checkNumber(value, 0, 7)
	case rest == "state":
		return checkWord(value, linkWords)
	case rest == "min-rate", rest == "max-rate":
		return checkNumber(value, 0, 1_000_000)
	case strings.HasSuffix(rest, "-usecs"), strings.HasSuffix(rest, "-frames"):
		return checkNumber(value, 0, 65535)
	}
	return checkWord(value, []string{"on", "off"})
}

// checkParameter accepts a value of the type of the present one.
func checkParameter(s Setting, value string) (string, error) {
	switch {
	case s.Value == "true" || s.Value == "false":
		return checkWord(value, []string{"true", "false"})
	case s.Limit != "":
		return checkNumber(value, 0, limitOf(s, 0))
	case value != clean(value):
		return "", fmt.Errorf("must be a word without control characters")
	}
	return value, nil
}

// linkWords are the words of ip for the link states of a virtual function, in the order of the kernel's numbers.
var linkWords = []string{"auto", "enable", "disable"}

func limitOf(s Setting, otherwise int) int {
	if limit, err := strconv.Atoi(s.Limit); err == nil {
		return limit
	}
	return otherwise
}

func checkNumber(text string, from, to int) (string, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < from || n > to {
		return "", fmt.Errorf("must be an integer from %d to %d, not %q", from, to, text)
	}
	return strconv.Itoa(n), nil
}

func checkWord(text string, words []string) (string, error) {
	if !slices.Contains(words, text) {
		return "", &wordError{text, words}
	}
	return text, nil
}

// wordError reports a word that is not one of those that a setting accepts.
type wordError struct {
	text  string
	words []string
}

// Error names the words.
func (e *wordError) Error() string {
	return fmt.Sprintf("must be one of %s, not %q", strings.Join(e.words, ", "), e.text)
}

// checkPriorities accepts "none" and lists such as "3,4".
func checkPriorities(text string) (string, error) {
	if text == "none" {
		return text, nil
	}
	var list []int
	for word := range strings.SplitSeq(text, ",") {
		p, err := strconv.Atoi(word)
		if err != nil || p < 0 || p > 7 || slices.Contains(list, p) {
			return "", fmt.Errorf("must be none or priorities such as 3,4, not %q", text)
		}
		list = append(list, p)
	}
	slices.Sort(list)
	return priorityList(list), nil
}

// Inverse returns the plan that restores the old values.
func (p Plan) Inverse() Plan {
	inverse := make(Plan, 0, len(p))
	for _, c := range slices.Backward(p) {
		inverse = append(inverse, c.Inverse())
	}
	return inverse
}

// Inverse returns the change that restores the old value.
func (c *Change) Inverse() Change {
	inverse := *c
	inverse.Old, inverse.New = c.New, c.Old
	return inverse
}

// Interrupts says what a change interrupts; empty for nothing.
func (c *Change) Interrupts() string {
	if c.Registry != "" {
		return c.Effect
	}
	group, _, _ := strings.Cut(c.Name, ".")
	switch {
	case c.Name == "vfs" && c.Old != "0":
		return "removes the " + c.Old + " virtual functions of " + c.Interface + ", also from virtual machines"
	case group == "ring", group == "channels", c.Name == "mtu", group == "pause", group == "offload":
		return "may restart the queues of " + c.Interface + ": its traffic stops for a moment"
	case c.Name == "pfc":
		return "changes which traffic of " + c.Interface + " is lossless; the switch must have the same priorities"
	case c.Name == "state" && c.New == "down":
		return "takes " + c.Interface + " down: its traffic stops, and its routes are removed, which undo does not restore"
	case c.Name == "link" && c.New == Absent:
		return "removes " + c.Interface + " with its addresses and routes, which undo does not restore"
	case c.Name == "master" && c.New == Absent:
		return "takes " + c.Interface + " out of " + c.Old + ", and leaves it down"
	case group == "devlink":
		return "changes the driver or the firmware of the whole adapter below " + c.Interface
	case group == "devlink-init":
		return "takes effect when the driver of " + c.Interface + " is reloaded (devlink dev reload), which stops its traffic for seconds"
	case c.Name == "bond.active_slave":
		return "moves the traffic of " + c.Interface + " to another member"
	}
	return ""
}

// Command returns the equivalent line of ethtool, ip or dcb, or of PowerShell for a registry value, for a change of one line.
// Plan.Commands returns the lines of all changes.
func (c *Change) Command() string {
	if c.Registry != "" {
		return c.powerShell()
	}
	group, rest, _ := strings.Cut(c.Name, ".")
	name, value := quote(c.Interface), quote(c.New)
	switch group {
	case "mtu":
		return "ip link set dev " + name + " mtu " + value
	case "ring":
		return "ethtool -G " + name + " " + rest + " " + value
	case "channels":
		return "ethtool -L " + name + " " + rest + " " + value
	case "coalesce":
		return "ethtool -C " + name + " " + rest + " " + value
	case "pause":
		return "ethtool -A " + name + " " + rest + " " + value
	case "offload":
		return "ethtool -K " + name + " " + quote(rest) + " " + value
	case "pfc":
		words := "all:off"
		if c.New != "none" {
			for p := range strings.SplitSeq(c.New, ",") {
				words += " " + p + ":on"
			}
		}
		return "dcb pfc set dev " + name + " prio-pfc " + words
	case "state":
		return "ip link set dev " + name + " " + value
	case "master":
		if c.New == Absent {
			return "ip link set dev " + name + " nomaster"
		}
		return "ip link set dev " + name + " master " + value
	case "link":
		return linkCommand(c)
	case "vfs":
		return "echo " + value + " > " + quote("/sys/class/net/"+c.Interface+"/device/sriov_numvfs")
	case "vf":
		number, attribute, _ := strings.Cut(rest, ".")
		word := map[string]string{"min-rate": "min_tx_rate", "max-rate": "max_tx_rate"}[attribute]
		if word == "" {
			word = attribute
		}
		return "ip link set dev " + name + " vf " + number + " " + word + " " + value
	case "bond":
		return "ip link set dev " + name + " type bond " + rest + " " + value
	}
	return ""
}

// quote makes a word safe for a shell.
func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.:/,+", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// powerShell returns the line of PowerShell that gives a value of the registry its new text.
func (c *Change) powerShell() string {
	target := " -LiteralPath " + QuotePowerShell(`HKLM:\`+c.Registry) + " -Name " + QuotePowerShell(ValueName(c.Name))
	if c.New == NoValue {
		return "Remove-ItemProperty" + target
	}
	kind := "String"
	if c.Type == "REG_DWORD" {
		kind = "DWord"
	}
	return "Set-ItemProperty" + target + " -Type " + kind + " -Value " + QuotePowerShell(c.New)
}

// QuotePowerShell writes a text as a literal of PowerShell, which closes it at any of its single quotation marks.
func QuotePowerShell(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("'\u2018\u2019\u201a\u201b", r) {
			b.WriteRune(r)
		}
		b.WriteRune(r)
	}
	return "'" + b.String() + "'"
}

// ValueName returns the name of a value of the registry from the name of its setting, "Parameters\Roce\Mode".
func ValueName(setting string) string { return setting[strings.LastIndexByte(setting, '\\')+1:] }
