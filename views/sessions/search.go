package sessions

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/views/condition"
	"cxdeck/views/exec"
	"cxdeck/views/find"
)

// defaultFound is the maximum number of entries of a search without --count.
const defaultFound = 100

// foundJSON is an entry of a search as JSON.
type foundJSON struct {
	Session int64     `json:"session"`
	Time    time.Time `json:"time"`
	// To is the end of a period in which a condition held.
	To      time.Time `json:"to,omitzero"`
	Kind    string    `json:"kind"`
	Adapter string    `json:"adapter,omitempty"`
	Text    string    `json:"text"`
}

// search searches all sessions for a text, or for the times at which a condition on counters held.
func search(c *Call) error {
	text := strings.Join(c.Arguments, " ")
	limit := c.Count
	if limit <= 0 {
		limit = defaultFound
	}
	options := find.Options{Limit: limit, InBytes: c.InBytes}
	if condition.Is(text) {
		options.Progress = c.progress("Searching")
	}
	found, more, err := find.Search(c.Ctx, c.DB, text, options)
	var invalid *find.InvalidError
	switch {
	case errors.As(err, &invalid):
		return &exec.MistakeError{Text: err.Error()}
	case err != nil:
		return err
	}
	if c.JSON {
		list := make([]foundJSON, len(found))
		for i, entry := range found {
			list[i] = foundJSON{Session: entry.Session, Time: entry.Time, To: entry.To, Kind: entry.Kind, Adapter: entry.Adapter, Text: entry.Text}
		}
		return c.document(struct {
			Schema int         `json:"schema"`
			Found  []foundJSON `json:"found"`
			More   bool        `json:"more"`
		}{schemaVersion, list, more})
	}
	if len(found) == 0 {
		c.say("Nothing was found for %q.", exec.Clean(text))
		return nil
	}
	w := newTable(c.Out)
	fmt.Fprintln(w, "SESSION\tTIME\tKIND\tADAPTER\tTEXT") //nolint:errcheck // Flush reports it
	for _, entry := range found {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", entry.Session, wording.Stamp(entry.Time), entry.Kind, exec.Clean(entry.Adapter), exec.Clean(entry.Text)) //nolint:errcheck // as above
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if more {
		c.say("There is more; --count lists more than %d.", limit)
	}
	return nil
}
