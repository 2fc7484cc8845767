package cli

import (
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

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/exec"
)

// sessionsVersion is the schema version of what sessions prints as JSON.
const sessionsVersion = 1

func runSessions(s *session) error {
	if len(s.arguments) == 0 {
		return mistake("sessions is incomplete: %s", strings.Join(s.command.words, ", "))
	}
	verb, rest := s.arguments[0], s.arguments[1:]
	if s.options.formatGiven && s.options.format != "table" && s.options.format != "json" {
		return mistake("--format can't be %q here; there are table, json", s.options.format)
	}
	run := map[string]func(*session, *store.DB, []string) error{
		"list": listSessions, "show": showSession, "delete": deleteSessions, "vacuum": vacuumSessions,
		"pin": pinSessions, "unpin": unpinSessions,
	}[verb]
	if run == nil {
		return mistake("there is no command \"sessions %s\"%s", verb, hint(verb, s.command.words))
	}
	changes := slices.Contains([]string{"delete", "vacuum", "pin", "unpin"}, verb)
	if changes && s.options.readOnly {
		return fmt.Errorf("read-only mode is on: sessions %s would change the history; leave --read-only out to do it", verb)
	}
	if err := checkSessionArguments(verb, rest); err != nil {
		return err
	}
	db, err := s.openFile(changes, "sessions "+verb+" requires exclusive use; end the other cxdeck first, or use its History screen")
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // reading is over, and writing was committed
	err = run(s, db, rest)
	if errors.Is(err, store.ErrNoSession) {
		return fmt.Errorf("%w; sessions list prints the sessions", err)
	}
	return err
}

// openFile opens the existing history. inUse says what to do when it is in use and must be changed.
func (s *session) openFile(changes bool, inUse string) (*store.DB, error) {
	if changes {
		if _, err := os.Stat(s.options.db); errors.Is(err, fs.ErrNotExist) {
			return nil, &store.FileError{Path: s.options.db, Reason: store.ErrNoFile, Err: err}
		}
	}
	db, err := store.Open(s.ctx, s.options.db, store.Options{ReadOnly: !changes, Version: s.version, Progress: s.salvageProgress()})
	var file *store.FileError
	if changes && errors.As(err, &file) && errors.Is(err, store.ErrInUse) {
		return nil, fmt.Errorf("%s is in use by a running cxdeck%s: %s", file.Path, processNumber(file.PID), inUse)
	}
	if err == nil && db.Notice() != "" {
		complain(s.streams.Err, errors.New(db.Notice()))
	}
	return db, err
}

func processNumber(pid int) string {
	if pid == 0 {
		return ""
	}
	return fmt.Sprintf(" (process number %d)", pid)
}

func checkSessionArguments(verb string, rest []string) error {
	switch verb {
	case "list", "vacuum":
		if len(rest) > 0 {
			return mistake("sessions %s takes no arguments, but %q was given", verb, rest[0])
		}
		return nil
	case "show":
		if len(rest) != 1 {
			return mistake("sessions show requires the number of one session; sessions list prints them")
		}
	case "delete", "pin", "unpin":
		if len(rest) == 0 {
			return mistake("sessions %s requires the number of a session; sessions list prints them", verb)
		}
	}
	for _, one := range rest {
		if _, err := strconv.ParseInt(one, 10, 64); err != nil {
			return mistake("%q is not the number of a session; sessions list prints the numbers", one)
		}
	}
	return nil
}

// sessionJSON is a session as JSON; names carry their units.
type sessionJSON struct {
	ID         int64     `json:"id"`
	Started    time.Time `json:"started,omitzero"` // left out when there are no samples
	Ended      time.Time `json:"ended,omitzero"`
	DurationS  float64   `json:"duration_s"`
	Running    bool      `json:"running"`
	Pinned     bool      `json:"pinned"`
	Host       string    `json:"host"`
	SourceKind string    `json:"source_kind"`
	SourceName string    `json:"source_name"`
	Seed       uint64    `json:"seed"`
	LabHash    string    `json:"lab_hash,omitempty"`
	Version    string    `json:"version"`
	Note       string    `json:"note,omitempty"`
	Series     int       `json:"series"`
	Samples    int64     `json:"samples"`
	Events     int       `json:"events"`
	Changes    int       `json:"changes"`
	SizeBytes  int64     `json:"size_bytes"`
}

func asJSON(one store.Session) sessionJSON {
	return sessionJSON{
		ID: one.ID, Started: one.Started.UTC(), Ended: one.Ended.UTC(), DurationS: one.Ended.Sub(one.Started).Seconds(),
		Running: one.Running, Pinned: one.Pinned, Host: one.Host, SourceKind: string(one.Source.Kind), SourceName: one.Source.Name,
		Seed: one.Source.Seed, LabHash: one.Source.LabHash, Version: one.Version, Note: one.Note,
		Series: one.Series, Samples: one.Samples, Events: one.Events, Changes: one.Changes, SizeBytes: one.Bytes,
	}
}

func (s *session) printJSON(document any) error {
	encoder := json.NewEncoder(s.streams.Out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

func listSessions(s *session, db *store.DB, _ []string) error {
	all, err := db.Sessions(s.ctx)
	if err != nil {
		return err
	}
	if s.options.format == "json" {
		rows := make([]sessionJSON, len(all))
		for i, one := range all {
			rows[i] = asJSON(one)
		}
		return s.printJSON(struct {
			Schema   int           `json:"schema"`
			Sessions []sessionJSON `json:"sessions"`
		}{sessionsVersion, rows})
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(s.streams.Out, "No sessions in %s yet: start cxdeck, and it records one.\n", exec.Clean(db.Path()))
		return err
	}
	w := newTable(s.streams.Out)
	fmt.Fprintln(w, "ID\tSTARTED\tDURATION\tSOURCE\tHOST\tSAMPLES\tEVENTS\tCHANGES\tSIZE\tNOTE") //nolint:errcheck // Flush tells
	for _, one := range all {
		duration := one.Ended.Sub(one.Started).Round(time.Second).String()
		if one.Running {
			duration += " running"
		}
		if one.Pinned {
			duration += " pinned"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n", one.ID, stamp(one.Started), duration, //nolint:errcheck // as above
			exec.Clean(one.Source.Name), exec.Clean(one.Host), one.Samples, one.Events, one.Changes,
			perf.Number(float64(one.Bytes), perf.Bytes, false, true), exec.Clean(one.Note))
	}
	return w.Flush()
}

func showSession(s *session, db *store.DB, rest []string) error {
	id, _ := strconv.ParseInt(rest[0], 10, 64) // was checked
	one, err := db.Session(s.ctx, id)
	if err != nil {
		return err
	}
	events, err := db.SessionEvents(s.ctx, id)
	if err != nil {
		return err
	}
	journal, err := db.SessionJournal(s.ctx, id)
	if err != nil {
		return err
	}
	if s.options.format == "json" {
		return s.printJSON(sessionDocument(one, events, journal))
	}
	w := newTable(s.streams.Out)
	for _, row := range [][2]string{
		{"Session", strconv.FormatInt(one.ID, 10)},
		{"Started", stamp(one.Started)},
		{"Ended", stamp(one.Ended)},
		{"Duration", one.Ended.Sub(one.Started).Round(time.Second).String()},
		{"Host", exec.Clean(one.Host)},
		{"Source", exec.Clean(one.Source.Name) + " (" + exec.Clean(string(one.Source.Kind)) + ")"},
		{"Seed", strconv.FormatUint(one.Source.Seed, 10)},
		{"Lab", exec.Clean(one.Source.LabHash)},
		{"Version", exec.Clean(one.Version)},
		{"Series", strconv.Itoa(one.Series)},
		{"Samples", strconv.FormatInt(one.Samples, 10)},
		{"Size", perf.Number(float64(one.Bytes), perf.Bytes, false, true)},
		{"Note", exec.Clean(one.Note)},
	} {
		if row[1] != "" {
			fmt.Fprintf(w, "%s\t%s\n", row[0], row[1]) //nolint:errcheck // Flush tells
		}
	}
	fmt.Fprintf(w, "\nEvents (%d)\n", len(events)) //nolint:errcheck // Flush tells
	for _, event := range events {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", stamp(event.Time), event.Severity, exec.Clean(event.Adapter), exec.Clean(event.Message)) //nolint:errcheck // Flush tells
	}
	fmt.Fprintf(w, "\nChanges (%d)\n", len(journal)) //nolint:errcheck // Flush tells
	for _, entry := range journal {
		state := "applied"
		switch {
		case entry.Unread != "":
			state = "can't be read: " + entry.Unread
		case entry.Err != "":
			state = "failed: " + entry.Err
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", //nolint:errcheck // Flush tells
			stamp(entry.Time), exec.Clean(entry.By), exec.Clean(entry.Plan.Title), exec.Clean(state))
	}
	return w.Flush()
}

func sessionDocument(one store.Session, events []eventlog.Event, journal []driver.Entry) any {
	type eventJSON struct {
		Time     time.Time `json:"time"`
		Key      string    `json:"key,omitempty"`
		ID       int       `json:"id,omitempty"`
		Source   string    `json:"source"`
		Severity string    `json:"severity"`
		Adapter  string    `json:"adapter,omitempty"`
		Message  string    `json:"message"`
	}
	type changeJSON struct {
		Time  time.Time `json:"time"`
		Title string    `json:"title"`
		Error string    `json:"error,omitempty"`
		By    string    `json:"by,omitempty"`
		Run   string    `json:"run,omitempty"`
		// Unread is why the change can't be read.
		Unread string `json:"unread,omitempty"`
	}
	document := struct {
		Schema  int          `json:"schema"`
		Session sessionJSON  `json:"session"`
		Events  []eventJSON  `json:"events"`
		Changes []changeJSON `json:"changes"`
	}{sessionsVersion, asJSON(one), []eventJSON{}, []changeJSON{}}
	for _, e := range events {
		document.Events = append(document.Events,
			eventJSON{e.Time.UTC(), e.Key, e.ID, e.Source, e.Severity.String(), e.Adapter, e.Message})
	}
	for _, entry := range journal {
		document.Changes = append(document.Changes, changeJSON{entry.Time.UTC(), entry.Plan.Title, entry.Err, entry.By, entry.Run, entry.Unread})
	}
	return document
}

func deleteSessions(s *session, db *store.DB, rest []string) error {
	for _, one := range rest {
		id, _ := strconv.ParseInt(one, 10, 64) // was checked
		if _, err := db.Session(s.ctx, id); err != nil {
			return err
		}
	}
	for _, one := range rest {
		id, _ := strconv.ParseInt(one, 10, 64) // was checked
		// A number given twice is gone the second time, as requested.
		if err := db.Delete(s.ctx, id); err != nil && !errors.Is(err, store.ErrNoSession) {
			return err
		}
		fmt.Fprintf(s.streams.Out, "Session %d is deleted.\n", id) //nolint:errcheck // the work is done
	}
	return nil
}

func pinSessions(s *session, db *store.DB, rest []string) error { return setPinned(s, db, rest, true) }

func unpinSessions(s *session, db *store.DB, rest []string) error {
	return setPinned(s, db, rest, false)
}

// setPinned pins or unpins sessions: max_age and max_size never remove pinned ones.
func setPinned(s *session, db *store.DB, rest []string, pinned bool) error {
	for _, one := range rest {
		id, _ := strconv.ParseInt(one, 10, 64) // was checked
		if _, err := db.Session(s.ctx, id); err != nil {
			return err
		}
	}
	state := map[bool]string{true: "is pinned: max_age and max_size keep it", false: "is not pinned"}[pinned]
	for _, one := range rest {
		id, _ := strconv.ParseInt(one, 10, 64)
		if err := db.SetPinned(s.ctx, id, pinned); err != nil {
			return err
		}
		fmt.Fprintf(s.streams.Out, "Session %d %s.\n", id, state) //nolint:errcheck // the work is done
	}
	return nil
}

func vacuumSessions(s *session, db *store.DB, _ []string) error {
	freed, err := db.Vacuum(s.ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.streams.Out, "%s given back.\n", perf.Number(float64(freed), perf.Bytes, false, true))
	return err
}

func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// stamp formats a time in the machine's zone for people.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}
