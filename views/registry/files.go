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
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

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
		job := change.ExportJob{What: what, Contents: func(ctx context.Context, path string) ([]script.File, []string, error) {
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
		return change.Export(v.deck, "Export "+what, "File", name+".reg", job)
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
		return ui.PromptWork("Import a .reg file", "File", "", change.CheckFileName, "Import a .reg file", func(ctx context.Context, path string) (ui.Msg, error) {
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
