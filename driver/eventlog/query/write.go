package query

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/request"
)

// xmlEvent is an event in the form of Windows.
type xmlEvent struct {
	XMLName xml.Name `xml:"Event"`
	Space   string   `xml:"xmlns,attr"`
	System  struct {
		Provider struct {
			Name string `xml:"Name,attr"`
		}
		EventID     int
		Level       int
		TimeCreated struct {
			SystemTime string `xml:"SystemTime,attr"`
		}
		EventRecordID uint64
		Channel       string
		Computer      string
	}
	EventData     struct{ Data []xmlData }
	RenderingInfo struct {
		Culture string `xml:"Culture,attr"`
		Message string
		Level   string
	}
}

type xmlData struct {
	Name string `xml:"Name,attr,omitempty"`
	Text string `xml:",chardata"`
}

// namespace is the one of Windows' events.
const namespace = "http://schemas.microsoft.com/win/2004/08/events/event"

// XML returns an event as Windows writes it. Characters that XML does not allow are replaced.
func XML(e *eventlog.Event, computer string) ([]byte, error) {
	x := xmlEvent{Space: namespace}
	x.System.Provider.Name, x.System.EventID, x.System.Level = e.Source, e.ID, level(e.Severity)
	x.System.TimeCreated.SystemTime = e.Time.UTC().Format("2006-01-02T15:04:05.0000000Z")
	x.System.EventRecordID, x.System.Channel, x.System.Computer = e.Sequence, e.Channel, computer
	if e.Adapter != "" {
		x.EventData.Data = append(x.EventData.Data, xmlData{"Adapter", e.Adapter})
	}
	x.EventData.Data = append(x.EventData.Data, xmlData{"Message", e.Message})
	x.RenderingInfo.Culture, x.RenderingInfo.Message, x.RenderingInfo.Level = "en-US", e.Message, LevelName(e.Severity)
	return xml.Marshal(x)
}

// LevelName is Windows' name of a level.
func LevelName(s eventlog.Severity) string {
	return [...]string{"Information", "Warning", "Error"}[min(s, eventlog.Error)]
}

// WriteXML writes events as one document.
func WriteXML(w io.Writer, events []eventlog.Event, computer string) error {
	if _, err := io.WriteString(w, xml.Header+"<Events>\n"); err != nil {
		return err
	}
	for i := range events {
		data, err := XML(&events[i], computer)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n", data); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "</Events>\n")
	return err
}

// WriteCSV writes events as a table with a row of names. Texts that a spreadsheet would take for a formula begin with an apostrophe.
func WriteCSV(w io.Writer, events []eventlog.Event) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"Number", "TimeCreated", "Id", "Level", "Channel", "ProviderName", "Adapter", "Message"}); err != nil {
		return err
	}
	for i := range events {
		e := &events[i]
		if err := c.Write([]string{
			strconv.FormatUint(e.Sequence, 10), e.Time.UTC().Format(time.RFC3339Nano), strconv.Itoa(e.ID), LevelName(e.Severity), plain(e.Channel), plain(e.Source),
			plain(e.Adapter), plain(e.Message),
		}); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// plain returns a text that a spreadsheet does not evaluate.
func plain(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// Write writes events in the format of the file's extension: .xml or .csv.
func Write(w io.Writer, name string, events []eventlog.Event, computer string) error {
	switch folded := strings.ToLower(name); {
	case strings.HasSuffix(folded, ".xml"):
		return WriteXML(w, events, computer)
	case strings.HasSuffix(folded, ".csv"):
		return WriteCSV(w, events)
	}
	return request.Errorf("the name of the file ends in .xml or .csv, and %q does not", name)
}
