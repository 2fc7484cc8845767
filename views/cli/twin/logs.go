package twin

import (
	"fmt"
	"path/filepath"

	"cxdeck/device/description"
	"cxdeck/views/exec"
)

// noteLogs says that the twin has no workloads: those of a log are not fitted.
func noteLogs(d *description.Description, logs []string) {
	if len(logs) == 0 {
		d.Twin.Assumed = append(d.Twin.Assumed, "the workloads: none, as no Performance Monitor log was given")
	}
	for _, log := range logs {
		d.Twin.Assumed = append(d.Twin.Assumed, fmt.Sprintf("the workloads: none; the log %.100s is recognised, but its curves are not fitted", exec.Clean(filepath.Base(log))))
	}
}
