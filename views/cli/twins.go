package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver"
	maker "cxdeck/driver/twin"
	"cxdeck/store"
	"cxdeck/views/cli/process"
	"cxdeck/views/cli/twin"
	"cxdeck/views/exec"
)

// exitDifferent is the exit code of twin check for a host that differs from its twin.
const exitDifferent = 3

func twinWords() []string {
	return []string{"script", "collect", "make", "list", "show", "check", "remove"}
}

func runTwin(s *session) error {
	if len(s.arguments) == 0 {
		return mistake("twin requires a command: %s", strings.Join(s.command.words(), ", "))
	}
	verb, rest := s.arguments[0], s.arguments[1:]
	twins := twin.StoreIn(s.options.db)
	least, most, known := 0, 0, true
	switch verb {
	case "script", "list":
	case "show", "remove", "collect":
		least, most = 1, 1
	case "make", "check":
		least, most = 2, 1<<16
	default:
		known = false
	}
	switch {
	case !known:
		return mistake("unknown command \"twin %s\"%s", verb, hint(verb, s.command.words()))
	case len(rest) < least && least == 2:
		return mistake("twin %s requires the name of a twin, and the files of exports or the folder with them", verb)
	case len(rest) < least && verb == "collect":
		return mistake("twin collect requires the file for the bundle, such as host.json")
	case len(rest) < least:
		return mistake("twin %s requires the name of a twin; twin list prints them", verb)
	case len(rest) > most:
		return mistake("twin %s takes no argument %q", verb, rest[most])
	case s.options.readOnly && (verb == "make" || verb == "remove"):
		return fmt.Errorf("read-only mode is on: twin %s would change the twins; omit --read-only to do it", verb)
	}
	switch verb {
	case "script":
		_, err := io.WriteString(s.streams.Out, strings.ReplaceAll(maker.Script(), "\n", "\r\n"))
		return err
	case "collect":
		text, err := twin.Collect(rest[0], "", time.Now(), s.isOn("force"))
		if err == nil {
			_, err = fmt.Fprintln(s.streams.Out, text)
		}
		return err
	case "list":
		return s.listTwins(twins)
	case "make":
		d, fitted, err := twins.Make(s.ctx, rest[0], rest[1:], time.Now(), s.isOn("force"))
		if err != nil {
			return err
		}
		row := twin.RowOf(rest[0], d)
		row.Fit = twin.FitOf(fitted)
		if s.options.json {
			return s.printJSON(row)
		}
		if _, err = fmt.Fprintln(s.streams.Out, row.Summary()); err != nil || row.Fit == nil {
			return err
		}
		return s.printFit(row.Fit)
	case "remove":
		if err := twins.Remove(rest[0]); err != nil {
			return err
		}
		_, err := fmt.Fprintf(s.streams.Out, "The twin %s is removed; its host stays in the history.\n", rest[0])
		return err
	}
	d, err := twins.Load(rest[0])
	if err != nil {
		return err
	}
	if verb == "check" {
		return s.checkTwin(rest[0], d, rest[1:])
	}
	if s.options.json {
		return s.printJSON(twin.RowOf(rest[0], d))
	}
	return twin.Show(s.streams.Out, rest[0], d)
}

func (s *session) listTwins(twins twin.Store) error {
	names, err := twins.Names()
	if err != nil {
		return fmt.Errorf("the folder of the twins can't be read: %w", exec.FailureReason(err))
	}
	rows := []twin.Row{}
	damaged := []string{}
	for _, name := range names {
		d, err := twins.Load(name)
		if err != nil {
			damaged = append(damaged, err.Error())
			continue
		}
		rows = append(rows, twin.RowOf(name, d))
	}
	if s.options.json {
		return s.printJSON(struct {
			Schema  int        `json:"schema"`
			Twins   []twin.Row `json:"twins"`
			Damaged []string   `json:"damaged"`
		}{1, rows, damaged})
	}
	if len(rows)+len(damaged) == 0 {
		_, err := fmt.Fprintln(s.streams.Out, "There are no twins; cxdeck twin make makes one from the exports of a host.")
		return err
	}
	w := newTable(s.streams.Out)
	fmt.Fprintln(w, "TWIN\tHOST\tMADE\tPORTS\tWORKLOADS\tASSUMED\tUNKNOWN") //nolint:errcheck // Flush returns it
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\n", r.Name, exec.Clean(r.Host), r.Made.Format(time.DateOnly), r.Ports, r.Flows, len(r.Assumed), len(r.Unknown)) //nolint:errcheck // Flush returns it
	}
	for _, problem := range damaged {
		fmt.Fprintln(w, exec.Clean(problem)) //nolint:errcheck // Flush returns it
	}
	return w.Flush()
}

// printFit prints how the workloads of a new twin follow the log.
func (s *session) printFit(f *twin.Fit) error {
	if _, err := fmt.Fprintf(s.streams.Out, "Its workloads follow the log of %d rows; the first %s of the lab, compared with it:\n\n", f.Rows, f.Compared); err != nil {
		return err
	}
	w := newTable(s.streams.Out)
	fmt.Fprintln(w, "COUNTERS\tLOGGED MEAN/S\tMEAN ERROR/S\tERROR") //nolint:errcheck // Flush returns it
	for _, e := range f.Errors {
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%.2f%%\n", e.Counters, e.Logged, e.Error, 100*e.Share) //nolint:errcheck // Flush returns it
	}
	return w.Flush()
}

// checkTwin compares a later export with the twin's host of the history, or with a new one if nothing was changed on it.
func (s *session) checkTwin(name string, d *description.Description, paths []string) error {
	facts, _, err := twin.Read(paths)
	if err != nil {
		return err
	}
	wanted, err := s.twinHost(d)
	if err != nil {
		return err
	}
	c, err := maker.Compare(d, wanted, facts)
	if err != nil {
		return err
	}
	if s.options.json {
		err = s.printJSON(struct {
			Schema int    `json:"schema"`
			Twin   string `json:"twin"`
			*maker.Comparison
		}{1, name, c})
	} else {
		err = twin.ShowComparison(s.streams.Out, name, c)
	}
	if err == nil && !c.Whole() {
		return &process.ReportedError{Code: exitDifferent}
	}
	return err
}

// twinHost returns the host of a twin as the history has it; a new one if the history has none.
func (s *session) twinHost(d *description.Description) (*driver.Host, error) {
	plant, err := layOut(d).plant()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.options.db); errors.Is(err, fs.ErrNotExist) {
		return driver.NewHost(plant.New(s.options.seed)), nil
	}
	db, err := store.Open(s.ctx, s.options.db, store.Options{ReadOnly: true, Version: s.version})
	if err != nil {
		return nil, err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	saved, found, err := db.Host(s.ctx, plant.Hash(), s.options.seed)
	if err != nil {
		return nil, err
	}
	if !found {
		return driver.NewHost(plant.New(s.options.seed)), nil
	}
	return driver.RestoreOn(plant, saved.Data)
}
