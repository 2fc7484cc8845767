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
	// Pending reports that the stored value is not in effect yet; Until is the moment when it takes effect, empty otherwise.
	Pending bool
	Until   Moment
	// Why is the reason why the stored value is not used: "9999 is above the limit of 9614; 9614 is used".
	Why string
}

// Key returns a key of a port with its stored value; now are the values in use, would the values that the driver would use if
// it read the registry now. It does not report whether the value is pending.
func (l *Layout) Key(port int, r *Row, stored Value, now, would *Effective) Key {
	d := l.ports[port].Port
	minimum, maximum := would.Bounds(r)
	return Key{
		Row: r.OnPort(d), Path: l.PathOf(port, r), Stored: stored, Effective: now.Reading(r).Value, Default: r.Default(d.Link),
		Min: minimum, Max: maximum, Why: would.Reading(r).Why,
	}
}
