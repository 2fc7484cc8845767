package host

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/limits"
	"cxdeck/views/exec"
)

// limitRow is a feature of the table of limits for a connection, as JSON.
type limitRow struct {
	Connection string `json:"connection"`
	Feature    string `json:"feature"`
	What       string `json:"what"`
	Part       string `json:"part"`
	Needs      string `json:"needs"`
	OK         bool   `json:"ok"`
	Why        string `json:"why,omitempty"`
	Source     string `json:"source"`
}

// limitList implements limits: it lists the features that the manuals tie to versions, for one connection or all.
func limitList(c *exec.Call, in *struct{ Ports []*driver.PortView }) (exec.Answer, error) {
	rows := []limitRow{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, p := range in.Ports {
			list, err := h.Limits(p.Description.Connection)
			if err != nil {
				return err
			}
			for _, l := range list {
				rows = append(rows, limitRow{
					p.Description.Connection, string(l.Feature), l.What, string(l.Part), l.Needs(), l.Broken == "", l.Broken, l.Source,
				})
			}
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Limits []limitRow `json:"limits"`
		}{rows},
		Text: func(w io.Writer) error { return writeLimits(c, w, rows) },
	}, err
}

// writeLimits lists the unsupported features, with --all also the supported ones, each once with its connections.
func writeLimits(c *exec.Call, w io.Writer, rows []limitRow) error {
	type line struct{ what, needs, state string }
	var lines []line
	connections := map[line][]string{}
	for _, r := range rows {
		row := line{r.What, r.Needs, "supported"}
		if !r.OK {
			row.state = r.Why
		} else if c.Flags["all"] == "" {
			continue
		}
		if connections[row] == nil {
			lines = append(lines, row)
		}
		connections[row] = append(connections[row], r.Connection)
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(w, "The versions of the host, its drivers and firmware meet all requirements of the manuals.")
		return err
	}
	t := exec.NewTextTable(w, "FEATURE", "REQUIRES", "CONNECTIONS", "STATE")
	for _, line := range lines {
		t.Row(line.what, line.needs, strings.Join(connections[line], ", "), line.state)
	}
	if err := t.Flush(); err != nil || c.Flags["all"] != "" {
		return err
	}
	_, err := fmt.Fprintln(w, "limits --all also lists the supported features.")
	return err
}

// countLimits sets row.Limits to the number of features that the versions of a card and its ports do not support.
func countLimits(c *exec.Call, row *adapterRow) error {
	lacking := map[limits.Feature]bool{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, p := range row.Ports {
			list, err := h.Limits(p.Connection)
			if err != nil {
				return err
			}
			for _, l := range list {
				if l.Broken != "" {
					lacking[l.Feature] = true
				}
			}
		}
		return nil
	})
	row.Limits = len(lacking)
	return err
}
