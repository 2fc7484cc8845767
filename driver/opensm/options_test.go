package opensm

import (
	"strings"
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		good func(o Options) bool
	}{
		{"", func(o Options) bool {
			return o.Sweep == 10*time.Second && o.Log == DefaultLog && o.GUID == 0 && !o.Asks
		}},
		{"-e -B -g 0xE41D2D0300B07A12", func(o Options) bool { return o.Erase && o.Daemon && o.GUID == 0xe41d2d0300b07a12 }},
		{"-eB -p15 -vv", func(o Options) bool { return o.Erase && o.Daemon && o.Priority == 15 && o.Verbose == 2 }},
		{"--guid=0", func(o Options) bool { return o.Asks }},
		{"-service", func(o Options) bool { return o.Service }},
		{"--service -L 128", func(o Options) bool { return o.Service && o.LogLimit == 128 }},
		{`-f C:\Temp\sm.log --log-limit 1`, func(o Options) bool { return o.Log == `C:\Temp\sm.log` && o.LogLimit == 1 }},
		{"-f stdout -V -o -I", func(o Options) bool {
			return o.Log == "stdout" && o.Verbose == maxVerbose && o.Once && o.Inactive
		}},
		{"-maxsmps 0 --Pconfig x -r", func(o Options) bool { return len(o.Unused) == 2 }},
		{"-H 3 -s 0", func(o Options) bool { return o.Sweep == 0 }},
	} {
		o, err := Parse(strings.Fields(c.line))
		if err != nil || !c.good(o) {
			t.Errorf("%q: %+v, %v", c.line, o, err)
		}
	}
	for line, why := range map[string]string{
		"x": "takes options", "-g": "requires a value", "-g zz": "16 hexadecimal", "-p 16": "0 to 15", "-p -1": "0 to 15", "--foo": "no option", "-": "takes options",
		"-k": "no option", "-H 999": "0 to 255", "--erase_log_file=1": "switch", "-f osm.log": "begins with a disk", "-D 0x100": "mask", "-L 0": "1 to 4096", "-ex": "",
	} {
		if _, err := Parse(strings.Fields(line)); (err == nil) != (why == "") || err != nil && !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, not %q", line, err, why)
		}
	}
}

// TestCommandLines: Windows finds the program of a service with and without quotes.
func TestCommandLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		Program + " -service":                                           "-service",
		`"` + Program + `" --service -L 128`:                            "--service -L 128",
		strings.ToUpper(Program):                                        "",
		`%ProgramFiles%\Mellanox\MLNX_VPI\IB\Tools\opensm.exe -service`: "-service",
	} {
		if got, err := ReadCommandLine(line); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{"", "opensm.exe -service", `C:\Windows\notepad.exe`, `"C:\x`, `C:\Program Files\Mellanox\opensm -service`} {
		if got, err := ReadCommandLine(line); err == nil {
			t.Errorf("%s is read as %q", line, got)
		}
	}
}

func FuzzOptions(f *testing.F) {
	for _, line := range []string{"-e -B -g 0", "-p15", "-vvv", "--log_limit=3", "-f stdout", "-é", "--", "-="} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Fields(line)
		o, err := Parse(words)
		if err == nil && (o.Priority < 0 || o.Priority > maxPriority || o.Log == "") {
			t.Errorf("%q: %+v", line, o)
		}
		ReadCommandLine(line)
	})
}
