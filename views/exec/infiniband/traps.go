package infiniband

import (
	"fmt"
	"io"
	"time"

	"cxdeck/device/infiniband/trap"
	"cxdeck/driver"
	"cxdeck/views/exec"
)

// trapRow is a trap as JSON.
type trapRow struct {
	Time  time.Time   `json:"time"`
	Trap  trap.Number `json:"trap"`
	Name  string      `json:"name"`
	Type  string      `json:"type"`
	LID   uint16      `json:"lid"`
	GUID  string      `json:"guid"`
	Node  string      `json:"node"`
	Port  int         `json:"port"`
	Sweep bool        `json:"sweep"`
}

// traps prints the traps that the subnet manager received.
func traps(c *exec.Call, _ *struct{}) (exec.Answer, error) {
	rows := []trapRow{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		s, _ := h.Lab().Subnet()
		if s == nil {
			return errNoSubnet
		}
		start := h.Lab().Now().Add(-h.Lab().Elapsed()).UTC()
		for i := range s.Notices {
			n := &s.Notices[i]
			rows = append(rows, trapRow{
				start.Add(n.At), n.Trap, n.Trap.Name(), n.Trap.Kind().String(), n.LID, n.GUID.String(), n.Node, n.Port, n.Trap.Sweeps(),
			})
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Traps []trapRow `json:"traps"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No trap has reached a subnet manager.")
				return err
			}
			t := exec.NewTextTable(w, "TIME", "TRAP", "TYPE", "LID", "PORT", "NODE", "NAME")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Time.Format("2006-01-02 15:04:05"), fmt.Sprint(r.Trap), r.Type, fmt.Sprint(r.LID), fmt.Sprint(r.Port), r.Node, r.Name)
			}
			return t.Flush()
		},
	}, err
}
