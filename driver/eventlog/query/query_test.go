package query_test

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/eventlog/query"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func sample() []eventlog.Event {
	return []eventlog.Event{
		{Sequence: 1, Time: noon.Add(-2 * time.Hour), ID: 4, Source: "mlx5", Channel: "System", Severity: eventlog.Information, Adapter: "Ethernet 7", Message: "link up"},
		{Sequence: 2, Time: noon.Add(-time.Hour), ID: 256, Source: "mlx4_bus", Channel: "System", Severity: eventlog.Warning, Adapter: "Ethernet 3", Message: "=1+1 <a> & \"b\", c"},
		{Sequence: 3, Time: noon.Add(-time.Minute), ID: 257, Source: "mlx4_bus", Channel: "System", Severity: eventlog.Error, Message: "failed\x01"},
	}
}

// selected returns the numbers of the events that a filter selects.
func selected(f query.Filter) string {
	found := ""
	list := sample()
	for i := range list {
		if f(&list[i], noon) {
			found += string(rune('0' + list[i].Sequence))
		}
	}
	return found
}

func TestXPath(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"*": "123", " * ": "123", "*[System]": "!", "*[System[EventID=256]]": "2", "*[System[(EventID=256 or EventID=0x101)]]": "23", "Event[System[Level<=3]]": "23",
		"*[System[Provider[@Name='mlx5']]]": "1", "*[System/Level=2]": "3", "*[System/Provider/@Name=\"MLX4_BUS\"]": "23", "*[System[not(Level=4)]]": "23",
		"*[System[TimeCreated[timediff(@SystemTime) <= 3600000]]]": "23", "*[System[TimeCreated[@SystemTime>='2026-03-02T11:30:00Z' and @SystemTime<'2026-03-02T12:00:00.000Z']]]": "3",
		"*[EventData[Data='Ethernet 7']]": "1", "*[EventData/Data='Ethernet 3' and System[Level=3]]": "2", "*[System[Level=2]][System[EventID!=257]]": "", "*[System[Channel='System' and EventRecordID>1]]": "23",
		"": "!", "x": "!", "*[": "!", "*[System[EventID]]": "!", "*[System[EventID=]]": "!", "*[System[EventID='x']]": "!", "*[System[EventID=1]": "!", "*[System[Foo=1]]": "!",
		"*[System[EventID=1]] x": "!", "*[System[not EventID=1]]": "!", "*[System[TimeCreated[@SystemTime>'gestern']]]": "!", "*[System[Provider[@Name='a]]]": "!",
		"*[System[" + strings.Repeat("(", 40) + "Level=2" + strings.Repeat(")", 40) + "]]": "!", "*" + strings.Repeat(" ", 5000): "!", "*[System[(Level=2 and]]": "!", "*[EventData[Data]]": "!",
	} {
		f, err := query.ParseXPath(text)
		if want == "!" {
			if err == nil {
				t.Errorf("%.60q was read", text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := selected(f); got != want {
			t.Errorf("%q selects %s, want %s", text, got, want)
		}
	}
}

func TestHashTable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"@{LogName='System'}": "123", "@{LogName=System; ID=256,257}": "23", "@{LogName='System';Level=2}": "3", "@{logname='System'; ProviderName='mlx4*'}": "23",
		"@{StartTime='2026-03-02 10:30:00'; EndTime='2026-03-02T11:30:00Z'}": "2", "@{Data='Ethernet 7'}": "1", "@{}": "123",
		"": "!", "@{": "!", "LogName=System": "!", "@{ID=x}": "!", "@{Foo=1}": "!", "@{LogName}": "!", "@{LogName=A,B}": "!", "@{StartTime=never}": "!",
	} {
		table, err := query.ParseTable(text)
		if (want == "!") != (err != nil) {
			t.Errorf("%q: %v", text, err)
		}
		if err == nil && selected(table.Filter) != want {
			t.Errorf("%q selects %s, want %s", text, selected(table.Filter), want)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := query.Write(&b, "x.XML", sample(), "LAB-N4"); err != nil {
		t.Fatal(err)
	}
	var document struct {
		Event []struct {
			System struct {
				EventID, Level int
				Computer       string
				Provider       struct {
					Name string `xml:"Name,attr"`
				}
			}
			RenderingInfo struct{ Message string }
		}
	}
	if err := xml.Unmarshal(b.Bytes(), &document); err != nil || len(document.Event) != 3 || document.Event[1].System.EventID != 256 || document.Event[2].System.Level != 2 ||
		document.Event[1].RenderingInfo.Message != sample()[1].Message || document.Event[0].System.Provider.Name != "mlx5" || document.Event[0].System.Computer != "LAB-N4" {
		t.Errorf("%v: %s", err, b.String())
	}
	b.Reset()
	if err := query.Write(&b, "x.csv", sample(), ""); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 4 || rows[2][7] != "'"+sample()[1].Message || rows[3][3] != "Error" {
		t.Errorf("%v: %q", err, rows)
	}
	if err := query.Write(&b, "x.evtx", nil, ""); err == nil {
		t.Error("another form was written")
	}
}

// FuzzXPath reads expressions, and applies the ones that are valid.
func FuzzXPath(f *testing.F) {
	f.Add("*[System[(Level=1 or Level=2) and TimeCreated[timediff(@SystemTime) <= 86400000]]]")
	f.Add("*[EventData[Data='x']]")
	f.Fuzz(func(_ *testing.T, text string) {
		if filter, err := query.ParseXPath(text); err == nil {
			_ = selected(filter)
		}
		if table, err := query.ParseTable(text); err == nil {
			_ = selected(table.Filter)
		}
	})
}
