package twin

import (
	"context"
	"time"

	"cxdeck/driver/linuxhost"
	"cxdeck/perf"
	"cxdeck/perf/local"
)

// Recorded is a recorded machine: its files below Folder, and its counters.
type Recorded struct {
	Folder string
	Open   func() (perf.Source, error)
}

// Collect reads this machine, or a recorded one, and writes its bundle. It changes nothing on the machine.
func Collect(ctx context.Context, path string, recorded *Recorded, now time.Time, sampling *Sampling, replace bool) (string, error) {
	if recorded != nil {
		reader := linuxhost.Recorded(recorded.Folder)
		defer reader.Close()
		return collect(ctx, reader.Machine(), recorded.Open, path, now, sampling, replace)
	}
	reader := linuxhost.Open()
	defer reader.Close()
	return collect(ctx, reader.Machine(), local.Open, path, now, sampling, replace)
}
