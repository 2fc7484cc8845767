//go:build !linux

package machine

import "errors"

var errNotLinux = errors.New("the adapters of this machine can be read and changed on Linux only")

func openLocalReader() (localReader, error) { return nil, errNotLinux }

func openLocalTarget() (localTarget, error) { return nil, errNotLinux }
