package events

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/eventlog/query"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/perf/regular"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// exportJob is an export of events to a file, which is written outside the terminal loop.
type exportJob struct {
	path, host string
	events     []eventlog.Event
	replace    bool
}

// exportedMsg is the result of an export.
type exportedMsg struct {
	job exportJob
	err error
}

// exportAction writes the shown events to a file.
func (v *View) exportAction() ui.Action {
	a := ui.Action{ID: "events.export", Keys: []string{"x"}, Name: "export",
		Help: "Write the events that are shown to a file: .xml as Windows does, or .csv for a spreadsheet", Run: v.askExport}
	if len(v.shown.positions) == 0 {
		a.Disabled = "no event is shown"
	}
	return a
}

func (v *View) askExport() ui.Cmd {
	job := exportJob{}
	if m := v.deck.Monitor(); m != nil {
		job.host = m.Status().Info.Host
	}
	for _, at := range v.shown.positions {
		job.events = append(job.events, *v.log.At(at))
	}
	title := "Export " + wording.Count(len(job.events), "event")
	return ui.PromptWork(title, "File: .xml for the form of Windows, .csv for a spreadsheet", "events.csv", checkName, title,
		func(_ context.Context, path string) (ui.Msg, error) {
			job.path = strings.TrimSpace(path)
			err := job.write()
			if err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, fmt.Errorf("nothing was exported to %s: %w", job.path, regular.Reason(err))
			}
			return exportedMsg{job, err}, nil
		})
}

// checkName returns why a file name is invalid; empty for a valid one.
func checkName(path string) string {
	folded := strings.ToLower(strings.TrimSpace(path))
	if !strings.HasSuffix(folded, ".xml") && !strings.HasSuffix(folded, ".csv") {
		return "Type the name of a file that ends in .xml or .csv."
	}
	return ""
}

func (j exportJob) write() error {
	path, err := filepath.Abs(j.path)
	if err != nil {
		return err
	}
	var data bytes.Buffer
	if err := query.Write(&data, path, j.events, j.host); err != nil {
		return err
	}
	return deck.WriteFiles([]script.File{{Path: path, Data: data.Bytes()}}, j.replace)
}

// exported reports the outcome of an export; before it replaces an existing file it asks.
func (v *View) exported(msg exportedMsg) ui.Cmd {
	switch {
	case errors.Is(msg.err, fs.ErrExist) && !msg.job.replace:
		return ui.Confirm("The file "+msg.job.path+" exists. Replace it?", "Replace", func() ui.Cmd {
			job := msg.job
			job.replace = true
			return ui.Background("Export events", func(context.Context) ui.Msg { return exportedMsg{job, job.write()} })
		})
	case msg.err != nil:
		return ui.Toast(ui.Failure, "Nothing was exported to "+msg.job.path+": "+regular.Reason(msg.err).Error())
	}
	return ui.Batch(ui.Toast(ui.Success, fmt.Sprintf("%s saved in %s.", wording.Count(len(msg.job.events), "event"), msg.job.path)),
		ui.Log(v.now, "Exported events to "+msg.job.path, nil))
}
