package registry

import "fmt"

// OnPort returns the key with its choices on a port with a rate in bit/s: *SpeedDuplex reports the negotiated speed.
func (r *Row) OnPort(rate float64) *Row {
	const speedDuplex = "*SpeedDuplex"
	if r.Name != speedDuplex || len(r.Choices) != 1 {
		return r
	}
	own := *r
	own.Choices = []Choice{{r.Choices[0].Value, fmt.Sprintf("%g Gb/s and full duplex", rate/1e9)}}
	return &own
}
