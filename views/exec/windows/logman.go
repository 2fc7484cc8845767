package windows

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/dump"
	"cxdeck/driver/hostfiles"
	"cxdeck/views/exec"
)

// sessionRow is a trace session as JSON.
type sessionRow struct {
	Name     string `json:"name"`
	Running  bool   `json:"running"`
	File     string `json:"file"`
	Circular bool   `json:"circular"`
	MaxMB    int    `json:"max_mb"`
	Bytes    int    `json:"bytes"`
	Buffers  int    `json:"buffers_written"`
}

// traceOptions are the arguments of logman.
type traceOptions struct {
	name  string
	ets   bool
	maxMB int
}

// readTrace parses the arguments of logman.
func readTrace(c *exec.Call, verb string) (o traceOptions, err error) {
	for i := 0; i < len(c.Arguments); i++ {
		word := c.Arguments[i]
		option, given := strings.ToLower(word), ""
		switch option {
		case "-ets":
			o.ets = true
			continue
		case "-max", "-mode", "-o", "-n":
			if i++; i == len(c.Arguments) {
				return o, exec.Mistake("logman %s requires a value after %s", verb, word)
			}
			given = c.Arguments[i]
		}
		switch {
		case option == "-n" || !strings.HasPrefix(option, "-"):
			if option != "-n" {
				given = word
			}
			if o.name != "" {
				return o, exec.Mistake("logman %s takes one session, not also %q", verb, given)
			}
			o.name = given
		case verb != "start":
			return o, exec.Mistake("logman %s takes the name of a session and -ets, not %q", verb, word)
		case option == "-max":
			if o.maxMB, err = strconv.Atoi(given); err != nil || o.maxMB < 1 || o.maxMB > dump.MaxTraceMB {
				return o, exec.Mistake("-max must be 1 to %d MB, not %q", dump.MaxTraceMB, given)
			}
		case option == "-mode":
			if !strings.EqualFold(given, "Circular") {
				return o, exec.Mistake("the driver's session has a circular file: -mode Circular, not %q", given)
			}
		case option == "-o":
			if path, err := hostfiles.CleanPath(given); err != nil || !strings.EqualFold(path, dump.TraceFolder+`\`+dump.TraceFile) {
				return o, exec.Mistake(`the driver's session writes %%SystemRoot%%\system32\LogFiles\Mlnx\%s, not %q`, dump.TraceFile, given)
			}
		default:
			return o, exec.Mistake("logman start takes -ets, -max, -mode and -o, not %q", word)
		}
	}
	if !o.ets {
		return o, exec.Mistake("-ets is required: the lab has trace sessions, and no data collector sets")
	}
	return o, nil
}

// notFound is Windows' error for an unknown session, with the similar name.
func notFound(name string) error {
	return fmt.Errorf("Data Collector Set was not found%s", exec.Suggest(name, []string{dump.SessionName}, "logman query -ets lists the sessions")) //nolint:staticcheck // Windows begins it so
}

// logmanQuery implements logman query [NAME] -ets.
func logmanQuery(c *exec.Call) (exec.Answer, error) {
	o, err := readTrace(c, "query")
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []sessionRow{}
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if s, ok := h.Dumps().Session(); ok && s.Running {
			rows = append(rows, sessionRow{s.Name, true, s.Path, true, s.MaxMB, s.Bytes, s.Buffers})
		}
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	if o.name != "" && (len(rows) == 0 || !strings.EqualFold(o.name, rows[0].Name)) {
		return exec.Answer{}, notFound(o.name)
	}
	return exec.Answer{
		Result: struct {
			Sessions []sessionRow `json:"sessions"`
		}{rows},
		Text: func(w io.Writer) error {
			if o.name == "" {
				t := exec.NewTextTable(w, "Data Collector Set", "Type", "Status")
				for _, row := range rows {
					t.Row(row.Name, "Trace", "Running")
				}
				if err := t.Flush(); err != nil {
					return err
				}
			}
			for _, row := range rows {
				if o.name == "" {
					continue
				}
				for _, line := range [][2]string{
					{"Name", row.Name}, {"Status", "Running"}, {"Root Path", `%SystemRoot%\system32\LogFiles\Mlnx`}, {"Segment", "Off"}, {"Schedules", "On"}, {},
					{"Name", row.Name + `\` + row.Name}, {"Type", "Trace"}, {"Output Location", row.File}, {"Append", "Off"}, {"Circular", "On"}, {"Overwrite", "Off"},
					{"Buffer Size", "64"}, {"Buffers Lost", "0"}, {"Buffers Written", strconv.Itoa(row.Buffers)}, {"Segment Maximum Size", fmt.Sprintf("%d MB", row.MaxMB)},
					{"Buffer Flush Timer", "1"}, {"Clock Type", "System"}, {"File Mode", "File"},
				} {
					text := ""
					if line[0] != "" {
						text = fmt.Sprintf("%-22s%s", line[0]+":", line[1])
					}
					if _, err := fmt.Fprintln(w, exec.Clean(text)); err != nil {
						return err
					}
				}
			}
			_, err := io.WriteString(w, "\n"+succeeded)
			return err
		},
	}, nil
}

// succeeded is the last line of logman.
const succeeded = "The command completed successfully.\n"

// changeTrace starts or stops the session.
func changeTrace(c *exec.Call, o driver.Operation, name string) (exec.Answer, error) {
	answer, err := c.ApplyOne(o)
	if errors.Is(err, dump.ErrNoSession) {
		return exec.Answer{}, notFound(name)
	}
	return answer, err
}

// logmanStop implements logman stop NAME -ets.
func logmanStop(c *exec.Call) (exec.Answer, error) {
	o, err := readTrace(c, "stop")
	if err != nil {
		return exec.Answer{}, err
	}
	if o.name == "" {
		return exec.Answer{}, exec.Mistake("logman stop requires the name of a session")
	}
	return changeTrace(c, dump.StopTrace{Session: o.name}, o.name)
}

// logmanStart implements logman start NAME -ets.
func logmanStart(c *exec.Call) (exec.Answer, error) {
	o, err := readTrace(c, "start")
	if err != nil {
		return exec.Answer{}, err
	}
	if o.name == "" {
		return exec.Answer{}, exec.Mistake("logman start requires the name of a session")
	}
	return changeTrace(c, dump.StartTrace{Session: o.name, MaxMB: o.maxMB}, o.name)
}

// deleteFiles implements del: it deletes files of the host.
func deleteFiles(c *exec.Call) (exec.Answer, error) {
	pattern := ""
	for _, word := range c.Arguments {
		switch {
		case strings.EqualFold(word, "/s"), strings.EqualFold(word, "/q"), strings.EqualFold(word, "/f"):
		case pattern != "":
			return exec.Answer{}, exec.Mistake("del takes one path or pattern here, not also %q", word)
		default:
			pattern = word
		}
	}
	if pattern == "" {
		return exec.Answer{}, exec.Mistake("del requires a path or a pattern")
	}
	return c.ApplyOne(dump.RemoveFiles{Pattern: pattern})
}
