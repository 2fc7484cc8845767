package exec

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/limits"
)

// limitRow is a row of the table of limits, as it is for a connection, as JSON.
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

// limitList is the command limits: what the manuals tie to versions, for one connection or all.
func limitList(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	name := ""
	if len(c.arguments) > 0 {
		name = c.arguments[0]
	}
	ports, err := portViews(view, name)
	if err != nil {
		return answer{}, err
	}
	rows := []limitRow{}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		for _, p := range ports {
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
	return answer{
		result: struct {
			Limits []limitRow `json:"limits"`
		}{rows},
		text: func(w io.Writer) error { return c.writeLimits(w, rows) },
	}, err
}

// writeLimits prints what is missing, and with --all what is not, each once with the connections that it is about.
func (c *call) writeLimits(w io.Writer, rows []limitRow) error {
	type line struct{ what, needs, state string }
	var lines []line
	connections := map[line][]string{}
	for _, r := range rows {
		one := line{r.What, r.Needs, "as it should be"}
		if !r.OK {
			one.state = r.Why
		} else if c.flags["all"] == "" {
			continue
		}
		if connections[one] == nil {
			lines = append(lines, one)
		}
		connections[one] = append(connections[one], r.Connection)
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(w, "The versions of the host, its drivers and firmware are all that the manuals ask for.")
		return err
	}
	t := newTable(w, "WHAT", "NEEDS", "CONNECTIONS", "STATE")
	for _, one := range lines {
		t.row(one.what, one.needs, strings.Join(connections[one], ", "), one.state)
	}
	if err := t.Flush(); err != nil || c.flags["all"] != "" {
		return err
	}
	_, err := fmt.Fprintln(w, "limits --all lists what is as it should be, too.")
	return err
}

// countLimits counts the features that the versions of a card and its ports do not allow.
func (c *call) countLimits(row *adapterRow) error {
	lacking := map[limits.Feature]bool{}
	err := c.host.Look(c.ctx, func(h *driver.Host) error {
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

// limited says why a command does nothing, as the driver, firmware or system of all adapters that it is about is too old
// or too new for it. What is done all the same becomes a note.
func (c *call) limited(command *Command, rest []string) error {
	line := strings.TrimSpace(command.Name + " " + strings.Join(rest, " "))
	var list []*limits.Limit
	for i := range limits.All() {
		if l := &limits.All()[i]; l.Command(line) {
			list = append(list, l)
		}
	}
	if len(list) == 0 {
		return nil
	}
	view, err := c.view()
	if err != nil {
		return err
	}
	ports := namedPorts(view, rest)
	return c.host.Look(c.ctx, func(h *driver.Host) error {
		for _, l := range list {
			if why := brokenFor(h, l, ports); why != "" && l.Refuse {
				return errors.New(why)
			} else if why != "" {
				c.note(why)
			}
		}
		return nil
	})
}

// note keeps a sentence that goes with the answer.
func (c *call) note(sentence string) {
	if !slices.Contains(c.notes, sentence) {
		c.notes = append(c.notes, sentence)
	}
}

// namedPorts are the connections that words of a command name, by their names, those of their cards, or by what tools
// call the cards; all connections when they name none.
func namedPorts(view *driver.View, words []string) (names []string) {
	all := []string{}
	for i := range view.Adapters {
		a := &view.Adapters[i]
		for _, p := range a.Ports {
			d := p.Description
			all = append(all, d.Connection)
			called := []string{d.Connection, d.Interface, a.Description.Name, a.DeviceName, a.HCA}
			for _, word := range words {
				word = strings.TrimPrefix(word, "/dev/mst/")
				if word != "" && slices.ContainsFunc(called, func(name string) bool { return strings.EqualFold(name, word) }) {
					names = append(names, d.Connection)
					break
				}
			}
		}
	}
	if names == nil {
		return all
	}
	return names
}

// brokenFor says what connections lack for a limit, if every one that it is about does; empty otherwise.
func brokenFor(h *driver.Host, l *limits.Limit, ports []string) (why string) {
	for _, name := range ports {
		list, err := h.Limits(name)
		if err != nil {
			continue
		}
		for _, one := range list {
			if one.Limit != l {
				continue
			}
			if one.Broken == "" {
				return ""
			}
			if why == "" {
				why = one.Broken
			}
		}
	}
	return why
}

// refusedSettings says which settings of the firmware the tool can't set, by the versions of a card.
func refusedSettings(h *driver.Host, plan driver.Plan) error {
	if list := h.LimitsOf(plan); len(list) > 0 {
		return errors.New(list[0])
	}
	return nil
}
