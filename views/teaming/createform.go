package teaming

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/mux"
	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// The ids of fields that more than one wizard has.
const (
	fieldPorts    = "ports"
	fieldType     = "type"
	fieldName     = "name"
	fieldMembers  = "members"
	fieldPrimary  = "primary"
	fieldFailback = "failback"
	fieldMAC      = "mac"
	fieldVLANs    = "vlans"
	fieldID       = "vlan_id"
	fieldVLAN     = "vlan_name"
	fieldPriority = "priority"
	fieldTeam     = "team"
	fieldOn       = "on"
)

// noPrimary is the choice of no primary member: an id must not be empty.
const noPrimary = "(none)"

// noVLANs is why nothing of InfiniBand has VLANs.
const noVLANs = "InfiniBand has partitions (PKeys) in place of VLANs"

// longestName is the longest name of a team or a VLAN.
const longestName = 128

// createTeam opens the wizard that makes a team. The port that the cursor was put on is proposed as its first member.
func (v *View) createTeam() ui.Cmd {
	first := ""
	if r := v.row(); r != nil && v.chosen && r.kind == portRow && r.port.JoinRefusal == "" {
		first = r.port.Description.Connection
	}
	return v.open("create-team", "", form{
		fields: func(step string, values widget.WizardValues) []widget.WizardField {
			return v.createFields(step, first, values)
		},
		skip: func(step string, values widget.WizardValues) string {
			if step == "vlans" && v.chosenKind(first, values).ipoib {
				return noVLANs
			}
			return ""
		},
		check: v.checkCreate,
		plan:  v.createPlan,
		done: func(values widget.WizardValues) (row, team string) {
			return teamID(values.Text(fieldName)), values.Text(fieldName)
		},
	})
}

func (v *View) createFields(step, first string, values widget.WizardValues) []widget.WizardField {
	kind := v.chosenKind(first, values)
	switch step {
	case "type":
		return []widget.WizardField{
			{ID: fieldPorts, Kind: widget.WizardOneOf, Initial: widget.WizardValue{Text: v.usualKind(first)}, Choices: v.kindChoices()},
			{ID: fieldName, Kind: widget.WizardText, Required: true, Limit: longestName, Initial: widget.WizardValue{Text: v.freeName()}},
			{ID: fieldType, Kind: widget.WizardOneOf, Initial: widget.WizardValue{Text: mux.AFT.String()}, Choices: typeChoices(kind)},
		}
	case "members":
		choices := v.memberChoices(kind, nil)
		var initial []string
		for _, c := range choices {
			if c.ID == first && c.Disabled == "" {
				initial = []string{first}
			}
		}
		return []widget.WizardField{{ID: fieldMembers, Kind: widget.WizardManyOf, Required: true, Choices: choices, Initial: widget.WizardValue{IDs: initial}}}
	case "roles":
		return []widget.WizardField{
			primaryField(values.IDs(fieldMembers), noPrimary),
			failbackField(kind, true),
			{ID: fieldMAC, Kind: widget.WizardToggle},
		}
	case "vlans":
		return []widget.WizardField{{ID: fieldVLANs, Label: "VLANs", Kind: widget.WizardRows, Item: "VLAN", Columns: vlanFields(driver.VLANView{})}}
	}
	return nil
}

// chosenKind is the kind of ports that the team is made of; at first the one that is proposed.
func (v *View) chosenKind(first string, values widget.WizardValues) portKind {
	if id := values.Text(fieldPorts); id != "" {
		return kindOfID(id)
	}
	return kindOfID(v.usualKind(first))
}

// usualKind is the kind of ports that is proposed: that of a port, or the one that most free ports are of.
func (v *View) usualKind(connection string) string {
	best, most := portKinds[0].id, 0
	for _, one := range portKinds {
		free := 0
		for i := range v.state.Ports {
			p := &v.state.Ports[i]
			if portKindOf(p) != one.kind {
				continue
			}
			if p.Description.Connection == connection {
				return one.id
			}
			if p.JoinRefusal == "" {
				free++
			}
		}
		if free > most {
			best, most = one.id, free
		}
	}
	return best
}

// kindChoices are the kinds of ports that a team can be made of.
func (v *View) kindChoices() (list []widget.WizardChoice) {
	for _, one := range portKinds {
		all, free := 0, 0
		for i := range v.state.Ports {
			if p := &v.state.Ports[i]; portKindOf(p) == one.kind {
				all++
				if p.JoinRefusal == "" {
					free++
				}
			}
		}
		c := widget.WizardChoice{ID: one.id, Label: one.kind.label(), Text: count(free, "free port"), Help: "The team is made by " + one.kind.maker() + "."}
		switch {
		case all == 0:
			c.Disabled = "this host has no such port"
		case free == 0:
			c.Disabled = "none of them can join a team now"
		}
		list = append(list, c)
	}
	return list
}

// typeChoices are the types of teams, with what each gives and needs.
func typeChoices(kind portKind) (list []widget.WizardChoice) {
	for _, t := range mux.Types() {
		c := widget.WizardChoice{ID: t.Name, Label: t.Name, Text: t.Title, Help: t.Gives + ". It needs: " + lowerFirst(t.Needs) + "."}
		if err := driver.TypeRefusal(t.Type, kind.ipoib, kind.family); err != nil {
			c.Disabled = err.Error()
		}
		list = append(list, c)
	}
	return list
}

// lowerFirst is a text with its first letter in lower case, for the middle of a sentence.
func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// freeName is a name that no team has: "Team1".
func (v *View) freeName() string {
	for n := 1; ; n++ {
		name := "Team" + strconv.Itoa(n)
		if !v.taken(name, "") {
			return name
		}
	}
}

// taken says whether a team other than the one named has a name; Windows tells no case.
func (v *View) taken(name, but string) bool {
	return slices.ContainsFunc(v.state.Teams, func(t driver.TeamView) bool {
		return strings.EqualFold(t.Name, name) && t.Name != but
	})
}

// memberChoices are the ports of a kind, with how they are and why one can't join; those of team can stay.
func (v *View) memberChoices(kind portKind, team *driver.TeamView) (list []widget.WizardChoice) {
	for i := range v.state.Ports {
		p := &v.state.Ports[i]
		name := p.Description.Connection
		c := widget.WizardChoice{ID: name, Label: name, Text: p.Adapter.Name}
		c.Mark, c.Word = portMark(p)
		if n := v.nodes[name]; n != nil {
			c.Text = n.SpeedText + "  " + p.Adapter.Name
			if p.Management {
				c.Text = n.SpeedText + "  your session  " + p.Adapter.Name
			}
		}
		member := team != nil && slices.ContainsFunc(team.Members, func(m driver.MemberView) bool { return m.Connection == name })
		switch {
		case member:
		case portKindOf(p) != kind:
			c.Disabled = "can't join: a port of " + portKindOf(p).label()
		case p.JoinRefusal != "":
			c.Disabled = "can't join: " + p.JoinRefusal
		}
		list = append(list, c)
	}
	// Those that can join come first.
	slices.SortStableFunc(list, func(a, b widget.WizardChoice) int {
		switch {
		case (a.Disabled == "") == (b.Disabled == ""):
			return 0
		case a.Disabled == "":
			return -1
		default:
			return 1
		}
	})
	return list
}

// portMark is how a port is, as a mark and a word.
func portMark(p *perf.LabPort) (widget.WizardMark, string) {
	switch {
	case p.State == driver.Restarting:
		return widget.WizardBusy, "restarting"
	case p.State == driver.Stopped:
		return widget.WizardDown, "disabled"
	case p.State == driver.Failed:
		return widget.WizardBad, "failed"
	case p.Up:
		return widget.WizardGood, "up"
	case !p.Cabled:
		return widget.WizardDown, "cable out"
	default:
		return widget.WizardDown, "down"
	}
}

// failbackField asks whether the primary member takes over again.
func failbackField(kind portKind, on bool) widget.WizardField {
	f := widget.WizardField{ID: fieldFailback, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: on}}
	if err := driver.FailbackRefusal(kind.family); err != nil {
		f.Disabled = err.Error()
	}
	return f
}

// primaryField asks which of the members is the primary one.
func primaryField(members []string, initial string) widget.WizardField {
	f := widget.WizardField{ID: fieldPrimary, Kind: widget.WizardOneOf, Initial: widget.WizardValue{Text: initial}}
	f.Choices = []widget.WizardChoice{{ID: noPrimary, Label: "none", Text: "the first member stands in"}}
	for _, name := range members {
		f.Choices = append(f.Choices, widget.WizardChoice{ID: name, Label: name})
	}
	if initial != noPrimary && !slices.Contains(members, initial) {
		f.Initial.Text = noPrimary
	}
	return f
}

// vlanFields ask for a VLAN; is is how it is now.
func vlanFields(is driver.VLANView) []widget.WizardField {
	id := ""
	if is.ID > 0 {
		id = strconv.Itoa(is.ID)
	}
	return []widget.WizardField{
		{ID: fieldID, Kind: widget.WizardNumber, Low: mux.LeastID, High: mux.MostID, Required: true, Initial: widget.WizardValue{Text: id}},
		{ID: fieldVLAN, Kind: widget.WizardText, Limit: longestName, Hint: "VLAN and its id when empty", Initial: widget.WizardValue{Text: is.Name}},
		{ID: fieldPriority, Kind: widget.WizardNumber, Low: 0, High: mux.MostPriority, Required: true, Initial: widget.WizardValue{Text: strconv.Itoa(is.Priority)}},
	}
}

// readVLAN reads the answers of vlanFields.
func readVLAN(values widget.WizardValues) (name string, id, priority int) {
	id, _ = values.Number(fieldID)
	priority, _ = values.Number(fieldPriority)
	name = values.Text(fieldVLAN)
	if name == "" {
		name = "VLAN" + strconv.Itoa(id)
	}
	return name, id, priority
}

// checkCreate says what is to be said of the answers.
func (v *View) checkCreate(values widget.WizardValues) (list []widget.WizardMessage) {
	if name := values.Text(fieldName); v.taken(name, "") {
		list = append(list, widget.WizardMessage{Field: fieldName, Text: "a team is called " + name + " already"})
	}
	t, _ := mux.ParseType(values.Text(fieldType))
	list = append(list, v.checkMembers(t, kindOfID(values.Text(fieldPorts)), values.IDs(fieldMembers))...)
	return append(list, checkRows(values.Rows(fieldVLANs))...)
}

// checkMembers says what is to be said of the members of a team.
func (v *View) checkMembers(t mux.Type, kind portKind, members []string) (list []widget.WizardMessage) {
	say := func(severity widget.WizardSeverity, format string, values ...any) {
		list = append(list, widget.WizardMessage{Field: fieldMembers, Severity: severity, Text: fmt.Sprintf(format, values...)})
	}
	if err := driver.CountRefusal(t, kind.family, len(members)); err != nil {
		say(widget.WizardError, "%s", err)
	}
	if len(members) == 1 {
		say(widget.WizardInfo, "one member alone survives no failure")
	}
	speeds, down := map[int]bool{}, []string{}
	cards := map[*device.Adapter]bool{}
	for _, name := range members {
		p := v.port(name)
		if p == nil {
			continue
		}
		speeds[p.Description.SpeedGbps] = true
		cards[p.Adapter] = true
		if !p.Up {
			down = append(down, name)
		}
		if p.Management {
			say(widget.WizardWarning, "%s carries your session, which breaks off while it joins", name)
		}
	}
	switch {
	case len(speeds) > 1 && t.FaultTolerant():
		say(widget.WizardWarning, "the members have different speeds: a failover may leave too little")
	case len(speeds) > 1:
		say(widget.WizardWarning, "the members have different speeds: each gets an equal part of the flows all the same")
	}
	if len(members) > 1 && len(cards) == 1 {
		say(widget.WizardInfo, "all members are on one card: they fail together with it")
	}
	if len(down) > 0 {
		say(widget.WizardInfo, "%s down now, and carries nothing before its link is up", strings.Join(down, ", ")+map[bool]string{true: " is", false: " are"}[len(down) == 1])
	}
	if rdma := v.rdmaFlows(members); len(rdma) > 0 {
		say(widget.WizardWarning, "RDMA does not go through a team: %s over TCP from then on", someOf(rdma))
	}
	if t.Aggregates() {
		say(widget.WizardInfo, "%s needs an aggregation group on the switch ports of all members", t)
	}
	return list
}

// rdmaFlows are the names of the workloads that speak RDMA until their ports join a team (TEAM-16): not those on ports
// that are in one already.
func (v *View) rdmaFlows(connections []string) (names []string) {
	for i := range v.state.Flows {
		if f := &v.state.Flows[i]; f.Protocol == device.RDMA && slices.Contains(connections, f.Connection) && !v.joined(f.Connection) {
			names = append(names, f.Name)
		}
	}
	return names
}

// joined says that a port is a member of a team.
func (v *View) joined(connection string) bool {
	return slices.ContainsFunc(v.state.Teams, func(t driver.TeamView) bool {
		return slices.ContainsFunc(t.Members, func(m driver.MemberView) bool { return m.Connection == connection })
	})
}

// someOf are the first of some names, and how many more there are.
func someOf(names []string) string {
	const named = 2
	if len(names) <= named {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
}

// checkRows finds VLANs of a list that can't be beside each other.
func checkRows(rows []widget.WizardValues) (list []widget.WizardMessage) {
	ids, names := map[int]bool{}, map[string]bool{}
	for i, row := range rows {
		name, id, _ := readVLAN(row)
		if ids[id] {
			list = append(list, widget.WizardMessage{Field: fieldVLANs, Row: i + 1, Text: fmt.Sprintf("the id %d is there twice", id)})
		}
		if names[strings.ToLower(name)] {
			list = append(list, widget.WizardMessage{Field: fieldVLANs, Row: i + 1, Text: "the name " + name + " is there twice"})
		}
		ids[id], names[strings.ToLower(name)] = true, true
	}
	return list
}

// createPlan makes the team, attaches the primary member first and then the others, and adds the VLANs.
func (v *View) createPlan(values widget.WizardValues) driver.Plan {
	name, kind := values.Text(fieldName), kindOfID(values.Text(fieldPorts))
	plan := driver.Plan{Title: "Create the team " + name}
	plan.Operations = append(plan.Operations, driver.CreateTeam{
		Name: name, Type: values.Text(fieldType), IPoIB: kind.ipoib, NoFailback: !values.On(fieldFailback), Family: kind.family,
	})
	members := slices.Clone(values.IDs(fieldMembers))
	primary := values.Text(fieldPrimary)
	if at := slices.Index(members, primary); at > 0 {
		members = append([]string{primary}, slices.Delete(members, at, at+1)...)
	}
	for i, connection := range members {
		plan.Operations = append(plan.Operations, driver.AttachMember{
			Team: name, Connection: connection, Primary: connection == primary, SetMAC: i == 0 && values.On(fieldMAC),
		})
	}
	for _, row := range values.Rows(fieldVLANs) {
		vlan, id, priority := readVLAN(row)
		plan.Operations = append(plan.Operations, driver.AddVLAN{Team: name, Name: vlan, ID: id, Priority: priority})
	}
	return plan
}
