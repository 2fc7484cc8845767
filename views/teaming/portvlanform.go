package teaming

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/teams"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// vlanKey is the registry key for the VLAN tag of all frames that a port sends.
const vlanKey = "VlanId"

// portVLANMsg carries the stored VLAN ID of each Ethernet port without a team.
type portVLANMsg struct {
	connection string
	stored     map[string]string
	err        error
}

// portVLANID reads the stored IDs, and then opens the wizard for the VLAN ID of a port.
func (v *View) portVLANID(connection string) ui.Cmd {
	m, state := v.deck.Monitor(), v.state
	return ui.Background("Read the VLAN IDs of ports", func(ctx context.Context) ui.Msg {
		msg := portVLANMsg{connection: connection}
		msg.err = m.ReadHost(ctx, func(h *driver.Host) error { return msg.read(h, state) })
		return msg
	})
}

// read reads the stored IDs.
func (msg *portVLANMsg) read(h *driver.Host, state *labstate.State) error {
	msg.stored = map[string]string{}
	for i := range state.Ports {
		d := state.Ports[i].Description
		if d.Link != description.Ethernet {
			continue
		}
		key, err := h.Key(d.Connection, vlanKey)
		if err != nil {
			return err
		}
		msg.stored[d.Connection] = "0"
		if key.Stored.Exists() {
			msg.stored[d.Connection] = key.Stored.String()
		}
	}
	return nil
}

// openPortVLAN opens the wizard with the stored IDs.
func (v *View) openPortVLAN(msg portVLANMsg) ui.Cmd {
	if msg.err != nil {
		return ui.Toast(ui.Failure, "The VLAN IDs can't be read: "+msg.err.Error())
	}
	return v.portVLAN(&msg).show()
}

// portVLAN is the form for the VLAN ID of a port.
func (v *View) portVLAN(msg *portVLANMsg) opening {
	target := func(values wizard.Values) string {
		if id := values.Text(fieldOn); id != "" {
			return id
		}
		return msg.connection
	}
	return v.opening("vlan-id", msg.connection, change.Form{
		Field: func(f *wizard.Field, values wizard.Values) bool {
			if f.ID == fieldOn {
				v.offerPorts(f, msg)
			} else {
				f.Initial.Text = msg.stored[target(values)]
			}
			return true
		},
		Check: func(values wizard.Values) []wizard.Message {
			return v.checkPortVLAN(target(values), values)
		},
		Plan: func(values wizard.Values) driver.Plan {
			name := target(values)
			plan := driver.Plan{Title: "VLAN ID of " + name}
			if id, ok := values.Number(fieldID); ok && strconv.Itoa(id) != msg.stored[name] {
				plan.Operations = []driver.Operation{
					edit.SetValue{Connection: name, Key: vlanKey, Value: strconv.Itoa(id)}, adapters.RestartAdapter{Connection: name},
				}
			}
			return plan
		},
	}, func(values wizard.Values) (row, team string) { return portID(target(values)), "" })
}

// offerPorts completes the field for a port.
func (v *View) offerPorts(f *wizard.Field, msg *portVLANMsg) {
	f.Initial.Text = msg.connection
	for i := range v.state.Ports {
		p := &v.state.Ports[i]
		name := p.Description.Connection
		c := wizard.Choice{ID: name, Label: name, Text: p.Adapter.Name}
		if id := msg.stored[name]; id != "" && id != "0" {
			c.Text += ", id " + id + " now"
		}
		at := slices.IndexFunc(v.state.Teams, func(t teams.View) bool { return slices.Contains(connections(&t), name) })
		switch {
		case p.Description.Link == description.InfiniBand:
			c.Disabled = noVLANs
		case at >= 0:
			c.Disabled = "it is a member of " + v.state.Teams[at].Name + ": N adds one there"
		}
		f.Choices = append(f.Choices, c)
	}
}

// checkPortVLAN returns the errors and warnings about the VLAN ID of a port.
func (v *View) checkPortVLAN(connection string, values wizard.Values) (list []wizard.Message) {
	p := v.port(connection)
	if p == nil {
		return nil
	}
	if len(p.VLANs) > 0 {
		list = append(list, wizard.Message{Field: fieldID, Severity: wizard.Warning,
			Text: connection + " has VLANs of its own, so the id of the port has no effect"})
	}
	if id, ok := values.Number(fieldID); ok && id != 0 {
		list = append(list, wizard.Message{Field: fieldID, Severity: wizard.Info,
			Text: fmt.Sprintf("switch port %s must be a trunk that forwards VLAN %d", p.Description.Switch.Name, id)})
	}
	return append(list, managementMessage(p)...)
}

// managementMessage returns a warning for a port that carries the operator's session.
func managementMessage(p *labstate.Port) []wizard.Message {
	if !p.Management {
		return nil
	}
	return []wizard.Message{{Field: fieldOn, Severity: wizard.Warning, Text: p.Description.Connection +
		" carries your session, which is interrupted while it restarts"}}
}
