package twin

import (
	"cxdeck/device/description"
)

// addLogs fits the workloads of a twin to the logs of its host.
func addLogs(d *description.Description, logs []string) error {
	if len(logs) == 0 {
		d.Twin.Assumed = append(d.Twin.Assumed, "the workloads: none, as no Performance Monitor log was given")
	}
	return nil
}
