// Package health holds the rules of self-healing and of state dumps (model rules RES-1 to RES-3): when a sensor reports a port
// without progress, whether it may restart the port, and which of the kept dumps a new one replaces. Timers, events and
// restarts belong to the host.
package health

import "time"

// Sensor is the bit of a sensor in SHMPResetActiveSensorsMask and SHSensorsDumpMask.
type Sensor uint32

// The sensors of WinOF with a documented bit.
const (
	HardwareSend    Sensor = 0x8
	SoftwareSend    Sensor = 0x10
	SoftwareReceive Sensor = 0x40
	ReceiveError    Sensor = 0x1_0000
	SendError       Sensor = 0x2_0000
)

// The defaults of SHCheckForHangTimeInSeconds, CheckForHangCQMaxNoProgress and the masks.
const (
	DefaultInterval  = 4
	DefaultChecks    = 4
	DefaultResetMask = 0xffff_ffff
	DefaultDumpMask  = 0
)

// maxCheck bounds the seconds of the interval, which has no documented limit, so that times can't overflow; maxChecks is the
// documented limit of the number of checks.
const (
	maxCheck  = 1_000_000
	maxChecks = 1000
)

// StuckAfter returns how long a port may be without progress before the sensor reports it: an interval in seconds times a
// number of checks, and twice that for sends that the hardware completed and the driver did not handle. Values out of range
// count as the default. The two sensors of completion errors report at once.
func StuckAfter(sensor Sensor, interval, checks int64) time.Duration {
	if interval < 1 {
		interval = DefaultInterval
	}
	if checks < 1 || checks > maxChecks {
		checks = DefaultChecks
	}
	limit := time.Duration(min(interval, maxCheck)) * time.Duration(checks) * time.Second
	switch sensor {
	case SoftwareSend:
		return 2 * limit
	case ReceiveError, SendError:
		return 0
	case HardwareSend, SoftwareReceive:
	}
	return limit
}

// Resets reports whether a sensor restarts its port: its bit is in the mask. The sensor of hardware sends never does while
// the head-of-queue limit is off, where a pause may hold packets without limit; in a virtual function it always does.
func Resets(sensor Sensor, mask uint32, function, headOfQueue bool) bool {
	if sensor == HardwareSend {
		if function {
			return true
		}
		if !headOfQueue {
			return false
		}
	}
	return mask&uint32(sensor) != 0
}

// Dumps reports whether a sensor starts a dump; this does not depend on the restart.
func Dumps(sensor Sensor, mask uint32) bool { return mask&uint32(sensor) != 0 }
