package host

import (
	"fmt"
	"io"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regedit"
	"cxdeck/driver/registry/regfile"
	"cxdeck/driver/script"
	"cxdeck/driver/twin"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/drafts"
)

// fileRow is the JSON form of a written file.
type fileRow struct {
	File  string `json:"file"`
	Bytes int    `json:"bytes"`
}

func filesOf(files []script.File) []fileRow {
	rows := []fileRow{}
	for _, f := range files {
		rows = append(rows, fileRow{f.Path, len(f.Data)})
	}
	return rows
}

// writtenText returns the text that lists written files after a title.
func writtenText(title string, rows []fileRow) func(io.Writer) error {
	return func(w io.Writer) error {
		var names []string
		for _, r := range rows {
			names = append(names, exec.Clean(r.File))
		}
		_, err := fmt.Fprintf(w, "%s: %s\n", title, strings.Join(names, ", "))
		return err
	}
}

// exportsKey reports whether the arguments are those of reg export of Windows: a key and a file, and /y to replace it.
func exportsKey(arguments []string) bool {
	root, _, below := strings.Cut(arguments[0], "\\")
	return below && strings.HasPrefix(strings.ToUpper(root), "HK")
}

// regExportKey implements reg export KEY FILE [/y] of Windows.
func regExportKey(c *exec.Call) (exec.Answer, error) {
	rest := c.Arguments[1:]
	if n := len(rest) - 1; n >= 0 && strings.EqualFold(rest[n], "/y") {
		rest = rest[:n]
		c.Flags["force"] = "true"
	}
	if len(rest) != 1 {
		return exec.Answer{}, exec.Mistake("reg export of a key takes KEY, FILE and /y")
	}
	var file *regfile.File
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		file, err = twin.Export(h, c.Arguments[0])
		return err
	}); err != nil {
		return exec.Answer{}, err
	}
	return writeRegistry(c, file, rest[0])
}

func regExport(c *exec.Call, view *driver.View) (exec.Answer, error) {
	if exportsKey(c.Arguments) {
		return regExportKey(c)
	}
	var names []string
	for _, name := range c.Arguments[1:] {
		name, err := exec.Connection(view, name)
		if err != nil {
			return exec.Answer{}, err
		}
		names = append(names, name)
	}
	var file *regfile.File
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		file, err = h.ExportRegistry(names...)
		return err
	}); err != nil {
		return exec.Answer{}, err
	}
	return writeRegistry(c, file, c.Arguments[0])
}

// writeRegistry writes a registry file, and returns the answer with its name and the number of values.
func writeRegistry(c *exec.Call, file *regfile.File, path string) (exec.Answer, error) {
	data, err := regfile.Encode(file)
	if err != nil {
		return exec.Answer{}, err
	}
	values := 0
	for i := range file.Keys {
		values += len(file.Keys[i].Values)
	}
	files := []script.File{{Path: path, Data: data}}
	if err := c.Write(files); err != nil {
		return exec.Answer{}, err
	}
	rows := filesOf(files)
	return exec.Answer{
		Result: struct {
			Files  []fileRow `json:"files"`
			Values int       `json:"values"`
		}{rows, values},
		Text: writtenText(wording.Count(values, "value")+" of "+wording.Count(len(file.Keys), "registry key"), rows),
	}, nil
}

// importRow is a read registry file as JSON: the number of values that differ from the registry, and the unknown values.
type importRow struct {
	File    string                 `json:"file"`
	Changes int                    `json:"changes"`
	Same    int                    `json:"same"`
	Unknown []regedit.UnknownValue `json:"unknown"`
}

func regImport(c *exec.Call) (exec.Answer, error) {
	name := c.Arguments[0]
	data, err := c.Read(name, regedit.LargestFile)
	if err != nil {
		return exec.Answer{}, err
	}
	file, title, err := regedit.Read(name, data)
	if err != nil {
		return exec.Answer{}, err
	}
	var plan driver.Plan
	var found regedit.Import
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		plan, found, err = h.ImportRegistry(title, file)
		return err
	})
	if err != nil {
		return exec.Answer{}, fmt.Errorf("%s: %w; nothing was changed", name, err)
	}
	row := importRow{File: name, Changes: countValues(plan.Operations), Same: found.Same, Unknown: append([]regedit.UnknownValue{}, found.Unknown...)}
	result := struct {
		Import importRow      `json:"import"`
		Draft  *drafts.Row    `json:"draft,omitempty"`
		Change *exec.EntryRow `json:"change,omitempty"`
	}{Import: row}
	next := func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "There is nothing to change.")
		return err
	}
	switch {
	case len(plan.Operations) == 0:
	case c.Flags["apply"] != "":
		entry, err := c.Do(plan)
		if err != nil {
			return exec.Answer{}, err
		}
		result.Change, next = &entry, exec.ChangeAnswer(entry).Text
	default:
		draft, err := drafts.Add(c, plan.Operations)
		if err != nil {
			return exec.Answer{}, err
		}
		shown := drafts.RowOf(draft)
		result.Draft, next = &shown, func(w io.Writer) error { return drafts.Write(w, draft) }
	}
	return exec.Answer{Result: result, Text: func(w io.Writer) error {
		if err := row.write(w, found.Notes()); err != nil {
			return err
		}
		return next(w)
	}}, nil
}

// countValues returns the number of values that Operations store or delete.
func countValues(list []driver.Operation) (n int) {
	for _, o := range list {
		if store, ok := o.(edit.StoreValues); ok {
			n += len(store.Values)
		} else {
			n++
		}
	}
	return n
}

func (r *importRow) write(w io.Writer, notes []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s to change, %d stored already.\n", exec.Clean(r.File), wording.Count(r.Changes, "value"), r.Same)
	for _, note := range notes {
		fmt.Fprintf(&b, "  %s\n", exec.Clean(note))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
