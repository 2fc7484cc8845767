package exec

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/device"
	"cxdeck/driver"
)

// functionsSegment is the segment of a resource dump that has what virtual functions cost the firmware.
const functionsSegment = 0x5000

// The counts of objects that mean all of them in other segments, and that this one refuses.
const (
	allObjects    = 0xffff
	activeObjects = 0xfffe
)

// The counters of the segment, by their index.
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

// dumpAsked is what a resource dump was asked for.
type dumpAsked struct {
	name                                    string
	segment, index1, objects, index2, depth int
	dump                                    bool
}

// readDump reads the options of mlx5cmd -dbg -ResourceDump.
func readDump(words []string) (asked dumpAsked, err error) {
	asked = dumpAsked{segment: -1, index1: -1, index2: -1, objects: 1, depth: 1}
	numbers := map[string]*int{
		"-segment": &asked.segment, "-index1": &asked.index1, "-numofobj1": &asked.objects, "-index2": &asked.index2,
		"-depth": &asked.depth,
	}
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		option := strings.ToLower(strings.Replace(word, "–", "-", 1)) // the manual has a dash in one place
		into, number := numbers[option]
		switch {
		case option == "-dump":
			asked.dump = true
			continue
		case !number && option != "-name":
			return asked, mistake("mlx5cmd -dbg -ResourceDump does not know %q: it takes -Dump, -Segment, -Index1, "+
				"-NumOfObj1, -Index2, "+
				"-Depth and -Name", word)
		case len(words) == 0:
			return asked, mistake("%s needs a value", word)
		}
		value := words[0]
		words = words[1:]
		if !number {
			asked.name = value
			continue
		}
		n, err := strconv.ParseUint(value, 0, 16)
		if err != nil {
			return asked, mistake("%s takes a number from 0 to 0xffff, and %q is none", word, value)
		}
		*into = int(n)
	}
	return asked, asked.check()
}

// check says what of it there is no dump for.
func (a *dumpAsked) check() error {
	switch {
	case !a.dump:
		return mistake("mlx5cmd -dbg -ResourceDump needs -Dump")
	case a.segment != functionsSegment:
		return mistake("the lab's firmware has one segment, 0x%x; name it with -Segment", functionsSegment)
	case a.objects == allObjects || a.objects == activeObjects:
		return mistake("segment 0x%x does not take -NumOfObj1 0x%x; write how many virtual functions you want",
			functionsSegment, a.objects)
	case a.objects == 0:
		return mistake("-NumOfObj1 is at least 1")
	case a.index1 < 1:
		return mistake("-Index1 is the number of the first virtual function plus one, so 1 for VF 0")
	case a.index2 != firmwareUse && a.index2 != firmwareErrors:
		return mistake("-Index2 is %d for FwCpuUsage or %d for Errors2FW", firmwareUse, firmwareErrors)
	case a.depth != 1:
		return mistake("segment 0x%x has a depth of 1", functionsSegment)
	}
	return nil
}

// resourceDump is mlx5cmd -dbg -ResourceDump: one counter of several virtual functions. Without a name it is of the
// first connection that has some.
func resourceDump(c *call) (answer, error) {
	asked, err := readDump(c.arguments)
	if err != nil {
		return answer{}, err
	}
	targets, err := c.toolTargets(device.WinOF2, "mlx5cmd -dbg -ResourceDump", asked.name, false)
	if err != nil {
		return answer{}, err
	}
	rows := []dumpRow{}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		rows, err = asked.read(h.Lab(), targets)
		return err
	})
	return answer{
		result: struct {
			Functions []dumpRow `json:"virtual_functions"`
		}{rows},
		text: func(w io.Writer) error {
			t := newTable(w, "CONNECTION", "VF", "INDEX1", "COUNTER", "VALUE")
			for _, r := range rows {
				t.row(r.Connection, strconv.Itoa(r.Function), fmt.Sprintf("0x%x", r.Index1), r.Counter,
					strconv.FormatUint(r.Value, 10))
			}
			return t.Flush()
		},
	}, err
}

// read reads the counter of the virtual functions that were asked for and are there.
func (a *dumpAsked) read(lab *device.Lab, targets []toolTarget) (rows []dumpRow, err error) {
	counter, cell := "FwCpuUsage", device.FunctionFirmwareUse
	if a.index2 == firmwareErrors {
		counter, cell = "Errors2FW", device.FunctionFirmwareErrors
	}
	for _, t := range targets {
		for port := range lab.Ports() {
			d, _, _ := lab.Port(port)
			count := lab.VirtualFunctions(port)
			if d.Connection != t.connection || count == 0 {
				continue
			}
			if a.index1 > count {
				return nil, fmt.Errorf("%s has %d virtual functions, and -Index1 %d is none of them: VF 0 has index 1",
					d.Connection, count, a.index1)
			}
			for vf := a.index1 - 1; vf < min(count, a.index1-1+a.objects); vf++ {
				rows = append(rows, dumpRow{d.Connection, vf, vf + 1, counter, lab.Counters()[lab.FunctionCell(port, vf, cell)]})
			}
			return rows, nil
		}
	}
	if len(targets) == 1 {
		return nil, fmt.Errorf("%s has no virtual functions", targets[0].connection)
	}
	return nil, fmt.Errorf("no connection of WinOF-2 has virtual functions")
}

// features is mlx5cmd -Features. Of its output the manual gives one line, which says whether virtual functions are
// watched: those of the connection that is named, or of any.
func features(c *call) (answer, error) {
	name := ""
	switch {
	case len(c.arguments) == 0:
	case len(c.arguments) == 2 && strings.EqualFold(c.arguments[0], "-Name"):
		name = c.arguments[1]
	default:
		return answer{}, mistake("mlx5cmd -Features takes -Name NAME, or nothing")
	}
	targets, err := c.toolTargets(device.WinOF2, "mlx5cmd -Features", name, false)
	if err != nil {
		return answer{}, err
	}
	on := false
	for _, t := range targets {
		for i := range t.keys {
			k := &t.keys[i]
			on = on || k.Row.Name == "VfCpuMonEnable" && k.Effective.Number() == 1
		}
	}
	state := map[bool]string{true: "Enabled", false: "Disabled"}[on]
	return answer{
		result: struct {
			State string `json:"state"`
		}{state},
		text: func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "State: %s\n", state)
			return err
		},
	}, nil
}
