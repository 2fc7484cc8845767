package host

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/lossless"
	"cxdeck/views/exec"
)

// pathRow compares the settings of an adapter and its switch port, as JSON.
type pathRow struct {
	Connection string        `json:"connection"`
	Switch     string        `json:"switch_port"`
	Settings   []settingRow  `json:"settings"`
	Exchange   string        `json:"dcbx"`
	Mismatches []mismatchRow `json:"mismatches"`
}

type settingRow struct {
	Name     string `json:"name"`
	Adapter  string `json:"adapter"`
	Switch   string `json:"switch,omitempty"`
	Compared bool   `json:"-"`
	Differs  bool   `json:"differs"`
}

type mismatchRow struct {
	Text     string `json:"text"`
	Priority *int   `json:"priority,omitempty"`
	Fix      string `json:"fix,omitempty"`
}

// qosPaths compares both ends of the cables of all Ethernet ports, or of one port.
func qosPaths(c *exec.Call, in *optionalPort) (exec.Answer, error) {
	rows := []pathRow{}
	err := c.Host.Look(c.Ctx, func(h *driver.Host) error {
		view := h.QoS()
		for port, path := range h.Paths(&view) {
			d, _, _ := h.Lab().Port(port)
			switch {
			case in.Name != "" && in.Name != d.Connection:
			case len(path.Settings) > 0:
				row := rowOfPath(d.Connection, d.Switch.Name, &path)
				row.Exchange = view.Ports[port].DCBX.Result(d.Connection)
				rows = append(rows, row)
			case in.Name != "":
				return noPriorities(in.Name)
			}
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Paths []pathRow `json:"paths"`
		}{rows},
		Text: func(w io.Writer) error { return writePaths(w, rows) },
	}, err
}

func noPriorities(connection string) error {
	return fmt.Errorf("%s is an InfiniBand port: it has service levels and credits in place of priorities and pauses", connection)
}

func rowOfPath(connection, name string, path *lossless.Path) pathRow {
	row := pathRow{Connection: connection, Switch: name, Mismatches: []mismatchRow{}}
	for _, s := range path.Settings {
		row.Settings = append(row.Settings, settingRow{s.Name, s.Adapter, s.Switch, s.Compared, s.Differs})
	}
	for _, m := range path.Mismatches {
		one := mismatchRow{Text: m.Text}
		if m.Priority >= 0 {
			one.Priority = new(m.Priority)
		}
		if len(m.Fix) > 0 {
			one.Fix = m.Title
		}
		row.Mismatches = append(row.Mismatches, one)
	}
	return row
}

func writePaths(w io.Writer, rows []pathRow) error {
	for i := range rows {
		r := &rows[i]
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		t := exec.NewTextTable(w, "SETTING", strings.ToUpper(r.Connection), "AGREEMENT", strings.ToUpper(r.Switch))
		for _, s := range r.Settings {
			mark := "-"
			if s.Compared {
				mark = "agrees"
			}
			if s.Differs {
				mark = "differs"
			}
			t.Row(s.Name, s.Adapter, mark, cmp.Or(s.Switch, "-"))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, "DCBX: "+r.Exchange+"."); err != nil {
			return err
		}
		for _, m := range r.Mismatches {
			line := exec.Capital(m.Text) + "."
			if m.Fix != "" {
				line += " To fix it: " + m.Fix + "."
			}
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// qosFix applies the plan that makes both ends of a cable agree.
func qosFix(c *exec.Call, in *struct {
	Name string `is:"connection"`
}) (exec.Answer, error) {
	var plan driver.Plan
	var left []lossless.Mismatch
	var now time.Time
	err := c.Host.Look(c.Ctx, func(h *driver.Host) (err error) {
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); d.Connection == in.Name {
				view := h.QoS()
				path := h.Paths(&view)[port]
				if len(path.Settings) == 0 {
					return noPriorities(in.Name)
				}
				left, now = path.Mismatches, h.Now()
				plan, err = h.AgreementPlan(port)
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return exec.Answer{}, err
	case len(plan.Operations) > 0:
		return c.Apply(plan)
	case len(left) > 0:
		return exec.Answer{}, fmt.Errorf("no plan of the console fixes it: %s", left[0].Text)
	}
	return exec.ChangeAnswer(exec.EntryRow{Title: plan.Title, Time: now.UTC(), Operations: []exec.OperationRow{}, WhatIf: c.WhatIf,
		Unchanged: []string{"both ends agree already"}}), nil
}
