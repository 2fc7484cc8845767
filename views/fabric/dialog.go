package fabric

import (
	"context"
	"fmt"
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/driver"
	"cxdeck/driver/subnet"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// refresh is the time between two readings.
const refresh = time.Second

// dialog shows the subnet.
type dialog struct {
	deck   *deck.Deck
	table  widget.Table
	now    *reading
	err    error
	rows   []row
	folded map[int]bool
	curves map[infiniband.Place]*curve
	// counter is the index of the counter whose curve is drawn.
	counter int
	// drawn shows the topology in place of the tree.
	drawn, closed bool
	// traps shows the traps in place of the tree.
	traps bool
}

// readMsg brings a reading; tickMsg asks for the next one.
type (
	readMsg struct {
		dialog *dialog
		now    *reading
		err    error
	}
	tickMsg struct{ dialog *dialog }
)

// Actions returns the action that opens the subnet.
func Actions(d *deck.Deck) []ui.Action {
	a := ui.Action{ID: "shell.subnet", Keys: []string{"y"}, Name: "InfiniBand subnet", Hidden: true,
		Help: "Show the InfiniBand subnet: nodes, links, rates and errors, as a tree or drawn", Run: func() ui.Cmd { return open(d) }}
	switch state := d.Monitor().Lab(); {
	case state == nil:
		a.Disabled = "the subnet belongs to a lab"
	case !slices.ContainsFunc(state.Ports, func(p labstate.Port) bool {
		return p.Description != nil && p.Description.Link == description.InfiniBand
	}):
		a.Disabled = "the host has no InfiniBand port: start a lab with one, --lab manual-ib"
	}
	return []ui.Action{a}
}

func open(d *deck.Deck) ui.Cmd {
	return ui.OpenDialog(&dialog{deck: d, folded: map[int]bool{}, curves: map[infiniband.Place]*curve{},
		table: widget.Table{ID: "fabric.rows", Focused: true, SortColumn: -1, Columns: columns()}})
}

// columns are the columns of the tree.
func columns() []widget.TableColumn {
	return []widget.TableColumn{
		{Title: "Node and port", Width: 13, Grow: 2}, {Title: "Other end", Width: 15, Grow: 2, Rank: 3}, {Title: "State", Width: 10},
		{Title: "Link", Width: 8, Rank: 1}, {Title: "Sent", Width: 10, Right: true, Rank: 2}, {Title: "Received", Width: 10, Right: true, Rank: 4},
		{Title: "Errors", Width: 6, Right: true},
	}
}

func (d *dialog) Title() string { return "InfiniBand subnet" }

func (d *dialog) Size(width, height int) (int, int) { return width, height }

// Opened reads the subnet for the first time.
func (d *dialog) Opened() ui.Cmd { return d.read() }

// Closed ends the readings.
func (d *dialog) Closed() ui.Cmd {
	d.closed = true
	return nil
}

// read reads the subnet in the background.
func (d *dialog) read() ui.Cmd {
	monitor := d.deck.Monitor()
	return func() ui.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		now := new(reading)
		err := monitor.ReadHost(ctx, func(h *driver.Host) error {
			if now.Subnet, now.own = h.Lab().Subnet(); now.Subnet == nil {
				return fmt.Errorf("the lab has no InfiniBand port: start one with --lab manual-ib")
			}
			now.at = h.Lab().Now()
			return nil
		})
		return readMsg{d, now, err}
	}
}

// take keeps a reading, and appends the rates since the one before.
func (d *dialog) take(msg readMsg) {
	if d.err = msg.err; msg.err != nil {
		return
	}
	before := d.now
	d.now = msg.now
	if before != nil {
		d.measure(before)
	}
	d.list(d.place())
}

// list makes the lines of the tree, and selects the one of a place.
func (d *dialog) list(selected infiniband.Place) {
	d.rows = tree(d.now.Fabric, d.folded)
	d.table.List.SetLength(len(d.rows))
	for i := range d.rows {
		if d.rows[i].place == selected {
			d.table.List.Select(i)
		}
	}
}

func (d *dialog) measure(before *reading) {
	seconds := d.now.at.Sub(before.at).Seconds()
	if seconds <= 0 || len(before.Fabric.Nodes) != len(d.now.Fabric.Nodes) {
		return
	}
	rate := func(now, was uint64) widget.Band {
		bits := float64(now-min(was, now)) * 32 / seconds
		return widget.Band{Min: bits, Max: bits, Average: bits}
	}
	for n := range d.now.Fabric.Nodes {
		for p := range d.now.Fabric.Nodes[n].Ports {
			port := &d.now.Fabric.Nodes[n].Ports[p]
			if port.Far == infiniband.Nowhere {
				continue
			}
			at := infiniband.Place{Node: n, Port: p}
			c, was := d.curves[at], &before.Fabric.At(at).Counters
			if c == nil {
				c = new(curve)
				d.curves[at] = c
			}
			c.counters.append(port, before.Fabric.At(at), seconds, len(c.sent))
			c.sent = last(append(c.sent, rate(port.Counters.SentData, was.SentData)))
			c.received = last(append(c.received, rate(port.Counters.ReceivedData, was.ReceivedData)))
		}
	}
}

// last keeps the newest rates.
func last(bands []widget.Band) []widget.Band { return bands[max(0, len(bands)-kept):] }

// place returns the selected place, Nowhere before the first reading.
func (d *dialog) place() infiniband.Place {
	if r := widget.At(&d.table.List, d.rows); r != nil {
		return r.place
	}
	return infiniband.Nowhere
}

func (d *dialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case readMsg:
		if msg.dialog != d || d.closed {
			return false, nil
		}
		d.take(msg)
		return false, ui.After(refresh, tickMsg{d})
	case tickMsg:
		if msg.dialog == d && !d.closed {
			return false, d.read()
		}
	case ui.KeyMsg:
		if d.table.List.Key(msg.Name) {
			return false, nil
		}
		cmd, _ := ui.Perform(d.Actions(), msg.Name, false)
		return false, cmd
	case ui.HitMsg:
		if step := msg.Button.WheelRows(); step != 0 {
			d.table.List.Scroll(step)
		} else if msg.ID == d.table.ID && msg.Button == ui.Press && msg.Index < len(d.rows) {
			d.table.List.Select(msg.Index)
		}
		widget.ScrollHit(&d.table.List, msg.Hit)
	}
	return false, nil
}

// Actions are the keys of the dialog.
func (d *dialog) Actions() []ui.Action {
	cable := ui.Action{ID: "fabric.cable", Keys: []string{"p"}, Name: "cable out or in", Changes: true, Help: "Take the cable at the selected port out, or put it in",
		Run: d.moveCable}
	switch at := d.place(); {
	case d.now == nil || at.Port == 0:
		cable.Disabled = "select a port: a node's ports are below it"
	case d.deck.CannotChange() != "":
		cable.Disabled = d.deck.CannotChange()
	}
	name := "topology" // the next way, which the key shows
	switch {
	case d.drawn:
		name = "traps"
	case d.traps:
		name = "tree"
	}
	return append([]ui.Action{
		{ID: "fabric.mode", Keys: []string{"m"}, Name: name, Help: "Show the subnet as a tree, drawn as a topology, or the traps that its manager received", Run: func() ui.Cmd {
			d.drawn, d.traps = !d.drawn && !d.traps, d.drawn
			return nil
		}},
		cable,
		{ID: "fabric.fold", Keys: []string{"left"}, Name: "fold", Help: "Hide the ports of the selected node", Run: func() ui.Cmd { return d.fold(true) }},
		{ID: "fabric.unfold", Keys: []string{"right", " "}, Name: "unfold", Help: "Show the ports of the selected node, or hide them",
			Run: func() ui.Cmd { return d.fold(d.now != nil && !d.folded[d.place().Node]) }},
	}, d.counterActions()...)
}

// fold hides or shows the ports of the selected node.
func (d *dialog) fold(hide bool) ui.Cmd {
	if at := d.place(); at.Node >= 0 && d.now != nil {
		d.folded[at.Node] = hide
		d.list(infiniband.Place{Node: at.Node})
	}
	return nil
}

// moveCable takes the cable at the selected port out, or puts it in.
func (d *dialog) moveCable() ui.Cmd {
	at := d.place()
	name := subnet.Name(d.now.Fabric, at)
	out := !d.now.Fabric.At(at).Unplugged
	o := subnet.SetLink{Port: name, Unplugged: &out}
	title := map[bool]string{true: "Take out the cable at " + name, false: "Plug in the cable at " + name}[out]
	return change.Do(d.deck, title, driver.Plan{Title: title, Operations: []driver.Operation{o}})
}

func (d *dialog) Hints() []ui.Hint {
	return append(ui.Hints(d.Actions()), ui.Hint{Key: "esc", Name: "close"})
}

func (d *dialog) Draw(area widget.Area) {
	if d.err != nil {
		for y, line := range widget.Wrap(d.err.Error()+".", area.Width) {
			area.Print(0, y, line, themes.Style{Role: themes.Warn})
		}
		return
	}
	if d.now == nil {
		area.Print(0, 0, "The subnet is being read ...", themes.Style{Role: themes.Muted})
		return
	}
	head, body := area.SplitTop(2)
	head.PrintCut(0, 0, head.Width, summary(d.now.Subnet), themes.Style{Role: themes.Muted})
	if d.traps {
		d.drawTraps(body)
		return
	}
	if d.drawn {
		drawTopology(body, d.now.Fabric, d.place().Node)
		return
	}
	height := 0
	switch {
	case body.Width < 60:
	case body.Height >= 20:
		height = placeHeight
	case body.Height >= 14:
		height = shortPlaceHeight
	}
	if height > 0 {
		var below widget.Area
		body, below = body.SplitBottom(height)
		d.drawPlace(below)
	}
	d.table.Draw(body, d.fill)
}

// fill writes a line of the tree.
func (d *dialog) fill(i int, cells []widget.TableCell) {
	r, f := d.rows[i], d.now.Fabric
	node := &f.Nodes[r.place.Node]
	if r.node {
		mark := "▾ "
		if d.folded[r.place.Node] {
			mark = "▸ "
		}
		cells[0] = widget.TableCell{Text: mark + node.Name, Style: themes.Style{Role: themes.Title}}
		cells[1] = widget.TableCell{Text: d.about(r.place.Node), Style: themes.Style{Role: themes.Muted}, Spans: true}
		return
	}
	port := f.At(r.place)
	cells[0] = widget.TableCell{Text: fmt.Sprintf("    %d", r.place.Port)}
	cells[1] = widget.TableCell{Text: subnet.Name(f, port.Far)}
	cells[2] = widget.TableCell{Text: port.State.String(), Style: themes.Style{Role: stateRole(port)}}
	if port.Physical == infiniband.LinkUp {
		cells[3] = widget.TableCell{Text: port.Width.String() + " " + port.Speed.String()}
	} else {
		cells[3] = widget.TableCell{Text: port.Physical.String(), Style: themes.Style{Role: themes.Muted}}
	}
	if c := d.curves[r.place]; c != nil {
		cells[4] = widget.TableCell{Text: bitsPerSecond(c.sent[len(c.sent)-1].Average)}
		cells[5] = widget.TableCell{Text: bitsPerSecond(c.received[len(c.received)-1].Average)}
	}
	count := faults(&port.Counters)
	cells[6] = widget.TableCell{Text: fmt.Sprint(count), Style: themes.Style{Role: themes.Muted}}
	if count > 0 {
		cells[6].Style.Role = themes.Warn
	}
}

func stateRole(p *infiniband.Port) themes.Role {
	switch p.State {
	case infiniband.Active:
		return themes.Good
	case infiniband.Down:
		return themes.Bad
	case infiniband.Initialize, infiniband.Armed:
	}
	return themes.Warn
}

// about describes a node: its kind, LID and manager.
func (d *dialog) about(n int) string {
	node := &d.now.Fabric.Nodes[n]
	text := map[infiniband.Kind]string{infiniband.Switch: "switch", infiniband.Adapter: "adapter", infiniband.Router: "router"}[node.Kind]
	if lid := node.EndPort(node.First()).LID; lid > 0 {
		text += fmt.Sprintf(", LID %d", lid)
	}
	for _, m := range d.now.Managers {
		if m.Place.Node == n && m.Running {
			text += ", " + map[opensm.Role]string{opensm.Master: "master", opensm.Standby: "standby", opensm.Discovering: "discovering"}[m.Role]
		}
	}
	return text
}

// The heights of the part below the tree; the short one has neither addresses nor sums of errors.
const placeHeight, shortPlaceHeight = 9, 6

// drawPlace draws the selected port: its curves and counters.
func (d *dialog) drawPlace(area widget.Area) {
	short := area.Height < placeHeight
	area.Horizontal(0, area.Glyphs().Horizontal, themes.Style{Role: themes.Border})
	at := d.place()
	if at.Port == 0 {
		area.Print(0, 1, "Select a port to see its curves and counters.", themes.Style{Role: themes.Muted})
		return
	}
	f := d.now.Fabric
	port := f.At(at)
	muted := themes.Style{Role: themes.Muted}
	area.PrintCut(0, 1, area.Width, fmt.Sprintf("%s to %s", subnet.Name(f, at), subnet.Name(f, port.Far)), themes.Style{Role: themes.Title})
	end := f.End(at)
	y := 2
	if !short {
		area.PrintCut(0, y, area.Width, fmt.Sprintf("GUID %s  LID %d  subnet manager at LID %d  partitions %s", end.GUID, end.LID, end.ManagerLID, keys(end)), muted)
		y++
	}
	if c := d.curves[at]; c != nil {
		room := min(area.Width-26, kept)
		for i, line := range []struct {
			name  string
			bands []widget.Band
			role  themes.Role
		}{{"Sent", c.sent, themes.Series1}, {"Received", c.received, themes.Series2}} {
			area.Print(0, y+i, line.name, muted)
			area.PrintRight(22, y+i, bitsPerSecond(line.bands[len(line.bands)-1].Average), themes.Style{})
			shown := line.bands[max(0, len(line.bands)-room):]
			area.Print(24, y+i, widget.Sparkline(shown, infiniband.DataGbps(max(port.Width, 1), port.Speed)*1e9, area.Glyphs()), themes.Style{Role: line.role})
		}
		d.drawCounter(area, y+2, c, port)
	}
	y += 3
	if !short {
		c := &port.Counters
		area.PrintCut(0, y, area.Width, fmt.Sprintf("Symbol errors %d  receive errors %d  link downed %d  discarded sends %d  waited %d ticks",
			c.SymbolErrors, c.ReceiveErrors, c.LinkDowned, c.SendDiscards, c.SendWait), muted)
		y++
	}
	area.PrintCut(0, y, area.Width, cure(port), themes.Style{Role: stateRole(port)})
}

// keys lists the partitions of a port.
func keys(p *infiniband.Port) (text string) {
	for i, key := range p.PKeys {
		if i > 0 {
			text += ", "
		}
		text += key.String()
	}
	return text
}

// cure says what the state of a port means, and what to do (WinOF manual, "InfiniBand Related Troubleshooting").
func cure(p *infiniband.Port) string {
	switch {
	case p.State == infiniband.Active:
		return "The port carries traffic."
	case p.Physical == infiniband.Disabled:
		return "The port is disabled: enable it (ibportstate)."
	case p.Unplugged:
		return "The cable is out: plug it in (p)."
	case p.State == infiniband.Down:
		return "No link: the port at the other end is disabled, or both ends have no common width and speed."
	case p.State == infiniband.Armed:
		return "The port was not activated: its firmware has a fault."
	}
	return "The link is up, and no subnet manager has configured the port: start one."
}

// bitsPerSecond writes a rate.
func bitsPerSecond(rate float64) string { return perf.Number(rate, perf.Bits, true, false) }
