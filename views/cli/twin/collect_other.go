//go:build !linux

package twin

import (
	"errors"
	"time"
)

// Collect fails: the bundle is of a Linux machine.
func Collect(string, string, time.Time, bool) (string, error) {
	return "", errors.New("twin collect reads a machine with Linux; on Windows run the collector that cxdeck twin script prints")
}
