package host

import (
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/views/exec"
)

func pullCable(name string) (driver.Operation, string) {
	return hardware.PullCable{Connection: name}, "Pull the cable of"
}

func plugCable(name string) (driver.Operation, string) {
	return hardware.PlugCable{Connection: name}, "Plug in the cable of"
}

// changeConnections returns a command that applies the same Operation to each named connection, as one plan.
func changeConnections(operationOn func(name string) (driver.Operation, string)) func(*exec.Call) (exec.Answer, error) {
	return exec.Bound(func(c *exec.Call, in *struct {
		Names []string `is:"connection"`
	}) (exec.Answer, error) {
		var plan driver.Plan
		for _, name := range in.Names {
			operation, verb := operationOn(name)
			plan.Title = verb + " " + strings.Join(in.Names, ", ")
			plan.Operations = append(plan.Operations, operation)
		}
		return c.Apply(plan)
	})
}

func listJournal(c *exec.Call, in *struct {
	Last exec.Count `flag:"last" is:"--last" default:"100"`
}) (exec.Answer, error) {
	var entries []driver.Entry
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		entries = h.Journal()
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	undone := map[uint64]bool{}
	for _, e := range entries {
		if e.Err == "" {
			undone[e.Undoes] = true
		}
	}
	rows := []exec.EntryRow{}
	for _, e := range entries[max(0, len(entries)-int(in.Last)):] {
		row := exec.EntryOf(&e)
		row.Undone = undone[e.Sequence]
		rows = append(rows, row)
	}
	return exec.Answer{
		Result: struct {
			Changes []exec.EntryRow `json:"changes"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "There are no changes yet.")
				return err
			}
			t := exec.NewTextTable(w, "NUMBER", "TIME", "BY", "CHANGE", "STATE")
			for i := range rows {
				t.Row(fmt.Sprint(rows[i].Sequence), timeText(c, rows[i].Time), rows[i].By, rows[i].Title, entryState(&rows[i]))
			}
			return t.Flush()
		},
	}, nil
}

func entryState(e *exec.EntryRow) string {
	switch {
	case e.Unread != "":
		return "set aside because it can't be read: " + e.Unread
	case e.Error != "":
		return "failed: " + e.Error
	case e.Undone:
		return "undone"
	case e.Undoes != 0:
		return fmt.Sprintf("undid %d", e.Undoes)
	default:
		return "applied"
	}
}

// timeText returns a time in the runner's time zone, UTC by default.
func timeText(c *exec.Call, t time.Time) string {
	zone := c.Runner.Zone
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone).Format("2006-01-02 15:04:05")
}
