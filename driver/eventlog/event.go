package eventlog

import "time"

// Severity is the severity of an event in the event log.
type Severity uint8

// The severities, mildest first.
const (
	Information Severity = iota
	Warning
	Error
)

// String returns the word for it: "warning".
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	default:
		return "information"
	}
}

// Event is one entry of an event log.
type Event struct {
	// Sequence rises by one with each event of a source, from 1.
	Sequence uint64    `json:"sequence"`
	Time     time.Time `json:"time"`
	// Key is the row of the event catalogue ("mlx5.link-down"); empty for events that are in no catalogue.
	Key string `json:"key,omitempty"`
	// ID is the event's number in the log, 0 when the manuals give none.
	ID       int      `json:"id,omitempty"`
	Source   string   `json:"source,omitempty"`  // "mlx5", "mlx4_bus", "threshold", "local"
	Channel  string   `json:"channel,omitempty"` // "System"
	Severity Severity `json:"severity"`
	// Adapter is the connection name or device that the event concerns, empty for none.
	Adapter string `json:"adapter,omitempty"`
	Message string `json:"message"`
}
