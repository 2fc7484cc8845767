package teaming

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/wording"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// writePage writes the page about the selected row.
func (v *View) writePage() {
	p := &v.Page
	r := v.row()
	if r == nil {
		p.Text("Nothing is selected.", muted)
		return
	}
	switch r.kind {
	case teamRow:
		v.writeTeam(p, r.team)
	case memberRow:
		v.writeMember(p, r)
	case vlanRow:
		v.writeVLAN(p, r)
	default:
		v.writePort(p, r)
	}
}

// addFault adds the reason of a row: as a warning if it is a fault, else muted; nothing without a reason.
func addFault(p *browse.Page, r *row) {
	if reason, isFault := r.why(); isFault {
		p.Item(p.Glyphs.Warning, wording.UpperFirst(reason)+".", warning)
	} else if reason != "" {
		p.Item(p.Glyphs.Bullet, wording.UpperFirst(reason)+".", muted)
	}
}

// addGUID adds a GUID; on a narrow page it gets a line of its own, without braces.
func addGUID(p *browse.Page, guid string) {
	if p.Width >= 12+len(guid) {
		p.Field("GUID", guid)
		return
	}
	p.Text("GUID", muted)
	p.Text(strings.Trim(guid, "{}"), text)
}

func (v *View) writeTeam(p *browse.Page, t *teams.View) {
	p.Text(t.Name, title)
	state := teamState(p.Glyphs, t)
	p.Text(state.Text, state.Style)
	addFault(p, v.row())
	p.Blank()
	kind := mux.Types()[max(int(t.Type)-1, 0)]
	p.Field("Type", kind.Name+", "+kind.Title)
	if t.Mode != "" {
		p.Field("Windows", t.Mode+", "+t.Algorithm)
	}
	p.Field("Driver", teamDriver(t))
	primary := t.Primary
	if primary == "" {
		primary = "none; the first member is used"
	}
	p.Field("Primary", primary)
	p.Field("Failback", failbackText(t.Failback))
	p.Field("MAC", macText(t))
	p.Field("Adapter", t.Miniport)
	addGUID(p, t.GUID)
	p.Blank()
	p.Text(kind.Benefit+".", muted)
	p.Text("Needs: "+kind.Requirements+".", muted)
	v.writeFailovers(p, t)
}

func teamDriver(t *teams.View) string {
	switch {
	case t.IPoIB:
		return "WinOF multiplexer, IPoIB"
	case t.Family == description.WinOF:
		return "WinOF multiplexer"
	default:
		return "Windows Server, on WinOF-2 ports"
	}
}

func failbackText(on bool) string {
	if on {
		return "on: the primary takes over again"
	}
	return "off: the working member stays active"
}

func macText(t *teams.View) string {
	if len(t.Members) == 0 {
		return "none until a member joins"
	}
	return t.MAC.String()
}

func (v *View) writeMember(p *browse.Page, r *row) {
	m := r.member
	p.Text(m.Connection, title)
	state := v.memberState(p.Glyphs, r)
	p.Text(state.Text, state.Style)
	addFault(p, r)
	p.Blank()
	p.Field("Team", r.team.Name)
	p.Field("Role", m.Role.String()+primaryText(r))
	p.Field("Status", m.Status.String())
	p.Field("Receives", shareText(m.Receives))
	p.Field("Sends", shareText(m.Sends))
	v.writeLink(p, r)
	addGUID(p, m.GUID)
	v.writeFailovers(p, r.team)
}

func primaryText(r *row) string {
	if r.member.Connection == r.team.Primary {
		return ", the primary member"
	}
	return ""
}

func shareText(part float64) string {
	if part == 0 {
		return "none of the team's flows"
	}
	return fmt.Sprintf("%.0f%% of the team's flows", 100*part)
}

// writeLink writes the properties of a port, its link and its link partner.
func (v *View) writeLink(p *browse.Page, r *row) {
	if r.port == nil {
		return
	}
	d := r.port.Description
	n := v.nodes[d.Connection]
	if n != nil {
		link := n.SpeedText
		if !r.port.Cabled {
			link += ", unplugged"
		} else if !r.port.Up {
			link += ", down"
		}
		p.Field("Link", link)
	}
	p.Field("Cabled to", d.Switch.Name)
	p.Field("Card", r.port.Adapter.Name+", "+familyText(r.port.Adapter.Family))
	p.Field("MAC", d.MAC.String())
	if r.port.Management {
		p.Field("Session", "this port carries your session")
	}
}

func (v *View) writeVLAN(p *browse.Page, r *row) {
	w := r.vlan
	p.Text(w.Name, title)
	if w.Why == "" {
		p.Text(string(p.Glyphs.Up)+" up", good)
	}
	addFault(p, r)
	p.Blank()
	p.Field("On", strings.TrimSpace(w.Team+w.Connection))
	p.Field("VLAN ID", fmt.Sprint(w.ID))
	p.Field("Priority", fmt.Sprintf("%d, of frames that it sends", w.Priority))
	receive, send := v.vlanRates(w)
	p.Field("Receive", v.deck.ByteRate(receive))
	p.Field("Send", v.deck.ByteRate(send))
	p.Field("Adapter", w.Miniport)
	addGUID(p, w.GUID)
}

func (v *View) writePort(p *browse.Page, r *row) {
	d := r.port.Description
	p.Text(d.Connection, title)
	state := v.portState(p.Glyphs, r.port)
	p.Text(state.Text, state.Style)
	if r.port.JoinRefusal == "" {
		p.Item(p.Glyphs.Bullet, "It can join a team of "+portsText(r.port)+" ports.", good)
	}
	addFault(p, r)
	p.Blank()
	v.writeLink(p, r)
	addGUID(p, d.Interface)
	p.Blank()
	hint := "n creates a team with it, a attaches it to a team."
	if d.Link == description.Ethernet {
		hint += " e sets the VLAN ID of the port itself."
	}
	if vlanRefusal(r.port) == "" {
		hint += " N adds a VLAN to it."
	}
	p.Text(hint, muted)
}

// portsText returns the kind of ports that can form a team with this port.
func portsText(p *labstate.Port) string { return portKindOf(p).label() }

// maxFailovers is the maximum number of failovers, and of drills, on the page.
const maxFailovers = 6

// writeFailovers writes the failovers and drills of a team, the newest first.
func (v *View) writeFailovers(p *browse.Page, t *teams.View) {
	p.Blank()
	p.Text("Failovers, interruptions", title)
	if len(t.Failovers) == 0 {
		p.Text("None since the team was created. B causes one, in a drill.", muted)
	}
	for i, f := range slices.Backward(t.Failovers) {
		if len(t.Failovers)-i > maxFailovers {
			break
		}
		p.Text(deck.EventTime(f.At, v.now)+"  "+pathText(p.Glyphs, &f), text)
		p.Text("  "+lossText(&f), muted)
	}
	written := 0
	for _, r := range slices.Backward(v.drilled) {
		if r.team != t.Name || written == maxFailovers {
			continue
		}
		if written == 0 {
			p.Blank()
			p.Text("Drills", title)
		}
		written++
		p.Text(deck.EventTime(r.pulled, v.now)+"  "+r.connection+": "+r.summary(), text)
	}
}

// pathText returns the active member before and after a failover.
func pathText(glyphs *themes.Glyphs, f *teams.Failover) string {
	side := func(names []string) string {
		if len(names) == 0 {
			return "no member"
		}
		return strings.Join(names, ", ")
	}
	if !f.TookOver() {
		return side(f.From) + " " + downText(f)
	}
	return fmt.Sprintf("%s %c %s", side(f.From), glyphs.ArrowRight, side(f.To))
}

// downText returns the outage of a team for which no other member took over.
func downText(f *teams.Failover) string {
	word := "down"
	if f.Stopped {
		word = "stopped"
	}
	switch {
	case f.To == nil:
		return word + ", not recovered yet"
	case !slices.Equal(f.To, f.From):
		return word + ", recovered on " + strings.Join(f.To, ", ")
	}
	return word + " and recovered"
}

// lossText returns the frames lost in a failover.
func lossText(f *teams.Failover) string {
	lost := f.LostReceived + f.LostSent
	switch {
	case lost == 0 && f.Outage == 0:
		return "handed over, no frame lost"
	case lost == 0:
		return "no traffic for " + deck.Length(f.Outage) + ", no frame lost"
	}
	return fmt.Sprintf("interrupted for %s, %s lost: %d received, %d sent", deck.Length(f.Outage),
		wording.Count(int(lost), "frame"), f.LostReceived, f.LostSent)
}

// failoverLine returns the time, path and loss of a failover in one line.
func failoverLine(glyphs *themes.Glyphs, f *teams.Failover, now time.Time) string {
	outage := "handed over"
	if f.Outage > 0 {
		outage = deck.Length(f.Outage)
	}
	return fmt.Sprintf("%c %s  %s, %s", glyphs.Marker, deck.EventTime(f.At, now), pathText(glyphs, f), outage)
}
