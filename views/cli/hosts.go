package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/views/exec"
)

// hostsVersion is the schema version of the JSON of host list.
const hostsVersion = 1

func runHost(s *session) error {
	if len(s.arguments) == 0 {
		return mistake("host requires a command: %s", strings.Join(s.command.words(), ", "))
	}
	verb, rest := s.arguments[0], s.arguments[1:]
	required, known := map[string]string{
		"list": "", "restore": "the number of one host; host list prints them", "save": "one file", "load": "one file", "lab": "one file", "reset": "",
	}[verb]
	switch {
	case !known:
		return mistake("unknown command \"host %s\"%s", verb, hint(verb, s.command.words()))
	case required == "" && len(rest) > 0:
		return mistake("host %s takes no arguments, but %q was given", verb, rest[0])
	case required != "" && len(rest) != 1:
		return mistake("host %s requires %s", verb, required)
	}
	if verb == "lab" {
		return s.printHostLab(rest[0])
	}
	labs, err := s.knownLabs()
	if err != nil {
		return err
	}
	if verb == "list" || verb == "save" {
		db, err := s.openFile(false, "")
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // nothing was written
		if verb == "save" {
			return s.saveHostFile(db, rest[0])
		}
		return s.listHosts(db, labs)
	}
	var id int64
	if verb == "restore" {
		if id, err = strconv.ParseInt(rest[0], 10, 64); err != nil {
			return mistake("%q is not the number of a host; host list prints the numbers", rest[0])
		}
	}
	if s.options.readOnly {
		return fmt.Errorf("read-only mode is on: host %s would change the history; omit --read-only to do it", verb)
	}
	db, err := s.openHostHistory(verb)
	if err != nil {
		return err
	}
	switch verb {
	case "restore":
		err = s.restoreHost(db, labs, id)
	case "load":
		err = s.loadHostFile(db, rest[0])
	case "reset":
		err = s.resetHost(db)
	}
	return errors.Join(err, db.Close())
}

// openHostHistory opens the history to change its hosts. For load it creates a missing history.
func (s *session) openHostHistory(verb string) (*store.DB, error) {
	inUse := "host " + verb + " requires exclusive use; end the other cxdeck first"
	if _, err := os.Stat(s.options.db); verb == "load" && errors.Is(err, fs.ErrNotExist) {
		return store.Open(s.ctx, s.options.db, store.Options{Version: s.version})
	}
	return s.openFile(true, inUse)
}

// knownLab is a lab whose description is available.
type knownLab struct {
	name string
	layout
}

// knownLabs returns the embedded labs and the lab of --lab, by the hash of their descriptions.
func (s *session) knownLabs() (map[string]knownLab, error) {
	labs := map[string]knownLab{}
	add := func(name string, text []byte) error {
		d, err := s.parseLab(text)
		if err == nil {
			labs[d.Hash()] = knownLab{name, layOut(d)}
		}
		return err
	}
	if s.options.labFile != "" {
		text, err := s.labText()
		if err == nil {
			err = add(s.options.labFile, text)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, lab := range description.NamedLabs() {
		if err := add(lab.Name, lab.Text()); err != nil {
			return nil, err
		}
	}
	return labs, add("default", description.DefaultText())
}

// errOtherLab reports a host whose lab description is not known.
var errOtherLab = errors.New("its lab description is required: give it with --lab")

// tryHost restores a saved host, and returns the error.
func tryHost(labs map[string]knownLab, state *store.HostState) error {
	lab, ok := labs[state.LabHash]
	if !ok {
		return errOtherLab
	}
	plant, err := lab.plant()
	if err != nil {
		return err
	}
	_, err = driver.RestoreOn(plant, state.Data)
	var form *setup.FormError
	if !errors.As(err, &form) {
		return err
	}
	_, err = driver.RenewHost(plant.New(state.Seed), state.Data)
	return err
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

func rowOfHost(labs map[string]knownLab, state *store.HostState, err error) hostRow {
	row := hostRow{
		Saved: state.Saved.UTC(), Host: state.Name, Lab: labs[state.LabHash].name, LabHash: state.LabHash,
		Seed: state.Seed, Version: state.Version,
	}
	if err == nil {
		err = tryHost(labs, state)
	}
	if err != nil {
		row.Problem = err.Error()
	}
	return row
}

// listHosts prints the hosts of the history: the current ones, then the kept ones.
func (s *session) listHosts(db *store.DB, labs map[string]knownLab) error {
	current, err := db.Hosts(s.ctx)
	if err != nil {
		return err
	}
	kept, err := db.KeptHosts(s.ctx)
	if err != nil {
		return err
	}
	rows := []hostRow{}
	for i := range current {
		whole, _, err := db.Host(s.ctx, current[i].LabHash, current[i].Seed)
		current[i].Data = whole.Data
		rows = append(rows, rowOfHost(labs, &current[i], err))
		current[i].Data = nil
	}
	for i := range kept {
		var err error
		kept[i].Data, err = db.KeptHostData(s.ctx, kept[i].ID)
		row := rowOfHost(labs, &kept[i].HostState, err)
		row.Number, row.Kept, row.Why = kept[i].ID, kept[i].Kept.UTC(), kept[i].Why
		rows = append(rows, row)
		kept[i].Data = nil
	}
	if s.options.format == "json" {
		return s.printJSON(struct {
			Schema int       `json:"schema"`
			Hosts  []hostRow `json:"hosts"`
		}{hostsVersion, rows})
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintf(s.streams.Out, "No hosts in %s yet: the first change saves one.\n", exec.Clean(db.Path()))
		return err
	}
	w := newTable(s.streams.Out)
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
func (s *session) restoreHost(db *store.DB, labs map[string]knownLab, id int64) error {
	kept, err := db.KeptHosts(s.ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(kept, func(k store.KeptHost) bool { return k.ID == id })
	if at < 0 {
		return fmt.Errorf("there is no host %d that was set aside; host list prints the hosts", id)
	}
	host := kept[at]
	if host.Data, err = db.KeptHostData(s.ctx, id); err == nil {
		err = tryHost(labs, &host.HostState)
	}
	if err != nil {
		return fmt.Errorf("host %d can't be read, and nothing was changed: %w", id, err)
	}
	replaced, err := db.RestoreHost(s.ctx, id)
	if err != nil {
		return err
	}
	replacement := "it replaced no host"
	if replaced > 0 {
		replacement = fmt.Sprintf("the host that it replaced is kept as host %d", replaced)
	}
	_, err = fmt.Fprintf(s.streams.Out,
		"Host %d, %s saved at %s, is current again for the lab %s and seed %d; %s.\n", id, exec.Clean(host.Name), wording.Stamp(host.Saved), exec.Clean(labs[host.LabHash].name), host.Seed, replacement)
	return err
}
