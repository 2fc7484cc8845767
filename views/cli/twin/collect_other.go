//go:build !linux

package twin

import (
	"context"
	"errors"
	"time"
)

// Recorded is a recorded machine; none can be read here.
type Recorded struct{}

// Collect fails: the bundle is of a Linux machine.
func Collect(context.Context, string, *Recorded, time.Time, *Sampling, bool) (string, error) {
	return "", errors.New("twin collect reads a machine with Linux; on Windows run the collector that cxdeck twin script prints")
}
