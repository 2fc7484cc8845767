package device

// Application is what an RDMA flow belongs to.
type Application uint8

// The applications. RDMA Activity counts the frames of all, and the connections of SMB Direct alone: whoever uses NDSPI
// or the verbs of the card without it opens its queue pairs by itself.
const (
	SMBDirect Application = iota
	NDSPI
	Verbs
)

// Transport is how the queue pairs of an RDMA flow serve it.
type Transport uint8

// The transports. Nobody answers for what is lost of the unreliable ones, and what finds no receive posted is gone.
const (
	Reliable   Transport = iota // RC: connected, each frame is acknowledged
	Unreliable                  // UC: connected
	Datagram                    // UD
)

var (
	applicationWords = [...]string{"smb-direct", "ndspi", "verbs"}
	transportWords   = [...]string{"rc", "uc", "ud"}
)

// UnmarshalText reads "smb-direct", "ndspi" or "verbs".
func (a *Application) UnmarshalText(text []byte) error {
	i, err := word(text, applicationWords[:])
	*a = Application(i)
	return err
}

// MarshalText writes it as it is read.
func (a Application) MarshalText() ([]byte, error) { return []byte(applicationWords[a]), nil }

// UnmarshalText reads "rc", "uc" or "ud".
func (t *Transport) UnmarshalText(text []byte) error {
	i, err := word(text, transportWords[:])
	*t = Transport(i)
	return err
}

// MarshalText writes it as it is read.
func (t Transport) MarshalText() ([]byte, error) { return []byte(transportWords[t]), nil }

// application checks what an RDMA flow belongs to.
func (c *checker) application(f *Flow, key func(names ...any) []any) {
	c.word(uint8(f.Application), applicationWords[:], key("application")...)
	c.word(uint8(f.Transport), transportWords[:], key("transport")...)
	c.need(f.Protocol == RDMA || f.Application == SMBDirect && f.Transport == Reliable, key("application"),
		"only an RDMA flow has an application and a transport")
	c.need(f.Transport == Reliable || f.Application == Verbs, key("transport"),
		"SMB Direct and NDSPI use reliable connections alone; only the application \"verbs\" can have this transport")
}

// ownPairs are the queue pairs of a card that flows hold beside SMB Direct: as long as they run.
func (l *Lab) ownPairs(adapter int) (n int) {
	for _, i := range l.plan.own {
		if f := &l.plan.flows[i]; l.scales[i] > 0 && l.plan.ports[f.port].adapter == adapter {
			n += f.pairs
		}
	}
	return n
}

// runs says whether the queue pairs of an RDMA flow are there: those of SMB Direct always, others as long as they are
// asked for.
func (l *Lab) runs(flow int) bool { return !l.plan.flows[flow].own || l.scales[flow] > 0 }

// starve counts what finds no receive posted at this end of a flow without reliable connections: it is gone, and no one
// is told.
func (l *Lab) starve(flow int, frames float64) {
	f := &l.plan.flows[flow]
	share := l.links[f.port].faults[FewReceives]
	if share == 0 {
		return
	}
	counter := UnreliableDiscarded
	if f.transport == Datagram {
		counter = DatagramsDiscarded
	}
	l.counters[Cell(f.port, counter)] += whole(&l.controls[2*flow+receive].Errors[0], frames*share)
}
