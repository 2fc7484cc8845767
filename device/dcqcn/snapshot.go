package dcqcn

import "time"

// Snapshot is the state of a Flow as plain data, so that it can be saved.
type Snapshot struct {
	Current, Target, Alpha            float64
	BytesSinceIncrease                int64 `json:"Unspent"` // the name in saved labs
	AlphaFrom, MonitorFrom, TimerFrom int64
	ByteStage, TimeStage              int32
	Limited, AlphaMoves, Cuts         bool
}

// Valid reports whether the state is possible at a time in microseconds.
func (s *Snapshot) Valid(now int64) bool {
	for _, at := range []int64{s.AlphaFrom, s.MonitorFrom, s.TimerFrom} {
		if at < 0 || at > now || s.Limited && at < now-int64(time.Minute/time.Microsecond) {
			return false
		}
	}
	return s.BytesSinceIncrease >= 0 && s.ByteStage >= 0 && s.TimeStage >= 0
}

// Snapshot returns the state of the flow.
func (f *Flow) Snapshot() Snapshot {
	return Snapshot{
		Current: f.current, Target: f.target, Alpha: f.alpha, BytesSinceIncrease: f.sinceIncrease,
		AlphaFrom: f.alphaFrom, MonitorFrom: f.monitorFrom, TimerFrom: f.timerFrom,
		ByteStage: f.byteStage, TimeStage: f.timeStage, Limited: f.limited, AlphaMoves: f.alphaMoves, Cuts: f.cuts,
	}
}

// Flow returns a flow with the state of the snapshot.
func (s Snapshot) Flow() Flow {
	return Flow{
		current: s.Current, target: s.Target, alpha: s.Alpha, sinceIncrease: s.BytesSinceIncrease,
		alphaFrom: s.AlphaFrom, monitorFrom: s.MonitorFrom, timerFrom: s.TimerFrom,
		byteStage: s.ByteStage, timeStage: s.TimeStage, limited: s.Limited, alphaMoves: s.AlphaMoves, cuts: s.Cuts,
	}
}
