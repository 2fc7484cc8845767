package cli

import "strings"

// flagRow is one row of the table of flags: parsing, help, completion, the manual page and the docs are made from it.
type flagRow struct {
	name, short string
	// value names the argument; empty for a switch.
	value string
	// words lists the possible values, if they can be listed; files completes file names.
	words func() []string
	files bool
	group string
	help  string
}

// command is one row of the table of commands.
type command struct {
	name string
	// arguments is the rest of the synopsis.
	arguments string
	help      string
	// about is the longer text of its help page, a paragraph a string.
	about    []string
	examples []example
	flags    []string
	// words lists the possible first arguments, if they can be listed.
	words []string
	// split says that unknown flags belong to the arguments.
	split bool
	run   func(*session) error
}

type example struct{ line, what string }

// The groups of flags, in the order of the help page.
const (
	groupSource  = "Source"
	groupOutput  = "Output"
	groupHistory = "History"
	groupScreen  = "Screen"
	groupGeneral = "General"
)

var groups = []string{groupSource, groupOutput, groupHistory, groupScreen, groupGeneral}

func flags() []flagRow {
	return []flagRow{
		{name: "source", value: "SOURCE", group: groupSource, files: true, words: sourceWords,
			help: "what to watch: lab, local (this machine), or a Performance Monitor log FILE.csv"},
		{name: "lab", value: "FILE", group: groupSource, files: true, words: labWords,
			help: "lab description to load instead of the embedded one; or a lab's name: " + strings.Join(labWords(), ", ")},
		{name: "seed", value: "N", group: groupSource,
			help: "seed of the lab's chance: same seed, same numbers (default 1)"},
		{name: "speed", value: "X", group: groupSource,
			help: "seconds of the lab or recording that pass in one, 0.1 to 1000 (default 1)"},
		{name: "interval", value: "TIME", group: groupSource,
			help: "time between samples, 100ms to 60s (default 1s)"},
		{name: "count", short: "n", value: "N", group: groupOutput,
			help: "stop after N samples (default: run until stopped)"},
		{name: "format", value: "FORMAT", group: groupOutput, words: formatWords,
			help: "how to print: table, csv, json, prometheus or openmetrics (default table)"},
		{name: "list", group: groupOutput,
			help: "list the counters that match, and print no samples"},
		{name: "json", group: groupOutput,
			help: "print a JSON document for each command, on a line of its own"},
		{name: "keep-going", group: groupOutput,
			help: "continue with the next line when one failed"},
		{name: "wait", value: "TIME", group: groupHistory,
			help: "how long exec waits for a host that another cxdeck has; 0 does not wait (default 10s)"},
		{name: "db", value: "FILE", group: groupHistory, files: true,
			help: "history file (default: cxdeck.db in the state directory)"},
		{name: "ephemeral", group: groupHistory,
			help: "keep no history: nothing is written to disk"},
		{name: "theme", value: "NAME", group: groupScreen, words: themeWords,
			help: "colours: dark, light, high-contrast, colour-blind or mono"},
		{name: "glyphs", value: "NAME", group: groupScreen, words: glyphWords,
			help: "symbols: unicode, blocks or ascii (default: what the terminal can show)"},
		{name: "screen", value: "NAME", group: groupScreen, words: screenWords,
			help: "screen to start on: overview, counters, registry, teams, sriov, events, history or lab"},
		{name: "read-only", group: groupScreen,
			help: "refuse everything that changes the host or the kept history"},
		{name: "low-bandwidth", group: groupScreen,
			help: "redraw less, for slow connections"},
		{name: "no-mouse", group: groupScreen,
			help: "leave the mouse to the terminal, for copying"},
		{name: "plain", group: groupScreen,
			help: "print the screens as plain lines, for screen readers and logs"},
		{name: "config", value: "FILE", group: groupGeneral, files: true,
			help: "configuration file (default: cxdeck/config.toml in the config directory)"},
		{name: "log", value: "FILE", group: groupGeneral, files: true,
			help: "write a log of the program itself to FILE, JSON lines"},
		{name: "version", group: groupGeneral, help: "print the version and stop"},
		{name: "help", short: "h", group: groupGeneral, help: "print this help and stop"},
	}
}

func commands() []command {
	source := []string{"source", "lab", "seed", "speed", "interval"}
	return []command{
		{
			name: "", help: "start the console",
			about: []string{
				"cxdeck is a terminal console for ConnectX network adapters. Without a command it starts the console " +
					"on the embedded lab, a model of a Windows host with four adapters.",
			},
			examples: []example{
				{"cxdeck", "the console on the embedded lab"},
				{"cxdeck --source local", "the network interfaces of this machine"},
				{"cxdeck --source monday.csv --speed 10", "a Performance Monitor log, ten times as fast"},
			},
			flags: append(source, "db", "ephemeral", "theme", "glyphs", "screen", "read-only", "low-bandwidth",
				"no-mouse", "plain", "config", "log", "version", "help"),
			run: runConsole,
		},
		{
			name: "counters", arguments: "[PATTERN...]", help: "print counters, like typeperf",
			about: []string{
				`A PATTERN is a path as Performance Monitor writes it, \Set(instance)\Counter, with * for any text. ` +
					"Without one, the throughput and drops of all ports are printed.",
				"Intervals are in the source's time: at --speed 50 an interval of one second of the lab passes in 20 ms. " +
					"A recording is printed as fast as it can be read unless --speed is given.",
			},
			examples: []example{
				{`cxdeck counters --list '\Mellanox WinOF-2 Port QoS(*)\*Pause*'`, "which counters there are"},
				{`cxdeck counters '\Network Interface(*)\Bytes Total/sec' -n 10`, "ten samples, a second apart"},
				{`cxdeck counters --source local --format csv -n 60 > minute.csv`, "a log that Performance Monitor opens"},
			},
			flags: append(append([]string{}, source...), "count", "format", "list", "config", "log", "help"),
			run:   runCounters,
		},
		{
			name: "exec", arguments: "[COMMAND...]", help: "watch and change the host without a screen",
			about: []string{
				"One command from the arguments, or a command a line from the standard input, on the host that the console keeps " +
					"in the history file. A single argument with spaces in it is such a line, too. The host's time passes only " +
					"when a command says so. While a console has the host, the command is handed to it and applied there.",
				"Lines are written as for a shell: words with spaces stand in quotes, # begins a comment. The first command that " +
					"fails ends a script. Flags of exec itself may stand anywhere; what follows -- is no flag.",
				"cxdeck exec help COMMAND explains a command. Exit codes: 0 done, 1 failed, 2 not understood; of a script, the worst.",
			},
			examples: []example{
				{`cxdeck exec adapter list`, "adapters and ports, and how they are"},
				{`cxdeck exec cable pull "Ethernet 7"`, "it stays unplugged until it is plugged in, in the console too"},
				{`cxdeck exec --ephemeral --json < rehearsal.txt`, "a script on a fresh lab, for a program"},
			},
			flags: []string{"lab", "seed", "json", "keep-going", "wait", "db", "ephemeral", "read-only", "config", "log", "help"},
			split: true, run: runExec,
		},
		{
			name: "sessions", arguments: "list | show ID | delete ID... | pin ID... | unpin ID... | vacuum", help: "manage the recorded history",
			about: []string{
				"list prints a line for each session, show one session with its events and changes. delete removes " +
					"sessions for good; pin protects them from max_age and max_size, and unpin ends that; vacuum frees the disk space of removed sessions.",
			},
			examples: []example{
				{"cxdeck sessions list", "what has been recorded"},
				{"cxdeck sessions show 12 --format json", "one session, for a program"},
			},
			flags: []string{"format", "db", "read-only", "config", "log", "help"},
			words: []string{"list", "show", "delete", "pin", "unpin", "vacuum"},
			run:   runSessions,
		},
		{
			name: "host", arguments: "list | restore NUMBER", help: "manage the hosts in the history",
			about: []string{
				"list prints the current host of each lab and seed, and the hosts that were set aside because they could not be " +
					"read or were replaced. restore makes one of them current again, if it can be read, and keeps the host that it " +
					"replaces.",
			},
			examples: []example{
				{"cxdeck host list", "the hosts, and whether they can be read"},
				{"cxdeck host restore 2", "resume host 2 at the next start"},
			},
			flags: []string{"lab", "format", "db", "read-only", "config", "log", "help"},
			words: []string{"list", "restore"},
			run:   runHost,
		},
		{
			name: "version", help: "print the version", flags: []string{"help"}, run: runVersion,
		},
		{
			name: "completion", arguments: "bash | zsh | fish | powershell", help: "print a completion script for a shell",
			about: []string{"Load it from the shell's start-up file, for instance: source <(cxdeck completion bash)",
				"It completes commands, flags and files, the commands of cxdeck exec, and the names of adapters, keys, teams, " +
					"virtual machines, switches, VLANs, profiles and sessions, from the host of a running console, or from the last " +
					"saved host."},
			flags: []string{"help"}, words: []string{"bash", "zsh", "fish", "powershell"}, run: runCompletion,
		},
		{
			name: "man", help: "print the manual page", flags: []string{"help"},
			about: []string{"For instance: cxdeck man > cxdeck.1, then man ./cxdeck.1"},
			run:   runMan,
		},
		{
			name: "help", arguments: "[COMMAND]", help: "explain a command", flags: []string{"help"}, run: runHelp,
			about: []string{"Without a command it explains the console, and lists all commands."},
		},
	}
}
