package exec

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
)

// faultRow is a fault of a port as JSON; VF is there for one of a virtual function.
type faultRow struct {
	Connection string                `json:"connection"`
	VF         *int                  `json:"virtual_function,omitempty"`
	Fault      description.FaultKind `json:"fault"`
	What       string                `json:"what"`
	Share      float64               `json:"share"`
}

// faultWord is what operators call a fault.
func faultWord(kind description.FaultKind) string {
	word, _ := kind.MarshalText() // it never fails for those of the table
	return string(word)
}

// findFault is the fault of a word.
func findFault(word string) (description.FaultKind, error) {
	var words []string
	for _, kind := range description.FaultKinds() {
		if strings.EqualFold(faultWord(kind), word) {
			return kind, nil
		}
		words = append(words, faultWord(kind))
	}
	return 0, mistake("there is no fault %q%s", word, suggest(word, words, "there are "+strings.Join(words, ", ")))
}

// faultsHelp lists the faults for a help page.
func faultsHelp() string {
	var parts []string
	for _, kind := range description.FaultKinds() {
		parts = append(parts, fmt.Sprintf("%s (%s)", faultWord(kind), kind))
	}
	return "Faults: " + strings.Join(parts, ", ") + "."
}

func faultList(c *call) (answer, error) {
	view, err := c.view()
	if err != nil {
		return answer{}, err
	}
	only := ""
	if len(c.arguments) > 0 {
		if only, err = connection(view, c.arguments[0]); err != nil {
			return answer{}, err
		}
	}
	rows := []faultRow{}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); only == "" || d.Connection == only {
				rows = append(rows, faultsOf(h.Lab(), port, c.flags["all"] != "")...)
			}
		}
		return nil
	})
	return answer{
		result: struct {
			Faults []faultRow `json:"faults"`
		}{rows},
		text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No fault was made. fault set makes one, and fault list --all lists those that there "+
					"can be.")
				return err
			}
			t := newTable(w, "CONNECTION", "VF", "FAULT", "WHAT GOES WRONG", "SHARE")
			for _, r := range rows {
				function := "-"
				if r.VF != nil {
					function = strconv.Itoa(*r.VF)
				}
				t.row(r.Connection, function, faultWord(r.Fault), r.What, number(r.Share))
			}
			return t.Flush()
		},
	}, err
}

// faultsOf are the faults that were made at a port and at its virtual functions, or with all every one that there can
// be at the port.
func faultsOf(lab *device.Lab, port int, all bool) (rows []faultRow) {
	d, _, _ := lab.Port(port)
	ofFunctions := description.FunctionFaults()
	for _, kind := range description.FaultKinds() {
		row := faultRow{Connection: d.Connection, Fault: kind, What: kind.String(), Share: lab.Fault(port, kind)}
		if row.Share > 0 && slices.Contains(ofFunctions, kind) {
			row.VF = new(int)
		}
		if row.Share > 0 || all {
			rows = append(rows, row)
		}
		for _, m := range lab.Misdeeds() {
			if m.Port == port && m.Kind == kind {
				row.VF, row.Share = new(m.Function), m.Share
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func faultSet(c *call) (answer, error) {
	share := 1.0
	if len(c.arguments) > 2 {
		var err error
		text := c.arguments[2]
		if share, err = strconv.ParseFloat(text, 64); err != nil || !(share > 0 && share <= 1) {
			return answer{}, mistake("%q is no share of a fault: it is above 0 and at most 1; fault clear puts it right", text)
		}
	}
	return c.fault(share)
}

func faultClear(c *call) (answer, error) { return c.fault(0) }

// fault makes what the first two arguments name go wrong, or puts it right.
func (c *call) fault(share float64) (answer, error) {
	kind, err := findFault(c.arguments[1])
	if err != nil {
		return answer{}, err
	}
	name, err := c.named(0)
	if err != nil {
		return answer{}, err
	}
	if share == 0 {
		none := false
		err := c.host.Look(c.ctx, func(h *driver.Host) error {
			for port := range h.Lab().Ports() {
				if d, _, _ := h.Lab().Port(port); d.Connection == name {
					none = h.Lab().Fault(port, kind) == 0
				}
			}
			return nil
		})
		if err != nil {
			return answer{}, err
		}
		if none {
			return answer{}, &request.UnchangedError{Why: fmt.Sprintf("%s has no fault %s that was made; fault list prints those "+
				"that were", name, faultWord(kind))}
		}
	}
	return c.one(driver.SetFault{Connection: name, Fault: kind, Share: share})
}
