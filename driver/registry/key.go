package registry

// Key is one key of a connection or card: its meaning, its stored value, and the driver's reading of it.
type Key struct {
	Row *Row
	// Path is its registry key; empty for a setting outside the registry.
	Path string
	// Stored is the value in the registry; it does not exist for a key that is absent.
	Stored Value
	// Effective is the value in use, which the driver read when it started. It does not exist when the manuals don't give the
	// driver's behaviour without a value.
	Effective Value
	// Default is the value of a fresh installation.
	Default Value
	// Min and Max are the limits on this port; nil for an unknown limit.
	Min, Max *uint32
	// Pending reports that the stored value is not in effect yet; TakesEffect is when it will be, empty if it is.
	Pending     bool
	TakesEffect EffectTime
	// Reason is why the stored value is not used: "9999 is above the limit of 9614; 9614 is used".
	Reason string
}

// Key returns a key of a port with its stored value; current has the values in use, next the values that the driver would
// use if it read the registry now; rate is the port's nominal rate in bit/s. It does not report whether the value is pending.
func (l *Layout) Key(port int, r *Row, rate float64, stored Value, current, next *Effective) Key {
	minimum, maximum := next.Bounds(r)
	return Key{
		Row: r.OnPort(rate), Path: l.PathOf(port, r), Stored: stored, Effective: current.Reading(r).Value, Default: r.Default(l.ports[port].Link),
		Min: minimum, Max: maximum, Reason: next.Reading(r).Why,
	}
}
