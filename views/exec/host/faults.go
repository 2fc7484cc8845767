package host

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
	"cxdeck/views/exec"
)

// faultRow is a fault of a port as JSON; VF is there for one of a virtual function.
type faultRow struct {
	Connection string                `json:"connection"`
	VF         *int                  `json:"virtual_function,omitempty"`
	Fault      description.FaultKind `json:"fault"`
	What       string                `json:"what"`
	Share      float64               `json:"share"`
}

// findFault is the fault of a word.
func findFault(word string) (description.FaultKind, error) {
	var words []string
	for _, kind := range description.FaultKinds() {
		if strings.EqualFold(exec.FaultWord(kind), word) {
			return kind, nil
		}
		words = append(words, exec.FaultWord(kind))
	}
	return 0, exec.Mistake("there is no fault %q%s", word, exec.Suggest(word, words, "there are "+strings.Join(words, ", ")))
}

// faultsHelp lists the faults for a help page.
func faultsHelp() string {
	var parts []string
	for _, kind := range description.FaultKinds() {
		parts = append(parts, fmt.Sprintf("%s (%s)", exec.FaultWord(kind), kind))
	}
	return "Faults: " + strings.Join(parts, ", ") + "."
}

func faultList(c *exec.Call, view *driver.View) (_ exec.Answer, err error) {
	only := ""
	if len(c.Arguments) > 0 {
		if only, err = exec.Connection(view, c.Arguments[0]); err != nil {
			return exec.Answer{}, err
		}
	}
	rows := []faultRow{}
	err = c.Host.Look(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); only == "" || d.Connection == only {
				rows = append(rows, faultsOf(h.Lab(), port, c.Flags["all"] != "")...)
			}
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Faults []faultRow `json:"faults"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No fault was made. fault set makes one, and fault list --all lists the faults that there "+
					"can be.")
				return err
			}
			t := exec.NewTextTable(w, "CONNECTION", "VF", "FAULT", "WHAT GOES WRONG", "SHARE")
			for _, r := range rows {
				function := "-"
				if r.VF != nil {
					function = strconv.Itoa(*r.VF)
				}
				t.Row(r.Connection, function, exec.FaultWord(r.Fault), r.What, number(r.Share))
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
		for _, m := range lab.FunctionFaults() {
			if m.Port == port && m.Kind == kind {
				row.VF, row.Share = new(m.Function), m.Share
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func faultSet(c *exec.Call) (exec.Answer, error) {
	share := 1.0
	if len(c.Arguments) > 2 {
		var err error
		text := c.Arguments[2]
		if share, err = strconv.ParseFloat(text, 64); err != nil || !(share > 0 && share <= 1) {
			return exec.Answer{}, exec.Mistake("%q is no share of a fault: it is above 0 and at most 1; fault clear puts it right", text)
		}
	}
	return changeFault(c, share)
}

func faultClear(c *exec.Call) (exec.Answer, error) { return changeFault(c, 0) }

// changeFault makes what the first two arguments name go wrong, or puts it right.
func changeFault(c *exec.Call, share float64) (exec.Answer, error) {
	kind, err := findFault(c.Arguments[1])
	if err != nil {
		return exec.Answer{}, err
	}
	name, err := adaptersNamed(c, 0)
	if err != nil {
		return exec.Answer{}, err
	}
	if share == 0 {
		none := false
		err := c.Host.Look(c.Ctx, func(h *driver.Host) error {
			for port := range h.Lab().Ports() {
				if d, _, _ := h.Lab().Port(port); d.Connection == name {
					none = h.Lab().Fault(port, kind) == 0
				}
			}
			return nil
		})
		if err != nil {
			return exec.Answer{}, err
		}
		if none {
			return exec.Answer{}, &request.UnchangedError{Why: fmt.Sprintf("%s has no fault %s that was made; fault list prints the faults "+
				"that were", name, exec.FaultWord(kind))}
		}
	}
	return c.ApplyOne(driver.SetFault{Connection: name, Fault: kind, Share: share})
}
