package cli

import (
	"slices"
	"strconv"
	"strings"

	"cxdeck/views/cli/labs"
	"cxdeck/views/cli/savedhosts"
	"cxdeck/views/cli/training"
	"cxdeck/views/cli/twin"
	"cxdeck/views/ibsim"
	"cxdeck/views/machine"
	"cxdeck/views/serve"
	"cxdeck/views/sessions"
)

// flagRow is a row of the table of flags, for parsing, help, completion, the manual page and the docs.
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

// command is a row of the table of commands.
type command struct {
	name string
	// arguments is the rest of the synopsis.
	arguments string
	help      string
	// about has the paragraphs of its help page.
	about    []string
	examples []example
	flags    []string
	// formats lists the values of --format, the default first.
	formats []string
	// words lists the possible first arguments, if they can be listed.
	words func() []string
	// split reports that unknown flags belong to the arguments.
	split bool
	run   func(*session) error
}

type example struct{ line, purpose string }

// Groups of flags, in the order of the help page.
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
			help: "source of the counters: lab, local (this machine), prometheus:URL (many hosts), or a Performance Monitor log FILE.csv"},
		{name: "lab", value: "FILE", group: groupSource, files: true, words: labs.Words,
			help: "lab description to load, or the name of an embedded lab: " + strings.Join(labs.Words(), ", ")},
		{name: "seed", value: "N", group: groupSource,
			help: "seed of the lab's random numbers: same seed, same counters (default 1)"},
		{name: "speed", value: "X", group: groupSource,
			help: "speed of the lab or recording relative to real time, 0.1 to 1000 (default 1)"},
		{name: "interval", value: "TIME", group: groupSource,
			help: "time between samples, 100ms to 60s (default 1s)"},
		{name: "count", short: "n", value: "N", group: groupOutput,
			help: "stop after N samples or rows (default: run until stopped, or list 20 rows)"},
		{name: "format", value: "FORMAT", group: groupOutput, help: "how to print"},
		{name: "from", value: "TIME", group: groupOutput,
			help: "start of the range in a session: 14:02, 2018-08-14 14:02, +5m from its start, -5m from its end"},
		{name: "to", value: "TIME", group: groupOutput,
			help: "end of the range, in the same format"},
		{name: "from2", value: "TIME", group: groupOutput,
			help: "start of the range in the second session; without --from2 and --to2, --from and --to apply to both"},
		{name: "to2", value: "TIME", group: groupOutput,
			help: "end of the range in the second session"},
		{name: "change", value: "N", group: groupOutput,
			help: "compare before and after the change with this number; sessions show lists them"},
		{name: "list", group: groupOutput,
			help: "list the counters that match, and print no samples"},
		{name: "json", group: groupOutput,
			help: "print a JSON document for each command, on a line of its own"},
		{name: "force", group: groupOutput, help: "replace what exists"},
		{name: "keep-going", group: groupOutput,
			help: "continue with the next line after an error"},
		{name: "wait", value: "TIME", group: groupHistory,
			help: "how long exec waits for a host that another cxdeck uses; 0: do not wait (default 10s)"},
		{name: "listen", value: "ADDRESS", group: groupOutput,
			help: "address and port of the server (default " + serve.DefaultListen + "); port 0 chooses a free one"},
		{name: "web-config", value: "FILE", group: groupOutput, files: true,
			help: "TLS and users: a web configuration file of Prometheus exporters"},
		{name: "max-series", value: "N", group: groupOutput,
			help: "maximum number of series (default " + strconv.Itoa(serve.DefaultMaxSeries) + "); others are left out and counted"},
		{name: "socket", value: "NAME", group: groupOutput,
			help: "name of the sockets of serve subnet (default " + ibsim.DefaultName + ")"},
		{name: "for", value: "TIME", group: groupOutput,
			help: "end serve subnet after this time, up to 24h (default: run until stopped)"},
		{name: "db", value: "FILE", group: groupHistory, files: true,
			help: "history file (default: cxdeck.db in the state directory)"},
		{name: "ephemeral", group: groupHistory,
			help: "keep no history: nothing is written to disk"},
		{name: "allow-changes", group: groupOutput, help: "apply plans to this machine; without it nothing is changed"},
		{name: "confirm", value: "TIME", group: groupOutput,
			help: "time within which the change must be confirmed, or it is undone, 1s to 1h (default 60s)"},
		{name: "yes", group: groupOutput, help: "keep the change without a confirmation"},
		{name: "theme", value: "NAME", group: groupScreen, words: themeWords,
			help: "colours: dark, light, high-contrast, colour-blind or mono"},
		{name: "glyphs", value: "NAME", group: groupScreen, words: glyphWords,
			help: "symbols: unicode, blocks or ascii (default: the best set of the terminal)"},
		{name: "screen", value: "NAME", group: groupScreen, words: screenWords,
			help: "screen to start on: " + strings.Join(screenWords(), ", ")},
		{name: "read-only", group: groupScreen,
			help: "refuse everything that changes the host or the history"},
		{name: "low-bandwidth", group: groupScreen,
			help: "redraw less, for slow connections"},
		{name: "no-mouse", group: groupScreen,
			help: "leave the mouse to the terminal, for copying"},
		{name: "plain", group: groupScreen,
			help: "print the screens as plain lines, for screen readers and logs"},
		{name: "config", value: "FILE", group: groupGeneral, files: true,
			help: "configuration file (default: cxdeck/config.toml in the config directory)"},
		{name: "log", value: "FILE", group: groupGeneral, files: true,
			help: "write the program's own log to FILE, as JSON Lines"},
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
			flags: append(source, "db", "ephemeral", "allow-changes", "theme", "glyphs", "screen", "read-only", "low-bandwidth",
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
				{`cxdeck counters --list '\Mellanox WinOF-2 Port QoS(*)\*Pause*'`, "list the matching counters"},
				{`cxdeck counters '\Network Interface(*)\Bytes Total/sec' -n 10`, "ten samples, a second apart"},
				{`cxdeck counters --source local --format csv -n 60 > minute.csv`, "a log that Performance Monitor opens"},
			},
			flags:   append(append([]string{}, source...), "count", "format", "list", "config", "log", "help"),
			formats: []string{"table", "csv", "json", "prometheus", "openmetrics"},
			run:     runCounters,
		},
		{
			name: "diagnose", arguments: "[ID] [NAME]", help: "say what is wrong in a session, in a log or on this machine",
			about: []string{
				"Runs the rules on counters and events over a recorded session, or with --from and --to over a range of it. Without an ID, the " +
					"newest session with samples is used. With --source it runs the rules on counters over a Performance Monitor log, from its first row to its last, or " +
					"for 15 seconds over the interfaces of this machine. It lists what is wrong at the end, why and what to do, and what was wrong and has ended. " +
					"cxdeck exec diagnose diagnoses the host of the lab, with the rules on settings, states and events.",
				"Exit codes, for monitoring systems: 0 no warning or error, 1 at least one warning, 2 at least one error.",
			},
			examples: []example{
				{"cxdeck diagnose", "what was wrong in the newest session"},
				{`cxdeck diagnose 12 "Ethernet 7" --from 14:00 --to 14:30`, "half an hour of session 12, one port"},
				{"cxdeck diagnose --source monday.csv", "what was wrong on Monday"},
				{"cxdeck diagnose --source local ens1f0np0", "an interface of this machine"},
			},
			flags:   []string{"source", "format", "from", "to", "db", "config", "log", "help"},
			formats: []string{"text", "json"}, run: runDiagnose,
		},
		{
			name: "exec", arguments: "[COMMAND...]", help: "watch and change the host without a screen",
			about: []string{
				"Runs one command from the arguments, or one command per line from standard input, on the host that the console keeps in the history file. A single argument with spaces is read as such a line, too. The host's time advances only when a command advances it. While a console runs the host, the command is passed to the console and applied there.",
				"Lines use shell syntax: quote words with spaces; # begins a comment. A script ends at the first command that fails. Flags of exec itself may appear anywhere; words after -- are never read as flags.",
				"cxdeck exec help COMMAND explains a command. Exit codes: 0 done, 1 failed, 2 usage error; a script exits with the highest exit code of its lines.",
			},
			examples: []example{
				{`cxdeck exec adapter list`, "adapters and ports with their state"},
				{`cxdeck exec cable pull "Ethernet 7"`, "the cable stays unplugged, in the console too, until it is plugged in"},
				{`cxdeck exec --ephemeral --json < changes.txt`, "a script on a fresh lab, with JSON output"},
			},
			flags: []string{"lab", "seed", "json", "keep-going", "wait", "db", "ephemeral", "read-only", "config", "log", "help"},
			split: true, run: runExec,
		},
		{
			name: "train", arguments: "[list | NAME | FILE | check FILE]", help: "practise: find and fix what is broken",
			about: []string{
				"Runs an exercise: something is broken on a host of the lab, and you find it with the console and fix it. Q shows what is " +
					"asked, checks the host, gives hints, and shows the solution. The page at the end says what was broken, what showed " +
					"it, what you did, the time, the interruptions and the lost traffic, and how an expert would have done it. --seed " +
					"selects the point in the lab's traffic schedule and, where an exercise can run on several ports, the port.",
				"Without a terminal, the lines of standard input are run as by cxdeck exec; the lines hint, check and give-up do what the " +
					"buttons do. The exit code is 0 when the exercise is solved.",
				"list lists the exercises with your records, which are kept in the state directory. FILE is an exercise of your own " +
					"(docs/exercises.md); check carries it out, and says what is wrong with it.",
			},
			examples: []example{
				{"cxdeck train", "list the exercises with your records"},
				{"cxdeck train cable-out --seed 2", "an exercise at another port"},
				{"cxdeck train cable-out < steps.txt", "an exercise by lines of exec"},
				{"cxdeck train check mine.toml", "check an exercise of your own"},
			},
			flags:   []string{"seed", "format", "db", "theme", "glyphs", "low-bandwidth", "no-mouse", "config", "log", "help"},
			formats: []string{"text", "json"}, words: training.Words, run: runTrain,
		},
		{
			name: "sessions", arguments: sessions.Synopsis(), help: "manage the recorded history",
			about: []string{
				"list prints a line for each session, and show prints one session with its events and changes. delete removes sessions permanently; pin protects them from max_age and max_size, and unpin removes the protection; vacuum frees disk space at once: it enforces max_age, max_size, keep_samples and keep_minutes of the configuration, as a running console does in the background, and shrinks the file.",
				"note writes a session's note, or with --from and --to a note on a point in time or a range; edit-note changes the text of such a note by its number, which show prints, and unnote deletes it by " +
					"its number. tag and untag change the tags by which a session can be found.",
				"search finds events, changes, notes and sessions with all words of TEXT in all sessions, or the times at which a " +
					"condition on counters held: drops on Ethernet 7 > 1k/s for 10s. Quote the condition, because > redirects output in a shell.",
				"export writes a session, or with --from and --to a part of it, to a file in the format of its extension: .csv is a Performance Monitor log, " +
					".jsonl JSON Lines, .om OpenMetrics, .db a history with this session alone, .ps1 and .txt the commands of its changes, " +
					".reg the registry values of its changes, .html and .md its report. PATTERNs choose the counters of the first three, as for " +
					"cxdeck counters. With - as the file it writes to standard output, in the format given with --format.",
				"import copies the sessions of a file from another machine into the history, or the chosen ones: a .db file that export has " +
					"written, the history of another cxdeck, or a Performance Monitor log (.csv, .tsv), which becomes one session. The file is checked first; either all chosen sessions are imported or none, and sessions that the history has already are skipped. Imported sessions have new numbers, the tag imported, and their origin in the note.",
				"changed ranks the counters by change between a range and the period before it, which is four times as long; the default range is the last fifth of the session. With --change it compares the minute before a change with the minute after it, and says whether the differences exceed the noise of the hour before. compare compares two sessions: counters, events found in only one of them, registry keys, adapters, teams, switches and machines.",
			},
			examples: []example{
				{"cxdeck sessions list", "list the recorded sessions"},
				{"cxdeck sessions show 12 --format json", "one session as JSON"},
				{"cxdeck sessions changed 12 --from 14:02 --to 14:05", "what happened in these minutes"},
				{"cxdeck sessions changed 12 --change 3", "the effect of this change"},
				{"cxdeck sessions compare 11 12", "the differences between two sessions"},
				{"cxdeck sessions compare 12 12 --to 14:02 --from2 14:05", "before and after in one session"},
				{"cxdeck sessions search link down", "when a link was lost"},
				{`cxdeck sessions search 'drops on Ethernet 7 > 1k/s for 10s'`, "when it dropped packets"},
				{`cxdeck sessions export 12 drops.csv '\Network Interface(*)\*'`, "samples of these counters, as a log"},
				{"cxdeck sessions export 12 monday.db --from 14:00 --to 14:30", "half an hour, for another machine"},
				{"cxdeck sessions import monday.db", "import its sessions on the other machine"},
				{"cxdeck sessions note 12 --from 14:02 cable pulled", "a note on a point in time"},
			},
			flags:   []string{"format", "count", "from", "to", "from2", "to2", "change", "lab", "db", "read-only", "config", "log", "help"},
			formats: slices.Concat(printFormats(), sessions.Forms()),
			words:   sessions.Names,
			run:     runSessions,
		},
		{
			name: "report", arguments: "[ID]", help: "write a report on a session",
			about: []string{
				"Writes one self-contained HTML file, or Markdown for a ticket: findings, charts, changed counters, changes, events, the host with its adapters, and the registry keys that differ from a fresh installation. Without an ID, the report is on the newest session with samples.",
			},
			examples: []example{
				{"cxdeck report > monday.html", "the newest session"},
				{"cxdeck report 12 --from 14:00 --to 14:30 --format markdown", "half an hour of session 12, for a ticket"},
			},
			flags:   []string{"format", "from", "to", "lab", "db", "config", "log", "help"},
			formats: []string{"html", "markdown"},
			run:     runReport,
		},
		{
			name: "sql", arguments: "QUERY", help: "query the history with SQL",
			about: []string{
				"Runs a SELECT on the history (tables: docs/database.md) and on its samples: the view sample has " +
					"a row for each value of each counter, with session, time, path, set_name, instance, counter, unit and value, and the " +
					"view series one for each counter. Times are nanoseconds. The history is opened read-only.",
				"A query with conditions on session and counter reads only the samples that match; without them it reads all samples.",
			},
			examples: []example{
				{`cxdeck sql "SELECT id, host, note FROM session"`, "the sessions"},
				{`cxdeck sql "SELECT avg(value) FROM sample WHERE path = '...'"`, "the average of a counter"},
			},
			flags:   []string{"format", "count", "db", "config", "log", "help"},
			formats: []string{"table", "csv", "json"},
			run:     runSQL,
		},
		{
			name: "host", arguments: "list | restore NUMBER | save FILE | load FILE | lab FILE | reset", help: "manage the hosts in the history",
			about: []string{
				"list prints the current host of each lab and seed, and the hosts that were set aside because they could not be " +
					"read or were replaced. restore makes one of them current again, if it can be read, and keeps the host that it " +
					"replaces.",
				"save writes the current host of --lab and --seed to a file, with the description of its lab, and load makes the host of " +
					"a file the current one, here or on another machine. lab prints the description in such a file. reset sets the " +
					"current host aside, so that the next start begins a new one.",
			},
			examples: []example{
				{"cxdeck host list", "the hosts, and whether they can be read"},
				{"cxdeck host restore 2", "resume host 2 at the next start"},
				{"cxdeck host save broken-team.json", "take the host to another machine, where host load resumes it"},
			},
			flags:   []string{"lab", "seed", "format", "db", "read-only", "config", "log", "help"},
			formats: []string{"table", "json"},
			words:   savedhosts.Words,
			run:     runHost,
		},
		{
			name: "local", arguments: "[show [TOPIC...] | settings INTERFACE | set INTERFACE SETTING=VALUE... | export FILE INTERFACE SETTING=VALUE... | add bond NAME [OPTION=VALUE...] | add vlan INTERFACE ID [NAME] | remove NAME | undo | keep | journal]",
			help: "show and change the adapters of this machine (Linux, Windows)",
			about: []string{
				"show prints what Linux says of the adapters: versions, PCI Express, health, temperatures, rings, channels, pause, FEC, RDMA " +
					"ports (topic host), virtual functions (functions), priorities (qos), bonds and VLANs (bonds). settings lists the settings of an " +
					"interface that can be changed. cxdeck counters --source local prints the counters.",
				"set prints a plan with old and new values, what it interrupts and the equivalent commands of ethtool, ip and dcb. Nothing is changed " +
					"without --allow-changes. With it, each setting is changed and read back; if one fails, the settings before it are undone. Then the " +
					"change waits for the word keep: without it in time, when the terminal is gone, or when cxdeck is killed, the old values are restored. --yes keeps it " +
					"at once. Changes require root or the capability CAP_NET_ADMIN, and last until the machine or the driver restarts.",
				"add bond makes a bond with mode, miimon, xmit_hash_policy, lacp_rate and members=A,B, add vlan a VLAN on an interface, and remove " +
					"removes either, in the same way: undo makes it again with its members. set INTERFACE master=BOND adds a member, master=none removes it.",
				"undo undoes the newest kept change in the same way; keep keeps a change that no process could restore after cxdeck was killed; " +
					"journal lists the changes. It is beside the history. export writes the plan into " +
					"a new file with the old values: a script (.sh, on Windows .ps1), or a registry file (.reg); a second file undoes it. In the console, " +
					"plan export FILE does the same with the new values of the settings.",
				"On Windows the settings are the values of the registry: the class keys of Mellanox adapters, by the name of the connection, and the keys " +
					"below Parameters of the services mlx4* and mlx5*. show registry lists them with their meanings. The value absent deletes one. A " +
					"registry file with the keys before the change is written beside the journal first. Changes require an administrator, and take effect " +
					"when the adapter or the driver restarts.",
			},
			examples: []example{
				{"cxdeck local show functions", "the virtual functions and their attributes"},
				{"cxdeck local set ens1f0np0 ring.rx=4096 channels.combined=16", "the plan, and its commands"},
				{"sudo cxdeck local set ens1f0np0 pfc=3 --allow-changes --confirm 30s", "priority flow control on 3, undone after 30 s without keep"},
				{"sudo cxdeck local undo --allow-changes", "undo it"},
				{"cxdeck local add bond bond0 mode=802.3ad members=ens1f0np0,ens1f1np1", "the plan for a bond of two ports"},
				{`cxdeck local set "Ethernet 7" *JumboPacket=9014 --allow-changes`, "a key of an adapter on Windows"},
			},
			flags:   []string{"allow-changes", "confirm", "yes", "format", "db", "read-only", "config", "log", "help"},
			formats: []string{"text", "json"}, words: machine.Words, run: runLocal,
		},
		{
			name: "serve", arguments: "[PATTERN... | dashboard | rules | subnet]", help: "serve counters to Prometheus, or the subnet to InfiniBand tools",
			about: []string{
				"Serves the counters of the lab, of this machine or of a log at /metrics until Ctrl+C or SIGTERM ends it, and at /healthz whether " +
					"the source is read (200 or 503). Counters end in _total, values are in base units, and samples have no timestamps. State, line rate and the " +
					"findings of diagnose are served, too. With --db the lab resumes the host of the history, which is only read.",
				"Without a PATTERN, the counters of adapters, ports, priorities and functions are served, without totals; counters of " +
					"rings and processors only if a PATTERN names them. In a scrape, the parameter match chooses among them: " +
					"/metrics?match=PATTERN.",
				"The server listens on this machine alone unless --listen says otherwise. --web-config reads the web configuration file " +
					"of Prometheus's exporters: tls_server_config, basic_auth_users and http_server_config.",
				"dashboard prints a dashboard of these metrics for Grafana's import, and rules prints alert rules for Prometheus: one for each " +
					"finding whose rule reads counters alone, and general ones for all others.",
				"subnet serves the lab's InfiniBand subnet to the real programs ibnetdiscover, perfquery and others on Linux instead, " +
					"for --for TIME or until it is ended: it speaks the protocol of the simulator ibsim. Run a program with LD_PRELOAD set to the library " +
					"libumad2sim.so, and with IBSIM_SOCKNAME set to the name after --socket. Only your own programs are served.",
			},
			examples: []example{
				{"cxdeck serve", "the embedded lab, at " + serve.DefaultListen},
				{"cxdeck serve --source local --listen :9756 --web-config web.yml", "this machine, with TLS and a password"},
				{`cxdeck serve --seed 7 '\Mellanox WinOF-2 Port QoS(*)\*'`, "the counters of priorities alone"},
				{"cxdeck serve rules > cxdeck-rules.yml", "alert rules, for rule_files of prometheus.yml"},
				{"cxdeck serve subnet --lab manual-ib --speed 10", "an InfiniBand subnet for the real programs"},
			},
			flags: append(append([]string{}, source...), "listen", "web-config", "max-series", "socket", "for", "db", "config", "log", "help"),
			words: servedWords, run: runServe,
		},
		{
			name: "machine", arguments: "registry", help: "export the registry keys of this machine's adapters",
			about: []string{"registry writes the keys of the Mellanox adapters of the Windows machine that it runs on to standard output, as regedit exports them. " +
				"Nothing is changed. The file is the backup to import with regedit; exec reg import and the Registry screen of a lab read it."},
			examples: []example{{"cxdeck machine registry > before.reg", "all values of the adapters, before a change"}},
			flags:    []string{"config", "log", "help"}, words: machineWords, run: runMachine,
		},
		{
			name: "twin", arguments: "script | collect FILE | make NAME FILE... | list | show NAME | check NAME FILE... | remove NAME", help: "make a lab of a real host",
			about: []string{
				"A twin is a lab that was made from the exports of a real host: its adapters, versions, registry, teams, policies, switches and machines. --lab NAME opens it, and a change is rehearsed on it before it goes out with exec plan export.",
				"script prints a collector for PowerShell, which only reads the host and writes the exports into a folder. collect writes a bundle of the adapters of the Linux machine that it runs on, readable only by you; it changes nothing, and reads less without root. For 10 seconds it samples the counters that workloads follow: --count and --interval take more samples, --count 1 none. make makes a twin of the files, or of the files in a folder; each of them is optional and recognised by its content. What no file has is assumed: the header of the console counts it, and show lists it, with the values that no driver reads. The workloads follow a log of counters, if there is one: of Performance Monitor, of cxdeck counters --format csv, a history file with a recorded session, or the samples of collect. Twins are kept in the state directory, readable only by you.",
				"check compares a later export with the twin: what arrived of the changes that were made on the twin, what did not, and what else changed. Exit codes of check: 0 all arrived and nothing else changed, 1 failed, 2 usage error, 3 there are differences.",
			},
			examples: []example{
				{"cxdeck twin script > collect.ps1", "the collector, to be run on the host"},
				{"cxdeck twin make web1 exports/", "a twin of the files that it wrote"},
				{"cxdeck twin collect host.json --count 300", "the bundle of this Linux machine, with samples of 5 minutes"},
				{"cxdeck --lab web1", "the console on the twin"},
				{"cxdeck twin check web1 later/", "whether the change arrived"},
			},
			flags: []string{"json", "force", "interval", "count", "seed", "db", "read-only", "config", "log", "help"},
			words: twin.Words, run: runTwin,
		},
		{
			name: "version", help: "print the version", flags: []string{"json", "help"}, run: runVersion,
			about: []string{"With --json: version, commit and its date, whether the source differed from it (modified), Go, platform, and SQLite's version and library. " +
				"Two calls print the same bytes. An empty commit means that none was recorded."},
		},
		{
			name: "completion", arguments: "bash | zsh | fish | powershell", help: "print a completion script for a shell",
			about: []string{"Load it from the shell's start-up file, for instance: source <(cxdeck completion bash)",
				"It completes commands, flags and files, the commands of cxdeck exec, and the names of adapters, keys, teams, " +
					"virtual machines, switches, VLANs, profiles and sessions, from the host of a running console, or from the last " +
					"saved host."},
			flags: []string{"help"}, words: shellWords, run: runCompletion,
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
