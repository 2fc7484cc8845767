package settings

import (
	"time"

	"cxdeck/perf"
	"cxdeck/perf/threshold"
)

// DefaultThresholds are watched when the configuration file names none: drops of any port that last for two seconds.
// They end when nothing is dropped any more.
func DefaultThresholds(source perf.SourceKind) []threshold.Rule {
	path := `\Network Interface(*)\Packets Discarded/sec`
	if source == perf.LabSource {
		path = `\cxdeck Port(*)\Packets Discarded/sec`
	}
	return []threshold.Rule{{Path: path, Level: 100, Clear: 1, For: 2 * time.Second}}
}
