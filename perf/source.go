package perf

import (
	"context"
	"time"

	"cxdeck/driver/eventlog"
)

// SourceKind is the origin of columns.
type SourceKind string

// The kinds of source.
const (
	LabSource     SourceKind = "lab"     // the embedded model
	LocalSource   SourceKind = "local"   // the network interfaces of this machine
	LogSource     SourceKind = "log"     // a Performance Monitor log file
	SessionSource SourceKind = "session" // a recorded session
)

// SourceInfo describes a source.
type SourceInfo struct {
	Kind SourceKind
	// Name is short, for the header: "LAB-N4", "this machine", "monday.csv".
	Name string
	// Host is the computer that the numbers are of.
	Host string
	// Seed and LabHash identify a lab run: same seed, same lab, same numbers. Empty and 0 otherwise.
	Seed    uint64
	LabHash string
	// Started is the time of the source's first column.
	Started time.Time
}

// Source gives columns in its own time. A Source belongs to one goroutine: the Monitor that runs it.
//
// Its life: it is opened; Schema and Inventory can be asked at once; Next is called until it fails; Close frees it.
// A source may also be a Seeker (a recording), an Eventer; one whose host takes changes is the monitor's Operator.
type Source interface {
	Info() SourceInfo
	// Schema and Inventory are the newest; a new pointer means that something changed.
	Schema() *Schema
	Inventory() *Inventory
	// Next fills column with the sample one interval of the source's time after the one before; the first call gives
	// the first sample. It grows the column to Schema().Cells. The lab moves its time; a recording gives its next
	// row at or after that time; a live machine reads now, and does not wait: pacing is the Monitor's. At the end of
	// a recording it returns io.EOF.
	Next(ctx context.Context, interval time.Duration, column *Column) error
	Close() error
}

// Seeker is a source whose time can be moved.
type Seeker interface {
	// Span is the time of the first and last sample.
	Span() (from, to time.Time)
	// Seek makes Next give the first row at or after to.
	Seek(to time.Time) error
}

// RangeReader is a source, or a store behind one, that gives any period of one series without playing it.
type RangeReader interface {
	// ReadRange appends the points of a series between from and to, both included, to dst.
	ReadRange(ctx context.Context, series int, from, to time.Time, dst []Point) ([]Point, error)
}

// Eventer is a source that reports events.
type Eventer interface {
	// Events returns the events since the last call, oldest first.
	Events() []eventlog.Event
}

// PastEventer is an Eventer that can be moved, and returns the events that it was moved past.
type PastEventer interface {
	// EventsBefore returns the newest events before the ones that Events returns next, oldest first and at most limit of them.
	EventsBefore(ctx context.Context, limit int) ([]eventlog.Event, error)
}

// Noter is a source that has something to say of itself when it is opened.
type Noter interface {
	// Notes are sentences for the operator.
	Notes() []string
}

// Watcher is a source that counts some things only while someone looks at them.
type Watcher interface {
	// Watch reports that someone looks at series from now on: they were chosen, one by one or by a pattern. To record
	// everything is not to look at it.
	Watch(series []int)
}

// Point is one value of a series. A gap is a Value of NaN.
type Point struct {
	// Time is in nanoseconds since 1970, UTC.
	Time  int64
	Value float64
}

// Summer is a source whose columns may sum up more than a sample.
type Summer interface {
	// Step is the time that the newest column sums up, 0 for a sample: rates are averages over it, other values the last of it.
	Step() time.Duration
}
