// Package netdirect has the performance tools: the Network Direct tests, such as nd_send_bw, the ping tests, NTttcp, and xcopy as a load of SMB
// Direct. ndinstall manages the providers that the Network Direct tools need.
package netdirect

import (
	_ "embed"

	"cxdeck/device/measurement"
	"cxdeck/views/exec"
)

//go:embed texts.toml
var texts string

// Family returns the commands.
func Family() *exec.Family {
	f := &exec.Family{
		Texts: texts, Tools: true,
		Commands: []exec.Command{
			{Name: "start", Min: 1, Max: exec.Any, Changes: true, Run: startServer},
			{Name: "ndinstall -i", Max: 1, Changes: true, Run: func(c *exec.Call) (exec.Answer, error) { return changeProviders(c, true) }},
			{Name: "ndinstall -r", Max: 1, Changes: true, Run: func(c *exec.Call) (exec.Answer, error) { return changeProviders(c, false) }},
			{Name: "ndinstall", Max: 1, Run: ndinstall},
			{Name: "sdk", Run: sdk},
			{Name: "xcopy", Max: exec.Any, Changes: true, Run: xcopy},
			{Name: "NTttcp", Max: exec.Any, Changes: true, Run: ntttcp},
		},
	}
	for _, t := range tests() {
		f.Commands = append(f.Commands, exec.Command{Name: t.name, Max: exec.Any, Changes: true, Run: t.run})
	}
	for _, p := range pings() {
		f.Commands = append(f.Commands, exec.Command{Name: p.name, Max: exec.Any, Changes: true, Run: p.run})
	}
	return f
}

// test is a performance test.
type test struct {
	name    string
	verb    measurement.Verb
	latency bool
	// events reports that it can wait for completions by event (-e).
	events bool
}

func tests() []test {
	return []test{
		{"nd_write_bw", measurement.Write, false, true}, {"nd_write_lat", measurement.Write, true, false},
		{"nd_read_bw", measurement.Read, false, false}, {"nd_read_lat", measurement.Read, true, false},
		{"nd_send_bw", measurement.Send, false, true}, {"nd_send_lat", measurement.Send, true, false},
	}
}
