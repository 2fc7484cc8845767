package description

// Application is the kind of program that an RDMA flow belongs to.
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

// application checks what an RDMA flow belongs to.
func (c *checker) application(f *Flow, key func(names ...any) []any) {
	c.need(f.Protocol == RDMA || f.Application == SMBDirect && f.Transport == Reliable, key("application"),
		"only an RDMA flow has an application and a transport")
	c.need(f.Transport == Reliable || f.Application == Verbs, key("transport"),
		"SMB Direct and NDSPI use reliable connections alone; only the application \"verbs\" can have this transport")
}
