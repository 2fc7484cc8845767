package savedhosts

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/views/cli/labs"
	"cxdeck/views/exec"
)

// hostsVersion is the schema version of the JSON of host list.
const hostsVersion = 1

// Command is the command cxdeck host.
type Command struct {
	Ctx context.Context
	Lab *labs.Lab
	Out io.Writer
	// JSON prints a list as a document.
	JSON bool
	// ReadOnly refuses what changes the history.
	ReadOnly bool
	// Open opens an existing history, to change it or only to read it. inUse is the advice in the error for a history in use.
	Open func(changes bool, inUse string) (*store.DB, error)
}

// Words returns the words that can follow host.
func Words() []string { return []string{"list", "restore", "save", "load", "lab", "reset"} }

// Run runs the command with its arguments.
func (c *Command) Run(arguments []string) error {
	if len(arguments) == 0 {
		return exec.Mistake("host requires a command: %s", strings.Join(Words(), ", "))
	}
	verb, rest := arguments[0], arguments[1:]
	required, exists := map[string]string{
		"list": "", "restore": "the number of one host; host list prints them", "save": "one file", "load": "one file", "lab": "one file", "reset": "",
	}[verb]
	switch {
	case !exists:
		return exec.Mistake("unknown command \"host %s\"%s", verb, exec.Suggest(verb, Words(), "choose from "+strings.Join(Words(), ", ")))
	case required == "" && len(rest) > 0:
		return exec.Mistake("host %s takes no arguments, but %q was given", verb, rest[0])
	case required != "" && len(rest) != 1:
		return exec.Mistake("host %s requires %s", verb, required)
	}
	if verb == "lab" {
		return c.printHostLab(rest[0])
	}
	known, err := c.Lab.Known()
	if err != nil {
		return err
	}
	if verb == "list" || verb == "save" {
		db, err := c.Open(false, "")
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // nothing was written
		if verb == "save" {
			return c.saveHostFile(db, rest[0])
		}
		return c.listHosts(db, known)
	}
	var id int64
	if verb == "restore" {
		if id, err = strconv.ParseInt(rest[0], 10, 64); err != nil {
			return exec.Mistake("%q is not the number of a host; host list prints the numbers", rest[0])
		}
	}
	if c.ReadOnly {
		return fmt.Errorf("read-only mode is on: host %s would change the history; omit --read-only to do it", verb)
	}
	db, err := c.openHostHistory(verb)
	if err != nil {
		return err
	}
	switch verb {
	case "restore":
		err = c.restoreHost(db, known, id)
	case "load":
		err = c.loadHostFile(db, rest[0])
	case "reset":
		err = c.resetHost(db)
	}
	return errors.Join(err, db.Close())
}

// openHostHistory opens the history to change its hosts. For load it creates a missing history.
func (c *Command) openHostHistory(verb string) (*store.DB, error) {
	inUse := "host " + verb + " requires exclusive use; end the other cxdeck first"
	if _, err := os.Stat(c.Lab.History); verb == "load" && errors.Is(err, fs.ErrNotExist) {
		return store.Open(c.Ctx, c.Lab.History, store.Options{Version: c.Lab.Version})
	}
	return c.Open(true, inUse)
}

// hostRow is a host of the history as JSON.
type hostRow struct {
	// Number is the number of a host that was set aside; the current host of a lab and seed has none.
	Number  int64     `json:"number,omitempty"`
	Saved   time.Time `json:"saved"`
	Host    string    `json:"host"`
	Lab     string    `json:"lab,omitempty"`
	LabHash string    `json:"lab_hash"`
	Seed    uint64    `json:"seed"`
	Version string    `json:"version"`
	// Problem is the reason why it can't be read; it is empty if it can.
	Problem string    `json:"problem,omitempty"`
	Kept    time.Time `json:"kept,omitzero"`
	Why     string    `json:"why,omitempty"`
}

func rowOfHost(known map[string]labs.KnownLab, state *store.HostState, err error) hostRow {
	row := hostRow{
		Saved: state.Saved.UTC(), Host: state.Name, Lab: known[state.LabHash].Name, LabHash: state.LabHash,
		Seed: state.Seed, Version: state.Version,
	}
	if err == nil {
		err = labs.TryHost(known, state)
	}
	if err != nil {
		row.Problem = err.Error()
	}
	return row
}

// listHosts prints the hosts of the history: the current ones, then the kept ones.
func (c *Command) listHosts(db *store.DB, known map[string]labs.KnownLab) error {
	current, err := db.Hosts(c.Ctx)
	if err != nil {
		return err
	}
	kept, err := db.KeptHosts(c.Ctx)
	if err != nil {
		return err
	}
	rows := []hostRow{}
	for i := range current {
		whole, _, err := db.Host(c.Ctx, current[i].LabHash, current[i].Seed)
		current[i].Data = whole.Data
		rows = append(rows, rowOfHost(known, &current[i], err))
		current[i].Data = nil
	}
	for i := range kept {
		var err error
		kept[i].Data, err = db.KeptHostData(c.Ctx, kept[i].ID)
		row := rowOfHost(known, &kept[i].HostState, err)
		row.Number, row.Kept, row.Why = kept[i].ID, kept[i].Kept.UTC(), kept[i].Why
		rows = append(rows, row)
		kept[i].Data = nil
	}
	if c.JSON {
		encoder := json.NewEncoder(c.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(struct {
			Schema int       `json:"schema"`
			Hosts  []hostRow `json:"hosts"`
		}{hostsVersion, rows})
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintf(c.Out, "No hosts in %s yet: the first change saves one.\n", exec.Clean(db.Path()))
		return err
	}
	w := tabwriter.NewWriter(c.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NUMBER\tSAVED\tHOST\tLAB\tSEED\tVERSION\tREADABLE\tSTATE") //nolint:errcheck // Flush returns it
	for _, row := range rows {
		number, state, readable := "-", "current", "yes"
		if row.Number > 0 {
			number, state = strconv.FormatInt(row.Number, 10), fmt.Sprintf("kept on %s: %s", wording.Stamp(row.Kept), row.Why)
		}
		if row.Problem != "" {
			readable = "no: " + row.Problem
		}
		cells := []string{
			number, wording.Stamp(row.Saved), row.Host, cmp.Or(row.Lab, shortHash(row.LabHash)), strconv.FormatUint(row.Seed, 10),
			row.Version, readable, state,
		}
		for i := range cells {
			cells[i] = exec.Clean(cells[i])
		}
		fmt.Fprintln(w, strings.Join(cells, "\t")) //nolint:errcheck // Flush returns it
	}
	return w.Flush()
}

// shortHash returns the first 12 digits of a hash, which distinguish labs.
func shortHash(hash string) string { return hash[:min(len(hash), 12)] }

// restoreHost makes a host that was set aside the current one, if it can be read.
func (c *Command) restoreHost(db *store.DB, known map[string]labs.KnownLab, id int64) error {
	kept, err := db.KeptHosts(c.Ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(kept, func(k store.KeptHost) bool { return k.ID == id })
	if at < 0 {
		return fmt.Errorf("there is no host %d that was set aside; host list prints the hosts", id)
	}
	host := kept[at]
	if host.Data, err = db.KeptHostData(c.Ctx, id); err == nil {
		err = labs.TryHost(known, &host.HostState)
	}
	if err != nil {
		return fmt.Errorf("host %d can't be read, and nothing was changed: %w", id, err)
	}
	replaced, err := db.RestoreHost(c.Ctx, id)
	if err != nil {
		return err
	}
	replacement := "it replaced no host"
	if replaced > 0 {
		replacement = fmt.Sprintf("the host that it replaced is kept as host %d", replaced)
	}
	_, err = fmt.Fprintf(c.Out,
		"Host %d, %s saved at %s, is current again for the lab %s and seed %d; %s.\n", id, exec.Clean(host.Name), wording.Stamp(host.Saved), exec.Clean(known[host.LabHash].Name), host.Seed, replacement)
	return err
}
