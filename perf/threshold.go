package perf

import "time"

// Threshold watches the series that match a pattern.
type Threshold struct {
	// Path is a perfmon path, * allowed: `\Network Interface(*)\Packets Received Discarded`.
	Path string
	// Below watches for values under Level; otherwise for values over it.
	Below bool
	// Level is in the series' unit, or in percent of the line rate when Percent is set.
	Level   float64
	Percent bool
	// Clear is where the alarm ends; it must be on the good side of Level. NaN: 10 % off Level.
	Clear float64
	// For is how long the value must be beyond Level before the alarm starts, in the source's time.
	For time.Duration
	// Run is a program and its arguments, started without a shell when the alarm starts; {path}, {value} and
	// {level} inside an argument are replaced. Empty: none.
	Run []string
}

// ThresholdState is how a threshold stands for one series.
type ThresholdState struct {
	Threshold
	Series int
	Alarm  bool
	Since  time.Time
}
