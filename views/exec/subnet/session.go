package subnet

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/mad"
	"cxdeck/device/infiniband/opensm"
)

// Adapter is a channel adapter of the computer on which a program runs.
type Adapter struct {
	Name string // "mlx4_0"
	Node int
}

// Computer is where a program runs.
type Computer struct {
	// Network is the network; a program changes it.
	Network *mad.Network
	// Adapters are the computer's own, of which the first is the usual one.
	Adapters []Adapter
	// Now is the date for headings.
	Now time.Time
	// PID is the number of the process in warnings.
	PID int
	// Read returns a file's content.
	Read func(name string) ([]byte, error)
	// Environment has the environment variables that are set, by their names in capitals.
	Environment map[string]string
}

// Result is what a program did. Output is everything that it printed; Standard and Errors are its two streams.
type Result struct {
	Output, Standard, Errors string
	Code                     int
	Changes                  []Change
	// Files are the files that it wrote, by name.
	Files []File
}

// File is a file that a program wrote.
type File struct {
	Name string
	Data []byte
}

// Change is a change of the network.
type Change struct {
	Place infiniband.Place
	// Verb is what happened to the port.
	Verb Verb
	Mode infiniband.Mode  // of SetMode
	Mask uint32           // of Clear: the counters
	To   infiniband.State // of SetState
	Role opensm.Role      // of SetRole
}

// Verb is a kind of change.
type Verb uint8

// The kinds of changes.
const (
	Enable Verb = iota
	Disable
	Reset
	SetMode
	Clear
	ClearExtended
	SetState
	SetRole // of the subnet manager at the port
)

// program is a diagnostic program.
type program struct {
	name     string
	operands string
	summary  string
	own      []option
	without  string // letters of common options that it does not have
	examples []string
	run      func(*session) error
}

// session is a run of a program.
type session struct {
	*program
	*mad.Network
	computer  Computer
	at        infiniband.Place // the port that it sends from
	adapter   string
	given     given
	arguments []string
	by        addressing
	manager   uint16 // LID of the manager to ask; 0 for the port's own
	verbose   int
	showKeys  bool
	showErrs  bool
	names     map[description.GUID]string

	both, out, errs strings.Builder
	result          Result
}

// addressing is how the address of a node is written.
type addressing uint8

const (
	byLID addressing = iota
	byRoute
	byGUID
	combined
)

// usageError shows the help.
var errUsage = errors.New("usage")

// code is an exit code without a text.
type code int

func (c code) Error() string { return "exit " + strconv.Itoa(int(c)) }

func (s *session) printf(format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	s.out.WriteString(text)
	s.both.WriteString(text)
}

// complain writes on the stream of errors.
func (s *session) complain(format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	s.errs.WriteString(text)
	s.both.WriteString(text)
}

// warn writes a warning of a function of the program.
func (s *session) warn(function, format string, values ...any) {
	s.complain("ibwarn: [%d] %s: %s\n", s.computer.PID, function, fmt.Sprintf(format, values...))
}

// failed is the failure of a program, which ends it.
func failed(format string, values ...any) error { return fmt.Errorf(format, values...) }

// has returns how often an option was given.
func (s *session) has(long string) int {
	n := 0
	for _, c := range s.given.options {
		if c.long == long {
			n++
		}
	}
	return n
}

// value returns the value of an option that was given last.
func (s *session) value(long string) string {
	text := ""
	for _, c := range s.given.options {
		if c.long == long {
			text = c.text
		}
	}
	return text
}

// number reads a number as C programs do: decimal, 0x for hexadecimal, 0 for octal; what follows it counts for nothing.
func number(text string) uint64 {
	text = strings.TrimSpace(text)
	digits, base := "0123456789", 10
	lower := strings.ToLower(text)
	switch {
	case strings.HasPrefix(lower, "0x"):
		lower, digits, base = lower[2:], "0123456789abcdef", 16
	case strings.HasPrefix(lower, "0") && len(lower) > 1:
		lower, digits, base = lower[1:], "01234567", 8
	}
	end := 0
	for end < len(lower) && strings.IndexByte(digits, lower[end]) >= 0 {
		end++
	}
	n, err := strconv.ParseUint(lower[:end], base, 64)
	if err != nil && end > 0 {
		return 1<<64 - 1
	}
	return n
}

// Names returns the names of the programs.
func Names() []string {
	var names []string
	for i := range programs {
		names = append(names, programs[i].name)
	}
	return names
}

// Summary returns what a program does, and its usage.
func Summary(name string) (summary, usage string, ok bool) {
	for i := range programs {
		if programs[i].name == name {
			return programs[i].summary, programs[i].usage(), true
		}
	}
	return "", "", false
}

// Run runs a program.
func Run(c Computer, name string, arguments []string) Result {
	for i := range programs {
		if programs[i].name == name {
			return start(&programs[i], c, arguments)
		}
	}
	return Result{Output: name + ": no such program\n", Code: 127}
}

func start(p *program, c Computer, arguments []string) Result {
	s := &session{program: p, Network: c.Network, computer: c, arguments: arguments}
	err := s.prepare()
	if err == nil {
		err = p.run(s)
	}
	var exit code
	switch {
	case err == nil:
	case errors.As(err, &exit):
		s.result.Code = int(exit)
	case errors.Is(err, errUsage):
		s.complain("%s", p.usage())
		s.result.Code = 2
	default:
		s.printf("%s: iberror: failed: %s\n", p.name, err)
		s.result.Code = 255
	}
	s.result.Output, s.result.Standard, s.result.Errors = s.both.String(), s.out.String(), s.errs.String()
	return s.result
}

// prepare reads the options that all programs share, and finds the port to send from.
func (s *session) prepare() error {
	g, err := s.parse(s.arguments)
	if err != nil {
		s.complain("%s\n", err)
		return errUsage
	}
	s.given = g
	port, manager := 0, ""
	for _, c := range g.options {
		if s.isOwn(c.option) {
			continue
		}
		switch c.letter {
		case 'h':
			return s.help()
		case 'V':
			s.complain("%s 2.2.0\n", s.name)
			return code(0)
		case 'C':
			s.adapter = c.text
		case 'P':
			port = int(number(c.text))
		case 'D':
			s.by = byRoute
		case 'L':
			s.by = byLID
		case 'G':
			s.by = byGUID
		case 't':
			if ms, err := strconv.ParseInt(c.text, 0, 64); err != nil || ms <= 0 || ms > 1<<31-1 {
				return failed("the timeout must be a whole number of ms from 1 to 2147483647, not %q", c.text)
			}
		case 's':
			manager = c.text
		case 'K':
			s.showKeys = true
		case 'y':
			if _, err := strconv.ParseUint(c.text, 0, 64); err != nil {
				return failed("Bad M_Key")
			}
		case 'e', 'd':
			s.showErrs = true
		case 'v':
			s.verbose++
		case 'z':
			s.configure(c.text, &port)
		}
	}
	if err := s.attach(port); err != nil {
		return err
	}
	if manager != "" {
		lid := number(manager)
		if lid == 0 || lid > infiniband.MaxLID {
			return failed("cannot resolve SM destination port %s", manager)
		}
		s.manager = uint16(lid)
	}
	return nil
}

// help shows the help that was asked for. The real programs exit with 2 then, too; to exec it is an answer.
func (s *session) help() error {
	s.complain("%s", s.usage())
	return code(0)
}

func (s *session) isOwn(o option) bool {
	for _, own := range s.own {
		if own.long == o.long {
			return true
		}
	}
	return false
}

// configure reads a configuration file, of which the adapter and the port count here. A file that is missing changes nothing.
func (s *session) configure(name string, port *int) {
	data, _ := s.read(name)
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch {
		case strings.HasPrefix(key, "CA"):
			s.adapter = value
		case strings.HasPrefix(key, "Port"):
			*port = int(number(value))
		}
	}
}

func (s *session) read(name string) ([]byte, error) {
	if s.computer.Read == nil {
		return nil, fmt.Errorf("%s: no such file", name)
	}
	return s.computer.Read(name)
}

// attach chooses the port to send from: the one that was named, or the first port with a link, first of all an active one.
func (s *session) attach(port int) error {
	best, found := infiniband.Nowhere, infiniband.State(0)
	for _, a := range s.computer.Adapters {
		if s.adapter != "" && s.adapter != a.Name {
			continue
		}
		node := &s.Nodes[a.Node]
		for p := node.First(); p < len(node.Ports); p++ {
			if (port == 0 || p == port) && node.Ports[p].State > found {
				best, found = infiniband.Place{Node: a.Node, Port: p}, node.Ports[p].State
			}
			if node.Kind == infiniband.Switch {
				break
			}
		}
	}
	if best == infiniband.Nowhere {
		name := s.adapter
		if name == "" {
			name = "(null)"
		}
		return failed("Failed to open '%s' port '%d'", name, port)
	}
	s.at = best
	return nil
}
