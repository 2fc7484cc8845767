package deck

import (
	"time"

	"cxdeck/perf/compare"
)

// Focus asks the Counters screen to show certain counters; it is the argument of ui.Go("counters", Focus{...}).
type Focus struct {
	// Instances are the perfmon instances whose counters are shown.
	Instances []string
	// Paths are perfmon paths that are shown in addition to the paths of Instances.
	Paths []string
	// Title names the owner of the counters: "Ethernet 7".
	Title string
	// At is the source's time to move the cursor to; zero for none.
	At time.Time
	// Range is a range of the source's time to mark; zero for none.
	Range compare.Range
}

// EventFocus asks the Events screen to show one event; it is the argument of ui.Go("events", EventFocus{...}).
type EventFocus struct {
	// Sequence is the event's number in the shown monitor.
	Sequence uint64
}

// SessionFocus asks the History screen to select a session; it is the argument of ui.Go("history", SessionFocus{...}).
type SessionFocus struct{ ID int64 }

// SettingsFocus is what the settings of this machine show first.
type SettingsFocus struct {
	// Interfaces are possible names of the interface; none for the one that was shown last, or else the first with a setting of the
	// filter.
	Interfaces []string
	// Filter is the filter of the list, with | between alternatives; empty for the one that was used last.
	Filter string
}

// KeyFocus asks the Registry screen to show keys; it is the argument of ui.Go("registry", KeyFocus{...}).
type KeyFocus struct {
	// Connection is the connection whose keys are shown; empty for all connections.
	Connection string
	// Key is the name of the only key that is shown; empty for all.
	Key string
}
