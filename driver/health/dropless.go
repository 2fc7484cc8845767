package health

import "cxdeck/device/description"

// Dropless is what happened to the dropless mode of a port.
type Dropless uint8

// A packet that waited for too long ends the mode; otherwise a request enters or leaves it.
const (
	DroplessEntered Dropless = iota
	DroplessLeft
	DroplessExpired
)

// Event returns the key of the event in the catalogue of events.
func (d Dropless) Event(family description.Family) string {
	if family == description.WinOF {
		return [...]string{"mlx4.dropless-entered", "mlx4.dropless-exited", "mlx4.delay-drop-timeout"}[d]
	}
	return [...]string{"mlx5.dropless-entered", "mlx5.dropless-exited", "mlx5.delay-drop-timeout"}[d]
}
