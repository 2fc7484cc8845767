package host

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

func teamList(c *exec.Call, view *driver.View) (exec.Answer, error) {
	rows := []exec.TeamRow{}
	for i := range view.Teams {
		rows = append(rows, exec.TeamOf(&view.Teams[i]))
	}
	return exec.Answer{
		Result: struct {
			Teams []exec.TeamRow `json:"teams"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "The host has no teams; team create creates one.")
				return err
			}
			t := exec.NewTextTable(w, "TEAM", "TYPE", "STATE", "ACTIVE", "MEMBERS", "VLANS", "DRIVER")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Name, r.Type, teamState(r), wording.OrDash(activeMembers(r)), fmt.Sprint(len(r.Members)), fmt.Sprint(len(r.VLANs)),
					ownerOf(r.Family))
			}
			return t.Flush()
		},
	}, nil
}

// teamState returns connected, degraded or disconnected.
func teamState(r *exec.TeamRow) string {
	switch {
	case !r.Connected:
		return "disconnected"
	case r.Why != "":
		return "degraded"
	}
	return "connected"
}

// activeMembers returns the members that carry traffic.
func activeMembers(r *exec.TeamRow) string {
	var names []string
	for _, m := range r.Members {
		if strings.EqualFold(m.Role, mux.Active.String()) {
			names = append(names, m.Connection)
		}
	}
	return strings.Join(names, ", ")
}

// ownerOf returns the driver that runs the teams of a family: mux for WinOF, Windows for WinOF-2.
func ownerOf(family description.Family) string {
	if family == description.WinOF {
		return "mux"
	}
	return "Windows"
}

func teamShow(c *exec.Call, in *struct{ Team *teams.View }) (exec.Answer, error) {
	row := exec.TeamOf(in.Team)
	return exec.Answer{
		Result: struct {
			Team exec.TeamRow `json:"team"`
		}{row},
		Text: func(w io.Writer) error { return writeTeam(&row, w, c) },
	}, nil
}

// writeTeam writes a team with its members, VLANs and failovers.
func writeTeam(r *exec.TeamRow, w io.Writer, c *exec.Call) error {
	t := exec.NewTextTable(w)
	t.Row("Team", r.Name)
	t.Row("Type", r.Type+", "+mux.Types()[r.TypeNumber-1].Title)
	t.Row("State", strings.Join(append([]string{teamState(r)}, reasonWords(r.Why)...), ": "))
	t.Row("Driver", ownerOf(r.Family))
	t.Row("Device", r.Device)
	t.Row("GUID", r.GUID)
	t.Row("Address", wording.OrDash(r.MAC))
	t.Row("Primary", cmp.Or(r.Primary, "not set: the first member"))
	t.Row("Failback", wording.OnOff(r.Failback))
	if err := t.Flush(); err != nil {
		return err
	}
	if len(r.Members) > 0 {
		fmt.Fprintln(w) //nolint:errcheck // the next write returns it
		t = exec.NewTextTable(w, "MEMBER", "ROLE", "STATUS", "RECEIVES", "SENDS", "GUID", "WHY")
		for _, m := range r.Members {
			t.Row(m.Connection, m.Role, m.Status, percent(m.Receives), percent(m.Sends), m.GUID, m.Why)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if len(r.VLANs) > 0 {
		fmt.Fprintln(w) //nolint:errcheck // the next write returns it
		if err := writeVLANs(w, r.VLANs); err != nil {
			return err
		}
	}
	if len(r.Failovers) > 0 {
		fmt.Fprintln(w) //nolint:errcheck // the next write returns it
		return writeFailovers(c, w, r.Failovers)
	}
	return nil
}

func reasonWords(why string) []string {
	if why == "" {
		return nil
	}
	return []string{why}
}

func percent(part float64) string { return fmt.Sprintf("%.0f%%", 100*part) }

// writeFailovers lists failovers with their times, interruptions and losses.
func writeFailovers(c *exec.Call, w io.Writer, list []exec.FailoverRow) error {
	t := exec.NewTextTable(w, "FAILOVER", "FROM", "TO", "OUTAGE", "LOST RECEIVED", "LOST SENT", "KIND")
	for _, f := range list {
		to, kind := strings.Join(f.To, ", "), f.Kind
		if len(f.To) > 0 && slices.Equal(f.From, f.To) { // no other member took over
			to, kind = "", kind+" and recovered"
		}
		t.Row(timeText(c, f.Time), wording.OrDash(strings.Join(f.From, ", ")), wording.OrDash(to), fmt.Sprintf("%.3f s", f.Outage),
			fmt.Sprintf("%d frames", f.LostReceived), fmt.Sprintf("%d frames", f.LostSent), kind)
	}
	return t.Flush()
}
