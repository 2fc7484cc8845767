package intent

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"cxdeck/driver/intent/dcbconfig"
	"cxdeck/driver/request"
)

// MaxBytes is the largest file of an intent.
const MaxBytes = dcbconfig.MaxBytes

// maxItems is the maximum number of nodes, adapters or policies in a list.
const maxItems = 1024

// Read reads an intent: TOML, or a configuration file of Validate-DCB, which begins with a variable or a comment of PowerShell.
// It returns an error for a file that can't be parsed; the checks of the intent find all other problems.
func Read(data []byte) (*Intent, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the file is longer than %d MB", MaxBytes>>20)
	}
	var root map[string]any
	var err error
	if isPowerShell(data) {
		root, err = dcbconfig.Read(data)
	} else if err = toml.Unmarshal(data, &root); err != nil {
		err = explain(err)
	}
	if err != nil {
		return nil, err
	}
	d := decoder{}
	in := d.intent(root)
	if len(in.Nodes) == 0 && len(in.Policies) == 0 {
		return nil, errors.New("the file is not an intent: it has neither AllNodes nor NonNodeData")
	}
	in.Problems = d.problems
	return in, nil
}

func explain(err error) error {
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		return &dcbconfig.Error{Line: line, Problem: strings.TrimPrefix(wrong.Error(), "toml: ")}
	}
	return errors.New(strings.TrimPrefix(err.Error(), "toml: "))
}

// Text returns the text of an intent's file in UTF-8 or UTF-16.
func Text(data []byte) (string, error) { return dcbconfig.Text(data) }

// isPowerShell reports whether a file is a script: its first line other than a comment sets a variable. Files in UTF-16, which
// Windows editors write, are scripts.
func isPowerShell(data []byte) bool {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return true
	}
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		switch line = bytes.TrimSpace(line); {
		case bytes.HasPrefix(line, []byte("<#")):
			return true
		case len(line) > 0 && line[0] != '#':
			return line[0] == '$'
		}
	}
	return false
}

// decoder converts a tree of maps and lists to an Intent. Case does not matter in names, as in PowerShell.
type decoder struct{ problems []string }

const maxProblems = 100

func (d *decoder) problem(format string, args ...any) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, fmt.Sprintf(format, args...))
	}
}

// fields calls take for each field of a table, in the order of their names; take returns false for an unknown field.
func (d *decoder) fields(where string, table map[string]any, take func(name string, value any) bool) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if !take(strings.ToLower(name), table[name]) {
			d.problem("%s has the unknown field %.60q", where, name)
		}
	}
}

// tables returns the tables of a list; a single table is a list of one.
func (d *decoder) tables(where string, v any) (list []map[string]any) {
	switch v := v.(type) {
	case nil:
	case map[string]any:
		return []map[string]any{v}
	case []any:
		if len(v) > maxItems {
			d.problem("%s has %d entries, more than %d", where, len(v), maxItems)
			return nil
		}
		for _, element := range v {
			if table, ok := element.(map[string]any); ok {
				list = append(list, table)
			} else {
				d.problem("an entry of %s must be a table", where)
			}
		}
	default:
		d.problem("%s must be a list of tables", where)
	}
	return list
}

func (d *decoder) text(where, field string, v any, into *string) bool {
	switch v := v.(type) {
	case string:
		*into = v
	case int64:
		*into = strconv.FormatInt(v, 10)
	default:
		d.problem("%s of %s must be text", field, where)
	}
	if len(*into) > request.MaxTarget || strings.ContainsFunc(*into, request.IsUnsafe) {
		*into = ""
		d.problem("%s of %s is too long, or has control characters", field, where)
	}
	return true
}

func (d *decoder) number(where, field string, v any, into **int) bool {
	text := ""
	switch v := v.(type) {
	case int64:
		text = strconv.FormatInt(v, 10)
	case string:
		text = strings.TrimSpace(v)
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		d.problem("%s of %s must be an integer", field, where)
		return true
	}
	*into = &n
	return true
}

func (d *decoder) boolean(where, field string, v any) *bool {
	on, ok := v.(bool)
	if !ok {
		d.problem("%s of %s must be true or false", field, where)
		return nil
	}
	return &on
}

func (d *decoder) intent(root map[string]any) *Intent {
	in := new(Intent)
	d.fields("the file", root, func(name string, v any) bool {
		switch name {
		case "allnodes":
			for _, table := range d.tables("AllNodes", v) {
				in.Nodes = append(in.Nodes, d.nodes(table)...)
			}
		case "nonnodedata":
			for _, table := range d.tables("NonNodeData", v) {
				d.fields("NonNodeData", table, func(name string, v any) bool {
					if name == "netqos" {
						for _, table := range d.tables("NetQos", v) {
							in.Policies = append(in.Policies, d.policy(table))
						}
					}
					return name == "netqos" || name == "azureautomation" // of the deployment that Validate-DCB can do
				})
			}
		default:
			return false
		}
		return true
	})
	return in
}

// nodes returns the nodes of an entry: NodeName can be a list of names, for nodes that are alike.
func (d *decoder) nodes(table map[string]any) (list []Node) {
	var node Node
	var names []string
	d.fields("a node", table, func(name string, v any) bool {
		switch name {
		case "nodename":
			many, ok := v.([]any)
			if !ok {
				many = []any{v}
			}
			for _, item := range many[:min(len(many), maxItems)] {
				text := ""
				d.text("a node", "NodeName", item, &text)
				names = append(names, text)
			}
		case "rdmaenabledadapters":
			node.Enabled = d.adapters(v)
		case "rdmadisabledadapters":
			node.Disabled = d.adapters(v)
		case "vmswitch":
			for _, table := range d.tables("VMSwitch", v) {
				node.Switches = append(node.Switches, d.virtualSwitch(table))
			}
		case "role": // of the deployment that Validate-DCB can do
		default:
			return false
		}
		return true
	})
	if names == nil {
		names = []string{""}
	}
	for _, name := range names {
		node.Name = name
		list = append(list, node)
	}
	return list
}

func (d *decoder) adapters(v any) (list []Adapter) {
	for _, table := range d.tables("a list of adapters", v) {
		var a Adapter
		d.fields("an adapter", table, func(name string, v any) bool {
			switch name {
			case "name":
				return d.text("an adapter", "Name", v, &a.Name)
			case "vmnetworkadapter":
				return d.text("an adapter", "VMNetworkAdapter", v, &a.VMNetworkAdapter)
			case "vlanid":
				return d.number("an adapter", "VLANID", v, &a.VLAN)
			case "jumbopacket":
				return d.number("an adapter", "JumboPacket", v, &a.JumboPacket)
			case "encapoverhead":
				return d.number("an adapter", "EncapOverhead", v, &a.EncapOverhead)
			}
			return false
		})
		list = append(list, a)
	}
	return list
}

func (d *decoder) virtualSwitch(table map[string]any) (s Switch) {
	d.fields("a switch", table, func(name string, v any) bool {
		switch name {
		case "name":
			return d.text("a switch", "Name", v, &s.Name)
		case "embeddedteamingenabled":
			on := d.boolean("a switch", "EmbeddedTeamingEnabled", v)
			s.Embedded = on != nil && *on
		case "loadbalancingalgorithm":
			return d.text("a switch", "LoadBalancingAlgorithm", v, &s.Balance)
		case "iovenabled":
			s.IOV = d.boolean("a switch", "IovEnabled", v)
		case "rdmaenabledadapters":
			s.Enabled = d.adapters(v)
		case "rdmadisabledadapters":
			s.Disabled = d.adapters(v)
		default:
			return false
		}
		return true
	})
	return s
}

func (d *decoder) policy(table map[string]any) (p Policy) {
	const where = "a policy"
	d.fields(where, table, func(name string, v any) bool {
		switch name {
		case "name":
			return d.text(where, "Name", v, &p.Name)
		case "template":
			return d.text(where, "Template", v, &p.Template)
		case "algorithm":
			return d.text(where, "Algorithm", v, &p.Algorithm)
		case "netdirectportmatchcondition":
			return d.number(where, "NetDirectPortMatchCondition", v, &p.NetDirectPort)
		case "priorityvalue8021action":
			return d.number(where, "PriorityValue8021Action", v, &p.Priority)
		case "bandwidthpercentage":
			return d.number(where, "BandwidthPercentage", v, &p.Bandwidth)
		}
		return false
	})
	return p
}
