package events

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// noon is the time of the first column of the tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// eventSource is a source with the events that a test sends to it.
type eventSource struct {
	schema    *perf.Schema
	inventory *perf.Inventory
	at        time.Time
	events    chan []eventlog.Event
	columns   int // the number of remaining columns; below 0 for no end
}

func newEventSource(t testing.TB, columns int) *eventSource {
	t.Helper()
	schema, err := perf.NewSchema(1, 1, []perf.Series{{Set: "Network Interface", Instance: "Ethernet 7", Counter: "Packets/sec"}})
	if err != nil {
		t.Fatal(err)
	}
	inventory := &perf.Inventory{Host: "bench", Nodes: []perf.Node{
		{ID: "7", Parent: -1, Kind: perf.PortNode, Name: "Ethernet 7", Instances: []string{"Ethernet 7"}},
	}}
	return &eventSource{schema: schema, inventory: inventory, at: noon, events: make(chan []eventlog.Event, 1), columns: columns}
}

func (s *eventSource) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: perf.LogSource, Name: "story.csv", Host: "bench", Started: noon}
}
func (s *eventSource) Schema() *perf.Schema       { return s.schema }
func (s *eventSource) Inventory() *perf.Inventory { return s.inventory }
func (s *eventSource) Close() error               { return nil }

func (s *eventSource) Next(_ context.Context, interval time.Duration, column *perf.Column) error {
	if s.columns == 0 {
		return io.EOF
	}
	s.columns--
	column.Grow(1)
	column.Time, column.Cells[0] = s.at, 0
	s.at = s.at.Add(interval)
	return nil
}

func (s *eventSource) Events() []eventlog.Event {
	select {
	case events := <-s.events:
		return events
	default:
		return nil
	}
}

// manyEvents returns events of all severities, from two adapters.
func manyEvents(n int) []eventlog.Event {
	events := make([]eventlog.Event, n)
	for i := range events {
		events[i] = eventlog.Event{
			Time: noon.Add(time.Duration(i) * time.Second), Severity: eventlog.Severity(i % 3), Source: [2]string{"mlx5", "threshold"}[i/3%2],
			Channel: "System", Adapter: [3]string{"Ethernet 7", "Ethernet 5", ""}[i%3], Message: fmt.Sprintf("event number %d happened", i+1),
		}
	}
	return events
}

// deckWithEvents returns a deck whose monitor has read the events and is at its end.
func deckWithEvents(t testing.TB, events []eventlog.Event) *deck.Deck {
	t.Helper()
	source := newEventSource(t, 3)
	source.events <- events
	d := viewtest.Watch(t, source, monitor.MaxSpeed)
	viewtest.AwaitEnd(t, d)
	return d
}
