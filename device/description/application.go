package description

// Application is the kind of program that an RDMA flow belongs to.
type Application uint8

// The applications. RDMA Activity counts the frames of all applications, but only the connections of SMB Direct: programs that
// use NDSPI or verbs open their queue pairs themselves.
const (
	SMBDirect Application = iota
	NDSPI
	Verbs
	// StorageSpaces is Storage Spaces Direct between the nodes of a cluster: SMB Direct, with needs of its own for lossless RDMA.
	StorageSpaces
)

// SMB reports whether the application uses SMB Direct, which falls back on TCP.
func (a Application) SMB() bool { return a == SMBDirect || a == StorageSpaces }

// Transport is the transport of an RDMA flow's queue pairs.
type Transport uint8

// The transports. Losses of the unreliable ones are not reported, and messages without a posted receive are dropped.
const (
	Reliable   Transport = iota // RC: connected, each frame is acknowledged
	Unreliable                  // UC: connected
	Datagram                    // UD
)

// application checks the application and the transport of a flow.
func (c *checker) application(f *Flow, key func(names ...any) []any) {
	c.require(f.Protocol == RDMA || f.Application == SMBDirect && f.Transport == Reliable, key("application"),
		"only an RDMA flow has an application and a transport")
	c.require(f.Transport == Reliable || f.Application == Verbs, key("transport"),
		"SMB Direct, Storage Spaces Direct and NDSPI use only reliable connections; only the application \"verbs\" can have this transport")
}
