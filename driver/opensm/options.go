package opensm

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/request"
)

// Version is the version of the WinOF package (WinOF manual, "OpenSM - Subnet Manager").
const Version = "3.3.11"

// Options are the options that have an effect in the lab.
type Options struct {
	// GUID is the port that OpenSM manages the subnet from; 0 for the first active port. Asks reports -g 0: the list of the ports.
	GUID description.GUID
	Asks bool
	// Priority is 0 to 15; the highest priority becomes the master.
	Priority int
	// Sweep is the time between two sweeps, 0 for none.
	Sweep time.Duration
	// Log is the path of the log, "stdout" for the console; LogLimit is its maximum size in MB, 0 for none. Erase starts it empty.
	Log      string
	LogLimit int
	Erase    bool
	// Verbose is the number of -v.
	Verbose int
	// QoS turns QoS on; Config and Policy are the files of options and of the policy, whose paths are checked when they are read.
	QoS            bool
	Config, Policy string
	// Once ends OpenSM when it has configured the subnet; Inactive never manages it.
	Once, Inactive bool
	// Service and Daemon run it without a console.
	Service, Daemon bool
	// Help and Version print and end.
	Help, Version bool
	// Unused are the options without an effect in the lab, as they were given.
	Unused []string
}

// Folder is the folder of the programs of WinOF for InfiniBand, and DefaultLog the log without -f.
const (
	Folder     = `C:\Program Files\Mellanox\MLNX_VPI\IB\Tools`
	DefaultLog = hostfiles.System + `\temp\osm.log`
	Program    = Folder + `\opensm.exe`
)

// maxPriority is the highest priority of a subnet manager (InfiniBand: four bits).
const maxPriority = 15

// defaultSweep is the time between two sweeps without -s.
const defaultSweep = 10 * time.Second

// option is an option of the command line.
type option struct {
	// letter and word are its two names; one may be empty. value describes the value, empty for a switch.
	letter, word, value, help string
	// set sets it; nil for an option that has no effect in the lab.
	set func(o *Options, text string) error
}

// number returns a setter of an integer.
func number(name string, low, high int, set func(o *Options, n int)) func(*Options, string) error {
	return func(o *Options, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < low || n > high {
			return request.Errorf("%s must be an integer from %d to %d, not %q", name, low, high, text)
		}
		set(o, n)
		return nil
	}
}

func toggle(set func(o *Options)) func(*Options, string) error {
	return func(o *Options, _ string) error { set(o); return nil }
}

// options are the options of OpenSM (its public manual page), with the switch of the Windows service.
func options() []option {
	return []option{
		{"", "version", "", "print the version", toggle(func(o *Options) { o.Version = true })},
		{"g", "guid", "GUID", "manage the subnet of this port; 0 lists the ports", setGUID},
		{"p", "priority", "0-15", "the priority among subnet managers; the highest is the master", number("the priority", 0, maxPriority, func(o *Options, n int) { o.Priority = n })},
		{"s", "sweep", "SECONDS", "the time between two sweeps, 10 by default; 0 for none", number("the time between sweeps", 0, 86_400, func(o *Options, n int) { o.Sweep = time.Duration(n) * time.Second })},
		{"o", "once", "", "configure the subnet once, and end", toggle(func(o *Options) { o.Once = true })},
		{"I", "inactive", "", "never become the master", toggle(func(o *Options) { o.Inactive = true })},
		{"f", "log_file", "FILE", "the log, " + DefaultLog + " by default; stdout for the console", setLog},
		{"L", "log_limit", "MB", "empty the log when it reaches this size", number("the size of the log", 1, 4096, func(o *Options, n int) { o.LogLimit = n })},
		{"e", "erase_log_file", "", "begin with an empty log", toggle(func(o *Options) { o.Erase = true })},
		{"v", "verbose", "", "write more to the log; not for long runs", toggle(func(o *Options) { o.Verbose++ })},
		{"V", "", "", "write everything to the log", toggle(func(o *Options) { o.Verbose = maxVerbose })},
		{"B", "daemon", "", "run in the background", toggle(func(o *Options) { o.Daemon = true })},
		{"", "service", "", "run as a service of Windows", toggle(func(o *Options) { o.Service = true })},
		{"h", "help", "", "list the options", toggle(func(o *Options) { o.Help = true })},
		{"?", "", "", "list the options", toggle(func(o *Options) { o.Help = true })},
		{"l", "lmc", "0-7", "the number of LIDs of a port, as a power of two", number("the LMC", 0, 7, func(*Options, int) {})},
		{"t", "timeout", "MS", "the timeout of a request", number("the timeout", 1, 1<<20, func(*Options, int) {})},
		{"", "retries", "N", "the repetitions of a request", number("the number of retries", 0, 1<<20, func(*Options, int) {})},
		{"", "maxsmps", "N", "the requests on the wire at a time", number("the number of requests", 0, 1<<20, func(*Options, int) {})},
		{"d", "debug", "N", "a debugging aid", number("the number of the debugging aid", 0, 1<<20, func(*Options, int) {})},
		{"D", "", "FLAGS", "what the log has, as a mask", mask},
		{"r", "reassign_lids", "", "assign all LIDs again", nil},
		{"R", "routing_engine", "NAMES", "the routing engines", nil},
		{"z", "connect_roots", "", "connect root switches", nil},
		{"A", "ucast_cache", "", "reuse routes", nil},
		{"a", "root_guid_file", "FILE", "the root switches", nil},
		{"u", "cn_guid_file", "FILE", "the compute nodes", nil},
		{"G", "io_guid_file", "FILE", "the I/O nodes", nil},
		{"H", "max_reverse_hops", "N", "the reverse hops of I/O nodes", number("the number of hops", 0, 255, func(*Options, int) {})},
		{"M", "lid_matrix_file", "FILE", "the hops between switches", nil},
		{"U", "lfts_file", "FILE", "the forwarding tables", nil},
		{"S", "sadb_file", "FILE", "the database of the subnet", nil},
		{"i", "ignore_guids", "FILE", "ports that routing does not balance", nil},
		{"x", "honor_guid2lid", "", "keep the LIDs of the cache", nil}, //nolint:misspell // the option of OpenSM
		{"P", "Pconfig", "FILE", "the partitions; in the lab they are a setting of switch ports", nil},
		{"N", "no_part_enforce", "", "let switches not check partitions", nil},
		{"Z", "part_enforce", "WORD", "where switches check partitions", nil},
		{"W", "allow_both_pkeys", "", "allow full and limited membership of a port", nil},
		{"Q", "qos", "", "set up QoS", toggle(func(o *Options) { o.QoS = true })},
		{"Y", "qos_policy_file", "FILE", "the policy of QoS, its section qos-ulps", func(o *Options, text string) error { o.Policy = text; return nil }},
		{"y", "stay_on_fatal", "", "stay after fatal errors of the fabric", nil},
		{"F", "config", "FILE", "a file of options, of which the lab has the ones of QoS and of this list", func(o *Options, text string) error { o.Config = text; return nil }},
		{"c", "create-config", "FILE", "write a file of options", nil},
		{"J", "pidfile", "FILE", "write the process id", nil},
		{"", "smkey", "KEY", "the key of the subnet manager", nil},
		{"", "subnet_prefix", "PREFIX", "the prefix of the subnet", nil},
		{"", "sm_sl", "SL", "the service level of requests", nil},
		{"", "console", "WORD", "the console of OpenSM", nil},
		{"", "log_prefix", "TEXT", "a prefix of syslog messages", nil},
	}
}

// name returns the two names of an option: "-g, --guid".
func (o *option) name() string {
	var names []string
	if o.letter != "" {
		names = append(names, "-"+o.letter)
	}
	if o.word != "" {
		names = append(names, "--"+o.word)
	}
	return strings.Join(names, ", ")
}

// maxVerbose is the verbosity of -V.
const maxVerbose = 8

func setGUID(o *Options, text string) error {
	digits := strings.TrimPrefix(strings.ToLower(text), "0x")
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return request.Errorf("a port GUID has 16 hexadecimal digits such as 0xe41d2d0300b07a12, not %q", text)
	}
	o.GUID, o.Asks = description.GUID(n), n == 0
	return nil
}

func setLog(o *Options, text string) error {
	if text == "stdout" {
		o.Log = text
		return nil
	}
	path, err := hostfiles.CleanPath(text)
	o.Log = path
	return err
}

func mask(_ *Options, text string) error {
	if _, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(text), "0x"), 16, 8); err != nil {
		return request.Errorf("-D takes a mask such as 0x43, not %q", text)
	}
	return nil
}

// find finds an option by a word of the command line: "-g", "--guid", "-maxsmps", and "-v" to any number. rest is the value after =
// or after the letter: "-p15".
func find(word string) (found *option, rest string, joined bool) {
	name, double := strings.CutPrefix(word, "--")
	if !double {
		name = strings.TrimPrefix(word, "-")
	}
	name, value, joined := strings.Cut(name, "=")
	list := options()
	i := slices.IndexFunc(list, func(o option) bool {
		return !double && o.letter == name || o.word != "" && len(name) > 1 && (o.word == name || strings.ReplaceAll(o.word, "_", "-") == name)
	})
	if i >= 0 {
		return &list[i], value, joined
	}
	if double || name == "" {
		return nil, "", false
	}
	// A letter with its value, or several switches: "-p15", "-eB".
	i = slices.IndexFunc(list, func(o option) bool { return o.letter == name[:1] })
	if i < 0 {
		return nil, "", false
	}
	return &list[i], strings.TrimPrefix(word, "-"+name[:1]), true
}

// Parse reads the arguments of OpenSM.
func Parse(words []string) (Options, error) {
	o := Options{Sweep: defaultSweep, Log: DefaultLog}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if !strings.HasPrefix(word, "-") || word == "-" {
			return o, request.Errorf("opensm takes options, not %q; opensm -h lists them", word)
		}
		for word != "" {
			found, value, joined := find(word)
			switch {
			case found == nil:
				return o, request.Errorf("opensm has no option %q; opensm -h lists them", word)
			case found.value == "" && joined:
				if strings.HasPrefix(word, "--") {
					return o, request.Errorf("%s is a switch and takes no value", word)
				}
				word = "-" + value
			case found.value == "":
				word = ""
			case !joined:
				if i++; i == len(words) {
					return o, request.Errorf("%s requires a value: %s", word, found.help)
				}
				value, word = words[i], ""
			default:
				word = ""
			}
			if found.set == nil {
				o.Unused = append(o.Unused, found.name())
				continue
			}
			if err := found.set(&o, value); err != nil {
				return o, err
			}
		}
	}
	return o, nil
}

// Usage returns the help of OpenSM.
func Usage() []string {
	lines := []string{"OpenSM " + Version, "usage: opensm [options]"}
	for _, o := range options() {
		if o.letter == "?" {
			continue
		}
		text := o.name()
		if o.value != "" {
			text += " " + o.value
		}
		help := o.help
		if o.set == nil {
			help += " (no effect in the lab)"
		}
		lines = append(lines, fmt.Sprintf("  %-34s %s", text, help))
	}
	return lines
}

// errPath is the error of Windows for a program that is not there.
var errPath = errors.New("the system cannot find the file specified: WinOF installs " + Program)

// ReadCommandLine separates the program of a service's command line, with or without quotes, from its arguments. It returns an error
// for any other program than OpenSM.
func ReadCommandLine(line string) (arguments []string, err error) {
	line = strings.TrimSpace(line)
	var program string
	if quoted, ok := strings.CutPrefix(line, `"`); ok {
		program, line, _ = strings.Cut(quoted, `"`)
	} else { // Windows tries each blank of a path without quotes
		at := strings.Index(strings.ToLower(line)+" ", ".exe ")
		if at < 0 {
			return nil, errPath
		}
		program, line = line[:at+len(".exe")], line[at+len(".exe"):]
	}
	path, err := hostfiles.CleanPath(cmp.Or(expand(program), "-"))
	if err != nil || !strings.EqualFold(path, Program) && !strings.EqualFold(path, strings.TrimSuffix(Program, ".exe")) {
		return nil, errPath
	}
	return strings.Fields(line), nil
}

// expand replaces the variable of the folder of programs.
func expand(path string) string {
	const variable = "%programfiles%"
	if len(path) >= len(variable) && strings.EqualFold(path[:len(variable)], variable) {
		return `C:\Program Files` + path[len(variable):]
	}
	return path
}
