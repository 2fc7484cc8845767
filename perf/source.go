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
	LabSource     SourceKind = "lab"        // the embedded model
	LocalSource   SourceKind = "local"      // the network interfaces of this machine
	LogSource     SourceKind = "log"        // a Performance Monitor log file
	SessionSource SourceKind = "session"    // a recorded session
	FleetSource   SourceKind = "prometheus" // many hosts, read from Prometheus
	PastSource    SourceKind = "past"       // an earlier time of hosts of a fleet, read from Prometheus
)

// SourceInfo describes a source.
type SourceInfo struct {
	Kind SourceKind
	// Name is short, for the header: "LAB-N4", "this machine", "monday.csv".
	Name string
	// Host is the name of the measured computer.
	Host string
	// Seed and LabHash identify a lab run: same seed, same lab, same numbers. They are empty and 0 for other sources.
	Seed    uint64
	LabHash string
	// Twin is the real host that the lab is a twin of, empty for none, and Assumed the number of facts that no export of it had.
	Twin    string
	Assumed int
	// Started is the time of the source's first column.
	Started time.Time
}

// Source provides columns in its own time. A Source belongs to one goroutine: the Monitor that runs it.
//
// Its life cycle: it is opened; Schema and Inventory are valid at once; Next is called until it fails; Close releases it. A
// source may also be a Seeker (a recording) or an Eventer; a source with a host that can be changed is the monitor's Operator.
type Source interface {
	Info() SourceInfo
	// Schema and Inventory return the newest ones; a new pointer means a change.
	Schema() *Schema
	Inventory() *Inventory
	// Next fills column with the sample one interval of the source's time after the previous one; the first call returns the
	// first sample. It grows the column to Schema().Cells. The lab advances its time; a recording returns its next row at or
	// after that time; a live machine reads now and does not wait, because the Monitor sets the pace. At the end of a recording
	// it returns io.EOF.
	Next(ctx context.Context, interval time.Duration, column *Column) error
	Close() error
}

// Seeker is a source that can seek to another time.
type Seeker interface {
	// Span returns the times of the first and last sample.
	Span() (from, to time.Time)
	// Seek makes Next return the first row at or after to.
	Seek(to time.Time) error
}

// BatchSource is a recording that returns many rows at once.
type BatchSource interface {
	// NextBatch returns the rows that Next would return one after the other, up to the first row at or after a time, or fewer.
	// A batch without rows means that the next row is read with Next.
	NextBatch(ctx context.Context, interval time.Duration, until time.Time) (Batch, error)
}

// Batch is consecutive rows of a recording, cell by cell. It is valid until the next call of its source.
type Batch struct {
	// Times are in nanoseconds since 1970, UTC, in ascending order; Missed is the number of samples missed before each row.
	Times, Missed []int64
	// Cells is the number of cells of a row.
	Cells int
	// Read appends the values of a cell in all rows to dst. It may be called from several goroutines.
	Read func(cell int, dst []int64) ([]int64, error)
}

// RangeReader is a source, or a store behind one, that reads any period of one series without playing it.
type RangeReader interface {
	// ReadRange appends the points of a series between from and to, both included, to dst.
	ReadRange(ctx context.Context, series int, from, to time.Time, dst []Point) ([]Point, error)
}

// Eventer is a source that reports events.
type Eventer interface {
	// Events returns the events since the last call, oldest first.
	Events() []eventlog.Event
}

// PastEventer is an Eventer that can seek, and returns the events before its position.
type PastEventer interface {
	// EventsBefore returns the newest events before the ones that Events returns next, oldest first and at most limit of them.
	EventsBefore(ctx context.Context, limit int) ([]eventlog.Event, error)
}

// Noter is a source with notes for the operator when it is opened.
type Noter interface {
	// Notes returns sentences for the operator.
	Notes() []string
}

// Watcher is a source that counts some things only while their series are watched.
type Watcher interface {
	// Watch marks series as watched from now on: the operator has selected them, individually or by a pattern. Recording all
	// series does not watch them.
	Watch(series []int)
}

// Point is one value of a series. A gap is a Value of NaN.
type Point struct {
	// Time is in nanoseconds since 1970, UTC.
	Time  int64
	Value float64
}

// AggregateSource is a source whose columns may aggregate several samples.
type AggregateSource interface {
	// Step returns the period that the newest column aggregates, 0 for a sample: rates are averages over it, other values the last
	// in it.
	Step() time.Duration
}

// UnavailableError is an error of Next after which the source may give samples again: its server does not answer, for instance. The
// samples so far stay on the screen, marked as old.
type UnavailableError struct{ Err error }

// Error returns the reason.
func (e *UnavailableError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Err }
