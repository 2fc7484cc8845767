package infiniband

import (
	"bytes"
	"strconv"
	"strings"

	"cxdeck/device/infiniband/opensm"
	"cxdeck/driver/request"
	"cxdeck/driver/subnet"
	"cxdeck/views/exec"
)

// link moves a cable, or sets its rate of errors.
func link(c *exec.Call, in *struct{ Port, State string }) (exec.Answer, error) {
	o := subnet.SetLink{Port: in.Port}
	switch word := strings.ToLower(in.State); word {
	case "in", "out":
		o.Unplugged = new(word == "out")
	default:
		rate, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return exec.Answer{}, exec.Mistake("a cable must be in, out, or a number of symbol errors a second, not %q", in.State)
		}
		o.SymbolErrors = &rate
	}
	return c.ApplyOne(o)
}

// maxPartitionsFile is the largest partitions.conf, in bytes.
const maxPartitionsFile = 1 << 20

// manager starts, stops or changes the subnet manager on a node.
func manager(c *exec.Call, in *struct {
	Node, State string
	Priority    *int   `flag:"priority" is:"a priority" range:"0 15"`
	Routing     string `flag:"routing"`
	Partitions  string `flag:"partitions"`
}) (exec.Answer, error) {
	o := subnet.SetManager{Node: in.Node}
	switch word := strings.ToLower(in.State); word {
	case "":
	case "start", "stop":
		o.Running = new(word == "start")
	default:
		return exec.Answer{}, exec.Mistake("a subnet manager can start or stop, not %q", in.State)
	}
	if in.Priority != nil {
		o.Priority = new(uint8(*in.Priority))
	}
	if in.Routing != "" {
		o.Routing = new(opensm.Engine(strings.ToLower(in.Routing)))
	}
	if in.Partitions != "" {
		text, err := c.Read(in.Partitions, maxPartitionsFile)
		if err != nil {
			return exec.Answer{}, err
		}
		list, err := opensm.ReadPartitions(bytes.NewReader(text))
		if err != nil {
			return exec.Answer{}, request.Errorf("%v", err)
		}
		o.Partitions = &list
	}
	return c.ApplyOne(o)
}
