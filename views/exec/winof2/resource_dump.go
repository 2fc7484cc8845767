package winof2

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/script"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// functionsSegment is the segment of a resource dump with the firmware load of virtual functions.
const functionsSegment = 0x5000

// Values of -NumOfObj1 that select all objects of other segments; segment 0x5000 refuses them.
const (
	allObjects    = 0xffff
	activeObjects = 0xfffe
)

// Counters of the segment by their index, -Index2.
const (
	firmwareUse    = 1
	firmwareErrors = 2
)

// dumpRow is a counter of a virtual function as JSON.
type dumpRow struct {
	Connection string `json:"connection"`
	Function   int    `json:"virtual_function"`
	Index1     int    `json:"index1"`
	Counter    string `json:"counter"`
	Value      uint64 `json:"value"`
}

// dumpRequest has the parsed options of a resource dump.
type dumpRequest struct {
	name                                    string
	segment, index1, objects, index2, depth int
	dump                                    bool
}

// readDump parses the options of mlx5cmd -dbg -ResourceDump.
func readDump(words []string) (request dumpRequest, err error) {
	request = dumpRequest{segment: -1, index1: -1, index2: -1, objects: 1, depth: 1}
	numbers := map[string]*int{
		"-segment": &request.segment, "-index1": &request.index1, "-numofobj1": &request.objects, "-index2": &request.index2,
		"-depth": &request.depth,
	}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		option := strings.ToLower(strings.Replace(word, "–", "-", 1)) // one example of the manual has a dash
		into, number := numbers[option]
		switch {
		case option == "-dump":
			request.dump = true
			continue
		case !number && option != "-name":
			return request, exec.Mistake("mlx5cmd -dbg -ResourceDump does not support %q: it takes -Dump, -Segment, -Index1, "+
				"-NumOfObj1, -Index2, "+
				"-Depth and -Name", word)
		case len(words) == 0:
			return request, exec.Mistake("%s requires a value", word)
		}
		value := words[0]
		words = words[1:]
		if !number {
			request.name = value
			continue
		}
		n, err := strconv.ParseUint(value, 0, 16)
		if err != nil {
			return request, exec.Mistake("%s must be 0 to 0xffff, not %q", word, value)
		}
		*into = int(n)
	}
	return request, request.check()
}

// check returns an error for missing options and invalid values.
func (a *dumpRequest) check() error {
	switch {
	case !a.dump:
		return exec.Mistake("mlx5cmd -dbg -ResourceDump requires -Dump")
	case a.segment != functionsSegment:
		return exec.Mistake("the lab's firmware has one segment, 0x%x; name it with -Segment", functionsSegment)
	case a.objects == allObjects || a.objects == activeObjects:
		return exec.Mistake("segment 0x%x does not take -NumOfObj1 0x%x; write the number of virtual functions",
			functionsSegment, a.objects)
	case a.objects == 0:
		return exec.Mistake("-NumOfObj1 must be at least 1")
	case a.index1 < 1:
		return exec.Mistake("-Index1 must be the number of the first virtual function plus one: 1 for VF 0")
	case a.index2 != firmwareUse && a.index2 != firmwareErrors:
		return exec.Mistake("-Index2 must be %d for FwCpuUsage or %d for Errors2FW", firmwareUse, firmwareErrors)
	case a.depth != 1:
		return exec.Mistake("segment 0x%x has a depth of 1", functionsSegment)
	}
	return nil
}

// dumpFolder is the name of a dump's folder, dumpFile the name of the file in it.
const (
	dumpFolder = "mlx5cmd-resource-dump"
	dumpFile   = "segment-0x5000.txt"
)

// resourceDump implements mlx5cmd -dbg -ResourceDump: it writes a counter of virtual functions to a file in a new folder, and
// prints the folder's name (WinOF-2 manual, "VF Monitoring"). By default it reads the first connection with virtual functions.
func resourceDump(c *exec.Call) (exec.Answer, error) {
	request, err := readDump(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	targets, err := registrykey.ToolTargets(c, description.WinOF2, "mlx5cmd -dbg -ResourceDump", request.name, false)
	if err != nil {
		return exec.Answer{}, err
	}
	var rows []dumpRow
	var at time.Time
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		at = h.Lab().Now()
		rows, err = request.read(h.Lab(), targets)
		return err
	})
	if err != nil {
		return exec.Answer{}, err
	}
	folder, err := c.Folder(dumpFolder)
	if err != nil {
		return exec.Answer{}, err
	}
	file := filepath.Join(folder, dumpFile)
	if err := c.Write([]script.File{{Path: file, Data: request.text(rows, at)}}); err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines(
		[]string{
			fmt.Sprintf("%s of %s of %s was read.", rows[0].Counter, functionsOf(rows), rows[0].Connection),
			"The dump is in the folder " + folder,
		},
		struct {
			Folder    string    `json:"folder"`
			File      string    `json:"file"`
			Functions []dumpRow `json:"virtual_functions"`
		}{folder, file, rows},
	), nil
}

// functionsOf returns the range of virtual functions in a dump: "VF 0 to VF 3".
func functionsOf(rows []dumpRow) string {
	if len(rows) == 1 {
		return fmt.Sprintf("VF %d", rows[0].Function)
	}
	return fmt.Sprintf("VF %d to VF %d", rows[0].Function, rows[len(rows)-1].Function)
}

// text formats a dump. The layout is ours; the manual shows none.
func (a *dumpRequest) text(rows []dumpRow, at time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Resource dump of %s, %s\n", exec.Clean(rows[0].Connection), at.UTC().Format(time.RFC3339))
	fmt.Fprintf(&b, "Segment 0x%x, Index2 %d (%s), Depth %d\n\n", a.segment, a.index2, rows[0].Counter, a.depth)
	fmt.Fprintf(&b, "%-8s%-6s%s\n", "Index1", "VF", rows[0].Counter)
	for _, r := range rows {
		fmt.Fprintf(&b, "0x%-6x%-6d%d\n", r.Index1, r.Function, r.Value)
	}
	return b.Bytes()
}

// read returns the counter of the requested virtual functions that exist, on the first connection with virtual functions.
func (a *dumpRequest) read(lab *device.Lab, targets []registrykey.ToolTarget) (rows []dumpRow, err error) {
	name, cell := "FwCpuUsage", counter.FunctionFirmwareUse
	if a.index2 == firmwareErrors {
		name, cell = "Errors2FW", counter.FunctionFirmwareErrors
	}
	for _, t := range targets {
		for port := range lab.Ports() {
			d, _, _ := lab.Port(port)
			count := lab.VirtualFunctions(port)
			if d.Connection != t.Connection || count == 0 {
				continue
			}
			if a.index1 > count {
				return nil, fmt.Errorf("%s has %d virtual functions, and -Index1 %d is out of range: VF 0 has index 1",
					d.Connection, count, a.index1)
			}
			for vf := a.index1 - 1; vf < min(count, a.index1-1+a.objects); vf++ {
				rows = append(rows, dumpRow{d.Connection, vf, vf + 1, name, lab.Counters()[lab.FunctionCell(port, vf, cell)]})
			}
			return rows, nil
		}
	}
	if len(targets) == 1 {
		return nil, fmt.Errorf("%s has no virtual functions", targets[0].Connection)
	}
	return nil, fmt.Errorf("no WinOF-2 connection has virtual functions")
}
