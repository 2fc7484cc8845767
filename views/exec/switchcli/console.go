package switchcli

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/views/exec"
	"cxdeck/views/exec/console"
)

//go:embed texts.toml
var switchTexts string

// Family returns switch console.
func Family() *exec.Family {
	return &exec.Family{
		Texts: switchTexts,
		Commands: []exec.Command{
			{Name: "switch console", Min: 1, Max: 1 + maxLines, Changes: true, Interrupts: true, Reads: ends, Run: exec.Bound(runConsole)},
			{Name: "switch try", Min: 2, Max: 1 + maxLines, Run: exec.Bound(tryLines)},
		},
	}
}

// maxLines is the maximum number of lines for a console without a terminal.
const maxLines = 1000

// ends returns a function that reports whether a line read from the input is the last one: quit, or the exit of the outermost
// mode.
func ends() func(line string) bool {
	s := &session{mode: portMode, parser: newParser()}
	return func(line string) bool {
		words := strings.Fields(line)
		if form, _, err := s.parser.parse(s.mode, words); err == nil && slices.Contains(modePatterns, form.pattern) {
			if form.pattern == enterPattern {
				s.mode = portMode
				return false
			}
			return form.run(s, nil) == nil && s.ended
		}
		return false
	}
}

// enterPattern enters the mode of a port; modePatterns are all lines that change the mode.
const enterPattern = "interface <port>"

var modePatterns = []string{"enable", "disable", "configure [terminal]", "end", "exit", "{quit|logout}", enterPattern}

// lineRow is a line of a console as JSON.
type lineRow struct {
	Prompt  string   `json:"prompt"`
	Line    string   `json:"line"`
	Output  []string `json:"output,omitempty"`
	Changes []uint64 `json:"changes,omitempty"`
}

// consoleArguments are the arguments of a console.
type consoleArguments struct {
	Name  string `is:"connection"`
	Lines []string
}

// homeOf returns the port of a connection.
func homeOf(c *exec.Call, name string) (home int, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for port := range h.Lab().Ports() {
			if h.Lab().Connection(port) == name {
				home = port
			}
		}
		return nil
	})
	return home, err
}

// tryLines runs lines at a copy of the host, so that nothing changes.
func tryLines(c *exec.Call, in *consoleArguments) (exec.Answer, error) {
	home, err := homeOf(c, in.Name)
	if err != nil {
		return exec.Answer{}, err
	}
	copied, err := c.CopyHost()
	if err != nil {
		return exec.Answer{}, err
	}
	rows, at, err := runLines(c.Ctx, newSession(console.Trial{Copy: copied}, home), in.Lines)
	if err != nil {
		return exec.Answer{}, refused(fmt.Sprintf("line %d of the console is refused: ", at+1), err)
	}
	for i := range rows {
		rows[i].Changes = nil // they are changes of the copy
	}
	return transcript(rows), nil
}

// runConsole opens the console at a switch port: with lines it runs them, and without asks for them on a terminal.
func runConsole(c *exec.Call, in *consoleArguments) (exec.Answer, error) {
	home, err := homeOf(c, in.Name)
	if err != nil {
		return exec.Answer{}, err
	}
	if len(in.Lines) == 0 {
		return interactive(c, newSession(console.Live{Call: c}, home))
	}
	copied, err := c.CopyHost()
	if err != nil {
		return exec.Answer{}, err
	}
	if _, at, err := runLines(c.Ctx, newSession(console.Trial{Copy: copied}, home), in.Lines); err != nil {
		return exec.Answer{}, refused(fmt.Sprintf("line %d of the console is refused, and no line was applied: ", at+1), err)
	}
	rows, at, err := runLines(c.Ctx, newSession(console.Live{Call: c}, home), in.Lines)
	if err != nil {
		return exec.Answer{}, refused(fmt.Sprintf("line %d of the console failed; the lines before it were applied: ", at+1), err)
	}
	return transcript(rows), nil
}

// transcript is the answer of a console.
func transcript(rows []lineRow) exec.Answer {
	return exec.Answer{
		Result: struct {
			Lines []lineRow `json:"lines"`
		}{rows},
		Text: func(w io.Writer) error {
			var b strings.Builder
			for i := range rows {
				fmt.Fprintln(&b, rows[i].Prompt+rows[i].Line)
				for _, line := range rows[i].Output {
					fmt.Fprintln(&b, exec.Clean(line))
				}
			}
			_, err := io.WriteString(w, b.String())
			return err
		},
	}
}

// refused returns the error of a line, as a usage error when the console doesn't take it.
func refused(before string, err error) error {
	var refusal *lineError
	if errors.As(err, &refusal) {
		return exec.Mistake("%s%s", before, refusal.text)
	}
	return fmt.Errorf("%s%w", before, err)
}

// runLines runs lines in the mode of the console's own port. at is the line that failed.
func runLines(ctx context.Context, s *session, lines []string) (rows []lineRow, at int, err error) {
	rows = []lineRow{}
	if err := s.openPort(); err != nil {
		return nil, 0, err
	}
	for at, line := range lines {
		if s.ended {
			return nil, at, &lineError{"% The console has ended before this line"}
		}
		if err := ctx.Err(); err != nil {
			return nil, at, err
		}
		if err := s.run(line); err != nil {
			return nil, at, err
		}
		rows = append(rows, lineRow{s.asked, s.typed, s.output, s.changes})
	}
	return rows, 0, nil
}

// interactive asks for lines on the terminal until one ends the console, or there are no more.
func interactive(c *exec.Call, s *session) (exec.Answer, error) {
	none := exec.Mistake("switch console requires lines: as arguments in quotes after the connection, from the input, or on a terminal")
	if c.Runner.Ask == nil || c.Runner.JSON {
		return exec.Answer{}, none
	}
	first := true
	for ; !s.ended; first = false {
		fmt.Fprint(c.Runner.Out, s.prompt()) //nolint:errcheck // a terminal that is gone gives no line either
		line := c.Runner.Ask(c.Ctx)
		if err := c.Ctx.Err(); err != nil {
			return exec.Answer{}, err
		}
		if !strings.HasSuffix(line, "\n") { // a typed line has its end; an answer given in advance is not a line
			if first && line != "" {
				return exec.Answer{}, none
			}
			fmt.Fprintln(c.Runner.Out) //nolint:errcheck // as above
			break
		}
		err := s.run(line)
		output := s.output
		if err != nil {
			output = append(output, err.Error())
		}
		for _, text := range output {
			fmt.Fprintln(c.Runner.Out, exec.Clean(text)) //nolint:errcheck // as above
		}
	}
	return exec.Answer{}, nil
}
