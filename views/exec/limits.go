package exec

import (
	"errors"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/limits"
)

// limited returns why a command does nothing, as the driver, firmware or system of all adapters that it is about is too old
// or too new for it. What is done all the same becomes a note.
func (c *Call) limited(command *Command, rest []string) error {
	line := strings.TrimSpace(command.Name + " " + strings.Join(rest, " "))
	var list []*limits.Limit
	for i := range limits.All() {
		if l := &limits.All()[i]; l.MatchesCommand(line) {
			list = append(list, l)
		}
	}
	if len(list) == 0 {
		return nil
	}
	view, err := c.View()
	if err != nil {
		return err
	}
	ports := namedPorts(view, rest)
	return c.Host.Look(c.Ctx, func(h *driver.Host) error {
		for _, l := range list {
			if why := unmetLimit(h, l, ports); why != "" && l.Refuse {
				return errors.New(why)
			} else if why != "" {
				c.Note(why)
			}
		}
		return nil
	})
}

// Note keeps a sentence that goes with the answer.
func (c *Call) Note(sentence string) {
	if !slices.Contains(c.notes, sentence) {
		c.notes = append(c.notes, sentence)
	}
}

// namedPorts returns the connections that words of a command name, by connection, by card, or by the name that tools have for
// the card; all connections when they name none.
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

// unmetLimit returns what connections lack for a limit, if every one that it is about does; empty otherwise.
func unmetLimit(h *driver.Host, l *limits.Limit, ports []string) (why string) {
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

// RefusedSettings returns which settings of the firmware the tool can't set, by the versions of a card.
func RefusedSettings(h *driver.Host, plan driver.Plan) error {
	if list := h.LimitsOf(plan); len(list) > 0 {
		return errors.New(list[0])
	}
	return nil
}
