package host

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// sriovRow is the SR-IOV state of a port as JSON.
type sriovRow struct {
	Connection string `json:"connection"`
	Device     string `json:"device"`
	*virtualization.SRIOVView
}

// sriovShow prints the SR-IOV state and the requirements of each port.
func sriovShow(_ *exec.Call, in *struct{ Ports []*driver.PortView }) (exec.Answer, error) {
	rows := []sriovRow{}
	for _, p := range in.Ports {
		rows = append(rows, sriovRow{p.Description.Connection, p.Description.Device, &p.SRIOV})
	}
	return exec.Answer{
		Result: struct {
			Ports []sriovRow `json:"ports"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "CONNECTION", "SUPPORT", "FIRMWARE", "ALLOWED", "NUMVFS", "OPEN", "ATTACHED", "FREE", "MISSING")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Connection, string(r.Support), strconv.Itoa(r.FirmwareVFs), strconv.Itoa(r.Allowed), strconv.Itoa(r.NumVFs),
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

// missing returns the names of the unmet requirements of SR-IOV.
func (r *sriovRow) missing() string {
	var names []string
	for _, check := range r.Checks {
		if !check.OK {
			names = append(names, check.Name)
		}
	}
	return wording.OrDash(strings.Join(names, ", "))
}

// writeChecks writes a line for each requirement of SR-IOV at the port, with the reason if it is not met.
func (r *sriovRow) writeChecks(w io.Writer) error {
	fmt.Fprintf(w, "\n%s\n", exec.Clean(r.Connection)) //nolint:errcheck // Flush returns it
	t := exec.NewTextTable(w)
	for _, check := range r.Checks {
		t.Row("  "+check.Name, cmp.Or(check.Why, "OK"))
	}
	if r.Why != "" {
		t.Row("  Why", r.Why)
	}
	if r.GIDs > 0 {
		t.Row("  GIDs", fmt.Sprintf("%d for the physical function; vf list has the GIDs of each virtual function", r.GIDs))
	} else if r.GIDsWhy != "" {
		t.Row("  GIDs", r.GIDsWhy)
	}
	if r.Promiscuous {
		t.Row("  Promiscuous", "the physical function receives all packets")
	}
	if r.DHCPToPF || r.DHCPWhy != "" {
		t.Row("  DHCP", r.dhcp())
	}
	return t.Flush()
}

// dhcp returns the destination of the virtual functions' DHCP packets, with the reason.
func (r *sriovRow) dhcp() string {
	to := "stays with the virtual functions"
	if r.DHCPToPF {
		to = "goes to the physical function"
	}
	return strings.TrimSuffix(to+": "+r.DHCPWhy, ": ")
}

// sriovPromiscuous turns promiscuous mode of a physical function on or off.
func sriovPromiscuous(c *exec.Call, in *struct {
	Name string `is:"connection"`
	On   bool   `is:"promiscuous mode"`
}) (exec.Answer, error) {
	return c.ApplyOne(virtualization.SetFeature{Connection: in.Name, Feature: virtualization.FeaturePromiscuous, On: in.On})
}
