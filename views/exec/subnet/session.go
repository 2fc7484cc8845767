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

// Program is a diagnostic program. Operands, Summary and Examples are of its help.
type Program struct {
	Name     string
	Operands string
	Summary  string
	// Own are its own options; it has the common ones, too, but for the letters of Without.
	Own      []Option
	Without  string
	Examples []string
	Main     func(*Session) error
}

// Session is a run of a program: its options, the port that it sends from, and what it has printed and changed. The network is
// the computer's.
type Session struct {
	*Program
	*mad.Network
	Computer  Computer
	From      infiniband.Place // the port that it sends from
	Adapter   string           // the one that -C names; "" without it
	Given     Given
	arguments []string
	By        Addressing
	manager   uint16 // LID of the manager to ask; 0 for the port's own
	Verbose   int
	showKeys  bool
	showErrs  bool
	names     map[description.GUID]string

	both, out, errs strings.Builder
	result          Result
}

// Addressing is how the address of a node is written.
type Addressing uint8

// The ways to write an address. Combined is a LID with a directed route behind it.
const (
	ByLID Addressing = iota
	ByRoute
	ByGUID
	Combined
)

// ErrUsage shows the help.
var ErrUsage = errors.New("usage")

// CodeError is an exit code without a text.
type CodeError int

// Error returns the code in words.
func (c CodeError) Error() string { return "exit " + strconv.Itoa(int(c)) }

// Printf writes on the stream of output.
func (s *Session) Printf(format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	s.out.WriteString(text)
	s.both.WriteString(text)
}

// Complain writes on the stream of errors.
func (s *Session) Complain(format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	s.errs.WriteString(text)
	s.both.WriteString(text)
}

// Warn writes a warning of a function of the program.
func (s *Session) Warn(function, format string, values ...any) {
	s.Complain("ibwarn: [%d] %s: %s\n", s.Computer.PID, function, fmt.Sprintf(format, values...))
}

// WriteFile adds a file to the result.
func (s *Session) WriteFile(name string, data []byte) {
	s.result.Files = append(s.result.Files, File{name, data})
}

// Report adds a change of the network, which was made already, to the result.
func (s *Session) Report(c Change) { s.result.Changes = append(s.result.Changes, c) }

// Printed returns everything that the program has printed.
func (s *Session) Printed() string { return s.both.String() }

// Failed is the failure of a program, which ends it.
func Failed(format string, values ...any) error { return fmt.Errorf(format, values...) }

// Has returns how often an option was given.
func (s *Session) Has(long string) int {
	n := 0
	for _, c := range s.Given.Options {
		if c.Long == long {
			n++
		}
	}
	return n
}

// Value returns the value of an option that was given last.
func (s *Session) Value(long string) string {
	text := ""
	for _, c := range s.Given.Options {
		if c.Long == long {
			text = c.Text
		}
	}
	return text
}

// Number reads a number as C programs do: decimal, 0x for hexadecimal, 0 for octal; what follows it counts for nothing.
func Number(text string) uint64 {
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

// Start runs the program with its arguments.
func (p *Program) Start(c Computer, arguments []string) Result {
	s := &Session{Program: p, Network: c.Network, Computer: c, arguments: arguments}
	err := s.prepare()
	if err == nil {
		err = p.Main(s)
	}
	var exit CodeError
	switch {
	case err == nil:
	case errors.As(err, &exit):
		s.result.Code = int(exit)
	case errors.Is(err, ErrUsage):
		s.Complain("%s", p.Usage())
		s.result.Code = 2
	default:
		s.Printf("%s: iberror: failed: %s\n", p.Name, err)
		s.result.Code = 255
	}
	s.result.Output, s.result.Standard, s.result.Errors = s.both.String(), s.out.String(), s.errs.String()
	return s.result
}

// prepare reads the options that all programs share, and finds the port to send from.
func (s *Session) prepare() error {
	g, err := s.parse(s.arguments)
	if err != nil {
		s.Complain("%s\n", err)
		return ErrUsage
	}
	s.Given = g
	port, manager := 0, ""
	for _, c := range g.Options {
		if s.isOwn(c.Option) {
			continue
		}
		switch c.Letter {
		case 'h':
			return s.Help()
		case 'V':
			s.Complain("%s 2.2.0\n", s.Name)
			return CodeError(0)
		case 'C':
			s.Adapter = c.Text
		case 'P':
			port = int(Number(c.Text))
		case 'D':
			s.By = ByRoute
		case 'L':
			s.By = ByLID
		case 'G':
			s.By = ByGUID
		case 't':
			if ms, err := strconv.ParseInt(c.Text, 0, 64); err != nil || ms <= 0 || ms > 1<<31-1 {
				return Failed("the timeout must be a whole number of ms from 1 to 2147483647, not %q", c.Text)
			}
		case 's':
			manager = c.Text
		case 'K':
			s.showKeys = true
		case 'y':
			if _, err := strconv.ParseUint(c.Text, 0, 64); err != nil {
				return Failed("Bad M_Key")
			}
		case 'e', 'd':
			s.showErrs = true
		case 'v':
			s.Verbose++
		case 'z':
			s.configure(c.Text, &port)
		}
	}
	if err := s.Attach(port); err != nil {
		return err
	}
	if manager != "" {
		lid := Number(manager)
		if lid == 0 || lid > infiniband.MaxLID {
			return Failed("cannot resolve SM destination port %s", manager)
		}
		s.manager = uint16(lid)
	}
	return nil
}

// Help shows the help that was asked for. The real programs exit with 2 then, too; to exec it is an answer.
func (s *Session) Help() error {
	s.Complain("%s", s.Usage())
	return CodeError(0)
}

func (s *Session) isOwn(o Option) bool {
	for _, own := range s.Own {
		if own.Long == o.Long {
			return true
		}
	}
	return false
}

// configure reads a configuration file, of which the adapter and the port count here. A file that is missing changes nothing.
func (s *Session) configure(name string, port *int) {
	data, _ := s.ReadFile(name)
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch {
		case strings.HasPrefix(key, "CA"):
			s.Adapter = value
		case strings.HasPrefix(key, "Port"):
			*port = int(Number(value))
		}
	}
}

// ReadFile returns the content of a file of the computer.
func (s *Session) ReadFile(name string) ([]byte, error) {
	if s.Computer.Read == nil {
		return nil, fmt.Errorf("%s: no such file", name)
	}
	return s.Computer.Read(name)
}

// Attach chooses the port to send from: the one that was named, or the first port with a link, first of all an active one.
func (s *Session) Attach(port int) error {
	best, found := infiniband.Nowhere, infiniband.State(0)
	for _, a := range s.Computer.Adapters {
		if s.Adapter != "" && s.Adapter != a.Name {
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
		name := s.Adapter
		if name == "" {
			name = "(null)"
		}
		return Failed("Failed to open '%s' port '%d'", name, port)
	}
	s.From = best
	return nil
}
