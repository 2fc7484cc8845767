package windows

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// Log is the event log of Windows.
type Log interface {
	// Read returns the events of the drivers with a higher record number, as XML and oldest first, and the highest record number. With
	// skip it returns the number only.
	Read(after uint64, skip bool) (records []string, newest uint64, err error)
}

// providers are the sources of events of the drivers in the channel System.
var providers = []string{"mlx5", "mlx4_bus", "mlx4eth63", "mlx4eth68", "ipoib6x", "mlx5mux", "mlxnvme", "MUP", "MlxMux"}

// query is the XPath of the drivers' events above a record number.
func query(after uint64) string {
	names := make([]string, len(providers))
	for i, name := range providers {
		names[i] = "@Name='" + name + "'"
	}
	return fmt.Sprintf("*[System[Provider[%s] and EventRecordID > %d]]", strings.Join(names, " or "), after)
}

// record is an event as Windows renders it.
type record struct {
	System struct {
		Provider struct {
			Name string `xml:"Name,attr"`
		}
		EventID     int
		Level       int
		Channel     string
		Record      uint64 `xml:"EventRecordID"`
		TimeCreated struct {
			SystemTime string `xml:"SystemTime,attr"`
		}
	}
	EventData struct {
		Data []string
	}
}

// maxEvent is the maximum length of an event in bytes, and maxData the maximum number of its parameters.
const (
	maxEvent = 256 << 10
	maxData  = 32
)

// parseEvent reads an event. Its text is the parameters: the text around them is in the driver's file.
func parseEvent(text string) (event eventlog.Event, err error) {
	var r record
	if len(text) > maxEvent {
		return event, fmt.Errorf("an event has %d bytes", len(text))
	}
	if err := xml.Unmarshal([]byte(text), &r); err != nil {
		return event, err
	}
	at, err := time.Parse(time.RFC3339Nano, r.System.TimeCreated.SystemTime)
	if err != nil {
		return event, err
	}
	event = eventlog.Event{Time: at.UTC(), ID: r.System.EventID & 0xffff, Source: perf.CleanText(r.System.Provider.Name, perf.NameLimit),
		Channel: perf.CleanText(r.System.Channel, perf.NameLimit)}
	switch r.System.Level {
	case 1, 2:
		event.Severity = eventlog.Error
	case 3:
		event.Severity = eventlog.Warning
	}
	var parts []string
	for _, data := range r.EventData.Data[:min(len(r.EventData.Data), maxData)] {
		if part := strings.TrimSpace(perf.CleanText(data, perf.PathLimit)); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) > 0 {
		event.Adapter = strings.TrimPrefix(parts[0], `\Device\`)
	}
	event.Message = fmt.Sprintf("event %d of %s", event.ID, event.Source)
	if len(parts) > 0 {
		event.Message += ": " + strings.Join(parts, ", ")
	}
	return event, nil
}
