package comparison

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"cxdeck/perf/compare"
)

// EventCount is a kind of event of an adapter, with the number of times that it happened.
type EventCount struct {
	Key      string `json:"key,omitempty"`
	ID       int    `json:"id,omitempty"`
	Source   string `json:"source"`
	Severity string `json:"severity"`
	Adapter  string `json:"adapter,omitempty"`
	// Message is the message of the first such event.
	Message string `json:"message"`
	Count   int    `json:"count"`
	// First is the time of the first one.
	First time.Time `json:"-"`
}

// eventKind identifies events of one kind: by their row of the catalogue, or by their text if they have none.
type eventKind struct {
	key, source, adapter, message string
	id                            int
}

func (s *Subject) countEvents(ctx context.Context, in compare.Range) (map[eventKind]*EventCount, error) {
	counts := map[eventKind]*EventCount{}
	if s.Events == nil {
		return counts, nil
	}
	all, err := s.Events(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		e := &all[i]
		if e.Time.Before(in.From) || e.Time.After(in.To) {
			continue
		}
		kind := eventKind{key: e.Key, source: e.Source, adapter: e.Adapter, id: e.ID}
		if e.Key == "" && e.ID == 0 {
			kind.message = e.Message
		}
		if counts[kind] == nil {
			counts[kind] = &EventCount{e.Key, e.ID, e.Source, e.Severity.String(), e.Adapter, e.Message, 0, e.Time}
		}
		counts[kind].Count++
	}
	return counts, nil
}

// eventsOnlyIn returns the kinds of events that others does not contain, the most frequent first.
func eventsOnlyIn(events, others map[eventKind]*EventCount) []EventCount {
	var list []EventCount
	for _, kind := range slices.SortedFunc(maps.Keys(events), func(a, b eventKind) int {
		return cmp.Or(cmp.Compare(events[b].Count, events[a].Count), cmp.Compare(events[a].Adapter, events[b].Adapter),
			cmp.Compare(events[a].Message, events[b].Message))
	}) {
		if others[kind] == nil {
			list = append(list, *events[kind])
		}
	}
	return list
}
