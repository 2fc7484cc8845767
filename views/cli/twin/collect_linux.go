package twin

import (
	"time"

	"cxdeck/driver/linuxhost"
)

// Collect reads this machine, or the recorded files of another one below a folder, and writes its bundle. It changes nothing on the machine.
func Collect(path, recorded string, now time.Time, replace bool) (string, error) {
	r := linuxhost.Open
	if recorded != "" {
		r = func() *linuxhost.Reader { return linuxhost.Recorded(recorded) }
	}
	reader := r()
	defer reader.Close()
	return collect(reader.Machine(), path, now, replace)
}
