package machine

import (
	"cxdeck/driver/linuxhost"
	"cxdeck/driver/linuxhost/apply"
)

func openLocalReader() (localReader, error) { return linuxhost.Open(), nil }

func openLocalTarget() (localTarget, error) { return apply.Open() }
