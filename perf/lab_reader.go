package perf

import "cxdeck/driver"

// labReader reads the cells of a host. Several readers may share a builder while it does not grow.
type labReader struct {
	builder *labBuilder
	host    *driver.Host
	// virtuals are the virtual miniports, by the builder's numbers.
	virtuals []labVirtual
}

// newLabReader makes a reader of a host with what a builder knows.
func newLabReader(builder *labBuilder, host *driver.Host) *labReader {
	return &labReader{builder: builder, host: host}
}

// Read fills the cells, of which there are as many as the builder has.
func (r *labReader) Read(cells []int64) {
	r.locate(r.host.VirtualMiniports())
	r.fill(cells)
}

// locate takes over where the virtual miniports are now.
func (r *labReader) locate(list []driver.VirtualMiniport) {
	r.virtuals = r.builder.virtuals.places(list, r.virtuals[:0])
}

func (r *labReader) fill(cells []int64) {
	lab := r.host.Lab()
	counters := lab.Counters()
	for i := range r.builder.blocks {
		r.builder.blocks[i].run(lab, counters, r.virtuals, cells)
	}
}
