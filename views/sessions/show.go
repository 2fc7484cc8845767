package sessions

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/exec"
)

func show(c *Call) error {
	id := c.id(0)
	session, err := c.DB.Session(c.Ctx, id)
	if err != nil {
		return err
	}
	events, err := c.DB.SessionEvents(c.Ctx, id)
	if err != nil {
		return err
	}
	journal, err := c.DB.SessionJournal(c.Ctx, id)
	if err != nil {
		return err
	}
	marks, err := c.DB.Marks(c.Ctx, id)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.document(sessionDocument(session, events, journal, marks))
	}
	w := newTable(c.Out)
	twin := ""
	if session.Source.Twin != "" {
		twin = exec.Clean(session.Source.Twin) + ", " + wording.Count(session.Source.Assumed, "fact") + " assumed"
	}
	for _, row := range [][2]string{
		{"Session", strconv.FormatInt(session.ID, 10)},
		{"Started", wording.Stamp(session.Started)},
		{"Ended", wording.Stamp(session.Ended)},
		{"Duration", session.Ended.Sub(session.Started).Round(time.Second).String()},
		{"Host", exec.Clean(session.Host)},
		{"Source", exec.Clean(session.Source.Name) + " (" + exec.Clean(string(session.Source.Kind)) + ")"},
		{"Seed", strconv.FormatUint(session.Source.Seed, 10)},
		{"Lab", exec.Clean(session.Source.LabHash)},
		{"Twin of", twin},
		{"Version", exec.Clean(session.Version)},
		{"Series", strconv.Itoa(session.Series)},
		{"Samples", strconv.FormatInt(session.Samples, 10)},
		{"Size", perf.Number(float64(session.Bytes), perf.Bytes, false, true)},
		{"Tags", exec.Clean(strings.Join(session.Tags, ", "))},
		{"Note", exec.Clean(session.Note)},
	} {
		if row[1] != "" {
			fmt.Fprintf(w, "%s\t%s\n", row[0], row[1]) //nolint:errcheck // Flush reports it
		}
	}
	if len(marks) > 0 {
		fmt.Fprintf(w, "\nNotes (%d)\n", len(marks)) //nolint:errcheck // Flush reports it
	}
	for _, mark := range marks {
		end := ""
		if mark.To.After(mark.From) {
			end = "to " + wording.Stamp(mark.To)
		}
		fmt.Fprintf(w, "%s\t%s\tnote %d\t%s\n", wording.Stamp(mark.From), end, mark.ID, exec.Clean(mark.Text)) //nolint:errcheck // Flush reports it
	}
	fmt.Fprintf(w, "\nEvents (%d)\n", len(events)) //nolint:errcheck // Flush reports it
	for _, event := range events {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", wording.Stamp(event.Time), event.Severity, exec.Clean(event.Adapter), exec.Clean(event.Message)) //nolint:errcheck // Flush reports it
	}
	fmt.Fprintf(w, "\nChanges (%d)\n", len(journal)) //nolint:errcheck // Flush reports it
	for _, entry := range journal {
		state := "applied"
		switch {
		case entry.Unread != "":
			state = "can't be read: " + entry.Unread
		case entry.Err != "":
			state = "failed: " + entry.Err
		}
		fmt.Fprintf(w, "%s\t%s\t%s\tchange %d\t%s\n", //nolint:errcheck // Flush reports it
			wording.Stamp(entry.Time), exec.Clean(entry.By), exec.Clean(state), entry.Sequence, exec.Clean(entry.Plan.Title))
	}
	return w.Flush()
}

func sessionDocument(session store.Session, events []eventlog.Event, journal []driver.Entry, marks []store.Mark) any {
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
		Number uint64    `json:"number"`
		Time   time.Time `json:"time"`
		Title  string    `json:"title"`
		Error  string    `json:"error,omitempty"`
		By     string    `json:"by,omitempty"`
		Run    string    `json:"run,omitempty"`
		// Unread is the reason why the change can't be read.
		Unread string `json:"unread,omitempty"`
	}
	type markJSON struct {
		ID   int64     `json:"id"`
		From time.Time `json:"from"`
		To   time.Time `json:"to"`
		Text string    `json:"text"`
	}
	document := struct {
		Schema  int          `json:"schema"`
		Session sessionJSON  `json:"session"`
		Events  []eventJSON  `json:"events"`
		Changes []changeJSON `json:"changes"`
		Notes   []markJSON   `json:"notes"`
	}{schemaVersion, documentOf(session), []eventJSON{}, []changeJSON{}, []markJSON{}}
	for _, m := range marks {
		document.Notes = append(document.Notes, markJSON{m.ID, m.From.UTC(), m.To.UTC(), m.Text})
	}
	for _, e := range events {
		document.Events = append(document.Events,
			eventJSON{e.Time.UTC(), e.Key, e.ID, e.Source, e.Severity.String(), e.Adapter, e.Message})
	}
	for _, entry := range journal {
		document.Changes = append(document.Changes, changeJSON{entry.Sequence, entry.Time.UTC(), entry.Plan.Title, entry.Err, entry.By, entry.Run, entry.Unread})
	}
	return document
}
