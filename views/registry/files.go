package registry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry/regedit"
	"cxdeck/driver/registry/regfile"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/perf/monitor"
	"cxdeck/perf/regular"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// exportJob is an export to a file. Its contents are computed outside the terminal loop.
type exportJob struct {
	path    string
	what    string // for the operator: "the keys of Ethernet 7"
	replace bool
	// contents returns the files, a script with its inverse, and descriptions of parts that they can't contain.
	contents func(ctx context.Context, path string) (files []script.File, left []string, err error)
}

// exportedMsg is the result of an export.
type exportedMsg struct {
	job   exportJob
	files []script.File
	left  []string
	err   error
}

// checkFileName returns why a file name is invalid; empty for a valid one.
func checkFileName(path string) string {
	if strings.TrimSpace(path) == "" {
		return "Type the name of a file."
	}
	return ""
}

// askExport asks for the path, and writes the files.
func askExport(title, label, initial string, job exportJob) ui.Cmd {
	return ui.PromptWork(title, label, initial, checkFileName, "Export "+job.what, func(ctx context.Context, path string) (ui.Msg, error) {
		job.path = strings.TrimSpace(path)
		msg := job.write(ctx)
		if msg.err != nil && !errors.Is(msg.err, fs.ErrExist) {
			return nil, fmt.Errorf("nothing was exported to %s: %w", msg.job.path, regular.Reason(msg.err))
		}
		return msg, nil
	})
}

func (j exportJob) run() ui.Cmd {
	return ui.Background("Export "+j.what, func(ctx context.Context) ui.Msg { return j.write(ctx) })
}

func (j exportJob) write(ctx context.Context) exportedMsg {
	msg := exportedMsg{job: j}
	path, err := filepath.Abs(j.path)
	if err == nil {
		msg.files, msg.left, err = j.contents(ctx, path)
	}
	if err == nil {
		err = deck.WriteFiles(msg.files, j.replace)
	}
	msg.err = err
	return msg
}

// exported reports the outcome of an export; before it replaces an existing file it asks.
func (v *View) exported(msg exportedMsg) ui.Cmd {
	switch {
	case errors.Is(msg.err, fs.ErrExist) && !msg.job.replace:
		path := msg.job.path
		var pathError *fs.PathError
		if errors.As(msg.err, &pathError) { // the existing file may be the second one
			path = pathError.Path
		}
		return ui.Confirm("The file "+path+" exists. Replace it?", "Replace", func() ui.Cmd {
			job := msg.job
			job.replace = true
			return job.run()
		})
	case msg.err != nil:
		return ui.Toast(ui.Failure, "Nothing was exported to "+msg.job.path+": "+regular.Reason(msg.err).Error())
	}
	names := make([]string, len(msg.files))
	for i, f := range msg.files {
		names[i] = f.Path
	}
	where := strings.Join(names, " and ")
	said, lines := ui.Toast(ui.Success, wording.UpperFirst(msg.job.what)+": "+where), make([]string, len(msg.left))
	for i, name := range msg.left {
		lines[i] = "left out: " + name
	}
	if len(lines) > 0 {
		said = ui.Toast(ui.Caution, where+" can't hold all of it; the action log lists the rest")
	}
	return ui.Batch(said, ui.Log(v.deck.Monitor().Status().Now, "Exported "+msg.job.what+" to "+where, lines))
}

// exportAction exports the keys of the selected branch's adapters as a .reg file.
func (v *View) exportAction() ui.Action {
	a := ui.Action{ID: "registry.export", Keys: []string{"x"}, Name: "export", Hidden: true,
		Help: "Write the keys of the selected adapters to a .reg file, as regedit does; a plan is exported from its review"}
	if v.snapshot == nil {
		a.Disabled = "the registry is still being read"
		return a
	}
	a.Run = func() ui.Cmd {
		connections := v.connections()
		what := "the keys of " + strings.Join(connections, ", ")
		if v.treeList.Cursor() == 0 || len(connections) == 0 {
			connections, what = nil, "the whole registry"
		}
		m := v.deck.Monitor()
		job := exportJob{what: what, contents: func(ctx context.Context, path string) ([]script.File, []string, error) {
			var file *regfile.File
			err := m.ReadHost(ctx, func(h *driver.Host) (err error) {
				file, err = h.ExportRegistry(connections...)
				return err
			})
			if err != nil {
				return nil, nil, err
			}
			data, err := regfile.Encode(file)
			return []script.File{{Path: path, Data: data}}, nil, err
		}}
		name := "registry"
		if len(connections) == 1 {
			name = fileName(connections[0])
		}
		return askExport("Export "+what, "File", name+".reg", job)
	}
	return a
}

// fileName replaces the characters of a name that are not letters or digits by "-".
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, name)
}

// importAction reads a .reg file and opens the review of what it would change.
func (v *View) importAction() ui.Action {
	a := ui.Action{ID: "registry.import", Keys: []string{"i"}, Name: "import", Hidden: true, Changes: true,
		Help: "Read a .reg file and review what it would change; nothing is written before you apply it"}
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return a
	}
	m := v.deck.Monitor()
	a.Run = func() ui.Cmd {
		return ui.PromptWork("Import a .reg file", "File", "", checkFileName, "Import a .reg file", func(ctx context.Context, path string) (ui.Msg, error) {
			return importFile(ctx, m, strings.TrimSpace(path))
		})
	}
	return a
}

// readFile reads a file of at most limit bytes; its errors name the file.
func readFile(path string, limit int64) ([]byte, error) {
	data, err := deck.ReadFile(path, limit)
	if err != nil {
		var pathError *fs.PathError
		if errors.As(err, &pathError) {
			err = pathError.Err // the sentence names the file
		}
		return nil, fmt.Errorf("%s can't be read: %w", path, err)
	}
	return data, nil
}

// importFile reads a .reg file and reviews its changes.
func importFile(ctx context.Context, m *monitor.Monitor, path string) (ui.Msg, error) {
	msg := reviewMsg{}
	data, err := readFile(path, regedit.LargestFile)
	if err != nil {
		return nil, fmt.Errorf("%w; nothing was changed", err)
	}
	file, title, err := regedit.Read(path, data)
	if err != nil {
		return nil, err
	}
	var plan driver.Plan
	var found regedit.Import
	msg.err = m.ReadHost(ctx, func(h *driver.Host) (err error) {
		plan, found, err = h.ImportRegistry(title, file)
		if err == nil && len(plan.Operations) > 0 {
			msg.plan, msg.review = plan, h.Review(plan)
		}
		return err
	})
	if msg.err == nil && len(plan.Operations) == 0 {
		return ui.Toast(ui.Note, fmt.Sprintf("%s changes nothing: %s stored already.", filepath.Base(path), count(found.Same, "value")))(), nil
	}
	if found.Same > 0 {
		msg.notes = append(msg.notes, count(found.Same, "value")+" of the file stored already")
	}
	msg.notes = append(msg.notes, found.Notes()...)
	return msg, nil
}
