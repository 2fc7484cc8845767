package eventlog

import (
	"cmp"
	"fmt"
	"slices"
)

// Limits of a log: the number of events that it keeps and that it saves, and the bytes of all texts of a saved event.
const (
	Kept       = 10_000
	Saved      = 1000
	maxWording = 4096
)

// Log holds the newest events of one source, numbered from 1. The zero Log is empty.
type Log struct {
	events []Event
	last   uint64
}

// Add adds events, and returns them with their sequences.
func (l *Log) Add(events ...Event) []Event {
	for _, e := range events {
		l.last++
		e.Sequence = l.last
		l.events = append(l.events, e)
	}
	l.events = l.events[max(0, len(l.events)-Kept):]
	return slices.Clone(l.events[max(0, len(l.events)-len(events)):])
}

// Last returns the sequence of the newest event, also of one that is no longer kept; 0 before the first.
func (l *Log) Last() uint64 { return l.last }

// After returns the newest events with a sequence above after, at most limit of them, oldest first.
func (l *Log) After(after uint64, limit int) []Event {
	first, _ := slices.BinarySearchFunc(l.events, after, func(e Event, after uint64) int {
		return cmp.Or(cmp.Compare(e.Sequence, after), -1)
	})
	return append([]Event(nil), l.events[max(first, len(l.events)-max(limit, 0)):]...)
}

// Forget drops the events; the numbering of later ones continues.
func (l *Log) Forget() { l.events = nil }

// Clone returns an independent copy.
func (l *Log) Clone() Log {
	return Log{slices.Clip(l.events), l.last} // events never change: both share them, and neither sees the other's new ones
}

// Save returns the events to save: the newest 1000.
func (l *Log) Save() []Event { return slices.Clone(l.events[max(0, len(l.events)-Saved):]) }

// Restore returns the log of saved events; last is the sequence of its newest, also of one that was not saved.
func Restore(saved []Event, last uint64) (Log, error) {
	if len(saved) > Kept {
		return Log{}, fmt.Errorf("the saved host has more than %d events", Kept)
	}
	var before uint64
	for i := range saved {
		e := &saved[i]
		wording := len(e.Key) + len(e.Source) + len(e.Channel) + len(e.Adapter) + len(e.Message)
		if e.Sequence <= before || e.Sequence > last || e.Severity > Error || wording > maxWording {
			return Log{}, fmt.Errorf("event %d of the saved host is damaged", e.Sequence)
		}
		before = e.Sequence
	}
	return Log{saved, last}, nil
}
