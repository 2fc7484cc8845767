package sessions

import (
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/exec"
)

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
	TwinOf     string    `json:"twin_of,omitempty"`
	Assumed    int       `json:"assumed,omitempty"`
	Version    string    `json:"version"`
	Note       string    `json:"note,omitempty"`
	Tags       []string  `json:"tags,omitempty"`
	Series     int       `json:"series"`
	Samples    int64     `json:"samples"`
	Events     int       `json:"events"`
	Changes    int       `json:"changes"`
	SizeBytes  int64     `json:"size_bytes"`
}

func documentOf(session store.Session) sessionJSON {
	return sessionJSON{
		ID: session.ID, Started: session.Started.UTC(), Ended: session.Ended.UTC(), DurationS: session.Ended.Sub(session.Started).Seconds(),
		Running: session.Running, Pinned: session.Pinned, Host: session.Host, SourceKind: string(session.Source.Kind), SourceName: session.Source.Name,
		Seed: session.Source.Seed, LabHash: session.Source.LabHash, TwinOf: session.Source.Twin, Assumed: session.Source.Assumed, Version: session.Version, Note: session.Note, Tags: session.Tags,
		Series: session.Series, Samples: session.Samples, Events: session.Events, Changes: session.Changes, SizeBytes: session.Bytes,
	}
}

func list(c *Call) error {
	all, err := c.DB.Sessions(c.Ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		rows := make([]sessionJSON, len(all))
		for i, session := range all {
			rows[i] = documentOf(session)
		}
		return c.document(struct {
			Schema   int           `json:"schema"`
			Sessions []sessionJSON `json:"sessions"`
		}{schemaVersion, rows})
	}
	if len(all) == 0 {
		_, err := fmt.Fprintf(c.Out, "No sessions in %s yet: start cxdeck, and it records one.\n", exec.Clean(c.DB.Path()))
		return err
	}
	w := newTable(c.Out)
	fmt.Fprintln(w, "ID\tSTARTED\tDURATION\tSOURCE\tHOST\tSAMPLES\tEVENTS\tCHANGES\tSIZE\tTAGS\tNOTE") //nolint:errcheck // Flush reports it
	for _, session := range all {
		duration := session.Ended.Sub(session.Started).Round(time.Second).String()
		if session.Running {
			duration += " running"
		}
		if session.Pinned {
			duration += " pinned"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n", session.ID, wording.Stamp(session.Started), duration, //nolint:errcheck // as above
			exec.Clean(session.Source.Name), exec.Clean(session.Host), session.Samples, session.Events, session.Changes,
			perf.Number(float64(session.Bytes), perf.Bytes, false, true),
			exec.Clean(strings.Join(session.Tags, ",")), exec.Clean(session.Note))
	}
	return w.Flush()
}
