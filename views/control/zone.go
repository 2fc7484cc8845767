package control

import (
	"os"
	"time"
)

// Zone is the time zone of a client's texts.
type Zone struct {
	// Name is the client's TZ variable; Set distinguishes an empty variable from a missing one.
	Name string `json:"name,omitempty"`
	Set  bool   `json:"set,omitempty"`
	// Short and Offset describe the current offset from UTC, for an unknown name. Offset is in seconds.
	Short  string `json:"short,omitempty"`
	Offset int    `json:"offset,omitempty"`
}

// LocalZone returns the zone of this process.
func LocalZone() Zone {
	z := Zone{}
	z.Name, z.Set = os.LookupEnv("TZ")
	z.Short, z.Offset = time.Now().Zone()
	return z
}

// Location resolves the zone in this process.
func (z Zone) Location() *time.Location {
	own := LocalZone()
	if z == own {
		return time.Local
	}
	if z.Set && z.Name != "" {
		if location, err := time.LoadLocation(z.Name); err == nil {
			return location
		}
	}
	return time.FixedZone(z.Short, min(max(z.Offset, -24*3600), 24*3600))
}
