package twin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	maker "cxdeck/driver/twin"
	"cxdeck/store"
	"cxdeck/views/cli/process"
	"cxdeck/views/exec"
)

// exitDifferent is the exit code of twin check for a host that differs from its twin.
const exitDifferent = 3

// Words returns the words that can follow twin.
func Words() []string {
	return []string{"script", "collect", "make", "list", "show", "check", "remove"}
}

// Command is the command cxdeck twin.
type Command struct {
	Ctx context.Context
	// History is the file of the history; new twins are made in its folder. Other commands know the twins in the folder of DefaultHistory,
	// too.
	History, DefaultHistory string
	// Seed is the seed of a twin's host.
	Seed uint64
	// Version is the version of this program.
	Version string
	Out     io.Writer
	// Count and Interval are the number of samples of collect, 0 for the usual one, and the time between them.
	Count    int
	Interval time.Duration
	// JSON prints documents, Force replaces existing files and twins, ReadOnly refuses what changes the twins.
	JSON, Force, ReadOnly bool
}

// Run runs the command with its arguments.
func (c *Command) Run(arguments []string) error {
	if len(arguments) == 0 {
		return exec.Mistake("twin requires a command: %s", strings.Join(Words(), ", "))
	}
	verb, rest := arguments[0], arguments[1:]
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
		return exec.Mistake("unknown command \"twin %s\"%s", verb, exec.Suggest(verb, Words(), "choose from "+strings.Join(Words(), ", ")))
	case len(rest) < least && least == 2:
		return exec.Mistake("twin %s requires the name of a twin, and the files of exports or the folder with them", verb)
	case len(rest) < least && verb == "collect":
		return exec.Mistake("twin collect requires the file for the bundle, such as host.json")
	case len(rest) < least:
		return exec.Mistake("twin %s requires the name of a twin; twin list prints them", verb)
	case len(rest) > most:
		return exec.Mistake("twin %s takes no argument %q", verb, rest[most])
	case c.ReadOnly && (verb == "make" || verb == "remove"):
		return fmt.Errorf("read-only mode is on: twin %s would change the twins; omit --read-only to do it", verb)
	}
	switch verb {
	case "script":
		_, err := io.WriteString(c.Out, strings.ReplaceAll(maker.Script(), "\n", "\r\n"))
		return err
	case "collect":
		text, err := Collect(c.Ctx, rest[0], nil, time.Now(), c.sampling(), c.Force)
		if err == nil {
			_, err = fmt.Fprintln(c.Out, text)
		}
		return err
	case "list":
		return c.listTwins()
	case "make":
		d, fitted, err := StoreIn(c.History).Make(c.Ctx, rest[0], rest[1:], time.Now(), c.Force)
		if err != nil {
			return err
		}
		row := RowOf(rest[0], d)
		row.Fit = FitOf(fitted)
		if c.JSON {
			return c.printJSON(row)
		}
		if _, err = fmt.Fprintln(c.Out, row.Summary()); err != nil || row.Fit == nil {
			return err
		}
		return c.printFit(row.Fit)
	case "remove":
		if err := c.storeOf(rest[0]).Remove(rest[0]); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.Out, "The twin %s is removed; its host stays in the history.\n", rest[0])
		return err
	}
	d, err := c.storeOf(rest[0]).Load(rest[0])
	if err != nil {
		return err
	}
	if verb == "check" {
		return c.checkTwin(rest[0], d, rest[1:])
	}
	if c.JSON {
		return c.printJSON(RowOf(rest[0], d))
	}
	return Show(c.Out, rest[0], d)
}

// sampling returns how collect samples the counters: 11 samples, if the operator says nothing else.
func (c *Command) sampling() *Sampling {
	count := c.Count
	if count == 0 {
		count = 11
	}
	return &Sampling{Count: count, Interval: c.Interval}
}

// stores returns the twins beside the history, and the twins beside the default history if that is another one.
func (c *Command) stores() []Store { return Stores(c.History, c.DefaultHistory) }

// storeOf returns the store that has a twin; without such a twin, one that has others for a suggestion.
func (c *Command) storeOf(name string) Store {
	stores := c.stores()
	for _, s := range stores {
		if _, ok, err := s.Text(name); ok || err != nil {
			return s
		}
	}
	for _, s := range stores {
		if names, err := s.Names(); err != nil || len(names) > 0 {
			return s
		}
	}
	return stores[0]
}

func (c *Command) listTwins() error {
	var names []string
	for _, s := range c.stores() {
		more, err := s.Names()
		if err != nil {
			return fmt.Errorf("the folder of the twins can't be read: %w", exec.FailureReason(err))
		}
		names = append(names, more...)
	}
	slices.Sort(names)
	rows := []Row{}
	damaged := []string{}
	for _, name := range slices.Compact(names) {
		d, err := c.storeOf(name).Load(name)
		if err != nil {
			damaged = append(damaged, err.Error())
			continue
		}
		rows = append(rows, RowOf(name, d))
	}
	if c.JSON {
		return c.printJSON(struct {
			Schema  int      `json:"schema"`
			Twins   []Row    `json:"twins"`
			Damaged []string `json:"damaged"`
		}{1, rows, damaged})
	}
	if len(rows)+len(damaged) == 0 {
		_, err := fmt.Fprintln(c.Out, "There are no twins; cxdeck twin make makes one from the exports of a host.")
		return err
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
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
func (c *Command) printFit(f *Fit) error {
	if _, err := fmt.Fprintf(c.Out, "Its workloads follow %s of the log, %d rows%s. The lab, compared with it:\n\n", f.Compared, f.Rows, f.How()); err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "COUNTERS\tLOGGED MEAN/S\tMEAN ERROR/S\tERROR") //nolint:errcheck // Flush returns it
	for _, e := range f.Errors {
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%.2f%%\n", e.Counters, e.Logged, e.Error, 100*e.Share) //nolint:errcheck // Flush returns it
	}
	return w.Flush()
}

// checkTwin compares a later export with the twin's host of the history, or with a new one if nothing was changed on it.
func (c *Command) checkTwin(name string, d *description.Description, paths []string) error {
	facts, err := Read(paths)
	if err != nil {
		return err
	}
	wanted, err := c.twinHost(d)
	if err != nil {
		return err
	}
	comparison, err := maker.Compare(d, wanted, facts)
	if err != nil {
		return err
	}
	if c.JSON {
		err = c.printJSON(struct {
			Schema int    `json:"schema"`
			Twin   string `json:"twin"`
			*maker.Comparison
		}{1, name, comparison})
	} else {
		err = ShowComparison(c.Out, name, c.History, comparison)
	}
	if err == nil && !comparison.Whole() {
		return &process.ReportedError{Code: exitDifferent}
	}
	return err
}

// twinHost returns the host of a twin as the history has it; a new one if the history has none.
func (c *Command) twinHost(d *description.Description) (*driver.Host, error) {
	plant, err := device.NewPlant(d)
	if err != nil {
		return nil, fmt.Errorf("can't build the lab: %w", err)
	}
	if _, err := os.Stat(c.History); errors.Is(err, fs.ErrNotExist) {
		return driver.NewHost(plant.New(c.Seed)), nil
	}
	db, err := store.Open(c.Ctx, c.History, store.Options{ReadOnly: true, Version: c.Version})
	if err != nil {
		return nil, err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	saved, found, err := db.Host(c.Ctx, plant.Hash(), c.Seed)
	if err != nil {
		return nil, err
	}
	if !found {
		return driver.NewHost(plant.New(c.Seed)), nil
	}
	return driver.RestoreOn(plant, saved.Data)
}

func (c *Command) printJSON(document any) error {
	encoder := json.NewEncoder(c.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}
