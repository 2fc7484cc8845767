package exec

import (
	"errors"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/limits"
)

// checkLimits returns an error if the command is not supported by the versions of driver, firmware or Windows of any of its
// adapters. A limit that does not refuse the command becomes a note.
func (c *Call) checkLimits(command *Command, rest []string) error {
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
	return c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
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

// Note adds a sentence, without its full stop, that is printed after the answer. Duplicates are dropped.
func (c *Call) Note(sentence string) {
	if !slices.Contains(c.notes, sentence) {
		c.notes = append(c.notes, sentence)
	}
}

// namedPorts returns the connections that the words of a command name: by connection, interface GUID, card, or the card's
// name in a tool. If no word is such a name, it returns all connections.
func namedPorts(view *driver.View, words []string) (names []string) {
	all := []string{}
	for i := range view.Adapters {
		a := &view.Adapters[i]
		for _, p := range a.Ports {
			d := p.Description
			all = append(all, d.Connection)
			aliases := []string{d.Connection, d.Interface, a.Description.Name, a.DeviceName, a.HCA}
			for _, word := range words {
				word = strings.TrimPrefix(word, "/dev/mst/")
				if word != "" && slices.ContainsFunc(aliases, func(name string) bool { return strings.EqualFold(name, word) }) {
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

// unmetLimit returns why a limit is not met, if none of the connections that it concerns meets it; else it is empty.
func unmetLimit(h *driver.Host, l *limits.Limit, ports []string) (why string) {
	for _, name := range ports {
		list, err := h.Limits(name)
		if err != nil {
			continue
		}
		for _, limit := range list {
			if limit.Limit != l {
				continue
			}
			if limit.Broken == "" {
				return ""
			}
			if why == "" {
				why = limit.Broken
			}
		}
	}
	return why
}

// RefusedSettings returns an error for the first setting of a plan that the versions of the card do not support.
func RefusedSettings(h *driver.Host, plan driver.Plan) error {
	if list := h.LimitsOf(plan); len(list) > 0 {
		return errors.New(list[0])
	}
	return nil
}
