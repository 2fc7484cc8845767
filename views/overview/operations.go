package overview

import (
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
	"cxdeck/views/deck"
	"cxdeck/views/frames"
)

// keysAction opens the registry keys of the selected port, or of the first port of the selected adapter.
func (v *View) keysAction() ui.Action {
	a := ui.Action{ID: "overview.keys", Keys: []string{"e"}, Name: "edit keys", Help: "Open the registry keys of the selected adapter"}
	if v.deck.HasSettings() {
		return v.settingsAction()
	}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	ports := v.ports()
	if len(ports) == 0 {
		a.Disabled = "select an adapter or a port: functions have the keys of their port"
		return a
	}
	connection := v.inventory.Nodes[ports[0]].Name
	a.Object = connection
	a.Run = func() ui.Cmd { return ui.Go("registry", deck.KeyFocus{Connection: connection}) }
	return a
}

// settingsAction opens the settings of the selected interface of this machine, or of the first one of the selected adapter.
func (v *View) settingsAction() ui.Action {
	at := deck.SettingsFocus{}
	if ports := v.ports(); len(ports) > 0 {
		at = deck.SettingsOf(&v.inventory.Nodes[ports[0]])
	} else if n := v.node(); n != nil && n.Kind == perf.FunctionNode {
		at = deck.SettingsOf(n)
	}
	return v.deck.SettingsAction("overview", at)
}

// restartAction restarts the selected port, or all ports of the selected adapter.
func (v *View) restartAction() ui.Action {
	a := ui.Action{ID: "overview.restart", Keys: []string{"R"}, Name: "restart", AsksFirst: true, Changes: true,
		Help: "Restart the selected adapter: pending registry values take effect, and its links are down for a moment"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	ports := v.ports()
	if len(ports) == 0 {
		a.Disabled = "select an adapter or a port to restart"
		return a
	}
	a.Object = v.node().Name
	plan := driver.Plan{Title: "Restart " + a.Object}
	for _, i := range ports {
		plan.Operations = append(plan.Operations, adapters.RestartAdapter{Connection: v.inventory.Nodes[i].Name})
	}
	a.Run = func() ui.Cmd { return change.Do(v.deck, "Restart", plan) }
	return a
}

// framesAction shows the frames on the cable of the selected port.
func (v *View) framesAction() ui.Action {
	a := ui.Action{ID: "overview.frames", Keys: []string{"U"}, Name: "frames", Hidden: true,
		Help: "Show the next frames on the cable of the selected port: time, source, destination, protocol, length and notes"}
	if connection := v.framesOf(&a); connection != "" {
		a.Run = func() ui.Cmd { return frames.Show(v.deck, connection) }
	}
	return a
}

// framesExportAction writes the frames on the cable of the selected port to a file.
func (v *View) framesExportAction() ui.Action {
	a := ui.Action{ID: "overview.export", Keys: []string{"x"}, Name: "export frames", Hidden: true,
		Help: "Write the next 1000 frames on the cable of the selected port to a file for Wireshark"}
	if connection := v.framesOf(&a); connection != "" {
		a.Run = func() ui.Cmd { return frames.Export(v.deck, connection) }
	}
	return a
}

// framesOf returns the selected port, whose frames can be captured; without one it disables the action.
func (v *View) framesOf(a *ui.Action) string {
	n, m := v.node(), v.deck.Monitor()
	switch {
	case n == nil || n.Kind != perf.PortNode:
		a.Disabled = "select a port"
	case m == nil || !m.Readable():
		a.Disabled = "only the lab has frames to capture"
	default:
		a.Object = n.Name
		return n.Name
	}
	return ""
}

// cableAction pulls the cable of the selected port, or plugs it in again.
func (v *View) cableAction() ui.Action {
	a := ui.Action{ID: "overview.cable", Keys: []string{"p"}, Name: "pull cable", AsksFirst: true, Changes: true,
		Help: "Pull the cable of the selected port, or plug it in again"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	n := v.node()
	if n == nil || n.Kind != perf.PortNode {
		a.Disabled = "select a port"
		return a
	}
	change.Cable(v.deck, &a, n.Name, n.State != perf.StateDown)
	return a
}

// selectedNode returns the index of the selected node in the inventory, -1 for none.
func (v *View) selectedNode() int {
	if r := widget.At(&v.table.List, v.rows); r != nil {
		return r.node
	}
	return -1
}

// ports returns the indexes of the ports of the selected node: the port itself, or the ports of an adapter; none for a
// function.
func (v *View) ports() []int {
	at, nodes := v.selectedNode(), v.nodes()
	if at < 0 {
		return nil
	}
	switch nodes[at].Kind {
	case perf.PortNode:
		return []int{at}
	case perf.FunctionNode:
		return nil
	default:
	}
	var ports []int
	for i := at + 1; i < len(nodes); i++ {
		if nodes[i].Parent == at && nodes[i].Kind == perf.PortNode {
			ports = append(ports, i)
		}
	}
	return ports
}
