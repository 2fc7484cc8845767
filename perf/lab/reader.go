package lab

import "cxdeck/driver"

// Reader reads the cells of a host. Several readers may share a builder while it does not grow.
type Reader struct {
	builder *Builder
	host    *driver.Host
	// virtuals are the virtual miniports, by the builder's numbers.
	virtuals []virtualPlace
}

// NewReader makes a reader of a host with the series of a builder.
func NewReader(builder *Builder, host *driver.Host) *Reader {
	return &Reader{builder: builder, host: host}
}

// Read fills the cells, of which there are as many as the builder has.
func (r *Reader) Read(cells []int64) {
	r.locate(r.host.VirtualMiniports())
	r.fill(cells)
}

// locate takes over where the virtual miniports are now.
func (r *Reader) locate(list []driver.VirtualMiniport) {
	r.virtuals = r.builder.virtuals.places(list, r.virtuals[:0])
}

func (r *Reader) fill(cells []int64) {
	lab := r.host.Lab()
	counters := lab.Counters()
	for i := range r.builder.blocks {
		r.builder.blocks[i].run(lab, counters, r.virtuals, cells)
	}
}
