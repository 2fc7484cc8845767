package hardware

import (
	"errors"
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
)

// Statistics selects statistics of the rings.
type Statistics string

// The statistics that mlxtool resets.
const (
	ReceiveStatistics Statistics = "receive"
	SendStatistics    Statistics = "send"
	AllStatistics     Statistics = "all"
	// GlobalStatistics are the totals over all rings of a connection, so that clearing them clears the rings in both directions.
	GlobalStatistics Statistics = "global"
)

// ResetStatistics clears the ring statistics of a connection (WinOF manual, "show perfstats"). All other counters keep their
// values. It can't be undone.
type ResetStatistics struct {
	Connection string     `json:"connection"`
	Which      Statistics `json:"which"`
}

// resetOptions are the options of mlxtool.
var resetOptions = map[Statistics]string{ReceiveStatistics: "RxReset", SendStatistics: "TxReset", AllStatistics: "ResetAll", GlobalStatistics: "GlobalReset"}

func (ResetStatistics) Kind() string { return "reset-statistics" }

func (o ResetStatistics) Target() string { return o.Connection }

func (o ResetStatistics) Describe() string {
	if o.Which == GlobalStatistics {
		return "clear the global ring statistics of " + o.Connection + ": the totals, and with them each ring"
	}
	return fmt.Sprintf("clear %s ring statistics of %s", o.Which, o.Connection)
}

// Commands returns the mlxtool command.
func (o ResetStatistics) Commands() []string {
	return []string{fmt.Sprintf("mlxtool show perfstats %s %s", cmdlet.Quote(o.Connection), resetOptions[o.Which])}
}

// Inverse returns nil: cleared statistics are lost.
func (o ResetStatistics) Inverse(h Host) (Operation, error) {
	port, err := h.Port(o.Connection)
	switch {
	case err != nil:
		return nil, err
	case resetOptions[o.Which] == "":
		return nil, request.Errorf("the statistics must be receive, send, global or all, not %q", o.Which)
	case h.Lab().Family(port) != description.WinOF:
		return nil, errors.New("its driver does not support it; only the WinOF driver does")
	}
	return nil, nil
}

func (o ResetStatistics) Apply(h Host) error {
	port, err := h.Port(o.Connection)
	if err != nil {
		return err
	}
	return h.Lab().ResetRings(port, o.Which != SendStatistics, o.Which != ReceiveStatistics)
}
