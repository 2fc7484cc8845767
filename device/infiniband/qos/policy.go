package qos

import (
	"fmt"
	"strconv"
	"strings"
)

// Policy gives paths their service level: the rules of the section qos-ulps of a policy file of OpenSM, in their order.
type Policy struct {
	Rules []Rule `json:"rules,omitempty"`
}

// Rule gives the paths that match it a level. Ranges without an end match all paths.
type Rule struct {
	Services Range `json:"services,omitzero"`
	Keys     Range `json:"keys,omitzero"` // without the bit of full membership
	Targets  Range `json:"targets,omitzero"`
	Level    uint8 `json:"level"`
}

// Range is a range of numbers with both its ends; an empty one has the end 0.
type Range struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
}

// holds reports whether a rule with the range matches a value.
func (r Range) holds(value uint64) bool { return r.To == 0 || r.From <= value && value <= r.To }

// Path is what a policy looks at: the service of a connection, 0 for none, the partition and the GUID of the target's port.
type Path struct{ Service, Key, Target uint64 }

// LevelOf returns the service level of a path: the one of the first rule that matches, or 0.
func (p *Policy) LevelOf(path Path) uint8 {
	if p == nil {
		return 0
	}
	for _, r := range p.Rules {
		if r.Services.holds(path.Service) && r.Keys.holds(path.Key&fullKey) && r.Targets.holds(path.Target) {
			return r.Level
		}
	}
	return 0
}

// fullKey are the bits of a partition's number; the default partition has all of them.
const fullKey = 0x7fff

// The services of protocols: connections of the connection manager have their TCP port in the lowest 16 bits.
const (
	ConnectionService = 0x0000000001060000
	socketsService    = 0x0000000000010000
	datagramPort      = 0x48ca // RDS
	storagePort       = 0x035c // iSER
)

// maxRules is the maximum number of rules.
const maxRules = 256

// Valid reports whether a saved policy can be one.
func (p *Policy) Valid() bool {
	for _, r := range p.Rules {
		if r.Level >= Levels {
			return false
		}
	}
	return len(p.Rules) <= maxRules
}

// ParsePolicy reads the section qos-ulps of a policy file: "default : 0", "ipoib : 3", "any, service-id 0x6234-0x6240 : 2". It returns nil for
// an empty text, and an error for other sections, which the lab's subnet managers do not have.
func ParsePolicy(text string) (*Policy, error) {
	p, open, last := new(Policy), false, -1
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case !open && line == "qos-ulps":
			open = true
		case open && line == "end-qos-ulps":
			open = false
		case !open:
			return nil, fmt.Errorf("line %d: the policy must be a section qos-ulps, not %q", number, line)
		default:
			rules, isDefault, err := readRule(line)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
			if isDefault {
				last = int(rules[0].Level)
				continue
			}
			if p.Rules = append(p.Rules, rules...); len(p.Rules) >= maxRules {
				return nil, fmt.Errorf("line %d: a policy has at most %d rules", number, maxRules-1)
			}
		}
	}
	switch {
	case open:
		return nil, fmt.Errorf("line %d: the section must end with end-qos-ulps", number)
	case last >= 0:
		p.Rules = append(p.Rules, Rule{Level: uint8(last)})
	}
	if len(p.Rules) == 0 {
		return nil, nil //nolint:nilnil // no policy
	}
	return p, nil
}

// readRule reads a line: a protocol, values of a keyword, and a level. It returns a rule for each value.
func readRule(line string) (rules []Rule, isDefault bool, err error) {
	head, level, _ := strings.Cut(line, ":")
	n, err := strconv.ParseUint(strings.TrimSpace(level), 0, 8)
	if err != nil || n >= Levels {
		return nil, false, fmt.Errorf("a service level must be 0 to %d, not %q", Levels-1, strings.TrimSpace(level))
	}
	words := strings.Split(head, ",")
	protocol := strings.TrimSpace(words[0])
	keyword := ""
	for _, word := range words[1:] {
		value := strings.TrimSpace(word)
		if name, rest, given := strings.Cut(value, " "); given {
			keyword, value = name, strings.TrimSpace(rest)
		}
		r, err := readRange(value)
		if err != nil {
			return nil, false, err
		}
		rule, ok := ruleOf(protocol, keyword, r)
		if !ok {
			return nil, false, fmt.Errorf("%q takes no %q", protocol, keyword)
		}
		rule.Level = uint8(n)
		rules = append(rules, rule)
	}
	if len(words) > 1 {
		return rules, false, nil
	}
	rule := Rule{Level: uint8(n)}
	switch protocol {
	case "default":
		return []Rule{rule}, true, nil
	case "ipoib":
		rule.Keys = Range{fullKey, fullKey}
	case "sdp":
		rule.Services = Range{socketsService, socketsService + 0xffff}
	case "rds":
		rule.Services = Range{ConnectionService + datagramPort, ConnectionService + datagramPort}
	case "iser":
		rule.Services = Range{ConnectionService + storagePort, ConnectionService + storagePort}
	default:
		return nil, false, fmt.Errorf("%q must be default, or a protocol: ipoib, sdp, rds, iser, or any or srp with what it matches", protocol)
	}
	return []Rule{rule}, false, nil
}

// ruleOf returns the rule of a protocol with a value of a keyword.
func ruleOf(protocol, keyword string, r Range) (rule Rule, ok bool) {
	switch protocol + " " + keyword {
	case "any service-id":
		rule.Services = r
	case "any pkey", "ipoib pkey":
		rule.Keys = Range{r.From & fullKey, r.To & fullKey}
		ok = rule.Keys.To > 0 && rule.Keys.From <= rule.Keys.To
		return rule, ok
	case "any target-port-guid", "srp target-port-guid":
		rule.Targets = r
	case "sdp port-num":
		rule.Services = Range{socketsService + r.From, socketsService + r.To}
		return rule, r.To <= 0xffff
	case "rds port-num", "iser port-num":
		rule.Services = Range{ConnectionService + r.From, ConnectionService + r.To}
		return rule, r.To <= 0xffff
	default:
		return rule, false
	}
	return rule, r.To > 0
}

// readRange reads "0x6234" or "0x6234-0x6240".
func readRange(text string) (r Range, err error) {
	from, to, given := strings.Cut(text, "-")
	if r.From, err = strconv.ParseUint(strings.TrimSpace(from), 0, 64); err == nil {
		if r.To = r.From; given {
			r.To, err = strconv.ParseUint(strings.TrimSpace(to), 0, 64)
		}
	}
	if err != nil || r.From > r.To {
		return r, fmt.Errorf("%q must be a number, or a range such as 0x6234-0x6240", text)
	}
	return r, nil
}
