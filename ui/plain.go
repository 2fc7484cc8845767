package ui

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// The size of a screen that is printed as text: wide enough that no column goes.
const (
	plainWidth  = 160
	plainHeight = 60
)

// namedKeys are the keys that a line names in full in plain mode; any other line is taken letter by letter.
var namedKeys = []string{"enter", "esc", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgup", "pgdown",
	"space", "backspace", "delete"}

// RunPlain shows the console as lines of text without any escape sequence: for screen readers and logs. The screen at the
// front is printed whenever interval has passed and it has changed, and after each line of input, which names a key
// ("2", "down", "q", "ctrl+r") or is typed letter by letter. It returns when the operator leaves or ctx ends.
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
			p.last = ""
			if err := p.print(); err != nil {
				return err
			}
		case msg := <-p.msgs:
			if crash, ok := msg.(crashMsg); ok {
				return p.crashed(crash.crash, options)
			}
			p.shell.Send(msg)
		case <-ticker.C:
			if err := p.print(); err != nil {
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
	last  string // what was printed last
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

// print prints the screen if it has changed since the last time.
func (p *plainLoop) print() error {
	if p.shell.Quitting() {
		return nil
	}
	text := linear(p.shell.Frame(plainWidth, plainHeight).Text(), string(p.shell.glyphs().Horizontal), string(p.shell.glyphs().Vertical))
	if text == p.last {
		return nil
	}
	p.last = text
	if _, err := fmt.Fprintln(p.out, text); err != nil {
		return fmt.Errorf("the output takes no text any more: %w", err)
	}
	return nil
}

// linear takes rules, repeated blank lines, and the edges of panels that have nothing beside them out of a screen's text.
func linear(text, rule, edge string) string {
	var b strings.Builder
	blank := false
	for line := range strings.Lines(text) {
		if strings.Index(line, edge) >= plainWidth/2 { // the axis of a chart is further left
			line = strings.TrimRight(line, " "+edge+"\n") + "\n"
		}
		if strings.Trim(line, rule+"\n") == "" {
			blank = blank || line == "\n"
			continue
		}
		if blank {
			b.WriteByte('\n')
		}
		blank = false
		b.WriteString(line)
	}
	return b.String()
}

// lineKeys are the keys that a line of input stands for.
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

// readLines passes the lines of the input on until it ends; the screens go on without it.
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
