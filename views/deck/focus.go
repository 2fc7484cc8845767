package deck

import "time"

// Focus asks the Counters screen to show certain instances; it is the argument of ui.Go("counters", Focus{...}).
type Focus struct {
	// Instances are perfmon instances: the counters of these come up.
	Instances []string
	// Title says whose counters they are: "Ethernet 7".
	Title string
	// At is the source's time to put the cursor on; zero for none.
	At time.Time
}
