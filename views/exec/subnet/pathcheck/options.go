package pathcheck

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/infiniband/mad"
)

// option is an option of the program. value names its value, and is empty for a flag; variable is the environment variable that gives the
// value by default.
type option struct{ name, value, variable, help string }

var options = []option{
	{"-n", "<[src-name,]dst-name>", "", "names of the ports in the topology file; the local port is the source by default"},
	{"-l", "<[src-lid,]dst-lid>", "", "LIDs of the ports; the local port is the source by default"},
	{"-d", "<p1,p2,p3,...>", "", "output ports of a directed route from the local port"},
	{"-c", "<count>", "", "number of packets to send over each link (default 100)"},
	{"-v", "", "", "print the check of each port"},
	{"-t", "<topo-file>", "IBDIAG_TOPO_FILE", "topology file of ibnetdiscover"},
	{"-s", "<sys-name>", "IBDIAG_SYS_NAME", "name of this host in the topology file"},
	{"-i", "<dev-index>", "IBDIAG_DEV_IDX", "index of the local device, from 0, or its name"},
	{"-p", "<port-num>", "IBDIAG_PORT_NUM", "port of the local device"},
	{"-o", "<out-dir>", "", "directory of ibdiagpath.log and ibdiagpath.pm"},
	{"-lw", "<1x|4x|8x|12x>", "", "expected width of the links"},
	{"-ls", "<2.5|5|10|14|25>", "", "expected speed of the links"},
	{"-sl", "<service level>", "", "service level that the path must carry"},
	{"-pm", "", "", "write all counters into ibdiagpath.pm"},
	{"-pc", "", "", "clear the counters of the path"},
	{"-P", "<counter=limit>", "", "report a counter above this limit; all=limit is for all counters"},
	{"-h", "", "", "show this help"},
	{"-V", "", "", "show the version"},
	{"--vars", "", "", "show the environment variables and their values"},
}

const defaultPackets = 100

// given are the options of a run.
type given struct {
	values map[string]string
	limits map[string]uint64 // of counters, by the names of ibutils
	count  int
	level  int // service level; -1 without one
	lids   []uint16
	ports  []uint8
	names  []string
}

func (g *given) has(name string) bool {
	_, ok := g.values[name]
	return ok
}

// Usage is the help of the program.
func Usage() string {
	var b strings.Builder
	b.WriteString("\nUsage: ibdiagpath {-n <[src-name,]dst-name> | -l <[src-lid,]dst-lid> | -d <p1,p2,p3,...>} [options]\n\nOptions:\n")
	for _, o := range options {
		fmt.Fprintf(&b, "  %-26s %s", strings.TrimSpace(o.name+" "+o.value), o.help)
		if o.variable != "" {
			b.WriteString(" (or the variable " + o.variable + ")")
		}
		b.WriteString("\n")
	}
	b.WriteString("\nExit codes: 1 the path is unhealthy, 2 an option is invalid, 3 the path has more than 64 links, 4 the forwarding\n" +
		"tables do not lead to the destination, 5 the topology file cannot be used.\n")
	return b.String()
}

// parse reads the arguments; environment has the values of variables.
func parse(arguments []string, environment map[string]string) (*given, error) {
	g := &given{values: map[string]string{}, limits: map[string]uint64{}, count: defaultPackets, level: -1}
	for i := 0; i < len(arguments); i++ {
		name := arguments[i]
		if name == "--help" || name == "--version" {
			name = map[string]string{"--help": "-h", "--version": "-V"}[name]
		}
		at := slices.IndexFunc(options, func(o option) bool { return o.name == name })
		if at < 0 {
			return nil, fmt.Errorf("unknown option %q", arguments[i])
		}
		if options[at].value == "" {
			g.values[name] = ""
			continue
		}
		if i++; i == len(arguments) {
			return nil, fmt.Errorf("%s requires a value: %s", name, options[at].value)
		}
		if name == "-P" {
			if err := g.limit(arguments[i]); err != nil {
				return nil, err
			}
		}
		g.values[name] = arguments[i]
	}
	for _, o := range options {
		if value := environment[o.variable]; o.variable != "" && value != "" && !g.has(o.name) {
			g.values[o.name] = value
		}
	}
	return g, g.check()
}

// limit reads a limit of a counter.
func (g *given) limit(text string) error {
	name, value, _ := strings.Cut(text, "=")
	limit, err := strconv.ParseUint(value, 0, 64)
	if err != nil {
		return fmt.Errorf("-P takes a counter and a limit, such as symbol_error_counter=10, not %q", text)
	}
	if name != "all" && !slices.ContainsFunc(mad.Counters, func(c mad.Counter) bool { return c.Bits > 0 && c.ThresholdName() == name }) {
		return fmt.Errorf("unknown counter %q", name)
	}
	g.limits[name] = limit
	return nil
}

// check reads the values of the options. The help, the version and the variables need no path.
func (g *given) check() error {
	if g.has("-h") || g.has("-V") || g.has("--vars") {
		return nil
	}
	addresses := 0
	for _, name := range []string{"-n", "-l", "-d"} {
		if g.has(name) {
			addresses++
		}
	}
	if addresses != 1 {
		return fmt.Errorf("the path requires one of -n, -l and -d")
	}
	for _, number := range []struct {
		name     string
		min, max int
		into     *int
	}{{"-c", 1, 1_000_000, &g.count}, {"-sl", 0, 15, &g.level}, {"-p", 1, 254, new(int)}} {
		text := g.values[number.name]
		n, err := strconv.Atoi(text)
		if g.has(number.name) && (err != nil || n < number.min || n > number.max) {
			return fmt.Errorf("%s must be a number from %d to %d, not %q", number.name, number.min, number.max, text)
		}
		if g.has(number.name) {
			*number.into = n
		}
	}
	switch width, speed := strings.ToLower(g.values["-lw"]), g.values["-ls"]; {
	case g.has("-lw") && !slices.Contains([]string{"1x", "4x", "8x", "12x"}, width):
		return fmt.Errorf("-lw takes 1x, 4x, 8x or 12x, not %q", width)
	case g.has("-ls") && speeds[speed] == "":
		return fmt.Errorf("-ls takes 2.5, 5, 10, 14 or 25, not %q", speed)
	case g.has("-n") && g.values["-t"] == "":
		return fmt.Errorf("-n requires a topology file: -t, or the variable IBDIAG_TOPO_FILE")
	}
	return g.address()
}

// address reads the ends of the path.
func (g *given) address() error {
	const maxLID = 0xbfff
	words := func(name string) []string { return strings.Split(g.values[name], ",") }
	switch {
	case g.has("-n"):
		if g.names = words("-n"); len(g.names) > 2 || slices.Contains(g.names, "") {
			return fmt.Errorf("-n takes one or two names, separated by a comma, not %q", g.values["-n"])
		}
	case g.has("-l"):
		for _, word := range words("-l") {
			lid, err := strconv.ParseUint(word, 0, 16)
			if err != nil || lid == 0 || lid > maxLID {
				return fmt.Errorf("-l takes LIDs from 1 to %d, not %q", maxLID, word)
			}
			g.lids = append(g.lids, uint16(lid))
		}
		if len(g.lids) > 2 {
			return fmt.Errorf("-l takes one or two LIDs, not %d", len(g.lids))
		}
	default:
		for _, word := range words("-d") {
			port, err := strconv.ParseUint(word, 10, 8)
			if err != nil || port == 0 || port == 255 {
				return fmt.Errorf("-d takes the numbers of output ports, from 1 to 254, not %q", word)
			}
			g.ports = append(g.ports, uint8(port))
		}
		if g.has("-p") && g.values["-p"] != strconv.Itoa(int(g.ports[0])) {
			return fmt.Errorf("the directed route begins at port %d, and -p names port %s", g.ports[0], g.values["-p"])
		}
	}
	return nil
}
