package exec

import (
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/teams"
)

// TeamRow is a team as JSON.
type TeamRow struct {
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
	VLANs      []teams.VLANView   `json:"vlans"`
	Failovers  []FailoverRow      `json:"failovers"`
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

// FailoverRow is a failover as JSON.
type FailoverRow struct {
	Time         time.Time `json:"time"`
	From         []string  `json:"from"`
	To           []string  `json:"to"`
	Outage       float64   `json:"outage_seconds"`
	LostReceived uint64    `json:"lost_received_frames"`
	LostSent     uint64    `json:"lost_sent_frames"`
	Kind         string    `json:"kind"`
}

// TeamOf returns the row of a team.
func TeamOf(t *teams.View) TeamRow {
	row := TeamRow{
		Name: t.Name, GUID: t.GUID, Family: t.Family, Type: t.Type.String(), TypeNumber: int(t.Type), IPoIB: t.IPoIB,
		Failback: t.Failback, Primary: t.Primary, Device: t.Miniport, Connected: t.Connected, Why: t.Why,
		Members: []memberRow{}, VLANs: append([]teams.VLANView{}, t.VLANs...), Failovers: FailoverRows(t.Failovers),
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

// FailoverRows returns the rows of failovers, in their order.
func FailoverRows(list []teams.Failover) []FailoverRow {
	rows := []FailoverRow{}
	for _, f := range list {
		rows = append(rows, FailoverRow{
			f.At.UTC(), append([]string{}, f.From...), append([]string{}, f.To...), f.Outage.Seconds(), f.LostReceived,
			f.LostSent, failoverKind(&f),
		})
	}
	return rows
}

// failoverKind returns failover if another member took over, stopped if all drivers were stopped, else down.
func failoverKind(f *teams.Failover) string {
	switch {
	case f.TookOver():
		return "failover"
	case f.Stopped:
		return "stopped"
	}
	return "down"
}

// FindTeam finds a team by its name, in any case.
func FindTeam(view *driver.View, name string) (*teams.View, error) {
	var names []string
	for i := range view.Teams {
		if strings.EqualFold(view.Teams[i].Name, name) {
			return &view.Teams[i], nil
		}
		names = append(names, view.Teams[i].Name)
	}
	return nil, request.Errorf("there is no team %q%s", name, Suggest(name, names, "team list prints the names"))
}
