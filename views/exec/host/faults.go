package host

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

// faultRow is a fault of a port as JSON. VF is nil if the fault does not concern a virtual function.
type faultRow struct {
	Connection string  `json:"connection"`
	VF         *int    `json:"virtual_function,omitempty"`
	Fault      string  `json:"fault"`
	What       string  `json:"what"`
	Share      float64 `json:"share"`
}

// faultsHelp lists the faults for a help page.
func faultsHelp() string {
	var parts []string
	for _, f := range exec.Faults() {
		parts = append(parts, fmt.Sprintf("%s (%s)", f.Word(), f.What()))
	}
	return "Faults: " + strings.Join(parts, ", ") + "."
}

func faultList(c *exec.Call, in *exec.OptionalPort) (exec.Answer, error) {
	rows := []faultRow{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); in.Name == "" || d.Connection == in.Name {
				rows = append(rows, faultsOf(h, port, c.Flags["all"] != "")...)
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
				_, err := fmt.Fprintln(w, "No fault is set. fault set injects one, and fault list --all lists all faults.")
				return err
			}
			t := exec.NewTextTable(w, "CONNECTION", "VF", "FAULT", "DESCRIPTION", "SHARE")
			for _, r := range rows {
				function := "-"
				if r.VF != nil {
					function = strconv.Itoa(*r.VF)
				}
				t.Row(r.Connection, function, r.Fault, r.What, exec.FormatNumber(r.Share))
			}
			return t.Flush()
		},
	}, err
}

// faultsOf returns the faults injected at a port and its virtual functions; with all also the faults that can be injected at
// the port, with share 0.
func faultsOf(h *driver.Host, port int, all bool) (rows []faultRow) {
	d, _, _ := h.Lab().Port(port)
	for _, f := range exec.Faults() {
		row := faultRow{Connection: d.Connection, Fault: f.Word(), What: f.What(), Share: f.Share(h, port)}
		if row.Share > 0 && f.ByFunction() {
			row.VF = new(int)
		}
		if row.Share > 0 || all {
			rows = append(rows, row)
		}
		for _, m := range h.Lab().FunctionFaults() {
			if f.Driver == nil && m.Port == port && m.Kind == f.Kind {
				row.VF, row.Share = new(m.Function), m.Share
				rows = append(rows, row)
			}
		}
		for _, a := range h.Healing().Ports[port].Faults {
			if a.Function != nil && a.Name == row.Fault {
				row.VF, row.Share = a.Function, 1
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// portFault has the arguments of fault set and fault clear.
type portFault struct {
	Name  string `is:"connection"`
	Fault exec.Fault
	Share string
}

func faultSet(c *exec.Call, in *portFault) (exec.Answer, error) {
	share := 1.0
	if text := in.Share; len(c.Arguments) > 2 {
		var err error
		if share, err = strconv.ParseFloat(text, 64); err != nil || !(share > 0 && share <= 1) {
			return exec.Answer{}, exec.Mistake("invalid share %q: it must be above 0 and at most 1; fault clear clears the fault", text)
		}
	}
	return c.ApplyOne(in.Fault.Set(in.Name, nil, share))
}

func faultClear(c *exec.Call, in *portFault) (exec.Answer, error) {
	absent := false
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); d.Connection == in.Name {
				absent = in.Fault.Share(h, port) == 0
			}
		}
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	if absent {
		return exec.Answer{}, &request.UnchangedError{Why: fmt.Sprintf("the fault %[2]s is not set on %[1]s; fault list lists "+
			"the injected faults", in.Name, in.Fault.Word())}
	}
	return c.ApplyOne(in.Fault.Set(in.Name, nil, 0))
}
