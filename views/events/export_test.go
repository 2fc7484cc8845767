package events

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// TestShownEventsAreExported filters the events, and exports what is left, as XML and as CSV.
func TestShownEventsAreExported(t *testing.T) {
	t.Parallel()
	d := deckWithEvents(t, manyEvents(300))
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Press("v", "v")
	s.Want("100 of 300")
	directory := t.TempDir()
	export := func(name string) string {
		path := filepath.Join(directory, name)
		s.Press("x", "ctrl+u")
		s.Type(path)
		s.Press("enter")
		return path
	}
	path := export("events.csv")
	s.Want("100 events saved in")
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if info, failed := file.Stat(); failed != nil || info.Mode().Perm()&0o077 != 0 || err != nil || len(rows) != 101 {
		t.Errorf("%d rows, %v, %v", len(rows), err, failed)
	}
	path = export("events.xml")
	if data, err := os.ReadFile(path); err != nil || strings.Count(string(data), "<Event ") != 100 {
		t.Errorf("the document is %.200s, %v", data, err)
	}
	export("events.csv")
	s.Want("exists. Replace it?")
	s.Press("esc")
	export("events.txt")
	s.Want("ends in .xml or .csv")
	s.Press("esc")
	export("nowhere/events.csv")
	s.Want("Nothing was exported to")
}
