package qos

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
)

// Startup is the startup script of the host: its lines run at each boot, so that the policies of the active store come back
// (QOS-16; WinOF manual, "Configuring QoS on Windows").
type Startup struct {
	Lines []string `json:"lines"`
	// Failed are the lines that failed at the last boot, with the reason. As in PowerShell, the lines after them ran.
	Failed []string `json:"failed,omitempty"`
}

// SetStartup replaces the startup script; without lines it removes it.
type SetStartup struct {
	Lines []string `json:"lines,omitempty"`
}

func (SetStartup) Kind() string   { return "set-startup-script" }
func (SetStartup) Target() string { return "startup script" }

// Describe gives the number of lines, not the text: the journal keeps the lines.
func (o SetStartup) Describe() string {
	if len(o.Lines) == 0 {
		return "remove the startup script"
	}
	lines := "1 line"
	if len(o.Lines) > 1 {
		lines = fmt.Sprintf("%d lines", len(o.Lines))
	}
	return "set the startup script (" + lines + ")"
}

// Commands is empty: Windows keeps startup scripts in the group policy, which gpedit.msc edits.
func (SetStartup) Commands() []string { return nil }

// Limits of a startup script: lines, and bytes per line.
const (
	maxStartup     = 200
	maxStartupLine = 1000
)

// Inverse restores the previous script. It fails for a line that is not a supported QoS cmdlet.
func (o SetStartup) Inverse(s Set) (Operation, error) {
	if err := CheckStartup(o.Lines); err != nil {
		return nil, err
	}
	var now []string
	if s.Startup != nil {
		now = s.Startup.Lines
	}
	if slices.Equal(now, o.Lines) {
		return nil, request.Unchanged("the host has this startup script already")
	}
	return SetStartup{now}, nil
}

func (o SetStartup) Apply(s Set) error {
	if s.Startup = nil; len(o.Lines) > 0 {
		s.Startup = &Startup{Lines: o.Lines}
	}
	return nil
}

// CheckStartup returns what is wrong with the lines of a startup script.
func CheckStartup(lines []string) error {
	if len(lines) > maxStartup {
		return fmt.Errorf("a startup script can have at most %d lines, not %d", maxStartup, len(lines))
	}
	for i, line := range lines {
		if len(line) > maxStartupLine || strings.ContainsFunc(line, request.IsUnsafe) {
			return fmt.Errorf("line %d is too long or has control characters", i+1)
		}
		if l, err := parseStartup(line); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		} else if l != nil {
			if _, err := l.operations(nil); err != nil {
				return fmt.Errorf("line %d: %w", i+1, err)
			}
		}
	}
	return nil
}

// Boot removes the settings that Windows keeps only in memory (see State.Boot), and runs the startup script. It reports whether
// something may have changed.
func (s Set) Boot() (changed bool) {
	changed = s.State.Boot()
	if s.Startup == nil {
		return changed
	}
	ran := &Startup{Lines: s.Startup.Lines}
	for i, line := range ran.Lines {
		if err := s.runStartup(line); err != nil {
			ran.Failed = append(ran.Failed, fmt.Sprintf("line %d: %s", i+1, err))
		}
	}
	s.Startup = ran
	return true
}

// runStartup runs a line completely or not at all.
func (s Set) runStartup(line string) error {
	l, err := parseStartup(line)
	if err != nil || l == nil {
		return err
	}
	operations, err := l.operations(s.State)
	if err != nil {
		return err
	}
	before := *s.State
	for _, o := range operations {
		_, err := o.Inverse(s)
		var already *request.UnchangedError
		if errors.As(err, &already) {
			continue
		}
		if err == nil {
			err = o.Apply(s)
		}
		if err != nil {
			*s.State = before
			return err
		}
	}
	return nil
}

// startupLine is a cmdlet of a startup script with the values of its parameters; a switch has the value "true".
type startupLine struct {
	command string
	values  map[string][]string
}

// startupCmdlets are the cmdlets that a startup script can have.
var startupCmdlets = []string{
	"New-NetQosPolicy", "Remove-NetQosPolicy", "New-NetQosTrafficClass", "Remove-NetQosTrafficClass", "Enable-NetQosFlowControl",
	"Disable-NetQosFlowControl", "Enable-NetAdapterQos", "Disable-NetAdapterQos", "Set-NetAdapterQos", "Set-NetQosDcbxSetting",
}

// parseStartup reads a line; nil for an empty one and a comment.
func parseStartup(line string) (*startupLine, error) {
	words, err := startupWords(line)
	if err != nil || len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return nil, err
	}
	at := slices.IndexFunc(startupCmdlets, func(name string) bool { return strings.EqualFold(name, words[0]) })
	if at < 0 {
		return nil, request.Errorf("%q can't run at startup: the script can have %s", words[0], strings.Join(startupCmdlets, ", "))
	}
	l := &startupLine{startupCmdlets[at], map[string][]string{}}
	parameters := cmdlet.Find(l.command).Parameters
	var named *cmdlet.Parameter
	for _, word := range words[1:] {
		name, isName := strings.CutPrefix(word, "-")
		if !isName || name == "" || name[0] >= '0' && name[0] <= '9' {
			p := named
			if named = nil; p == nil {
				p = nextStartup(parameters, l.values)
			}
			if p == nil {
				return nil, request.Errorf("unexpected argument %q of %s", word, l.command)
			}
			l.values[p.Name] = strings.Split(word, ",")
			continue
		}
		if named != nil {
			return nil, fmt.Errorf("-%s of %s requires a value", named.Name, l.command)
		}
		name, value, given := strings.Cut(name, ":")
		p, err := findStartup(parameters, l.command, name)
		switch {
		case err != nil:
			return nil, err
		case p == nil: // -Confirm
		case p.Kind == cmdlet.SwitchKind:
			if value = strings.ToLower(strings.TrimPrefix(value, "$")); value != "false" {
				l.values[p.Name] = []string{"true"}
			}
		case given:
			l.values[p.Name] = strings.Split(value, ",")
		default:
			named = p
		}
	}
	if named != nil {
		return nil, fmt.Errorf("-%s of %s requires a value", named.Name, l.command)
	}
	return l, nil
}

// nextStartup returns the parameter of the next value without a name; nil if there is none.
func nextStartup(parameters []cmdlet.Parameter, values map[string][]string) *cmdlet.Parameter {
	for i := range parameters {
		if p := &parameters[i]; !p.Named && p.Kind != cmdlet.SwitchKind && values[p.Name] == nil {
			return p
		}
	}
	return nil
}

// findStartup finds a parameter by the beginning of its name; nil for -Confirm.
func findStartup(parameters []cmdlet.Parameter, command, name string) (found *cmdlet.Parameter, err error) {
	begins := func(whole string) bool { return len(whole) >= len(name) && strings.EqualFold(whole[:len(name)], name) }
	if strings.EqualFold(name, cmdlet.Confirm) {
		return nil, nil //nolint:nilnil // a line of a script asks nothing
	}
	for i := range parameters {
		p := &parameters[i]
		switch {
		case strings.EqualFold(p.Name, name) || strings.EqualFold(p.Alias, name):
			return p, nil
		case !begins(p.Name) && !begins(p.Alias):
		case found != nil:
			return nil, fmt.Errorf("-%s of %s may be -%s or -%s", name, command, found.Name, p.Name)
		default:
			found = p
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%s has no parameter -%s", command, name)
	}
	return found, nil
}

// startupWords splits a line at spaces; quotes join words, and a comma joins the words beside it.
func startupWords(line string) (words []string, err error) {
	var word strings.Builder
	started, quote := false, rune(0)
	flush := func() {
		if started {
			words = append(words, word.String())
		}
		word.Reset()
		started = false
	}
	for _, r := range strings.TrimPrefix(line, "\ufeff") {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, started = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			flush()
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed", quote)
	}
	flush()
	for i := 1; i < len(words); i++ {
		if strings.HasSuffix(words[i-1], ",") || strings.HasPrefix(words[i], ",") {
			words[i-1] += words[i]
			words = slices.Delete(words, i, i+1)
			i--
		}
	}
	return words, nil
}

// text returns the value of a parameter; empty if it was not given.
func (l *startupLine) text(name string) string { return strings.Join(l.values[name], ",") }

// number returns an integer; nil if the parameter was not given.
func (l *startupLine) number(name string) (*int, error) {
	if l.values[name] == nil {
		return nil, nil //nolint:nilnil // the parameter is optional
	}
	n, err := strconv.Atoi(l.text(name))
	if err != nil {
		return nil, request.Errorf("-%s of %s must be an integer, not %q", name, l.command, l.text(name))
	}
	return &n, nil
}

// boolean returns a value of 0, 1, $true or $false.
func (l *startupLine) boolean(name string) (bool, error) {
	switch strings.ToLower(strings.TrimPrefix(l.text(name), "$")) {
	case "1", "true":
		return true, nil
	case "0", "false":
		return false, nil
	}
	return false, request.Errorf("-%s of %s must be 0 or 1, not %q", name, l.command, l.text(name))
}

// priorities returns the priorities of a line; all without the parameter.
func (l *startupLine) priorities() ([]int, error) {
	if l.values["Priority"] == nil {
		return AllPriorities.List(), nil
	}
	var list []int
	for _, word := range l.values["Priority"] {
		n, err := strconv.Atoi(word)
		if err == nil {
			err = checkPriority(n)
		}
		if err != nil {
			return nil, request.Errorf("-Priority of %s must be 0 to 7, such as 3 or 3,5, not %q", l.command, word)
		}
		list = append(list, n)
	}
	return list, nil
}

// connections returns the connections that a line names.
func (l *startupLine) connections() ([]string, error) {
	if l.values["Name"] == nil {
		return nil, fmt.Errorf("%s requires -Name with the name of a connection", l.command)
	}
	return l.values["Name"], nil
}

// operations returns the Operations of a line for a state; with a nil state it only checks the line.
func (l *startupLine) operations(s *State) (list []Operation, err error) {
	switch l.command {
	case "New-NetQosPolicy":
		p, err := l.policy()
		return []Operation{AddPolicy{Policy: p}}, err
	case "Remove-NetQosPolicy":
		for i := range s.policies() {
			p := &s.Policies[i]
			if l.values["Name"] == nil || strings.EqualFold(l.text("Name"), p.Name) {
				list = append(list, RemovePolicy{p.Name, p.Store})
			}
		}
		return list, nil
	case "New-NetQosTrafficClass":
		c, err := l.class()
		return []Operation{AddClass{Class: c}}, err
	case "Remove-NetQosTrafficClass":
		for _, c := range s.ownClasses() {
			if l.values["Name"] == nil || strings.EqualFold(l.text("Name"), c.Name) {
				list = append(list, RemoveClass{c.Name})
			}
		}
		return list, nil
	case "Enable-NetQosFlowControl", "Disable-NetQosFlowControl":
		on := l.command == "Enable-NetQosFlowControl"
		priorities, err := l.priorities()
		if err == nil && on && l.values["Priority"] == nil {
			err = fmt.Errorf("%s requires -Priority with priorities such as 3 or 3,5", l.command)
		}
		for _, name := range append(l.values["InterfaceAlias"], "")[:max(1, len(l.values["InterfaceAlias"]))] {
			list = append(list, SetFlowControl{Connection: name, Priorities: priorities, Enabled: on})
		}
		return list, err
	case "Set-NetQosDcbxSetting":
		willing, err := l.boolean("Willing")
		return []Operation{SetDCBX{willing}}, err
	}
	on := l.command == "Enable-NetAdapterQos"
	if l.command == "Set-NetAdapterQos" {
		if on, err = l.boolean("Enabled"); err != nil {
			return nil, err
		}
	}
	names, err := l.connections()
	for _, name := range names {
		list = append(list, SetAdapter{name, on})
	}
	return list, err
}

// policies and ownClasses return the lists of a state that may be nil.
func (s *State) policies() []Policy {
	if s == nil {
		return nil
	}
	return s.Policies
}

func (s *State) ownClasses() []Class {
	if s == nil {
		return nil
	}
	return s.Classes
}

// policy returns the policy of New-NetQosPolicy, as the cmdlet reads its parameters.
func (l *startupLine) policy() (p Policy, err error) {
	p = Policy{Name: l.text("Name"), Program: l.text("AppPathNameMatchCondition")}
	if p.Name == "" {
		return p, fmt.Errorf("%s requires -Name with the name of the policy", l.command)
	}
	switch store := l.text("PolicyStore"); {
	case strings.EqualFold(store, string(ActiveStore)):
		p.Store = ActiveStore
	case store != "" && !strings.EqualFold(store, "localhost"):
		return p, request.Errorf("-PolicyStore of %s must be %s or localhost, not %q", l.command, ActiveStore, store)
	}
	for _, t := range Templates() {
		if l.values[string(t)] != nil {
			p.Template = t
		}
	}
	switch protocol := strings.ToUpper(l.text("IPProtocolMatchCondition")); protocol {
	case "", "BOTH":
	default:
		p.Protocol = Protocol(protocol)
	}
	numbers := map[string]*int{"IPPortMatchCondition": &p.Port, "NetDirectPortMatchCondition": &p.NetDirectPort,
		"IPSrcPortStartMatchCondition": &p.SourcePorts.First, "IPSrcPortEndMatchCondition": &p.SourcePorts.Last,
		"IPDstPortStartMatchCondition": &p.DestinationPorts.First, "IPDstPortEndMatchCondition": &p.DestinationPorts.Last}
	for name, into := range numbers {
		n, err := l.number(name)
		if err != nil {
			return p, err
		}
		if n != nil {
			*into = *n
		}
	}
	for name, into := range map[string]*Range{"IPSrcPortMatchCondition": &p.SourcePorts, "IPDstPortMatchCondition": &p.DestinationPorts} {
		n, err := l.number(name)
		if err != nil {
			return p, err
		}
		if n != nil {
			*into = Range{*n, *n}
		}
	}
	if p.Priority, err = l.number("PriorityValue8021Action"); err != nil {
		return p, err
	}
	if p.DSCP, err = l.number("DSCPAction"); err != nil {
		return p, err
	}
	return p, p.check()
}

// class returns the class of New-NetQosTrafficClass.
func (l *startupLine) class() (c Class, err error) {
	c = Class{Name: l.text("Name"), Algorithm: ETS}
	if strings.EqualFold(l.text("Algorithm"), string(Strict)) {
		c.Algorithm = Strict
	} else if !strings.EqualFold(l.text("Algorithm"), string(ETS)) {
		return c, fmt.Errorf("%s requires -Algorithm with ETS or Strict", l.command)
	}
	list, err := l.priorities()
	if err != nil {
		return c, err
	}
	if l.values["Priority"] == nil {
		list = nil
	}
	share, err := l.number("BandwidthPercentage")
	if err != nil {
		return c, err
	}
	if share != nil {
		c.Bandwidth = *share
	}
	c.Priorities, err = SetOf(list...)
	if err == nil && (c.Name == "" || c.Algorithm == ETS && (c.Bandwidth < 1 || c.Bandwidth > 100)) {
		err = fmt.Errorf("%s requires a name, and for ETS a -BandwidthPercentage of 1 to 100", l.command)
	}
	return c, err
}
