package dcqcn

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parameter is one of the settings of mlx5cmd -QosConfig -Dcqcn (DCQ-2; WinOF-2 manual, "RCM Parameters").
type Parameter uint8

// The parameters, with their names in the manual. RPEnable and NPEnable are eight parameters each, one for each priority.
const (
	RPEnable Parameter = 0          // DcqcnRPEnablePrio0 to 7: senders react to CNPs
	NPEnable Parameter = Priorities // DcqcnNPEnablePrio0 to 7: receivers send CNPs
)

// The parameters that apply to the whole port.
const (
	ClampTargetRate          Parameter = 2*Priorities + iota // DcqcnClampTgtRate: every cut also sets the target
	ClampTargetAfterTime                                     // DcqcnClampTgtRateAfterTimeInc: so does a cut after a timer increase
	TimeReset                                                // DcqcnRpgTimeReset: the increase timer, us; 0 stops it
	ByteReset                                                // DcqcnRpgByteReset: the byte counter, in 64 bytes; 0 stops it
	Threshold                                                // DcqcnRpgThreshold: stages of fast recovery
	AdditiveRate                                             // DcqcnRpgAiRate: step of additive increase, Mbit/s
	HyperRate                                                // DcqcnRpgHaiRate: step of hyper additive increase, Mbit/s
	AlphaToRateShift                                         // DcqcnAlphaToRateShift: a cut takes alpha / 2^shift of the rate
	MinimumDecreaseFactor                                    // DcqcnRpgMinDecFac: minimum percentage of the rate after a cut
	MinimumRate                                              // DcqcnRpgMinRate: minimum rate after a cut, Mbit/s; with the line rate, control is off
	FirstRate                                                // DcqcnRateToSetOnFirstCnp: rate after the first CNP, Mbit/s; 0 is 85% of line rate
	AlphaGain                                                // DcqcnDceTcpG: weight of a new sample in alpha, 1/1024
	AlphaWindow                                              // DcqcnDceTcpRtt: interval of alpha's updates, us
	MonitorPeriod                                            // DcqcnRateReduceMonitorPeriod: minimum interval of cuts, us
	InitialAlpha                                             // DcqcnInitialAlphaValue: alpha after the first CNP, 1/1024
	NotificationDSCP                                         // DcqcnCnpDscp: DSCP of CNPs
	NotificationPriority                                     // DcqcnCnp802pPrio: priority of CNPs where the mode below is 0
	NotificationPriorityMode                                 // DcqcnCnpPrioMode: 1 gives CNPs the priority of the marked packet
	parameterCount
)

// Priorities is the number of priorities of a port.
const Priorities = 8

// Range is a parameter's range and default from the manual.
type Range struct {
	Name              string
	Default, Min, Max uint32
	// LineRate is set if the maximum is the line rate of the port.
	LineRate bool
	// Unit is "Mbit/s", "us", "64 bytes", "1/1024", "percent" or "" where the value is a number, a flag or a code.
	Unit string
}

const flag = 1

var ranges = [parameterCount]Range{
	ClampTargetRate:          {"DcqcnClampTgtRate", 0, 0, flag, false, ""},
	ClampTargetAfterTime:     {"DcqcnClampTgtRateAfterTimeInc", 1, 0, flag, false, ""},
	TimeReset:                {"DcqcnRpgTimeReset", 100, 0, 131071, false, "us"},
	ByteReset:                {"DcqcnRpgByteReset", 400, 0, 32767, false, "64 bytes"},
	Threshold:                {"DcqcnRpgThreshold", 5, 1, 31, false, ""},
	AdditiveRate:             {"DcqcnRpgAiRate", 10, 1, 0, true, "Mbit/s"},
	HyperRate:                {"DcqcnRpgHaiRate", 100, 1, 0, true, "Mbit/s"},
	AlphaToRateShift:         {"DcqcnAlphaToRateShift", 11, 0, 11, false, ""},
	MinimumDecreaseFactor:    {"DcqcnRpgMinDecFac", 50, 0, 100, false, "percent"},
	MinimumRate:              {"DcqcnRpgMinRate", 1, 0, 0, true, "Mbit/s"},
	FirstRate:                {"DcqcnRateToSetOnFirstCnp", 3000, 0, 0, true, "Mbit/s"},
	AlphaGain:                {"DcqcnDceTcpG", 32, 0, 1023, false, "1/1024"},
	AlphaWindow:              {"DcqcnDceTcpRtt", 4, 0, 131071, false, "us"},
	MonitorPeriod:            {"DcqcnRateReduceMonitorPeriod", 32, 0, math.MaxUint32 - 1, false, "us"},
	InitialAlpha:             {"DcqcnInitialAlphaValue", 0, 0, 1023, false, "1/1024"},
	NotificationDSCP:         {"DcqcnCnpDscp", 0, 0, 63, false, ""},
	NotificationPriority:     {"DcqcnCnp802pPrio", 7, 0, Priorities - 1, false, ""},
	NotificationPriorityMode: {"DcqcnCnpPrioMode", 1, 0, flag, false, ""},
}

// All returns the parameters in the order in which mlx5cmd lists the flags, then the reaction point, then the CNPs.
func All() []Parameter {
	all := make([]Parameter, parameterCount)
	for i := range all {
		all[i] = Parameter(i)
	}
	return all
}

// Find returns the parameter with a name of the manual, ignoring case.
func Find(name string) (Parameter, bool) {
	if len(name) < len(prefix) || !strings.EqualFold(name[:len(prefix)], prefix) {
		return 0, false
	}
	for p := range parameterCount {
		if strings.EqualFold(p.Range().Name, name) {
			return p, true
		}
	}
	return 0, false
}

// prefix is the beginning of all names.
const prefix = "Dcqcn"

// Range returns name, default and limits of a parameter.
func (p Parameter) Range() Range {
	switch {
	case p < NPEnable:
		return Range{Name: prefix + "RPEnablePrio" + strconv.Itoa(int(p-RPEnable)), Max: flag}
	case p < ClampTargetRate:
		return Range{Name: prefix + "NPEnablePrio" + strconv.Itoa(int(p-NPEnable)), Max: flag}
	}
	return ranges[p]
}

// String returns the name in the manual.
func (p Parameter) String() string { return p.Range().Name }

// Parameters are the settings of a port, by Parameter.
type Parameters [parameterCount]uint32

// Defaults returns the settings of a new adapter: all priorities off (DCQ-2).
func Defaults() Parameters {
	var all Parameters
	for i := range all {
		all[i] = Parameter(i).Range().Default
	}
	return all
}

// RangeError is the error for a value that could not be stored.
type RangeError struct {
	Parameter
	// Value is the requested value, Min and Max are the limits of the parameter, Stored is its current value.
	Value, Min, Max, Stored int64
	// Clamped reports that the value was above the line rate, which was stored instead; otherwise the old value stays.
	Clamped bool
}

// Error returns the limits of the parameter and its current value.
func (e *RangeError) Error() string {
	if e.Clamped {
		return fmt.Sprintf("%v can't be %d, above the line rate; the line rate of %d Mbit/s was stored instead",
			e.Parameter, e.Value, e.Stored)
	}
	return fmt.Sprintf("%v must be %d to %d, not %d; it stays %d", e.Parameter, e.Min, e.Max, e.Value, e.Stored)
}

// Set stores a value on a port with a line rate in Mbit/s, or returns a *RangeError (DCQ-17). A rate above the line rate is an
// error too, but stores the line rate (DCQ-18).
func (values *Parameters) Set(p Parameter, value int64, lineRate uint32) error {
	r := p.Range()
	maxValue := int64(r.Max)
	if r.LineRate {
		maxValue = int64(lineRate)
	}
	if int64(r.Min) <= value && value <= maxValue {
		values[p] = uint32(value)
		return nil
	}
	clamped := r.LineRate && value > maxValue
	if clamped {
		values[p] = lineRate
	}
	return &RangeError{Parameter: p, Value: value, Min: int64(r.Min), Max: maxValue, Stored: int64(values[p]), Clamped: clamped}
}

// Reacts reports whether senders of a priority slow down for CNPs (DCQ-1).
func (values *Parameters) Reacts(priority uint8) bool {
	return values[RPEnable+Parameter(priority%Priorities)] != 0
}

// Notifies reports whether receivers of a priority answer marked packets with CNPs (DCQ-1).
func (values *Parameters) Notifies(priority uint8) bool {
	return values[NPEnable+Parameter(priority%Priorities)] != 0
}
