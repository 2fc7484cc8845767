package settings

import (
	"time"

	"cxdeck/perf"
	"cxdeck/perf/threshold"
)

// DefaultThresholds returns the thresholds without a configuration file: 100 drops per second on any port for two seconds. The
// alarm ends below one drop per second.
func DefaultThresholds(source perf.SourceKind) []threshold.Rule {
	path := `\Network Interface(*)\Packets Discarded/sec`
	if source == perf.LabSource || source == perf.FleetSource {
		path = `\cxdeck Port(*)\Packets Discarded/sec`
	}
	return []threshold.Rule{{Path: path, Level: 100, Clear: 1, For: 2 * time.Second}}
}
