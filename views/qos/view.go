package qos

import (
	"slices"
	"time"

	"cxdeck/driver/lossless"
	"cxdeck/driver/qos"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/window"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
	"cxdeck/views/qos/setup"
)

// View is the QoS screen.
type View struct {
	deck *deck.Deck
	// sheets shows the settings of a machine without a lab.
	sheets browse.Sheets
	table  widget.Table // of the priorities
	page   browse.Page
	inPage bool
	filter browse.Filter
	// wizards are opened for the shown port.
	wizards *setup.Wizards

	// ports are the ports that the filter lets through, by their places in state.Ports; at is the shown one's place there.
	ports []int
	at    int
	chart chart
	// series are the counters of the shown port by priority.
	series seriesOf
	proofs proofs
	begins beginnings

	// What was published last.
	state  *labstate.State
	schema *perf.Schema
	window *window.Recent
	now    time.Time
}

// New returns the screen; its first ui.DataMsg fills it.
func New(d *deck.Deck) *View {
	v := &View{deck: d, table: widget.Table{ID: "qos.table", Columns: slices.Clone(columns), SortColumn: -1}}
	v.wizards = setup.New(d, func() bool { v.refresh(); return v.state != nil })
	return v
}

func (v *View) ID() string { return "qos" }

func (v *View) Title() string { return "QoS" }

func (v *View) Help() string {
	return "Quality of service of one port. At the top is the path of its frames, with the settings of each hop: host, adapter, " +
		"switch port, the switch port of the peers and their adapters, and every mismatch with its consequences. Below are the eight " +
		"priorities with class, share, PFC, policies, rates and drops. The page also shows whose settings DCBX applies. ← and → " +
		"change the port, / searches for ports. Enter on a mismatch reviews the plan that fixes it, r the plan that fixes all. " +
		"n makes RDMA lossless step by step, Z lists the other wizards. Change policies, classes and PFC with PowerShell commands " +
		"such as Enable-NetQosFlowControl 3, after : or with cxdeck exec.\n\n" +
		"PFC: Priority Flow Control. ETS: Enhanced Transmission Selection, the shares of the classes. DCBX: exchange of these settings " +
		"with the switch, in TLVs (type, length, value) of LLDP frames. ECN: Explicit Congestion Notification, the mark of a frame that " +
		"met a queue. CNP: Congestion Notification Packet, the answer to a mark. NP: notification point, which receives marked frames " +
		"and sends CNPs. RP: reaction point, which gets CNPs and slows down. DSCP: priority in the IP header. GID: global identifier, " +
		"the RDMA address of a port for an IP address and VLAN."
}

// Typing reports whether the filter takes the keys.
func (v *View) Typing() bool { return v.filter.Typing() }

func (v *View) Update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case ui.ShowMsg:
		return v.deck.LoadSessionsOnce()
	case ui.DataMsg:
		v.refresh()
	case ui.KeyMsg, ui.PasteMsg:
		v.filter.Follow(&v.table.List, msg, v.arrange, v.selectionChanged)
	case ui.HitMsg:
		return v.hit(msg)
	default:
		return v.wizards.Update(msg)
	}
	return nil
}

// refresh takes over the newest that the monitor has published.
func (v *View) refresh() {
	m := v.deck.Monitor()
	if m == nil {
		return
	}
	v.state, v.schema, v.window = m.Lab(), m.Schema(), m.Window()
	v.now = m.Status().Now
	v.arrange()
	if v.state != nil && len(v.state.Paths) == len(v.state.Ports) {
		v.begins.read(v.state.Ports, v.state.Paths, v.now)
	}
	if p := v.port(); p != nil {
		v.proofs.read(p, v.path().Mismatches, v.now)
	}
}

// arrange finds the ports that the filter lets through, and keeps the shown one where it is among them.
func (v *View) arrange() {
	shown := -1
	if v.at < len(v.ports) {
		shown = v.ports[v.at]
	}
	v.ports = v.ports[:0]
	if v.state != nil {
		for i := range v.state.Ports {
			p := &v.state.Ports[i]
			if !v.filter.Active() || v.filter.Match(p.Description.Connection, p.Adapter.Name, p.Description.Switch.Name) {
				v.ports = append(v.ports, i)
			}
		}
	}
	v.at = max(slices.Index(v.ports, shown), 0)
	v.selectionChanged()
}

// selectionChanged is called when another port or row may show.
func (v *View) selectionChanged() {
	v.table.List.SetLength(v.rows())
	v.page.Stale = true
}

// rows is the number of rows in the table: the priorities, and frames without one.
func (v *View) rows() int {
	if q := v.windows(); q == nil || !q.Ethernet {
		return 0
	}
	return priorityRows
}

// port returns the shown port, nil when there is none.
func (v *View) port() *labstate.Port {
	if v.state == nil || v.at >= len(v.ports) {
		return nil
	}
	return &v.state.Ports[v.ports[v.at]]
}

// windows returns what Windows has for the shown port, nil when there is none.
func (v *View) windows() *qos.PortView {
	if v.port() == nil || v.ports[v.at] >= len(v.state.QoS.Ports) {
		return nil
	}
	return &v.state.QoS.Ports[v.ports[v.at]]
}

// path returns the comparison of the shown port's ends.
func (v *View) path() *lossless.Path {
	if v.windows() == nil {
		return &lossless.Path{}
	}
	return &v.state.Paths[v.ports[v.at]]
}
