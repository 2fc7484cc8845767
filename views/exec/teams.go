package exec

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/mux"
)

// teamRow is a team as JSON.
type teamRow struct {
	Name       string             `json:"name"`
	GUID       string             `json:"guid"`
	Family     description.Family `json:"family"`
	Type       string             `json:"type"`
	TypeNumber int                `json:"type_number"`
	IPoIB      bool               `json:"ipoib"`
	Failback   bool               `json:"failback"`
	Primary    string             `json:"primary"`
	MAC        string             `json:"mac,omitempty"`
	Device     string             `json:"device"`
	Connected  bool               `json:"connected"`
	Why        string             `json:"why,omitempty"`
	Members    []memberRow        `json:"members"`
	VLANs      []vlanRow          `json:"vlans"`
	Failovers  []failoverRow      `json:"failovers"`
}

type memberRow struct {
	Connection string  `json:"connection"`
	GUID       string  `json:"guid"`
	Role       string  `json:"role"`
	Status     string  `json:"status"`
	Receives   float64 `json:"receive_share"`
	Sends      float64 `json:"send_share"`
	Why        string  `json:"why,omitempty"`
}

// failoverRow is a failover as JSON.
type failoverRow struct {
	Time         time.Time `json:"time"`
	From         []string  `json:"from"`
	To           []string  `json:"to"`
	Outage       float64   `json:"outage_seconds"`
	LostReceived uint64    `json:"lost_received_frames"`
	LostSent     uint64    `json:"lost_sent_frames"`
	Kind         string    `json:"kind"`
}

func teamOf(t *driver.TeamView) teamRow {
	row := teamRow{
		Name: t.Name, GUID: t.GUID, Family: t.Family, Type: t.Type.String(), TypeNumber: int(t.Type), IPoIB: t.IPoIB,
		Failback: t.Failback, Primary: t.Primary, Device: t.Miniport, Connected: t.Connected, Why: t.Why,
		Members: []memberRow{}, VLANs: vlanRows(t.VLANs), Failovers: failoverRows(t.Failovers),
	}
	if t.MAC != (description.MAC{}) {
		row.MAC = t.MAC.String()
	}
	for _, m := range t.Members {
		row.Members = append(row.Members, memberRow{
			m.Connection, m.GUID, strings.ToLower(m.Role.String()), strings.ToLower(m.Status.String()), m.Receives, m.Sends,
			m.Why,
		})
	}
	return row
}

func failoverRows(list []driver.Failover) []failoverRow {
	rows := []failoverRow{}
	for _, f := range list {
		rows = append(rows, failoverRow{
			f.At.UTC(), append([]string{}, f.From...), append([]string{}, f.To...), f.Outage.Seconds(), f.LostReceived,
			f.LostSent, failoverKind(&f),
		})
	}
	return rows
}

// failoverKind is whether a member took over, or what else it was.
func failoverKind(f *driver.Failover) string {
	switch {
	case f.TookOver():
		return "failover"
	case f.Stopped:
		return "stopped"
	}
	return "down"
}

// findTeam is the team of a name.
func findTeam(view *driver.View, name string) (*driver.TeamView, error) {
	var names []string
	for i := range view.Teams {
		if strings.EqualFold(view.Teams[i].Name, name) {
			return &view.Teams[i], nil
		}
		names = append(names, view.Teams[i].Name)
	}
	return nil, fmt.Errorf("no team is called %q%s", name, suggest(name, names, "team list prints the names"))
}

// team is the team that the first argument names, with what the host is.
func (c *call) team() (*driver.View, *driver.TeamView, error) {
	view, err := c.view()
	if err != nil {
		return nil, nil, err
	}
	t, err := findTeam(view, c.arguments[0])
	return view, t, err
}

func teamList(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	rows := []teamRow{}
	for i := range view.Teams {
		rows = append(rows, teamOf(&view.Teams[i]))
	}
	return answer{
		result: struct {
			Teams []teamRow `json:"teams"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "The host has no team; team create makes one.")
				return err
			}
			t := newTable(w, "TEAM", "TYPE", "STATE", "ACTIVE", "MEMBERS", "VLANS", "DRIVER")
			for i := range rows {
				r := &rows[i]
				t.row(r.Name, r.Type, r.stateWord(), orDash(r.active()), fmt.Sprint(len(r.Members)), fmt.Sprint(len(r.VLANs)),
					madeBy(r.Family))
			}
			return t.Flush()
		},
	}, nil
}

// stateWord is how a team is.
func (r *teamRow) stateWord() string {
	switch {
	case !r.Connected:
		return "disconnected"
	case r.Why != "":
		return "degraded"
	}
	return "connected"
}

// active are the members that carry traffic.
func (r *teamRow) active() string {
	var names []string
	for _, m := range r.Members {
		if strings.EqualFold(m.Role, mux.Active.String()) {
			names = append(names, m.Connection)
		}
	}
	return strings.Join(names, ", ")
}

func orDash(text string) string { return cmp.Or(text, "-") }

// madeBy is who makes the teams of adapters of a family.
func madeBy(family description.Family) string {
	if family == description.WinOF {
		return "mux"
	}
	return "Windows"
}

func teamShow(c *call) (answer, error) {
	_, t, err := c.team()
	if err != nil {
		return answer{}, err
	}
	row := teamOf(t)
	return answer{
		result: struct {
			Team teamRow `json:"team"`
		}{row},
		text: func(w io.Writer) error { return row.write(w, c) },
	}, nil
}

// write writes all that there is to say of a team.
func (r *teamRow) write(w io.Writer, c *call) error {
	t := newTable(w)
	t.row("Team", r.Name)
	t.row("Type", r.Type+", "+mux.Types()[r.TypeNumber-1].Title)
	t.row("State", strings.Join(append([]string{r.stateWord()}, whyWords(r.Why)...), ": "))
	t.row("Made by", madeBy(r.Family))
	t.row("Device", r.Device)
	t.row("GUID", r.GUID)
	t.row("Address", orDash(r.MAC))
	t.row("Primary", cmp.Or(r.Primary, "none named: the first member"))
	t.row("Failback", onOff(r.Failback))
	if err := t.Flush(); err != nil {
		return err
	}
	if len(r.Members) > 0 {
		fmt.Fprintln(w) //nolint:errcheck // the next tells
		t = newTable(w, "MEMBER", "ROLE", "STATUS", "RECEIVES", "SENDS", "GUID", "WHY")
		for _, m := range r.Members {
			t.row(m.Connection, m.Role, m.Status, percent(m.Receives), percent(m.Sends), m.GUID, m.Why)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if len(r.VLANs) > 0 {
		fmt.Fprintln(w) //nolint:errcheck // the next tells
		if err := writeVLANs(w, r.VLANs); err != nil {
			return err
		}
	}
	if len(r.Failovers) > 0 {
		fmt.Fprintln(w) //nolint:errcheck // the next tells
		return c.writeFailovers(w, r.Failovers)
	}
	return nil
}

func whyWords(why string) []string {
	if why == "" {
		return nil
	}
	return []string{why}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func percent(part float64) string { return fmt.Sprintf("%.0f%%", 100*part) }

// writeFailovers writes when members took over, and what that cost.
func (c *call) writeFailovers(w io.Writer, list []failoverRow) error {
	t := newTable(w, "FAILOVER", "FROM", "TO", "OUTAGE", "LOST RECEIVED", "LOST SENT", "KIND")
	for _, f := range list {
		t.row(c.stamp(f.Time), orDash(strings.Join(f.From, ", ")), orDash(strings.Join(f.To, ", ")), fmt.Sprintf("%.3f s",
			f.Outage),
			fmt.Sprintf("%d frames", f.LostReceived), fmt.Sprintf("%d frames", f.LostSent), f.Kind)
	}
	return t.Flush()
}
