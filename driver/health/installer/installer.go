// Package installer holds the installer of the driver packages: the results that it can have, as rows of results.json, and
// the Operation that runs it. The installed version is the version of the lab's description: set-up repairs it.
package installer

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/driver/operation"
	"cxdeck/driver/request"
	"cxdeck/driver/table"
)

//go:embed results.json
var resultTable string

// Result is a result of the installer.
type Result struct {
	// Name is the operator's word: "fatal-error"; What is a clause.
	Name string `json:"name"`
	What string `json:"what"`
	// Event is what it logs, Code its return code; both are empty for success.
	Event string `json:"event"`
	Code  int    `json:"code"`
	// Reloads reports that the driver is loaded again in spite of it.
	Reloads bool `json:"reloads"`
	// Driver limits it to the package of one driver.
	Driver string `json:"driver"`
}

// Results returns all results, success first.
func Results() []Result { return results() }

var results = sync.OnceValue(func() []Result {
	list, err := table.Read[[]Result](resultTable)
	if err != nil {
		panic("installer: the embedded results are damaged: " + err.Error()) // a test reads them: this can't ship
	}
	return list
})

// Find returns a result by its name, nil for none.
func Find(name string) *Result {
	list := Results()
	at := slices.IndexFunc(list, func(r Result) bool { return r.Name == name })
	if at < 0 {
		return nil
	}
	return &list[at]
}

// The platforms of packages.
const (
	Platform64 = "x64"
	Platform32 = "x86"
)

// Host is the part of the host that the installer uses.
type Host interface {
	// DriverPorts returns the ports of a driver: "mlx4" or "mlx5".
	DriverPorts(driver string) ([]int, error)
	// ReloadDriver loads the driver of some ports again.
	ReloadDriver(ports []int)
	// Note logs an event of the catalogue.
	Note(port int, event string, values ...string)
}

// Operation runs the installer.
type Operation = operation.Of[Host]

// Run runs the installer of a driver package. It can't be undone.
type Run struct {
	// Driver is the driver of the package: "mlx4" or "mlx5".
	Driver string `json:"driver"`
	// Platform is the platform of the package, x64 if empty. The host is x64.
	Platform string `json:"platform,omitempty"`
	// Result is the name of the result, a fault of the host; empty for the result that the package has.
	Result string `json:"result,omitempty"`
}

// Kind implements driver.Operation.
func (Run) Kind() string { return "run-installer" }

// Target implements driver.Operation.
func (o Run) Target() string { return o.Driver }

// Describe implements driver.Operation.
func (o Run) Describe() string {
	text := "run the installer of the driver " + o.Driver
	if o.Platform != "" && o.Platform != Platform64 {
		text += " for " + o.Platform
	}
	if o.Result != "" {
		text += ", which ends with " + o.Result
	}
	return text
}

// Commands returns the silent installation of the manual.
func (o Run) Commands() []string {
	name := "MLNX_VPI_WinOF-<version>_All_win2016_"
	if o.Driver == "mlx5" {
		name = "MLNX_WinOF2-<version>_All_"
	}
	platform := o.Platform
	if platform == "" {
		platform = Platform64
	}
	return []string{name + platform + ".exe /S /v/qn"}
}

// Outcome returns the result that the run has.
func (o Run) Outcome() *Result {
	switch {
	case o.Platform == Platform32:
		return Find("wrong-platform")
	case o.Result == "":
		return Find("ok")
	}
	return Find(o.Result)
}

// Restarts reports that the run restarts several adapters; see driver.Restarter.
func (Run) Restarts() string { return "" }

// Touches is empty: a run leaves the settings of the host as they were.
func (Run) Touches() []string { return nil }

// Inverse is nil: a run can't be undone.
func (o Run) Inverse(h Host) (Operation, error) {
	if _, err := h.DriverPorts(o.Driver); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"", Platform64, Platform32}, o.Platform) {
		return nil, request.Errorf("the platform of a package is %s or %s, not %q", Platform64, Platform32, o.Platform)
	}
	switch r := o.Outcome(); {
	case r == nil:
		var names []string
		for _, result := range Results() {
			names = append(names, result.Name)
		}
		return nil, request.Errorf("the installer has no result %q; choose from %s", o.Result, strings.Join(names, ", "))
	case r.Driver != "" && r.Driver != o.Driver:
		return nil, fmt.Errorf("%s is a result of the package of %s only", r.Name, r.Driver)
	}
	return nil, nil
}

// Apply runs the program.
func (o Run) Apply(h Host) error {
	ports, err := h.DriverPorts(o.Driver)
	if err != nil {
		return err
	}
	r := o.Outcome()
	if r.Event != "" {
		h.Note(ports[0], r.Event)
	}
	if r.Reloads {
		h.ReloadDriver(ports)
	}
	return nil
}
