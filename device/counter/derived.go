package counter

// derivedPort lists the counters of a port that are derived from others: the sum of sources without less, in RDMA requests.
var derivedPort = [...]struct {
	counter       Port
	sources, less []Port
}{
	{RDMAMessages, []Port{RDMAInFrames, RDMAOutFrames}, []Port{OwnFrames}},
	{ShapedTurns, []Port{ShapedFrames}, nil},
	{FreeTurns, []Port{FreeFrames}, nil},
}

// DerivePort updates the counters of a port that are derived from others. A request is of a number of frames.
func DerivePort(cells []uint64, requestFrames uint64) {
	for i := range derivedPort {
		d, sum := &derivedPort[i], uint64(0)
		for _, source := range d.sources {
			sum += cells[source]
		}
		for _, part := range d.less {
			sum -= cells[part]
		}
		cells[d.counter] = sum / requestFrames
	}
}
