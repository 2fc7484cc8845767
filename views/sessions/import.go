package sessions

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"cxdeck/perf/pdh"
	"cxdeck/store/fault"
	"cxdeck/store/transfer"
	"cxdeck/views/exec"
)

var errImportInterrupted = errors.New("interrupted: nothing is imported")

// importedJSON is an imported session as JSON.
type importedJSON struct {
	Original int64 `json:"original_id,omitempty"` // a log has none
	// ID is its number in the history; Known is set if it was imported before.
	ID    int64 `json:"id"`
	Known bool  `json:"known"`
}

// importFile copies all or the chosen sessions of a file from another machine into the history.
func importFile(c *Call) error {
	path := c.Arguments[0]
	if path == "-" {
		return exec.Mistake("a session can't be imported from -: name a file")
	}
	if path == "" {
		return exec.Mistake("sessions import requires the name of a file, and the name given is empty")
	}
	if isLog(path) {
		return importLog(c, path)
	}
	var chosen []int64
	for _, argument := range c.Arguments[1:] {
		id, err := strconv.ParseInt(argument, 10, 64)
		if err != nil || id < 1 {
			return exec.Mistake("%q is not the number of a session; cxdeck sessions list --db FILE prints the numbers", argument)
		}
		chosen = append(chosen, id)
	}
	list, err := c.DB.Import(c.Ctx, path, transfer.Options{Sessions: chosen, Progress: c.progress})
	if err != nil {
		return c.explainImport(path, err)
	}
	return c.printImported(path, list)
}

// explainImport returns why nothing of a file is imported.
func (c *Call) explainImport(path string, err error) error {
	var file *fault.FileError
	switch {
	case c.Ctx.Err() != nil:
		return errImportInterrupted
	case errors.Is(err, fault.ErrFull) && errors.As(err, &file):
		return fmt.Errorf("%s can't be imported: the disk that holds %s is full; nothing is imported; free some space", path, file.Path)
	}
	return err
}

// isLog reports whether a file is a Performance Monitor log by its name.
func isLog(path string) bool {
	ending := strings.ToLower(filepath.Ext(path))
	return ending == ".csv" || ending == ".tsv"
}

// importLog copies a Performance Monitor log into the history.
func importLog(c *Call, path string) error {
	if len(c.Arguments) > 1 {
		return exec.Mistake("a log has no sessions to choose, and %q was given", c.Arguments[1])
	}
	source, err := pdh.Open(path)
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // nothing was written
	imported, err := c.DB.ImportSource(c.Ctx, source, c.progress("Importing"))
	if err != nil {
		return c.explainImport(path, err)
	}
	imported.Original = 0
	return c.printImported(path, []transfer.Imported{imported})
}

// printImported prints the sessions that were imported from a file.
func (c *Call) printImported(path string, list []transfer.Imported) error {
	if c.JSON {
		rows := make([]importedJSON, len(list))
		for i, imported := range list {
			rows[i] = importedJSON(imported)
		}
		return c.document(struct {
			Schema   int            `json:"schema"`
			Sessions []importedJSON `json:"sessions"`
		}{schemaVersion, rows})
	}
	for _, imported := range list {
		what := exec.Clean(path)
		if imported.Original != 0 {
			what = fmt.Sprintf("Session %d of %s", imported.Original, what)
		}
		if imported.Known {
			c.say("%s is in the history already, as session %d.", what, imported.ID)
		} else {
			c.say("%s is imported as session %d.", what, imported.ID)
		}
	}
	return nil
}
