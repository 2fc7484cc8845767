package eventlog

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"cxdeck/driver/table"
)

//go:embed events.json
var eventTable string

// Kind is the subject of a row of the event catalogue.
type Kind string

// The kinds of rows.
const (
	LogEvent        Kind = "event"           // an entry that a driver writes to the event log
	SensorEvent     Kind = "sensor"          // an entry of a resiliency sensor
	ReturnCode      Kind = "return_code"     // the end of a set-up or firmware tool's run
	Troubleshooting Kind = "troubleshooting" // a symptom with its cause and remedy
)

// Row is one row of the event catalogue: what the manuals say about an event, a return code or a symptom.
type Row struct {
	// Key is the row's name in events: "mlx5.link-down".
	Key  string `json:"key"`
	Kind Kind   `json:"kind"`
	// ID is the event's number in the log, 0 when the manuals give none.
	ID int `json:"-"`
	// Source and Channel are the event source and the log that it writes to; empty when the manuals give none.
	Source   string   `json:"source_name"`
	Channel  string   `json:"channel"`
	Severity Severity `json:"-"`
	// Families are the driver families it belongs to: "winof", "winof2".
	Families []string `json:"families"`
	// Trigger describes the cause of the event, Recovery what the driver does about it, Remedy what the operator can do.
	Trigger  string `json:"trigger"`
	Recovery string `json:"recovery"`
	Remedy   string `json:"remedy"`
	// Message has each of Parameters as {name}; Meanings says what they are.
	Message    string            `json:"message"`
	Parameters []string          `json:"parameters"`
	Meanings   map[string]string `json:"parameter_meanings"`
	// Symptom, Cause and Area belong to troubleshooting rows.
	Symptom string `json:"symptom"`
	Cause   string `json:"cause"`
	Area    string `json:"area"`
	// RelatedKeys are the registry keys related to it.
	RelatedKeys []string `json:"related_keys"`
	Notes       string   `json:"notes"`
	// Manual is its place in the manuals.
	Manual string `json:"source"`
}

// Table holds all rows; it never changes.
type Table struct {
	Rows  []Row
	byKey map[string]int
}

// Catalogue returns the events, return codes and symptoms of the manuals. It is read on first use.
func Catalogue() *Table { return catalogue() }

var catalogue = sync.OnceValue(func() *Table {
	c, err := readTable(eventTable)
	if err != nil {
		panic("eventlog: the embedded event table is damaged: " + err.Error()) // a test reads it: this can't ship
	}
	return c
})

// Lookup returns the row of a key.
func (c *Table) Lookup(key string) (*Row, bool) {
	i, ok := c.byKey[key]
	if !ok {
		return nil, false
	}
	return &c.Rows[i], true
}

// tableRow is a row in the form of the table: numbers in two notations, severity as a word.
type tableRow struct {
	Row
	Number *json.RawMessage `json:"id"`
	Word   string           `json:"severity"`
}

func readTable(text string) (*Table, error) {
	rows, err := table.Read[[]tableRow](text)
	if err != nil {
		return nil, err
	}
	c := &Table{Rows: make([]Row, 0, len(rows)), byKey: make(map[string]int, len(rows))}
	for _, r := range rows {
		row := r.Row
		var err error
		if row.ID, err = eventNumber(r.Number); err != nil {
			return nil, fmt.Errorf("event %s: %w", row.Key, err)
		}
		switch r.Word {
		case "error":
			row.Severity = Error
		case "warning":
			row.Severity = Warning
		}
		if _, twice := c.byKey[row.Key]; twice || row.Key == "" {
			return nil, fmt.Errorf("two events have the key %q", row.Key)
		}
		c.byKey[row.Key] = len(c.Rows)
		c.Rows = append(c.Rows, row)
	}
	return c, nil
}

// eventNumber reads 75, "75" and "0x0057".
func eventNumber(raw *json.RawMessage) (int, error) {
	if raw == nil || string(*raw) == "null" {
		return 0, nil
	}
	n, err := strconv.ParseInt(strings.Trim(string(*raw), `"`), 0, 32)
	return int(n), err
}

// Fill puts values in place of the message's parameters, in the order of Parameters.
func (r *Row) Fill(values ...string) string {
	pairs := make([]string, 0, 2*len(values))
	for i, v := range values {
		if i < len(r.Parameters) {
			pairs = append(pairs, "{"+r.Parameters[i]+"}", v)
		}
	}
	return strings.NewReplacer(pairs...).Replace(r.Message)
}
