package machine

import (
	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
)

func openLocalReader() (localReader, error) { return linuxhost.Open(), nil }

// OpenTarget opens this machine for changes.
func OpenTarget() (apply.Closing, error) { return apply.Open() }
