package change

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/perf/regular"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// ExportJob is an export to a file. Its contents are computed outside the terminal loop.
type ExportJob struct {
	// What is for the operator: "the keys of Ethernet 7".
	What string
	// Contents returns the files, a script with its inverse, and descriptions of parts that they can't contain.
	Contents func(ctx context.Context, path string) (files []script.File, left []string, err error)

	path    string
	replace bool
}

// CheckFileName returns why a file name is invalid; empty for a valid one.
func CheckFileName(path string) string {
	if strings.TrimSpace(path) == "" {
		return "Type the name of a file."
	}
	return ""
}

// Export asks for the path, writes the files and says what was written. Before it replaces an existing file it asks.
func Export(d *deck.Deck, title, label, initial string, job ExportJob) ui.Cmd {
	return ui.PromptWork(title, label, initial, CheckFileName, "Export "+job.What, func(ctx context.Context, path string) (ui.Msg, error) {
		job.path = strings.TrimSpace(path)
		files, left, err := job.write(ctx)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("nothing was exported to %s: %w", job.path, regular.Reason(err))
		}
		return job.report(d, files, left, err)(), nil
	})
}

// ExportPlan asks for a file and writes a plan for a real host to it; the extension selects the format. Old values are the host's: on a twin
// those of the exports.
func ExportPlan(d *deck.Deck, plan driver.Plan) ui.Cmd {
	m := d.Monitor()
	return Export(d, "Export the plan", "File: .ps1 script, .reg registry file, .md runbook, .txt ticket", "plan.ps1", ExportJob{
		What: "the plan " + plan.Title, Contents: func(ctx context.Context, path string) ([]script.File, []string, error) {
			host, err := m.Clone(ctx)
			if err != nil {
				return nil, nil, err
			}
			return script.Files(host, plan, path)
		},
	})
}

func (j *ExportJob) write(ctx context.Context) (files []script.File, left []string, err error) {
	path, err := filepath.Abs(j.path)
	if err == nil {
		files, left, err = j.Contents(ctx, path)
	}
	if err == nil {
		err = deck.WriteFiles(files, j.replace)
	}
	return files, left, err
}

// report returns what the operator is told of an export.
func (j *ExportJob) report(d *deck.Deck, files []script.File, left []string, err error) ui.Cmd {
	switch {
	case errors.Is(err, fs.ErrExist) && !j.replace:
		path := j.path
		var pathError *fs.PathError
		if errors.As(err, &pathError) { // the existing file may be the second one
			path = pathError.Path
		}
		return ui.Confirm("The file "+path+" exists. Replace it?", "Replace", func() ui.Cmd {
			again := *j
			again.replace = true
			return ui.Background("Export "+again.What, func(ctx context.Context) ui.Msg {
				files, left, err := again.write(ctx)
				return again.report(d, files, left, err)()
			})
		})
	case err != nil:
		return ui.Toast(ui.Failure, "Nothing was exported to "+j.path+": "+regular.Reason(err).Error())
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Path
	}
	where := strings.Join(names, " and ")
	said, lines := ui.Toast(ui.Success, wording.UpperFirst(j.What)+": "+where), make([]string, len(left))
	for i, name := range left {
		lines[i] = "left out: " + name
	}
	if len(lines) > 0 {
		said = ui.Toast(ui.Caution, where+" can't hold all of it; the action log lists the rest")
	}
	return ui.Batch(said, ui.Log(d.Monitor().Status().Now, "Exported "+j.What+" to "+where, lines))
}
