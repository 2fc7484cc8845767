package winof

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/dump"
	"cxdeck/driver/limits"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
	"cxdeck/views/snapshot"
)

// dumpAnswer is the answer to a request for a dump as JSON.
type dumpAnswer struct {
	Change exec.EntryRow `json:"change"`
	// Folder is the folder of the files, Number the number in their names; absent for Dump Me Now.
	Folder string   `json:"folder"`
	Number *int     `json:"number,omitempty"`
	Files  []string `json:"files"`
	// Failure is the message of event 0x101.
	Failure string `json:"failure,omitempty"`
}

// cardAt returns the WinOF card at a PCI address. It refuses the address of a virtual function.
func cardAt(c *exec.Call, view *driver.View, tool string) (*driver.AdapterView, error) {
	cards, err := cardsAt(c, view, tool)
	if err == nil {
		return cards[0], nil
	}
	for i := range view.Adapters {
		a := &view.Adapters[i]
		functions := 0
		for j := range a.Ports {
			functions += len(a.Ports[j].SRIOV.VFs)
		}
		pci := a.Description.PCI
		address := []string{fmt.Sprint(pci.Bus), fmt.Sprint(pci.Device)}
		if a.Description.Family != description.WinOF || !slices.Equal(c.Arguments[:2], address) {
			continue
		}
		for vf := range functions {
			if c.Arguments[2] == fmt.Sprint(int(pci.Function)+1+vf) {
				return nil, fmt.Errorf("%s supports no virtual functions, and %s is one of %s", tool, strings.Join(c.Arguments, " "), a.Description.Name)
			}
		}
	}
	return nil, err
}

// requestDump applies an Operation that writes a dump, and returns the files that are new, and the error event that it caused.
func requestDump(c *exec.Call, title string, o driver.Operation) (row dumpAnswer, err error) {
	var before []dump.FileView
	sequence := uint64(0)
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		before = h.Dumps().FileViews("")
		for _, e := range h.EventsAfter(0) {
			sequence = e.Sequence
		}
		return nil
	}); err != nil {
		return row, err
	}
	if row.Change, err = c.Do(driver.Plan{Title: title, Operations: []driver.Operation{o}}); err != nil || c.WhatIf {
		return row, err
	}
	row.Files = []string{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, f := range h.Dumps().FileViews("") {
			if !f.InUse && !slices.Contains(before, f) {
				row.Files = append(row.Files, f.Path[strings.LastIndex(f.Path, `\`)+1:])
				row.Folder = f.Path[:strings.LastIndex(f.Path, `\`)]
			}
		}
		for _, e := range h.EventsAfter(sequence) {
			if e.Key == "mlx4.dmn-failed" {
				row.Failure = e.Message
			}
		}
		return nil
	})
	return row, err
}

func (row *dumpAnswer) answer(first string) exec.Answer {
	if row.Change.WhatIf {
		return exec.ChangeAnswer(row.Change)
	}
	if row.Failure != "" {
		return exec.Answer{Failed: true, Result: *row, Text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "The dump was not created. Event 0x101: %s.\n", exec.Clean(row.Failure))
			return err
		}}
	}
	return exec.Answer{Result: *row, Text: func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "%s\n", exec.Clean(first)); err != nil {
			return err
		}
		for _, file := range row.Files {
			if _, err := fmt.Fprintf(w, "  %s\n", exec.Clean(file)); err != nil {
				return err
			}
		}
		return nil
	}}
}

// dumpMeNow implements mlxtool dbg dump-me-now.
func dumpMeNow(c *exec.Call, view *driver.View) (exec.Answer, error) {
	a, err := cardAt(c, view, "mlxtool dbg dump-me-now")
	if err != nil {
		return exec.Answer{}, err
	}
	row, err := requestDump(c, "Dump Me Now of "+a.Description.Name, dump.RequestIncident{Adapter: a.Description.Name})
	if err != nil {
		return exec.Answer{}, err
	}
	return row.answer("The dump was created in " + row.Folder), nil
}

// Drivers before disabledReported report success although dumps are disabled; the snapshot tool of drivers before snapshotFixed never ends
// without the folder of the trace files.
const (
	disabledReported = "5.40.13749" // WinOF 5.40.54000
	snapshotFixed    = "5.50.14659" // WinOF 5.50.51000
)

// mstDump implements mlxtool dbg mstdump.
func mstDump(c *exec.Call, view *driver.View) (exec.Answer, error) {
	a, err := cardAt(c, view, "mlxtool dbg mstdump")
	if err != nil {
		return exec.Answer{}, err
	}
	row, err := requestDump(c, "State dump of "+a.Description.Name, dump.RequestState{Connection: a.Ports[0].Description.Connection})
	if errors.Is(err, dump.ErrDisabled) && limits.Older(a.Description.DriverVersion, disabledReported) {
		return exec.PrintLines([]string{"The dump files were created in " + dump.Folder}, dumpAnswer{Folder: dump.Folder, Files: []string{}}), nil
	}
	if err != nil {
		return exec.Answer{}, err
	}
	number := 0
	if len(row.Files) > 0 {
		parts := strings.Split(row.Files[0], "_")
		if _, err := fmt.Sscanf(parts[4], "u%d", &number); err != nil {
			return exec.Answer{}, fmt.Errorf("the name of the dump has no number: %w", err)
		}
		row.Number = &number
	}
	return row.answer(fmt.Sprintf("%d files were created in %s, with the number %03d in their names", len(row.Files), row.Folder, number)), nil
}

// systemSnapshot implements MLNX_System_Snapshot. The tool has a window with a field for the file.
func systemSnapshot(c *exec.Call) (exec.Answer, error) {
	file := "MLNX_System_Snapshot.html"
	if len(c.Arguments) > 0 {
		file = c.Arguments[0]
	}
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		view := h.View()
		old := slices.ContainsFunc(view.Adapters, func(a driver.AdapterView) bool {
			return a.Description.Family == description.WinOF && limits.Older(a.Description.DriverVersion, snapshotFixed)
		})
		dumps := h.Dumps()
		if session, ok := dumps.Session(); old && ok && !session.Running && !dumps.Files.Contains(dump.TraceFolder) {
			return request.Errorf("MLNX_System_Snapshot hangs: the folder %s of the trace files does not exist; end the program, create the folder with "+
				"logman start %s -ets, or install WinOF 5.50.51000 or later", dump.TraceFolder, dump.SessionName)
		}
		return nil
	})
	if err != nil {
		return exec.Answer{}, err
	}
	return snapshot.Answer(c, file)
}
