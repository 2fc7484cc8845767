// Package commands offers the InfiniBand diagnostic programs as commands on the lab's subnet, and turns what they change into Operations.
package commands

import (
	_ "embed"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/script"
	"cxdeck/driver/subnet"
	"cxdeck/views/exec"
	diagnostic "cxdeck/views/exec/subnet"
	"cxdeck/views/exec/subnet/pathcheck"
	"cxdeck/views/exec/subnet/programs"
)

//go:embed texts.toml
var texts string

// Family returns the programs as commands.
func Family() *exec.Family {
	f := &exec.Family{Texts: texts, Tools: true}
	for _, name := range append(programs.Names(), pathProgram) {
		f.Commands = append(f.Commands, exec.Command{Name: name, Max: exec.Any, Run: func(c *exec.Call) (exec.Answer, error) { return runProgram(c, name) }})
	}
	return f
}

// maxFile is the largest file that a program reads, in bytes.
const maxFile = 16 << 20

// pathProgram is the program of package pathcheck.
const pathProgram = "ibdiagpath"

// process is the number of the process in warnings: each run would have another one.
const process = 4120

// force is the word that lets a program replace files: the real ones do so always.
const force = "--force"

// programResult is the answer of a program as JSON.
type programResult struct {
	Program  string   `json:"program"`
	ExitCode int      `json:"exit_code"`
	Output   []string `json:"output"`
	Files    []string `json:"files,omitempty"`
	Changes  []string `json:"changes,omitempty"`
}

// runProgram runs a program on the subnet of the lab. What it changed in its copy becomes Operations.
func runProgram(c *exec.Call, name string) (exec.Answer, error) {
	words := slices.Clone(c.Arguments)
	replace := slices.Contains(words, force)
	words = slices.DeleteFunc(words, func(word string) bool { return word == force })
	computer, err := labComputer(c)
	if err != nil {
		return exec.Answer{}, err
	}
	before := computer.Network.Clone()
	run := programs.Run
	if name == pathProgram {
		run = func(computer diagnostic.Computer, _ string, words []string) diagnostic.Result {
			return pathcheck.Run(computer, words)
		}
	}
	result := run(computer, name, words)
	answer := programResult{Program: name, ExitCode: result.Code, Output: slices.Collect(lines(result.Output))}
	if err := writeFiles(c, result.Files, replace); err != nil {
		return exec.Answer{}, err
	}
	for _, file := range result.Files {
		answer.Files = append(answer.Files, file.Name)
	}
	plan, err := planOf(name, before, result.Changes)
	if err != nil {
		return exec.Answer{}, err
	}
	if len(plan.Operations) > 0 {
		if err := c.MayChange(name); err != nil {
			return exec.Answer{}, err
		}
		row, err := c.Do(plan)
		if err != nil {
			return exec.Answer{}, err
		}
		for _, o := range row.Operations {
			answer.Changes = append(answer.Changes, o.Does)
		}
	}
	return exec.Answer{
		Result: answer, Failed: result.Code != 0, Exit: exitOf(result.Code),
		Text: func(w io.Writer) error {
			for _, line := range answer.Output {
				if _, err := fmt.Fprintln(w, line); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}

// exitOf is the exit code of exec for one of a program: the help is a usage error, everything else a failure.
func exitOf(of int) exec.Status {
	if of == int(exec.NotUnderstood) {
		return exec.NotUnderstood
	}
	return 0
}

// lines yields the lines of an output, without control characters other than tabs.
func lines(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			for i := range parts {
				parts[i] = exec.Clean(parts[i])
			}
			if !yield(strings.Join(parts, "\t")) {
				return
			}
		}
	}
}

// writeFiles writes the files of a program.
func writeFiles(c *exec.Call, files []diagnostic.File, replace bool) error {
	if len(files) == 0 {
		return nil
	}
	var list []script.File
	for _, file := range files {
		if !replace && c.Runner.Files != nil {
			if _, err := c.Read(file.Name, maxFile); err == nil {
				return fmt.Errorf("the file %s exists already; %s replaces it", exec.Clean(file.Name), force)
			}
		}
		list = append(list, script.File{Path: file.Name, Data: file.Data})
	}
	if c.Runner.Files == nil {
		return exec.ErrNoFiles
	}
	if err := c.Runner.Files.Write(list, replace); err != nil {
		return fmt.Errorf("can't write %s: %w", exec.Clean(list[0].Path), exec.FailureReason(err))
	}
	return nil
}

// labComputer is the lab's host in its subnet.
func labComputer(c *exec.Call) (computer diagnostic.Computer, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		s, own := h.Lab().Subnet()
		if s == nil {
			return request.Errorf("the lab has no InfiniBand port; start one with --lab manual-ib")
		}
		computer.Network = &mad.Network{Fabric: s.Fabric, Managers: s.Managers, Profile: mad.Hardware()}
		computer.Now = h.Now()
		for _, at := range own {
			if at != infiniband.Nowhere && !slices.ContainsFunc(computer.Adapters, func(a diagnostic.Adapter) bool { return a.Node == at.Node }) {
				computer.Adapters = append(computer.Adapters, diagnostic.Adapter{Name: fmt.Sprintf("ibv_device%d", len(computer.Adapters)), Node: at.Node})
			}
		}
		return nil
	})
	computer.PID, computer.Environment = process, c.Runner.Environment()
	computer.Read = func(name string) ([]byte, error) {
		if c.Runner.Files == nil {
			return nil, fs.ErrNotExist
		}
		return c.Read(name, maxFile)
	}
	return computer, err
}

// planOf returns the Operations of a program's changes.
func planOf(title string, before *infiniband.Fabric, changes []diagnostic.Change) (driver.Plan, error) {
	plan := driver.Plan{Title: title}
	add := func(o driver.Operation) {
		if !slices.ContainsFunc(plan.Operations, func(other driver.Operation) bool { return other == o }) {
			plan.Operations = append(plan.Operations, o)
		}
	}
	for _, change := range changes {
		name := ""
		if change.Place.Port <= before.Of(change.Place).External() {
			name = subnet.Name(before, change.Place)
		}
		switch change.Verb {
		case diagnostic.Disable:
			add(subnet.SetPort{Port: name, Disabled: new(true)})
		case diagnostic.Enable:
			add(subnet.SetPort{Port: name, Disabled: new(false), Reset: true})
		case diagnostic.Reset:
			add(subnet.SetPort{Port: name, Disabled: new(false), Reset: true})
		case diagnostic.SetMode:
			add(subnet.SetPort{Port: name, Widths: &change.Mode.Widths, Speeds: &change.Mode.Speeds})
		case diagnostic.SetState:
			if change.To != infiniband.Down {
				return plan, request.Errorf("the subnet manager of the lab arms and activates the ports itself")
			}
			add(subnet.SetPort{Port: name, Reset: true})
		case diagnostic.Clear, diagnostic.ClearExtended:
			for _, o := range Clearing(before, change) {
				add(o)
			}
		case diagnostic.SetRole:
			if change.Role != opensm.NotActive {
				return plan, request.Errorf("a subnet manager of the lab takes its role itself; subnet manager NODE start and stop it")
			}
			add(subnet.SetManager{Node: before.Of(change.Place).Name, Running: new(false)})
		}
	}
	return plan, nil
}

// Bits of the counters of errors, and of the counters of data.
const (
	errorBits = 0x10fff
	dataBits  = 0xf000
)

// Clearing returns the Operations that clear counters. Ports without counts have nothing to clear.
func Clearing(f *infiniband.Fabric, change diagnostic.Change) (list []subnet.ClearCounters) {
	o := subnet.ClearCounters{Errors: change.Verb == diagnostic.Clear && change.Mask&errorBits != 0, Traffic: change.Verb == diagnostic.ClearExtended || change.Mask&dataBits != 0}
	node := f.Of(change.Place)
	for port := 1; port < len(node.Ports); port++ {
		if change.Place.Port != mad.AllPortsSelect && change.Place.Port != port || node.Ports[port].Counters == (infiniband.Counters{}) {
			continue
		}
		o.Port = subnet.Name(f, infiniband.Place{Node: change.Place.Node, Port: port})
		list = append(list, o)
	}
	return list
}
