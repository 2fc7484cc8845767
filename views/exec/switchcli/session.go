package switchcli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/console"
)

// session is a console of the switch.
type session struct {
	box    console.Host // the real one, or a copy on which lines are tried
	parser *parser
	// home is the port at whose switch port the console was opened.
	home int
	mode mode
	// ports are the ports that portMode sets, and named their names as typed.
	ports []int
	named string
	// line is the line that runs, for the titles of changes; asked and typed are its prompt and the line without a pasted one.
	line         string
	asked, typed string
	// output and changes are of the line that runs.
	output  []string
	changes []uint64
	ended   bool
}

func newSession(b console.Host, home int) *session {
	return &session{box: b, parser: newParser(), home: home}
}

// openPort puts a session into the mode of its own port, where lines of all modes are accepted.
func (s *session) openPort() error {
	return s.box.Look(func(h *driver.Host) error {
		d, _, _ := h.Lab().Port(s.home)
		s.mode, s.ports, s.named = portMode, []int{s.home}, longName(d)
		return nil
	})
}

// longName returns the name of a switch port with its whole word: "ethernet 1/7", "ib 1/4".
func longName(d *description.Port) string {
	word := "ethernet "
	if d.Link == description.InfiniBand {
		word = "ib "
	}
	if m := portNumber().FindString(d.Switch.Name); m != "" {
		return word + m
	}
	return word + d.Switch.Name
}

// prompt is in the style of MLNX-OS.
func (s *session) prompt() string {
	switch s.mode {
	case userMode:
		return "switch > "
	case enableMode:
		return "switch # "
	case configMode:
		return "switch (config) # "
	default:
		return fmt.Sprintf("switch (config interface %s) # ", s.named)
	}
}

// printedPrompt matches the prompts of MLNX-OS and EOS before a line: "switch (config interface ethernet 1/1) # ",
// "(config-if-Et10)#", "switch>".
var printedPrompt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:([A-Za-z][\w.-]*)\s*)?(?:\((config(?:[ -][^()]*)?)\)\s*)?([>#])\s*`)
})

// withoutPrompt removes a prompt that was pasted with a line, and enters its mode.
func (s *session) withoutPrompt(line string) (string, error) {
	m := printedPrompt().FindStringSubmatch(line)
	if m == nil || m[1] == "" && m[2] == "" {
		return line, nil
	}
	line = line[len(m[0]):]
	switch {
	case m[2] == "config":
		s.mode = configMode
	case m[2] != "":
		name := strings.TrimPrefix(strings.TrimPrefix(m[2], "config-if-"), "config interface ")
		return line, s.enterPort(name)
	case m[3] == "#":
		s.mode = enableMode
	default:
		s.mode = userMode
	}
	return line, nil
}

// enterPort enters the mode of ports.
func (s *session) enterPort(name string) error {
	return s.box.Look(func(h *driver.Host) error {
		ports, err := findPorts(h, s.home, name)
		if err != nil {
			return err
		}
		s.mode, s.ports, s.named = portMode, ports, name
		if len(ports) == 1 {
			d, _, _ := h.Lab().Port(ports[0])
			s.named = longName(d)
		}
		return nil
	})
}

// Limits of a line.
const (
	maxLineBytes = 512
	maxWords     = 40
)

// run runs a line; its output is in s.output.
func (s *session) run(line string) error {
	s.output, s.changes = nil, nil
	line, err := s.withoutPrompt(strings.TrimSpace(exec.Clean(line)))
	s.asked, s.typed = s.prompt(), line
	if err != nil {
		return err
	}
	if line == "" || strings.HasPrefix(line, "!") || strings.HasPrefix(line, "#") {
		return nil
	}
	words := strings.Fields(line)
	if len(line) > maxLineBytes || len(words) > maxWords {
		return &lineError{fmt.Sprintf("%% The line is too long: it may have %d characters and %d words", maxLineBytes, maxWords)}
	}
	if asked, ok := strings.CutSuffix(line, "?"); ok {
		return s.help(asked)
	}
	form, taken, err := s.parser.parse(s.mode, words)
	if err != nil {
		return err
	}
	s.line = strings.Join(words, " ")
	return form.run(s, taken)
}

// help lists how a line may go on: after a space with its next word, or else with the word that it ends in.
func (s *session) help(asked string) error {
	words, part := strings.Fields(asked), ""
	if len(words) > 0 && !strings.HasSuffix(asked, " ") {
		words, part = words[:len(words)-1], words[len(words)-1]
	}
	lines, err := s.parser.help(s.mode, words, part)
	s.output = lines
	return err
}

func (s *session) print(format string, values ...any) {
	s.output = append(s.output, fmt.Sprintf(format, values...))
}

// change is a change of the settings of a switch port; it returns why the port can't have it.
type change func(p *setup.SwitchPort, d *description.Port) error

// set changes the settings of the ports that the console is at.
func (s *session) set(do change) error { return s.setPorts(s.ports, do) }

// setPorts changes the settings of switch ports in one plan. It says so when they are set so already.
func (s *session) setPorts(ports []int, do change) error {
	plan := driver.Plan{}
	var names []string
	err := s.box.Look(func(h *driver.Host) error {
		for _, port := range ports {
			d, _, _ := h.Lab().Port(port)
			was := h.Lab().SwitchPort(port)
			to := was
			if err := do(&to, d); err != nil {
				return err
			}
			if o, differs := fabric.Difference(d.Connection, was, to); differs {
				plan.Operations, names = append(plan.Operations, o), append(names, d.Switch.Name)
			}
		}
		return nil
	})
	if err != nil || len(plan.Operations) == 0 {
		return err
	}
	return s.apply(plan, names)
}

// apply applies a plan, with the line as its title.
func (s *session) apply(plan driver.Plan, names []string) error {
	plan.Title = fmt.Sprintf("Switch console, %s: %s", strings.Join(names, ", "), s.line)
	sequence, err := s.box.Apply(plan)
	if err != nil {
		var failure *driver.OperationError
		if errors.As(err, &failure) && failure.Unwrap() != nil {
			err = failure.Unwrap()
		}
		return &lineError{"% " + wording.UpperFirst(err.Error())}
	}
	s.changes = append(s.changes, sequence)
	return nil
}

// every returns the ports of the switch with a link.
func (s *session) every(link description.LinkType) (ports []int, err error) {
	err = s.box.Look(func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if d, _, _ := h.Lab().Port(port); d.Link == link {
				ports = append(ports, port)
			}
		}
		return nil
	})
	return ports, err
}
