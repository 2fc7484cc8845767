package counters

// The ids of the mouse zones.
const (
	zoneChart  = "counters.chart"
	zoneSmall  = "counters.small"
	zoneLegend = "counters.legend"
	zoneBars   = "counters.bars"
	zoneReport = "counters.report"
	zoneMarks  = "counters.marks"
	zoneTitle  = "counters.title"
)
