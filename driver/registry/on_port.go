package registry

import (
	"fmt"

	"cxdeck/device/description"
)

// OnPort returns the key with its choices on a port: *SpeedDuplex reports the speed of the port's hardware.
func (r *Row) OnPort(d *description.Port) *Row {
	const speedDuplex = "*SpeedDuplex"
	if r.Name != speedDuplex || len(r.Choices) != 1 {
		return r
	}
	own := *r
	own.Choices = []Choice{{r.Choices[0].Value, fmt.Sprintf("%d Gb/s and full duplex", d.SpeedGbps)}}
	return &own
}
