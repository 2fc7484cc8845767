package teaming

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// addVLAN opens the wizard that adds a VLAN; on is what is proposed to carry it.
func (v *View) addVLAN(on owner) ui.Cmd {
	target := func(values widget.WizardValues) owner {
		if id := values.Text(fieldOn); id != "" {
			return ownerOfID(id)
		}
		return on
	}
	return v.open("add-vlan", on.name(), form{
		fields: func(string, widget.WizardValues) []widget.WizardField {
			return append([]widget.WizardField{v.ownerField(on)}, vlanFields(driver.VLANView{})...)
		},
		check: func(values widget.WizardValues) []widget.WizardMessage {
			return v.checkVLAN(target(values), values, "")
		},
		plan: func(values widget.WizardValues) driver.Plan {
			o := target(values)
			name, id, priority := readVLAN(values)
			add := driver.AddVLAN{Team: o.team, Connection: o.connection, Name: name, ID: id, Priority: priority}
			return driver.Plan{Title: fmt.Sprintf("Add the VLAN %s to %s", name, o.name()), Operations: []driver.Operation{add}}
		},
		done: func(values widget.WizardValues) (row, team string) {
			o := target(values)
			name, _, _ := readVLAN(values)
			return vlanID(o.team, o.connection, name), o.team
		},
	})
}

// ownerField asks what carries a VLAN.
func (v *View) ownerField(on owner) widget.WizardField {
	f := widget.WizardField{ID: fieldOn, Kind: widget.WizardOneOf, Required: true, Initial: widget.WizardValue{Text: on.id()}}
	inTeam := map[string]string{}
	for i := range v.state.Teams {
		t := &v.state.Teams[i]
		for _, name := range connections(t) {
			inTeam[name] = t.Name
		}
		c := widget.WizardChoice{ID: owner{team: t.Name}.id(), Label: t.Name, Text: "team, " + t.Type.String()}
		if t.IPoIB {
			c.Disabled = noVLANs
		}
		f.Choices = append(f.Choices, c)
	}
	for i := range v.state.Ports {
		p := &v.state.Ports[i]
		name := p.Description.Connection
		c := widget.WizardChoice{ID: owner{connection: name}.id(), Label: name, Text: "port of " + p.Adapter.Name}
		if c.Disabled = portTakesNoVLAN(p); inTeam[name] != "" {
			c.Disabled = "it is a member of " + inTeam[name] + ": put the VLAN on the team"
		}
		f.Choices = append(f.Choices, c)
	}
	return f
}

// portTakesNoVLAN is why a port in no team can't have VLANs of its own; empty when it can.
func portTakesNoVLAN(p *perf.LabPort) string {
	switch {
	case p.Description.Link == device.InfiniBand:
		return noVLANs
	case p.Adapter.Family == device.WinOF2:
		return "a WinOF-2 port in no team has one VLAN, which i sets: its VLAN id"
	default:
		return ""
	}
}

// vlansOn are the VLANs that a team or port has.
func (v *View) vlansOn(o owner) []driver.VLANView {
	if t := v.teamNamed(o.team); t != nil {
		return t.VLANs
	}
	if p := v.port(o.connection); p != nil {
		return p.VLANs
	}
	return nil
}

// checkVLAN finds a VLAN that can't be beside the others of its owner; but is the one that is changed.
func (v *View) checkVLAN(o owner, values widget.WizardValues, but string) (list []widget.WizardMessage) {
	name, id, priority := readVLAN(values)
	if t := v.teamNamed(o.team); t != nil && t.Family == device.WinOF2 && priority != 0 {
		list = append(list, widget.WizardMessage{Field: fieldPriority, Severity: widget.WizardInfo, Text: noPriority})
	}
	for _, w := range v.vlansOn(o) {
		if w.Name == but {
			continue
		}
		if w.ID == id {
			list = append(list, widget.WizardMessage{Field: fieldID, Text: fmt.Sprintf("%s has the id %d already, as %s", o.name(), id, w.Name)})
		}
		if strings.EqualFold(w.Name, name) {
			list = append(list, widget.WizardMessage{Field: fieldVLAN, Text: o.name() + " has a VLAN called " + w.Name + " already"})
		}
	}
	return list
}

// noPriority is what becomes of the priority of a VLAN on a team of Windows (TEAM-15).
const noPriority = "a team of Windows gives VLANs no priority: it is kept, and what is sent has its own"

// allVLANs are the VLANs of all teams and ports.
func (v *View) allVLANs() (list []driver.VLANView) {
	for i := range v.state.Teams {
		list = append(list, v.state.Teams[i].VLANs...)
	}
	for i := range v.state.Ports {
		list = append(list, v.state.Ports[i].VLANs...)
	}
	return list
}

// vlanField asks which VLAN it is.
func (v *View) vlanField(is *driver.VLANView) widget.WizardField {
	f := widget.WizardField{ID: fieldOn, Kind: widget.WizardOneOf, Required: true, Initial: widget.WizardValue{Text: vlanID(is.Team, is.Connection, is.Name)}}
	for _, w := range v.allVLANs() {
		f.Choices = append(f.Choices, widget.WizardChoice{
			ID: vlanID(w.Team, w.Connection, w.Name), Label: w.Name, Text: fmt.Sprintf("id %d on %s", w.ID, w.Team+w.Connection),
		})
	}
	return f
}

// chosenVLAN is the VLAN that a wizard is about, nil when it is gone.
func (v *View) chosenVLAN(is *driver.VLANView, values widget.WizardValues) *driver.VLANView {
	id := values.Text(fieldOn)
	if id == "" {
		id = vlanID(is.Team, is.Connection, is.Name)
	}
	all := v.allVLANs()
	at := slices.IndexFunc(all, func(w driver.VLANView) bool { return vlanID(w.Team, w.Connection, w.Name) == id })
	if at < 0 {
		return nil
	}
	return &all[at]
}

// modifyVLAN opens the wizard that changes a VLAN.
func (v *View) modifyVLAN(is *driver.VLANView) ui.Cmd {
	return v.open("modify-vlan", is.Name, form{
		fields: func(_ string, values widget.WizardValues) []widget.WizardField {
			fields := []widget.WizardField{v.vlanField(is)}
			if w := v.chosenVLAN(is, values); w != nil {
				fields = append(fields, vlanFields(*w)...)
			}
			return fields
		},
		check: func(values widget.WizardValues) []widget.WizardMessage {
			w := v.chosenVLAN(is, values)
			if w == nil {
				return []widget.WizardMessage{{Field: fieldOn, Text: "the VLAN is no longer there"}}
			}
			return v.checkVLAN(owner{w.Team, w.Connection}, values, w.Name)
		},
		plan: func(values widget.WizardValues) driver.Plan {
			w := v.chosenVLAN(is, values)
			if w == nil {
				return driver.Plan{}
			}
			plan := driver.Plan{Title: "Modify the VLAN " + w.Name}
			name, id, priority := readVLAN(values)
			if name != w.Name || id != w.ID || priority != w.Priority {
				plan.Operations = []driver.Operation{driver.ModifyVLAN{
					Team: w.Team, Connection: w.Connection, VLAN: w.Name, Name: name, ID: id, Priority: priority,
				}}
			}
			return plan
		},
		done: func(values widget.WizardValues) (row, team string) {
			name, _, _ := readVLAN(values)
			if w := v.chosenVLAN(is, values); w != nil {
				return vlanID(w.Team, w.Connection, name), ""
			}
			return vlanID(is.Team, is.Connection, name), ""
		},
	})
}

// removeVLAN opens the wizard that removes a VLAN.
func (v *View) removeVLAN(is *driver.VLANView) ui.Cmd {
	return v.open("remove-vlan", is.Name, form{
		fields: func(_ string, values widget.WizardValues) []widget.WizardField {
			fields := []widget.WizardField{v.vlanField(is)}
			if w := v.chosenVLAN(is, values); w != nil {
				receive, send := v.vlanRates(w)
				facts := []widget.WizardFact{{Mark: widget.WizardWarn, Label: "Traffic", Text: v.rate(receive) + " received, " + v.rate(send) + " sent just now"}}
				if !(receive+send > 0) {
					facts[0].Mark, facts[0].Text = widget.WizardNoMark, "none just now"
				}
				fields = append(fields, widget.WizardField{ID: "facts", Label: "Ends with it", Kind: widget.WizardFacts, Facts: facts})
			}
			return fields
		},
		plan: func(values widget.WizardValues) driver.Plan {
			w := v.chosenVLAN(is, values)
			if w == nil {
				return driver.Plan{}
			}
			remove := driver.RemoveVLAN{Team: w.Team, Connection: w.Connection, VLAN: w.Name}
			return driver.Plan{Title: "Remove the VLAN " + w.Name, Operations: []driver.Operation{remove}}
		},
		done: func(widget.WizardValues) (row, team string) { return "", "" },
	})
}

// vlanKey is the registry key that tags all that a port sends.
const vlanKey = "VlanId"

// portVLANMsg brings the VLAN id that is stored for each Ethernet port that is in no team.
type portVLANMsg struct {
	connection string
	stored     map[string]string
	err        error
}

// portVLANID reads the stored ids, and opens the wizard that sets that of a port.
func (v *View) portVLANID(connection string) ui.Cmd {
	m := v.deck.Monitor()
	var names []string
	for i := range v.state.Ports {
		if p := &v.state.Ports[i]; p.Description.Link == device.Ethernet {
			names = append(names, p.Description.Connection)
		}
	}
	return ui.Background("Read the VLAN ids of ports", func(ctx context.Context) ui.Msg {
		msg := portVLANMsg{connection: connection, stored: map[string]string{}}
		msg.err = m.Look(ctx, func(h *driver.Host) error {
			for _, name := range names {
				key, err := h.Key(name, vlanKey)
				if err != nil {
					return err
				}
				msg.stored[name] = "0"
				if key.Stored.Exists() {
					msg.stored[name] = key.Stored.String()
				}
			}
			return nil
		})
		return msg
	})
}

// openPortVLAN opens the wizard with the ids that were read.
func (v *View) openPortVLAN(msg portVLANMsg) ui.Cmd {
	if msg.err != nil {
		return ui.Toast(ui.Failure, "The VLAN ids can't be read: "+msg.err.Error())
	}
	target := func(values widget.WizardValues) string {
		if id := values.Text(fieldOn); id != "" {
			return id
		}
		return msg.connection
	}
	return v.open("vlan-id", msg.connection, form{
		fields: func(_ string, values widget.WizardValues) []widget.WizardField {
			return []widget.WizardField{v.portField(&msg), {
				ID: fieldID, Kind: widget.WizardNumber, Low: 0, High: 4095, Required: true, Hint: "0 for none",
				Initial: widget.WizardValue{Text: msg.stored[target(values)]},
			}}
		},
		check: func(values widget.WizardValues) []widget.WizardMessage {
			return v.checkPortVLAN(target(values), values)
		},
		plan: func(values widget.WizardValues) driver.Plan {
			name := target(values)
			plan := driver.Plan{Title: "VLAN id of " + name}
			if id, ok := values.Number(fieldID); ok && strconv.Itoa(id) != msg.stored[name] {
				plan.Operations = []driver.Operation{
					driver.SetValue{Connection: name, Key: vlanKey, Value: strconv.Itoa(id)}, driver.RestartAdapter{Connection: name},
				}
			}
			return plan
		},
		done: func(values widget.WizardValues) (row, team string) { return portID(target(values)), "" },
	})
}

// portField asks which port it is.
func (v *View) portField(msg *portVLANMsg) widget.WizardField {
	f := widget.WizardField{ID: fieldOn, Kind: widget.WizardOneOf, Required: true, Initial: widget.WizardValue{Text: msg.connection}}
	for i := range v.state.Ports {
		p := &v.state.Ports[i]
		name := p.Description.Connection
		c := widget.WizardChoice{ID: name, Label: name, Text: p.Adapter.Name}
		if id := msg.stored[name]; id != "" && id != "0" {
			c.Text += ", id " + id + " now"
		}
		at := slices.IndexFunc(v.state.Teams, func(t driver.TeamView) bool { return slices.Contains(connections(&t), name) })
		switch {
		case p.Description.Link == device.InfiniBand:
			c.Disabled = noVLANs
		case at >= 0:
			c.Disabled = "it is a member of " + v.state.Teams[at].Name + ": the team has VLANs of its own"
		}
		f.Choices = append(f.Choices, c)
	}
	return f
}

// checkPortVLAN says what is to be said of the VLAN id of a port.
func (v *View) checkPortVLAN(connection string, values widget.WizardValues) (list []widget.WizardMessage) {
	p := v.port(connection)
	if p == nil {
		return nil
	}
	if len(p.VLANs) > 0 {
		list = append(list, widget.WizardMessage{Field: fieldID, Severity: widget.WizardWarning,
			Text: connection + " has VLANs of its own, beside which the id of the port does not count"})
	}
	if id, ok := values.Number(fieldID); ok && id != 0 {
		list = append(list, widget.WizardMessage{Field: fieldID, Severity: widget.WizardInfo,
			Text: fmt.Sprintf("switch port %s must be a trunk that lets VLAN %d through", p.Description.Switch.Name, id)})
	}
	return append(list, managementMessage(p)...)
}

// managementMessage warns of a port that carries the operator's session.
func managementMessage(p *perf.LabPort) []widget.WizardMessage {
	if !p.Management {
		return nil
	}
	return []widget.WizardMessage{{Field: fieldOn, Severity: widget.WizardWarning, Text: p.Description.Connection + " carries your session, which breaks off while it restarts"}}
}
