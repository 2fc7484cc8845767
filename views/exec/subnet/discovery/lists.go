package discovery

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"

	"cxdeck/device/infiniband/mad"
	"cxdeck/views/exec/subnet"
)

// scriptOptions are the options of the programs that read a topology.
var (
	listOptions  = []subnet.Option{subnet.NewOption("m_key", 'y', "<key>", "management key of the requests")}
	clearOptions = []subnet.Option{subnet.NewOption("nocolor", 'N', "", "has no effect: the output has no colours")}
)

// topologyText returns the lines of a topology file, or of a new discovery.
func topologyText(s *subnet.Session) (string, error) {
	if words := s.Given.Operands; len(words) > 0 {
		data, err := s.ReadFile(words[0])
		if err != nil {
			s.Complain("cat: %s: No such file or directory\n", words[0])
			return "", subnet.CodeError(1)
		}
		return string(data), nil
	}
	scanned, ok := discoverFrom(s, subnet.Self, 0)
	if !ok {
		return "", subnet.Failed("discover failed\n")
	}
	return topologyOf(s, scanned), nil
}

// listNodes writes the nodes of some kinds in a topology.
func listNodes(kinds ...string) func(*subnet.Session) error {
	return func(s *subnet.Session) error {
		text, err := topologyText(s)
		if err != nil {
			return err
		}
		for _, kind := range kinds {
			listKind(s, text, kind)
		}
		return nil
	}
}

func listKind(s *subnet.Session, text, kind string) {
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		words := strings.Fields(line)
		if !strings.HasPrefix(line, kind) || len(words) < 3 || len(words[2]) < 20 {
			continue
		}
		_, description, _ := strings.Cut(line, "#")
		s.Printf("%s\t: 0x%s ports %s %s\n", words[0], words[2][3:19], words[1], strings.TrimLeft(description, " \t"))
	}
}

// clearNodes clears counters of all nodes of a topology: the error counters, or all.
func clearNodes(mask uint32, instead string) func(*subnet.Session) error {
	return func(s *subnet.Session) error {
		text, err := topologyText(s)
		if err != nil {
			return err
		}
		nodes, failures, isSwitch := 0, 0, false
		reset := func(lid string, port int) {
			n, err := strconv.ParseUint(lid, 10, 16)
			if err != nil || n == 0 || !s.ResetCounters(mad.ByLID(uint16(n)), mad.PortCounters, port, mask) {
				s.Printf("perfquery: iberror: failed: perf reset\n")
				failures++
			}
		}
		for lines := bufio.NewScanner(bytes.NewReader([]byte(text))); lines.Scan(); {
			line := lines.Text()
			switch {
			case strings.HasPrefix(line, "Ca"), strings.HasPrefix(line, "Switch"), strings.HasPrefix(line, "Rt"):
				nodes++
				isSwitch = strings.HasPrefix(line, "Switch")
				if isSwitch {
					_, rest, _ := strings.Cut(line, "port 0 lid ")
					lid, _, _ := strings.Cut(rest, " ")
					reset(lid, mad.AllPortsSelect)
				}
			case strings.HasPrefix(line, "[") && !isSwitch:
				number, _, _ := strings.Cut(line[1:], "]")
				port, err := strconv.Atoi(number)
				_, rest, _ := strings.Cut(line, " lid ")
				lid, _, _ := strings.Cut(rest, " ")
				if err == nil {
					reset(lid, port)
				}
			}
		}
		s.Printf("\n*** WARNING ***: this command is deprecated; Please use \"ibqueryerrors %s\"\n", instead)
		s.Printf("\n## Summary: %d nodes cleared %d errors\n", nodes, failures)
		return nil
	}
}
