package moderation

import "time"

// Profile is a preset for a kind of traffic (NIC-11; manual: registry keys RxIntModerationProfile and TxIntModerationProfile).
type Profile uint8

// The profiles, numbered as in the registry.
const (
	LowLatency Profile = 0
	Moderate   Profile = 1 // the default for sending
	Aggressive Profile = 2 // the default for receiving
)

// Setting returns the count and time of a profile. The manual gives none; these are estimates (NIC-11).
func (p Profile) Setting() Setting {
	switch p {
	case LowLatency:
		return Setting{Packets: 1}
	case Moderate:
		return Setting{Packets: 5, Time: 10 * time.Microsecond}
	default:
		return Setting{Packets: 64, Time: 32 * time.Microsecond}
	}
}

// Class classifies the traffic of a ring for interrupt moderation (NIC-12).
type Class uint8

// The classes.
const (
	Latency Class = iota
	Bandwidth
)

// String returns "latency" or "bandwidth".
func (c Class) String() string {
	if c == Bandwidth {
		return "bandwidth"
	}
	return "latency"
}

// Profile returns the profile for a class (NIC-12).
func (c Class) Profile() Profile {
	if c == Bandwidth {
		return Aggressive
	}
	return LowLatency
}

// Rates are the bounds in packets per second between the classes (NIC-12; manual: registry keys pkt_rate_low and
// pkt_rate_high).
type Rates struct {
	Low, High float64
}

// DefaultRates returns the drivers' default thresholds, in packets per second.
func DefaultRates() Rates { return Rates{Low: 150_000, High: 170_000} }

// Next returns the class after a period with a mean rate in packets per second. Between the bounds the class stays.
func (r Rates) Next(class Class, rate float64) Class {
	switch {
	case rate < r.Low:
		return Latency
	case rate > r.High:
		return Bandwidth
	}
	return class
}

// Policy holds the registry settings of a ring's interrupt moderation (NIC-9 to NIC-12; manual: registry keys
// *InterruptModeration, RxIntModeration and the profiles).
type Policy struct {
	On       bool    // *InterruptModeration
	Adaptive bool    // RxIntModeration 2; 1 is static
	Profile  Profile // of bandwidth traffic; of all traffic when it is static
}

// DefaultPolicy returns the default policy of a receive ring.
func DefaultPolicy() Policy { return Policy{On: true, Adaptive: true, Profile: Aggressive} }

// Setting returns the moderation that applies to traffic of a class.
func (p Policy) Setting(class Class) Setting {
	switch {
	case !p.On:
		return Setting{}
	case p.Adaptive && class == Latency:
		return class.Profile().Setting()
	}
	return p.Profile.Setting()
}
