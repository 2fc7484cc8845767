package cli

import (
	"bufio"
	"context"
	"io"
	"strings"
	"time"

	"cxdeck/views/cli/process"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/syntax"
)

// runExec runs one command, or a script from the standard input.
func runExec(s *session) error {
	if len(s.arguments) == 0 && (s.streams.In == nil || process.IsTerminal(s.streams.In)) {
		return mistake("exec requires a command, or a script on its standard input; cxdeck exec help lists the commands")
	}
	text, err := s.lab().Text()
	if err != nil {
		return err
	}
	bench := &execBench{session: s, text: text, deadline: time.Now().Add(s.options.wait)}
	complaints := &errorRelay{Writer: s.streams.Err}
	runner := &exec.Runner{
		Table: catalog.Commands(), Version: s.version, Files: disk{}, LabText: text, JSON: s.options.json, KeepGoing: s.options.keepGoing,
		ReadOnly: s.options.readOnly, InBytes: s.options.inBytes, Zone: time.Local, Out: s.streams.Out, Err: complaints,
		Log: func(line string, status exec.Status) { s.log.Info("command", "line", line, "status", int(status)) },
	}
	runner.Open = func(ctx context.Context) (host exec.Host, err error) {
		bench.changing = runner.Changing
		host, runner.Drafts, err = bench.open(ctx)
		runner.Unwritable = bench.unwritable
		if bench.remote != nil {
			runner.Elsewhere = func(ctx context.Context, words []string, place string) (exec.Status, error) {
				return bench.send(ctx, runner, words, place)
			}
		}
		return host, err
	}
	var status exec.Status
	if s.streams.In != nil && process.IsTerminal(s.streams.In) {
		runner.Ask = s.readAnswer
	}
	if s.streams.In != nil && !process.IsTerminal(s.streams.In) {
		lines := bufio.NewReader(s.streams.In)
		runner.Input = func() (string, bool) { return exec.NextLine(lines) }
	}
	switch {
	case len(s.arguments) == 1 && (strings.ContainsAny(s.arguments[0], " \t\n") || runner.Table.IsShell(s.arguments[0])):
		// The argument is a whole line in quotes: in a shell, PowerShell lines with $ and | require quotes.
		status = runner.Script(s.ctx, strings.NewReader(s.arguments[0]))
	case len(s.arguments) > 0:
		status = runner.Run(s.ctx, syntax.Arguments(s.arguments))
	default:
		status = runner.Script(s.ctx, s.streams.In)
	}
	if err := bench.close(); err != nil && (status == exec.Done || !complaints.endWith(err)) {
		return err
	}
	if status != exec.Done {
		return &process.ReportedError{Code: int(status)}
	}
	return nil
}

// errorRelay passes error messages on, and keeps the last one.
type errorRelay struct {
	io.Writer
	last []byte
}

func (c *errorRelay) Write(message []byte) (int, error) {
	c.last = append(c.last[:0], message...)
	return c.Writer.Write(message)
}

// endWith reports whether the last message ends with an error: the operator has read it.
func (c *errorRelay) endWith(err error) bool {
	return strings.HasSuffix(strings.TrimSpace(string(c.last)), exec.Sentence(err.Error()))
}

// readAnswer reads the operator's answer to a question from the terminal; it is empty if there is none.
func (s *session) readAnswer(ctx context.Context) string {
	lines := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(s.streams.In).ReadString('\n') // without a line the default answer applies
		lines <- line
	}()
	select {
	case line := <-lines:
		return line
	case <-ctx.Done():
		return ""
	}
}
