package winof

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/device/ets"
	"cxdeck/driver"
	"cxdeck/driver/qos"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// limitClasses implements mlxtool modify tc-bw. Its arguments are a connection, and pairs of a traffic class and its maximum
// rate in Mbit/s.
func limitClasses(c *exec.Call) (exec.Answer, error) {
	if c.Arguments[0] == "" { // it would stand for the first connection
		return exec.Answer{}, exec.Mistake("mlxtool modify tc-bw requires the name of a connection")
	}
	list, err := registrykey.ToolTargets(c, description.WinOF, "mlxtool modify tc-bw", c.Arguments[0], true)
	if err != nil {
		return exec.Answer{}, err
	}
	limits, err := ets.ParseLimits(c.Arguments[1:])
	if err != nil {
		return exec.Answer{}, exec.Mistake("%s", err)
	}
	o := qos.SetLimits{Connection: list[0].Connection}
	for class, limit := range limits {
		if limit > 0 {
			o.Limits = append(o.Limits, qos.Limit{Class: class, Mbps: limit})
		}
	}
	return c.ApplyOne(o)
}

// priorityRow is the QoS of a priority on a port as JSON.
type priorityRow struct {
	Connection string `json:"connection"`
	Priority   int    `json:"priority"`
	Class      int    `json:"traffic_class"`
	Algorithm  string `json:"algorithm,omitempty"`
	Bandwidth  *int   `json:"bandwidth_percent,omitempty"`
	Limit      int    `json:"limit_mbps,omitempty"`
	PFC        bool   `json:"pfc"`
}

// showQoS implements mlxtool show qos. The manual does not show its output.
func showQoS(c *exec.Call, view *driver.View) (exec.Answer, error) {
	cards, err := cardsAt(c, view, "mlxtool show qos")
	if err != nil {
		return exec.Answer{}, err
	}
	var v qos.View
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error { v = h.QoS(); return nil }); err != nil {
		return exec.Answer{}, err
	}
	rows := []priorityRow{}
	var unused []string
	for _, a := range cards {
		for i := range a.Ports {
			if port := &v.Ports[a.Ports[i].Port]; port.Ethernet {
				list := prioritiesOf(&v, port)
				rows, unused = append(rows, list...), append(unused, unusedLimits(port, list)...)
			}
		}
	}
	return exec.Answer{
		Result: struct {
			Priorities []priorityRow `json:"priorities"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "CONNECTION", "PRIORITY", "TC", "ALGORITHM", "SHARE", "LIMIT", "PFC")
			for i := range rows {
				r := &rows[i]
				share, limit, pfc := "-", "-", "off"
				if r.Bandwidth != nil {
					share = strconv.Itoa(*r.Bandwidth) + "%"
				}
				if r.Limit > 0 {
					limit = strconv.Itoa(r.Limit) + " Mbit/s"
				}
				if r.PFC {
					pfc = "on"
				}
				algorithm := r.Algorithm
				if algorithm == "" {
					algorithm = "-"
				}
				t.Row(r.Connection, strconv.Itoa(r.Priority), strconv.Itoa(r.Class), algorithm, share, limit, pfc)
			}
			err := t.Flush()
			for _, line := range unused {
				_, werr := fmt.Fprintln(w, exec.Clean(line))
				err = errors.Join(err, werr)
			}
			return err
		},
	}, nil
}

// unusedLimits says which limits of a port are of traffic classes that no priority has.
func unusedLimits(port *qos.PortView, rows []priorityRow) (lines []string) {
	for class, limit := range port.Limits {
		if limit > 0 && !slices.ContainsFunc(rows, func(r priorityRow) bool { return r.Class == class }) {
			lines = append(lines, fmt.Sprintf("%s: traffic class %d is limited to %d Mbit/s, and no priority is in it.", port.Connection, class, limit))
		}
	}
	return lines
}

// prioritiesOf returns the priorities of a port with their traffic classes. If there is only the default class, each priority
// is a class of its own.
func prioritiesOf(v *qos.View, port *qos.PortView) (rows []priorityRow) {
	for priority := range 8 {
		row := priorityRow{Connection: port.Connection, Priority: priority, Class: priority, PFC: port.Operational.Has(priority)}
		if at := slices.IndexFunc(port.Classes, func(class qos.ClassView) bool { return class.Priorities.Has(priority) }); at >= 0 && len(v.Classes) > 1 {
			row.Class, row.Algorithm = at, string(port.Classes[at].Algorithm)
			if port.Classes[at].Algorithm == qos.ETS {
				row.Bandwidth = &port.Classes[at].Bandwidth
			}
		}
		row.Limit = port.Limits[row.Class]
		rows = append(rows, row)
	}
	return rows
}

// cardsAt returns the WinOF card at the typed PCI address, given as bus, device and function, or all WinOF cards without one.
func cardsAt(c *exec.Call, view *driver.View, tool string) (cards []*driver.AdapterView, err error) {
	var at [3]int
	switch len(c.Arguments) {
	case 0:
	case 3:
		for i, word := range c.Arguments {
			if at[i], err = exec.WholeNumber(word, []string{"PCI bus", "PCI device", "PCI function"}[i]); err != nil {
				return nil, err
			}
		}
	default:
		return nil, exec.Mistake("%s takes bus, device and function of a card, or nothing", tool)
	}
	for i := range view.Adapters {
		a := &view.Adapters[i]
		pci := a.Description.PCI
		if a.Description.Family == description.WinOF && (len(c.Arguments) == 0 ||
			at == [3]int{int(pci.Bus), int(pci.Device), int(pci.Function)}) {
			cards = append(cards, a)
		}
	}
	if cards == nil {
		return nil, fmt.Errorf("there is no WinOF card at this address; adapter show prints the PCI address of a card")
	}
	return cards, nil
}
