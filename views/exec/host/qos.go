package host

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/lossless"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// pathRow compares the settings of an adapter and its switch port, as JSON.
type pathRow struct {
	Connection string        `json:"connection"`
	Switch     string        `json:"switch_port"`
	Settings   []settingRow  `json:"settings"`
	Exchange   string        `json:"dcbx"`
	Stalls     *stallRow     `json:"stall_monitor,omitempty"`
	Needs      []mismatchRow `json:"needs"`
	Mismatches []mismatchRow `json:"mismatches"`
}

// stallRow is the receive-stall monitor of a port as JSON; the limits are 0 for none.
type stallRow struct {
	Watermark int64  `json:"watermark_milliseconds"`
	Timeout   int64  `json:"timeout_milliseconds"`
	Stalled   int64  `json:"stalled_milliseconds"`
	Off       bool   `json:"flow_control_off"`
	Minor     uint64 `json:"minor_stalls"`
	Critical  uint64 `json:"critical_stalls"`
	text      string
}

type settingRow struct {
	Name     string `json:"name"`
	Host     string `json:"host,omitempty"`
	Adapter  string `json:"adapter"`
	Switch   string `json:"switch,omitempty"`
	Compared bool   `json:"-"`
	Differs  bool   `json:"differs"`
	// FarSwitch and FarAdapter are the far end.
	FarSwitch     string `json:"far_switch,omitempty"`
	FarAdapter    string `json:"far_adapter,omitempty"`
	SwitchDiffers bool   `json:"switch_differs,omitempty"`
	FarDiffers    bool   `json:"far_differs,omitempty"`
}

type mismatchRow struct {
	Text     string        `json:"text"`
	Place    string        `json:"place"`
	Priority *int          `json:"priority,omitempty"`
	Evidence []evidenceRow `json:"evidence,omitempty"`
	Fix      string        `json:"fix,omitempty"`
}

type evidenceRow struct {
	Name  string `json:"name"`
	Count uint64 `json:"count"`
}

// places are the words for the places of a mismatch.
var places = map[lossless.Place]string{lossless.OnCable: "cable", lossless.InSwitch: "switch", lossless.OnFar: "far end", lossless.OnHost: "host"}

// qosPaths compares both ends of the cables of all Ethernet ports, or of one port.
func qosPaths(c *exec.Call, in *exec.OptionalPort) (exec.Answer, error) {
	rows := []pathRow{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		view := h.QoS()
		for port, path := range h.Paths(&view) {
			d, _, _ := h.Lab().Port(port)
			switch {
			case in.Name != "" && in.Name != d.Connection:
			case len(path.Settings) > 0:
				row := rowOfPath(d.Connection, d.Switch.Name, &path)
				row.Exchange = view.Ports[port].DCBX.Result(d.Connection)
				if m, ok := h.Lab().StallMonitor(port); ok {
					row.Stalls = &stallRow{m.Watermark.Milliseconds(), m.Timeout.Milliseconds(), m.Stalled.Milliseconds(), m.Silent, m.Minor, m.Critical,
						fmt.Sprintf("Receive-stall monitor: %s; %s; stalls so far: %d minor, %d critical.", m.Limits(), m.Now(), m.Minor, m.Critical)}
				}
				rows = append(rows, row)
			case in.Name != "":
				return exec.NoPriorities(in.Name)
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

func rowOfPath(connection, name string, path *lossless.Path) pathRow {
	row := pathRow{Connection: connection, Switch: name}
	for _, s := range path.Settings {
		row.Settings = append(row.Settings, settingRow{s.Name, s.Host, s.Adapter, s.Switch, s.Compared, s.Differs, s.FarSwitch, s.FarAdapter, s.SwitchDiffers, s.FarDiffers})
	}
	row.Needs, row.Mismatches = mismatchRows(path.Needs), mismatchRows(path.Mismatches)
	return row
}

func mismatchRows(list []lossless.Mismatch) []mismatchRow {
	rows := []mismatchRow{}
	for _, m := range list {
		row := mismatchRow{Text: m.Text, Place: places[m.Place]}
		for _, e := range m.Evidence {
			row.Evidence = append(row.Evidence, evidenceRow(e))
		}
		if m.Priority >= 0 {
			row.Priority = new(m.Priority)
		}
		if len(m.Fix) > 0 {
			row.Fix = m.Title
		}
		rows = append(rows, row)
	}
	return rows
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
		if err := writeFarPath(w, r); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, "DCBX: "+r.Exchange+"."); err != nil {
			return err
		}
		if r.Stalls != nil {
			if _, err := fmt.Fprintln(w, r.Stalls.text); err != nil {
				return err
			}
		}
		for _, m := range slices.Concat(r.Needs, r.Mismatches) {
			line := wording.UpperFirst(m.Text) + "."
			for _, e := range m.Evidence {
				line += fmt.Sprintf(" %s: %d.", wording.UpperFirst(e.Name), e.Count)
			}
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

// writeFarPath writes the settings of the far end.
func writeFarPath(w io.Writer, r *pathRow) error {
	t := exec.NewTextTable(w, "SETTING", strings.ToUpper(lossless.FarSwitchName), "AGREEMENT", strings.ToUpper(lossless.FarAdapterName))
	for _, s := range r.Settings {
		if s.FarSwitch == "" && s.FarAdapter == "" {
			continue
		}
		mark := "-"
		switch {
		case s.SwitchDiffers:
			mark = "differs from " + r.Switch
		case s.FarDiffers:
			mark = "differs"
		case s.Compared:
			mark = "agrees"
		}
		t.Row(s.Name, cmp.Or(s.FarSwitch, "-"), mark, cmp.Or(s.FarAdapter, "-"))
	}
	return t.Flush()
}

// qosFix applies the plan that makes both ends of a cable agree.
func qosFix(c *exec.Call, in *struct {
	Name string `is:"connection"`
}) (exec.Answer, error) {
	var plan driver.Plan
	var left []lossless.Mismatch
	var now time.Time
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); d.Connection == in.Name {
				view := h.QoS()
				path := h.Paths(&view)[port]
				if len(path.Settings) == 0 {
					return exec.NoPriorities(in.Name)
				}
				left, now = slices.Concat(path.Needs, path.Mismatches), h.Now()
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
		Unchanged: []string{"the settings of the path agree already"}}), nil
}
