package cli

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"cxdeck/driver/request"
	"cxdeck/themes"
	"cxdeck/views/cli/labs"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/settings"
)

// defaultWait is the default of --wait: the time that exec waits for a host that another cxdeck owns.
const defaultWait = 10 * time.Second

// options has the merged values of flags and configuration file; flags take precedence.
type options struct {
	source, labFile string
	seed            uint64
	speed           float64
	speedGiven      bool
	interval        time.Duration
	intervalGiven   bool
	count           int
	format          string
	list            bool
	json, keepGoing bool
	wait            time.Duration

	db        string
	ephemeral bool

	theme, glyphs, screen                           string
	readOnly, lowBandwidth, noMouse, plain, inBytes bool

	logFile       string
	help, version bool

	settings settings.Settings
}

// parse parses the flags of the session's command, reads the configuration file, and merges them.
func (s *session) parse(arguments []string) error {
	set := pflag.NewFlagSet("cxdeck "+s.command.name, pflag.ContinueOnError)
	set.SortFlags = false
	set.Usage = func() {}
	rows := s.command.rows()
	for _, row := range rows {
		if row.value == "" {
			set.BoolP(row.name, row.short, false, row.help)
		} else {
			set.StringP(row.name, row.short, "", row.help)
		}
	}
	s.flags = set
	var rest []string
	if s.command.split {
		arguments, rest = splitFlags(rows, arguments)
	}
	if err := set.Parse(arguments); err != nil {
		return flagMistake(err, rows)
	}
	s.arguments = append(set.Args(), rest...)
	s.options.help, s.options.version = s.isOn("help"), s.isOn("version")
	if s.options.help || s.options.version {
		return nil
	}
	if s.command.name == "" && len(s.arguments) > 0 {
		_, err := findCommand(commands(), s.arguments[0])
		if err != nil {
			return err
		}
		return mistake("the command %s must come first: cxdeck %s ...", s.arguments[0], s.arguments[0])
	}
	for _, name := range [...]string{"config", "db", "lab", "log", "web-config"} {
		if value, isSet := s.text(name); isSet && value == "" {
			return mistake("--%s requires the name of a file, and the name given is empty", name) // such as an unset variable in a script
		}
	}
	if err := s.readSettings(); err != nil {
		return err
	}
	return s.merge()
}

// splitFlags separates the flags of the rows with their values from the other arguments, which keep their order. After
// -- nothing is a flag; a -- within the rest stays. After the name of a vendor tool, --help belongs to the tool.
func splitFlags(rows []flagRow, arguments []string) (flags, rest []string) {
	for i := 0; i < len(arguments); i++ {
		word := arguments[i]
		if word == "--" {
			if len(rest) == 0 {
				i++ // drop the --
			}
			return flags, append(rest, arguments[i:]...)
		}
		name, _, hasValue := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		if len(rest) > 0 && (word == "--help" || word == "-h") && catalog.Commands().HasOwnHelp(rest[0]) {
			rest = append(rest, word)
			continue
		}
		at := slices.IndexFunc(rows, func(row flagRow) bool {
			return strings.HasPrefix(word, "--") && row.name == name || row.short != "" && word == "-"+row.short
		})
		if at < 0 {
			rest = append(rest, word)
			continue
		}
		flags = append(flags, word)
		if rows[at].value != "" && !hasValue && i+1 < len(arguments) {
			i++
			flags = append(flags, arguments[i])
		}
	}
	return flags, rest
}

// rows returns the flags of a command, in the table's order.
func (c command) rows() []flagRow {
	var rows []flagRow
	for _, row := range flags() {
		for _, name := range c.flags {
			if row.name != name {
				continue
			}
			if row.name == "format" {
				row = c.formatRow(row)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// formatRow returns the row of --format with the words of the command.
func (c command) formatRow(row flagRow) flagRow {
	last := len(c.formats) - 1
	row.words = func() []string { return c.formats }
	row.help += ": " + strings.Join(c.formats[:last], ", ") + " or " + c.formats[last] + " (default " + c.formats[0] + ")"
	return row
}

// flagMistake turns an error of the flag library into a sentence with the nearest flag.
func flagMistake(err error, rows []flagRow) error {
	var unknown *pflag.NotExistError
	var noValue *pflag.ValueRequiredError
	var wrong *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		for _, row := range rows {
			names = append(names, row.name)
		}
		name := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			return mistake("unknown flag -%s; --help lists the flags", name)
		}
		if near := request.Nearest(name, names); near != "" {
			return mistake("unknown flag --%s; did you mean --%s?", name, near)
		}
		return mistake("unknown flag --%s; --help lists the flags", name)
	case errors.As(err, &noValue):
		return mistake("the flag --%s requires a value; see --help", noValue.GetSpecifiedName())
	case errors.As(err, &wrong):
		return mistake("--%s is a switch and takes no value, not %q", wrong.GetFlag().Name, wrong.GetValue())
	}
	return mistake("the command line can't be read: %v; --help shows the syntax", err)
}

func (s *session) isOn(name string) bool {
	f := s.flags.Lookup(name)
	return f != nil && f.Value.String() == "true"
}

// text returns the value of a flag; isSet is false if the flag was not typed.
func (s *session) text(name string) (value string, isSet bool) {
	f := s.flags.Lookup(name)
	if f == nil {
		return "", false
	}
	return f.Value.String(), f.Changed
}

func (s *session) readSettings() error {
	path, given := s.text("config")
	if s.flags.Lookup("config") == nil {
		return nil
	}
	if !given {
		path = filepath.Join(xdg.ConfigHome, "cxdeck", "config.toml")
	}
	loaded, err := settings.Load(path, screenWords())
	var wrong *settings.MistakeError
	switch {
	case err == nil:
		s.options.settings = loaded
		return nil
	case errors.Is(err, fs.ErrNotExist) && !given:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return mistake("there is no configuration file %s; check the name after --config", path)
	case errors.As(err, &wrong):
		return mistake("%v", err)
	}
	return err
}

// merge sets the options from flags, settings and defaults, in this order of precedence, and checks the values of flags.
func (s *session) merge() error {
	o, file := &s.options, s.options.settings
	o.source = "lab"
	if value, given := s.text("source"); given {
		o.source = value
	}
	o.labFile = file.Lab.File
	if value, given := s.text("lab"); given {
		o.labFile = value
	}
	o.seed = labs.DefaultSeed
	if file.Lab.Seed != nil {
		o.seed = *file.Lab.Seed
	}
	if value, given := s.text("seed"); given {
		seed, err := strconv.ParseUint(value, 0, 64)
		if err != nil {
			return mistake("--seed must be an integer from 0 to 18446744073709551615, not %q", value)
		}
		o.seed = seed
	}
	o.speed = max(float64(file.Lab.Speed), 0)
	if o.speed == 0 {
		o.speed = 1
	}
	if value, given := s.text("speed"); given {
		speed, err := settings.ParseSpeed(value)
		if err != nil {
			return mistake("--speed: %v", err)
		}
		o.speed, o.speedGiven = speed, true
	}
	o.interval = time.Second
	if file.Interval > 0 {
		o.interval = time.Duration(file.Interval)
	}
	if s.isFleet() {
		o.interval = defaultFleetInterval
	}
	if value, given := s.text("interval"); given {
		interval, err := settings.ParseInterval(value)
		if err != nil {
			return mistake("--interval: %v", err)
		}
		o.interval, o.intervalGiven = interval, true
	}
	return s.mergeOutput()
}

func (s *session) mergeOutput() error {
	o, file := &s.options, s.options.settings
	if value, given := s.text("count"); given {
		count, err := strconv.Atoi(value)
		if err != nil || count < 1 || count > math.MaxInt32 {
			return mistake("--count must be an integer from 1 to %d, not %q", math.MaxInt32, value)
		}
		o.count = count
	}
	if len(s.command.formats) > 0 {
		o.format = s.command.formats[0]
	}
	if value, given := s.text("format"); given {
		o.format = value
		if err := checkChoice("--format", value, s.command.formats); err != nil {
			return err
		}
	}
	o.list, o.ephemeral, o.plain = s.isOn("list"), s.isOn("ephemeral"), s.isOn("plain")
	o.json, o.keepGoing = s.isOn("json"), s.isOn("keep-going")
	o.wait = defaultWait
	if value, given := s.text("wait"); given {
		wait, err := settings.ParseWait(value)
		if err != nil {
			return mistake("--wait: %v", err)
		}
		o.wait = wait
	}
	o.db = file.History.File
	if value, given := s.text("db"); given {
		o.db = value
	}
	if o.db == "" {
		o.db = defaultHistory()
	}
	o.logFile, _ = s.text("log")
	o.theme = file.Theme
	if value, given := s.text("theme"); given {
		if err := checkChoice("--theme", value, themeWords()); err != nil {
			return err
		}
		o.theme = value
	}
	if o.theme == "" {
		o.theme = themes.Names()[0]
	}
	o.glyphs = file.Glyphs
	if value, given := s.text("glyphs"); given {
		if err := checkChoice("--glyphs", value, glyphWords()); err != nil {
			return err
		}
		o.glyphs = value
	}
	o.screen = file.Screen
	if value, given := s.text("screen"); given {
		if err := checkChoice("--screen", value, screenWords()); err != nil {
			return err
		}
		o.screen = value
	}
	o.readOnly = s.isOn("read-only") || file.ReadOnly
	o.lowBandwidth = s.isOn("low-bandwidth") || file.LowBandwidth
	o.noMouse = s.isOn("no-mouse") || file.Mouse != nil && !*file.Mouse
	o.inBytes = file.Units == "bytes"
	return nil
}

func checkChoice(flag, value string, words []string) error {
	for _, word := range words {
		if value == word {
			return nil
		}
	}
	return mistake("invalid %s %q%s", flag, value, hint(value, words))
}

// stateDirectory returns the directory of crash reports.
func (s *session) stateDirectory() string {
	if s.options.ephemeral || s.options.db == "" {
		return os.TempDir()
	}
	return filepath.Dir(s.options.db)
}

// sourceMistake returns the error for a source that is neither a word nor a file.
func sourceMistake(source string) error {
	if strings.ContainsAny(source, `./\`) {
		return mistake("there is no log file %s; check the name after --source", source)
	}
	if near := request.Nearest(source, sourceWords()); near != "" {
		return mistake("invalid --source %q: did you mean %s?", source, near)
	}
	return mistake("--source must be lab, local, prometheus:URL, or the name of a log file, not %q", source)
}

// defaultHistory returns the history file where no flag and no configuration file names one.
func defaultHistory() string { return filepath.Join(xdg.StateHome, "cxdeck", "cxdeck.db") }
