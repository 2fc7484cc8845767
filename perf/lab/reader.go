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

// Read fills the cells; their number must be Builder.Cells.
func (r *Reader) Read(cells []int64) {
	r.locate(r.host.VirtualMiniports())
	r.fill(cells)
}

// locate updates the places of the virtual miniports.
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
