package installers

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/packages"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// setupResult is the answer of a setup program as JSON.
type setupResult struct {
	Change   exec.EntryRow      `json:"change"`
	Code     int                `json:"return_code"`
	What     string             `json:"reason,omitempty"`
	From     string             `json:"version_before,omitempty"`
	To       string             `json:"version,omitempty"`
	Driver   string             `json:"driver_version,omitempty"`
	Burns    []packages.Burning `json:"firmware,omitempty"`
	Closed   []string           `json:"closed,omitempty"`
	Needs    string             `json:"restart_needed,omitempty"`
	Restarts bool               `json:"restarts"`
	Log      []string           `json:"logs,omitempty"`
}

func install(c *exec.Call) (exec.Answer, error)   { return run(c, false) }
func uninstall(c *exec.Call) (exec.Answer, error) { return run(c, true) }

// run runs a setup program. With windows, it asks what its wizard asks: an attended run needs an answer.
func run(c *exec.Call, remove bool) (exec.Answer, error) {
	o, err := read(c)
	if err != nil {
		return exec.Answer{}, err
	}
	if o.help {
		return exec.PrintLines(o.helpLines(), struct {
			Lines []string `json:"lines"`
		}{o.helpLines()}), nil
	}
	if o.driversOnly {
		return exec.Answer{}, exec.Mistake("MT_DRIVERS_ONLY belongs to an extraction: %s /a /vMT_DRIVERS_ONLY=1", o.File)
	}
	o.Remove = remove
	var out packages.Outcome
	host := ""
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		set := h.Packages()
		out, host = set.Outcome(o.Setup), h.View().Name
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	if !o.Unattended && !out.Stops {
		if err := ask(c, &o, &out); err != nil {
			return exec.Answer{}, err
		}
	}
	plan := driver.Plan{Title: wording.UpperFirst(o.Describe()), Operations: []driver.Operation{o.Setup}}
	if out.Restarts && !out.Stops {
		plan.Operations = append(plan.Operations, adapters.Reboot{Host: host})
	}
	entry, err := c.Do(plan)
	if err != nil {
		return exec.Answer{}, err
	}
	r := setupResult{entry, out.Code, out.What, out.From, out.To, out.Driver, out.Burns, out.Closed, out.Needs, out.Restarts && !out.Stops, nil}
	if o.Log != "" {
		r.Log = append(r.Log, o.Log)
	}
	if o.Product == packages.WinOF {
		r.Log = append(r.Log, packages.DefaultLog)
	}
	for _, note := range out.Notes {
		c.Note(note)
	}
	answer := exec.PrintLines(o.lines(&r, &out), r)
	answer.Failed = out.Code != 0
	return answer, nil
}

// ask asks the questions of the wizard.
func ask(c *exec.Call, o *options, out *packages.Outcome) error {
	lines := []string{"Welcome to the InstallShield Wizard for " + o.Product.Listed() + ".", ""}
	question := "Do you accept the licence agreement? (y/n) [n] :"
	if o.Remove {
		question = "Remove " + o.Product.Listed() + " from the computer? (y/n) [n] :"
	} else {
		folder := o.Folder
		if folder == "" {
			folder = packages.DefaultFolder(o.Product)
		}
		lines = append(lines, "Target folder:  "+folder, "Setup type:     Complete")
		for _, b := range out.Burns {
			lines = append(lines, fmt.Sprintf("Firmware:       %s from %s to %s", b.Adapter, b.From, b.To))
		}
	}
	yes, err := c.Ask(exec.Question{Before: exec.CleanLines(lines), Text: question, Usual: "n"}, "")
	if err == nil && !yes {
		err = exec.AnswerNo(`/S /v"/qn"`)
	}
	return err
}

// lines returns what a run prints.
func (o *options) lines(r *setupResult, out *packages.Outcome) (lines []string) {
	title := o.Product.Title()
	switch {
	case out.Stops:
		lines = append(lines, title+" is not installed or changed.")
		if o.Remove {
			lines[0] = title + " is not removed."
		}
	case o.Remove && r.Driver == "":
		lines = append(lines, fmt.Sprintf("%s %s is removed; Windows has no driver for its cards.", title, r.From))
	case o.Remove:
		lines = append(lines, fmt.Sprintf("%s %s is removed; the driver of Windows, %s, takes over.", title, r.From, r.Driver))
	default:
		before := "Windows had its own driver"
		if r.From != "" {
			before = "before it " + r.From
		}
		lines = append(lines, fmt.Sprintf("%s %s is installed with the driver %s; %s.", title, r.To, r.Driver, before))
	}
	for _, b := range r.Burns {
		lines = append(lines, fmt.Sprintf("Firmware of %s: %s is burnt over %s.", b.Adapter, b.To, b.From))
	}
	if len(r.Closed) > 0 {
		lines = append(lines, "Closed, because they hold files of the driver: "+strings.Join(r.Closed, ", ")+".")
	}
	if r.Code != 0 {
		lines = append(lines, fmt.Sprintf("Return code %d: %s.", r.Code, strings.TrimSuffix(r.What, ".")))
	} else {
		lines = append(lines, "Return code 0.")
	}
	switch {
	case r.Restarts && r.Needs == "":
		lines = append(lines, "The computer restarts.")
	case r.Restarts:
		lines = append(lines, "The computer restarts: "+r.Needs+".")
	case r.Needs != "":
		lines = append(lines, "Restart the computer: "+r.Needs+".")
	}
	for _, log := range r.Log {
		lines = append(lines, "Log: "+log)
	}
	return lines
}

// extract writes the files of a setup program into a folder of the host.
func extract(c *exec.Call) (exec.Answer, error) {
	o, err := read(c)
	if err != nil {
		return exec.Answer{}, err
	}
	if o.help {
		return exec.PrintLines(o.helpLines(), struct {
			Lines []string `json:"lines"`
		}{o.helpLines()}), nil
	}
	folder := o.target
	if folder == "" {
		folder = `C:\` + o.Product.Listed()
	}
	op := packages.Extract{Product: o.Product, File: o.File, Version: o.Version, DriversOnly: o.driversOnly, Folder: folder}
	plan := driver.Plan{Title: wording.UpperFirst(op.Describe()), Operations: []driver.Operation{op}}
	entry, err := c.Do(plan)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines([]string{fmt.Sprintf("The files of %s %s are in %s.", o.Product.Title(), o.Version, folder), "Return code 0."}, struct {
		Change exec.EntryRow `json:"change"`
		Folder string        `json:"folder"`
		Code   int           `json:"return_code"`
	}{entry, folder, 0}), nil
}

// packageRow is a package as JSON.
type packageRow struct {
	File     string   `json:"file"`
	Product  string   `json:"product"`
	Version  string   `json:"version"`
	Driver   string   `json:"driver_version"`
	Firmware string   `json:"firmware"`
	Systems  []string `json:"systems"`
	Fits     bool     `json:"fits"`
	State    string   `json:"state,omitempty"`
}

// packageList lists the setup programs that exist.
func packageList(c *exec.Call) (exec.Answer, error) {
	rows := []packageRow{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		set, system := h.Packages(), h.View().System
		list := packages.Catalogue()
		for i := range list {
			p := &list[i]
			name := packages.SystemOf(system)
			if !slices.Contains(p.Systems, name) {
				name = p.Systems[len(p.Systems)-1]
			}
			row := packageRow{p.FileName(name), p.Product.Title(), p.Version, p.Driver, p.Firmware, p.Systems, p.Fits(system), ""}
			if set.Installed(p.Product).Version == p.Version {
				row.State = "installed"
			}
			rows = append(rows, row)
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Packages []packageRow `json:"packages"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "SETUP PROGRAM", "DRIVER", "FIRMWARE", "WINDOWS", "STATE")
			for _, r := range rows {
				state := r.State
				if !r.Fits && state == "" {
					state = "not for this Windows"
				}
				t.Row(r.File, r.Driver, r.Firmware, strings.Join(r.Systems, ", "), state)
			}
			return t.Flush()
		},
	}, err
}

// installedRow is a product of the host as JSON.
type installedRow struct {
	Product string `json:"product"`
	Version string `json:"version"`
	Driver  string `json:"driver_version"`
	WMI     bool   `json:"wmi_provider"`
	Pending bool   `json:"pending_restart"`
	Folder  string `json:"folder"`
}

// setupShow shows the packages that the host has, as Programs and Features does, and the conditions that setup programs meet.
func setupShow(c *exec.Call) (exec.Answer, error) {
	rows, conditions := []installedRow{}, []string{}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		set := h.Packages()
		for _, product := range []packages.Product{packages.WinOF, packages.WinOF2} {
			i := set.Installed(product)
			if i.Driver == "" && i.Version == "" {
				if _, changed := set.Changed(product); !changed {
					continue // no card of the host is for it
				}
			}
			row := installedRow{product.Listed(), i.Version, i.Driver, !i.NoWMI && i.Version != "", i.Pending, i.Folder}
			if row.Folder == "" && i.Version != "" {
				row.Folder = packages.DefaultFolder(product)
			}
			rows = append(rows, row)
		}
		conditions = append(conditions, set.Conditions...)
		return nil
	})
	return exec.Answer{
		Result: struct {
			Products   []installedRow `json:"products"`
			Conditions []string       `json:"conditions"`
		}{rows, conditions},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "PRODUCT", "VERSION", "DRIVER", "RESTART", "FOLDER")
			for _, r := range rows {
				version, driver := r.Version, r.Driver
				if version == "" {
					version = "not installed"
				}
				if driver == "" {
					driver = "none"
				}
				t.Row(r.Product, version, driver, map[bool]string{true: "pending"}[r.Pending], r.Folder)
			}
			if err := t.Flush(); err != nil || len(conditions) == 0 {
				return err
			}
			_, err := fmt.Fprintf(w, "Setup programs meet: %s.\n", strings.Join(conditions, ", "))
			return err
		},
	}, err
}

func setupCondition(c *exec.Call, in *struct {
	Name string
	On   bool `is:"the condition"`
}) (exec.Answer, error) {
	condition, ok := packages.FindCondition(in.Name)
	if !ok {
		var names []string
		for _, known := range packages.Conditions() {
			names = append(names, known.Name)
		}
		return exec.Answer{}, exec.Mistake("there is no condition %q%s", in.Name, exec.Suggest(in.Name, names, "the conditions are "+strings.Join(names, ", ")))
	}
	return c.ApplyOne(packages.SetCondition{Condition: condition.Name, On: in.On})
}

func conditionsHelp() string {
	var parts []string
	for _, condition := range packages.Conditions() {
		parts = append(parts, fmt.Sprintf("%s (%s; code %d)", condition.Name, strings.TrimSuffix(condition.What, "."), condition.Code))
	}
	return strings.Join(parts, ", ")
}
