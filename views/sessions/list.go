package sessions

import (
	"fmt"
	"strings"
	"time"

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
	Version    string    `json:"version"`
	Note       string    `json:"note,omitempty"`
	Tags       []string  `json:"tags,omitempty"`
	Series     int       `json:"series"`
	Samples    int64     `json:"samples"`
	Events     int       `json:"events"`
	Changes    int       `json:"changes"`
	SizeBytes  int64     `json:"size_bytes"`
}

func documentOf(one store.Session) sessionJSON {
	return sessionJSON{
		ID: one.ID, Started: one.Started.UTC(), Ended: one.Ended.UTC(), DurationS: one.Ended.Sub(one.Started).Seconds(),
		Running: one.Running, Pinned: one.Pinned, Host: one.Host, SourceKind: string(one.Source.Kind), SourceName: one.Source.Name,
		Seed: one.Source.Seed, LabHash: one.Source.LabHash, Version: one.Version, Note: one.Note, Tags: one.Tags,
		Series: one.Series, Samples: one.Samples, Events: one.Events, Changes: one.Changes, SizeBytes: one.Bytes,
	}
}

func list(c *Call) error {
	all, err := c.DB.Sessions(c.Ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		rows := make([]sessionJSON, len(all))
		for i, one := range all {
			rows[i] = documentOf(one)
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
	for _, one := range all {
		duration := one.Ended.Sub(one.Started).Round(time.Second).String()
		if one.Running {
			duration += " running"
		}
		if one.Pinned {
			duration += " pinned"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\n", one.ID, stamp(one.Started), duration, //nolint:errcheck // as above
			exec.Clean(one.Source.Name), exec.Clean(one.Host), one.Samples, one.Events, one.Changes,
			perf.Number(float64(one.Bytes), perf.Bytes, false, true),
			exec.Clean(strings.Join(one.Tags, ",")), exec.Clean(one.Note))
	}
	return w.Flush()
}
