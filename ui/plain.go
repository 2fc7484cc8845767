package ui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
)

// The size of a screen that is printed as text: narrow enough for a layout in one column, and high enough for long lists.
const (
	plainWidth  = 100
	plainHeight = 60
)

// namedKeys are the keys with names in plain mode; each letter of any other line is a key.
var namedKeys = []string{"enter", "esc", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown",
	"space", "backspace", "delete"}

// RunPlain shows the console as lines of text without escape sequences and without drawing characters: for screen readers and
// logs. The screen at the front is printed once; after that, at each interval and after each line of input, only the changed
// lines are printed. A line of input names a key ("2", "down", "q", "ctrl+r") or is typed letter by letter. It returns when the
// operator leaves, when ctx ends, or when the source has ended and Options.Ended says so.
func RunPlain(ctx context.Context, options Options, in io.Reader, out io.Writer, interval time.Duration) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &plainLoop{out: out, msgs: make(chan Msg)}
	defer func() {
		if thrown := recover(); thrown != nil {
			err = p.crashed(asCrash(thrown, "showing the screens as text"), options)
		}
	}()
	p.shell = NewShell(options)
	p.shell.inLines = true
	lines := make(chan string)
	go readLines(ctx, in, lines)
	ticker := time.NewTicker(max(interval, 100*time.Millisecond))
	defer ticker.Stop()
	for !p.shell.Quitting() {
		p.start(ctx)
		select {
		case <-ctx.Done():
			return nil
		case line := <-lines:
			for _, key := range lineKeys(line) {
				p.shell.Send(key)
			}
			if err := p.print(true); err != nil {
				return err
			}
		case msg := <-p.msgs:
			if crash, ok := msg.(crashMsg); ok {
				return p.crashed(crash.crash, options)
			}
			p.shell.Send(msg)
		case <-ticker.C:
			over := options.Ended != nil && options.Ended()
			if err := p.print(false); err != nil || over {
				return err
			}
		}
	}
	return nil
}

type plainLoop struct {
	shell *Shell
	out   io.Writer
	msgs  chan Msg
	last  []string // the lines of the screen as they were last written, nil before the first
}

// crashed writes the report of a crash.
func (p *plainLoop) crashed(crash *CrashError, options Options) error {
	var steps trail
	if p.shell != nil {
		steps = p.shell.trail
	}
	crash.writeReport(options.ReportDirectory, options.Version, time.Now(), &steps)
	return crash
}

// start runs the jobs of the shell.
func (p *plainLoop) start(ctx context.Context) {
	for _, j := range p.shell.takeJobs() {
		go func() {
			msg := j.guarded(ctx)
			select {
			case p.msgs <- msg:
			case <-ctx.Done():
			}
		}()
	}
}

// print prints the lines of the screen that have changed since the last time; with asked, after input of the operator, it also
// reports that nothing has changed.
func (p *plainLoop) print(asked bool) error {
	if p.shell.Quitting() {
		return nil
	}
	lines := readableLines(p.shell.Frame(plainWidth, plainHeight).Text())
	changed := changedLines(p.last, lines, asked)
	if p.last != nil && len(changed) == 0 {
		if !asked {
			return nil
		}
		changed = []string{"Nothing on the screen has changed."}
	}
	p.last = lines
	if _, err := fmt.Fprintln(p.out, strings.Join(changed, "\n")); err != nil {
		return fmt.Errorf("can't write to the output: %w", err)
	}
	return nil
}

// changedLines returns the new lines. A change of only the header, with its clock, is ignored, unless the operator asked.
func changedLines(before, lines []string, asked bool) (changed []string) {
	known := map[string]int{}
	for _, line := range before {
		known[line]++
	}
	for i, line := range lines {
		switch {
		case before != nil && i == 0 && !asked:
		case known[line] > 0:
			known[line]--
		default:
			changed = append(changed, line)
		}
	}
	return changed
}

// readableLines returns the lines of a screen for a screen reader: without rules, frames, curves, marks and blank lines. Every
// mark has a word beside it; the rows of a chart are useless without curves.
func readableLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if strings.ContainsAny(line, chartAxes) {
			continue
		}
		line = strings.ReplaceAll(line, " → ", " to ")
		words := strings.Join(strings.Fields(strings.Map(blankDrawing, line)), " ")
		if strings.ContainsFunc(words, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			lines = append(lines, words)
		}
	}
	return lines
}

// chartAxes are the marks of a chart's axes.
const chartAxes = "┤┼┬"

// blankDrawing replaces drawing characters with blanks: lines, blocks, shapes, arrows and braille.
func blankDrawing(r rune) rune {
	switch {
	case r >= '\u2190' && r <= '\u21ff', r >= '\u2500' && r <= '\u27bf', r >= '\u27f0' && r <= '\u28ff':
		return ' '
	}
	return r
}

// lineKeys returns the keys for a line of input.
func lineKeys(line string) []Msg {
	name := strings.TrimSpace(line)
	if slices.Contains(namedKeys, name) || strings.HasPrefix(name, "ctrl+") || strings.HasPrefix(name, "alt+") {
		if name == "space" {
			return []Msg{KeyMsg{Name: " ", Runes: []rune{' '}}}
		}
		return []Msg{KeyMsg{Name: name}}
	}
	var keys []Msg
	for _, r := range strings.TrimRight(line, "\r\n") {
		keys = append(keys, KeyMsg{Name: string(r), Runes: []rune{r}})
	}
	return keys
}

// readLines passes on the lines of the input until it ends; the screens continue after that.
func readLines(ctx context.Context, in io.Reader, lines chan<- string) {
	if in == nil {
		return
	}
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		select {
		case lines <- scanner.Text():
		case <-ctx.Done():
			return
		}
	}
}
