package host

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/views/exec"
)

// sriovRow is SR-IOV at a port as JSON.
type sriovRow struct {
	Connection  string     `json:"connection"`
	Device      string     `json:"device"`
	Support     string     `json:"support"`
	Enabled     bool       `json:"enabled"`
	Switch      string     `json:"virtual_switch,omitempty"`
	NumVFs      int        `json:"num_vfs"`
	Burnt       int        `json:"burnt"`
	Allowed     int        `json:"allowed"`
	Open        int        `json:"open"`
	Attached    int        `json:"attached"`
	Free        int        `json:"free"`
	QueuePairs  int        `json:"advised_queue_pairs"`
	GIDs        int        `json:"pf_gids,omitempty"`
	GIDsWhy     string     `json:"gids_why,omitempty"`
	Promiscuous bool       `json:"promiscuous"`
	DHCP        bool       `json:"dhcp_to_pf"`
	DHCPWhy     string     `json:"dhcp_why,omitempty"`
	Why         string     `json:"why,omitempty"`
	Checks      []checkRow `json:"checks"`
}

// checkRow is one thing that SR-IOV needs.
type checkRow struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Why  string `json:"why,omitempty"`
}

func sriovOf(p *driver.PortView) sriovRow {
	s := &p.SRIOV
	row := sriovRow{
		p.Description.Connection, p.Description.Device, string(s.Support), s.Enabled, s.SwitchName, s.NumVFs, s.Burnt,
		s.Allowed, s.Open,
		s.Attached, s.Free, s.QueuePairs, s.GIDs, s.GIDsWhy, s.Promiscuous, s.DHCPToPF, s.DHCPWhy, s.Why, []checkRow{},
	}
	for _, check := range s.Checks {
		row.Checks = append(row.Checks, checkRow(check))
	}
	return row
}

// firstArgument is an argument that may be left out.
func firstArgument(c *exec.Call, i int) string {
	if i < len(c.Arguments) {
		return c.Arguments[i]
	}
	return ""
}

// sriovShow is what SR-IOV has and needs at each port.
func sriovShow(c *exec.Call, view *driver.View) (exec.Answer, error) {
	ports, err := exec.PortViews(view, firstArgument(c, 0))
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []sriovRow{}
	for _, p := range ports {
		rows = append(rows, sriovOf(p))
	}
	return exec.Answer{
		Result: struct {
			Ports []sriovRow `json:"ports"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "CONNECTION", "SUPPORT", "BURNT", "ALLOWED", "NUMVFS", "OPEN", "ATTACHED", "FREE", "MISSING")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Connection, r.Support, strconv.Itoa(r.Burnt), strconv.Itoa(r.Allowed), strconv.Itoa(r.NumVFs),
					strconv.Itoa(r.Open),
					strconv.Itoa(r.Attached), strconv.Itoa(r.Free), r.missing())
			}
			if err := t.Flush(); err != nil || len(rows) > 2 {
				return err
			}
			for i := range rows {
				if err := rows[i].writeChecks(w); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}

// missing are the names of what is not as SR-IOV needs it.
func (r *sriovRow) missing() string {
	var names []string
	for _, check := range r.Checks {
		if !check.OK {
			names = append(names, check.Name)
		}
	}
	return exec.OrDash(strings.Join(names, ", "))
}

// writeChecks writes what SR-IOV needs at the port, one line each.
func (r *sriovRow) writeChecks(w io.Writer) error {
	fmt.Fprintf(w, "\n%s\n", exec.Clean(r.Connection)) //nolint:errcheck // the table tells
	t := exec.NewTextTable(w)
	for _, check := range r.Checks {
		t.Row("  "+check.Name, cmp.Or(check.Why, "OK"))
	}
	if r.Why != "" {
		t.Row("  Why", r.Why)
	}
	if r.GIDs > 0 {
		t.Row("  GIDs", fmt.Sprintf("%d for the physical function; vf list has the GIDs of each virtual one", r.GIDs))
	} else if r.GIDsWhy != "" {
		t.Row("  GIDs", r.GIDsWhy)
	}
	if r.Promiscuous {
		t.Row("  Promiscuous", "the physical function takes what is not for it")
	}
	if r.DHCP || r.DHCPWhy != "" {
		t.Row("  DHCP", r.dhcp())
	}
	return t.Flush()
}

// dhcp says where the DHCP of virtual functions goes.
func (r *sriovRow) dhcp() string {
	to := "stays with the virtual functions"
	if r.DHCP {
		to = "goes to the physical function"
	}
	return strings.TrimSuffix(to+": "+r.DHCPWhy, ": ")
}

// sriovPromiscuous lets a physical function take what is not for it, or no longer.
func sriovPromiscuous(c *exec.Call) (exec.Answer, error) {
	on, ok := map[string]bool{"on": true, "off": false}[strings.ToLower(c.Arguments[1])]
	if !ok {
		return exec.Answer{}, exec.Mistake("%q is neither on nor off", c.Arguments[1])
	}
	name, err := adaptersNamed(c, 0)
	if err != nil {
		return exec.Answer{}, err
	}
	return c.ApplyOne(driver.SetFeature{Connection: name, Feature: driver.FeaturePromiscuous, On: on})
}
