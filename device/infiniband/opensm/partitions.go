package opensm

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/qos"
)

// Partition is a line of partitions.conf.
type Partition struct {
	Name string           `json:"name"`
	Key  description.PKey `json:"key"` // without the bit of full membership
	// IPoIB creates the broadcast group of the partition.
	IPoIB bool `json:"ipoib,omitempty"`
	// Full is the membership of ports that don't name one.
	Full bool `json:"full,omitempty"`
	// Level is the service level of its paths and groups.
	Level uint8 `json:"sl,omitempty"`
	// Members are the ports by GUID, and by Everything, Switches, Adapters or Manager.
	Members []Member `json:"members,omitempty"`
}

// Member is a port of a partition, or a class of ports.
type Member struct {
	GUID  description.GUID `json:"guid,omitempty"`
	Class Class            `json:"class,omitempty"`
	Full  bool             `json:"full,omitempty"`
}

// Class is a class of ports in partitions.conf.
type Class string

// The classes of ports.
const (
	OnePort    Class = ""
	Everything Class = "ALL"
	Switches   Class = "ALL_SWITCHES"
	Adapters   Class = "ALL_CAS"
	Routers    Class = "ALL_ROUTERS"
	Self       Class = "SELF"
)

// DefaultPartitions is the configuration without a file: all ports are full members of the default partition.
func DefaultPartitions() []Partition {
	return []Partition{{Name: "Default", Key: 0x7fff, IPoIB: true, Members: []Member{{Class: Everything, Full: true}}}}
}

// Limits of partitions.conf.
const (
	maxPartitions = 4096
	maxConf       = 1 << 20
)

// ReadPartitions reads partitions.conf: lines "Name=0x8001, ipoib, defmember=full : GUID=full, GUID, ALL ;". It returns an error
// with the line that is wrong.
func ReadPartitions(r io.Reader) ([]Partition, error) {
	var partitions []Partition
	lines := bufio.NewScanner(io.LimitReader(r, maxConf))
	statement, first := "", 0
	for number := 1; lines.Scan(); number++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		if statement == "" {
			first = number
		}
		statement += " " + text
		for {
			line, rest, ended := strings.Cut(statement, ";")
			if !ended {
				break
			}
			p, err := readPartition(line)
			if err != nil {
				return nil, fmt.Errorf("partitions.conf, line %d: %w", first, err)
			}
			if partitions = append(partitions, p); len(partitions) > maxPartitions {
				return nil, fmt.Errorf("partitions.conf, line %d: more than %d partitions", number, maxPartitions)
			}
			statement, first = rest, number
		}
		if strings.TrimSpace(statement) == "" {
			statement = ""
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("partitions.conf can't be read: %w", err)
	}
	if statement != "" {
		return nil, fmt.Errorf("partitions.conf, line %d: a partition ends with a semicolon", first)
	}
	return partitions, nil
}

func readPartition(text string) (Partition, error) {
	head, members, _ := strings.Cut(text, ":")
	var p Partition
	for i, flag := range strings.Split(head, ",") {
		name, value, given := strings.Cut(strings.TrimSpace(flag), "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case i == 0:
			key, err := strconv.ParseUint(value, 0, 16)
			if name == "" || !given || err != nil || description.PKey(key)&0x7fff == 0 {
				return p, fmt.Errorf("%q must be a name and a PKey, such as Storage=0x8001", strings.TrimSpace(flag))
			}
			p.Name, p.Key = name, description.PKey(key)&0x7fff
		case name == "ipoib":
			p.IPoIB = true
		case name == "defmember" && (value == "full" || value == "limited"):
			p.Full = value == "full"
		case name == "sl":
			level, err := strconv.ParseUint(value, 0, 8)
			if err != nil || level >= qos.Levels {
				return p, fmt.Errorf("a service level must be 0 to %d, not %q", qos.Levels-1, value)
			}
			p.Level = uint8(level)
		case slices.Contains([]string{"rate", "mtu", "scope", "indx0", "Q_Key", "TClass", "mgid"}, name):
		default:
			return p, fmt.Errorf("unknown flag %q", strings.TrimSpace(flag))
		}
	}
	for text := range strings.SplitSeq(members, ",") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		name, membership, given := strings.Cut(text, "=")
		m := Member{Full: p.Full}
		if given {
			switch strings.TrimSpace(membership) {
			case "full":
				m.Full = true
			case "limited":
				m.Full = false
			default:
				return p, fmt.Errorf("the membership of %q must be full or limited", text)
			}
		}
		switch class := Class(strings.TrimSpace(name)); class {
		case Everything, Switches, Adapters, Routers, Self:
			m.Class = class
		default:
			guid, err := strconv.ParseUint(strings.TrimSpace(name), 0, 64)
			if err != nil || guid == 0 {
				return p, fmt.Errorf("%q is no port GUID, and none of ALL, ALL_CAS, ALL_SWITCHES, ALL_ROUTERS, SELF", strings.TrimSpace(name))
			}
			m.GUID = description.GUID(guid)
		}
		p.Members = append(p.Members, m)
	}
	return p, nil
}

// policy returns the policy by which the manager answers for service levels: its file's, then the levels of its partitions.
func (m *Manager) policy() *qos.Policy {
	p := new(qos.Policy)
	if m.Policy != nil && m.QoS != nil {
		p.Rules = slices.Clone(m.Policy.Rules)
	}
	for i := range m.Partitions {
		if key := uint64(m.Partitions[i].Key & 0x7fff); m.Partitions[i].Level > 0 {
			p.Rules = append(p.Rules, qos.Rule{Keys: qos.Range{From: key, To: key}, Level: m.Partitions[i].Level})
		}
	}
	if len(p.Rules) == 0 {
		return nil
	}
	return p
}

// membership returns whether an end port belongs to a partition, and whether as a full member. A GUID wins over a class.
func (m *Manager) membership(p *part, end infiniband.Place, of *Partition) (member, full bool) {
	for _, entry := range of.Members {
		matches := false
		switch entry.Class {
		case Everything:
			matches = true
		case Switches:
			matches = p.Of(end).Kind == infiniband.Switch
		case Adapters:
			matches = p.Of(end).Kind == infiniband.Adapter
		case Routers:
			matches = p.Of(end).Kind == infiniband.Router
		case Self:
			matches = end == m.Place
		case OnePort:
			if entry.GUID == p.End(end).GUID {
				return true, entry.Full
			}
		}
		if matches {
			member, full = true, full || entry.Full
		}
	}
	return member, full
}

// partition writes the table of each end port: the default partition at index 0, then the others in the order of their keys.
func (m *Manager) partition(p *part) {
	partitions := m.Partitions
	if !slices.ContainsFunc(partitions, func(defined Partition) bool { return defined.Key == 0x7fff }) {
		// Every subnet has the default partition; without a line for it all ports are limited members, and the manager's a full one.
		partitions = append([]Partition{{Name: "Default", Key: 0x7fff, Members: []Member{{Class: Everything}, {Class: Self, Full: true}}}},
			partitions...)
	}
	sorted := slices.Clone(partitions)
	slices.SortStableFunc(sorted, func(a, b Partition) int {
		if (a.Key == 0x7fff) != (b.Key == 0x7fff) {
			if a.Key == 0x7fff {
				return -1
			}
			return 1
		}
		return int(a.Key) - int(b.Key)
	})
	for _, end := range p.ends {
		port := p.End(end)
		port.PKeys = nil
		for i := range sorted {
			if member, full := m.membership(p, end, &sorted[i]); member {
				key := sorted[i].Key
				if full {
					key = key.Full()
				}
				port.PKeys = append(port.PKeys, key)
			}
		}
	}
}
