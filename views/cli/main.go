package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"cxdeck/perf"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
)

// Exit codes; exitMistake is a usage error.
const (
	exitDone    = 0
	exitFailed  = 1
	exitMistake = 2
)

// Streams are the inputs and outputs of the process.
type Streams struct {
	In       *os.File
	Out, Err io.Writer
	// Terminal is the output when it is a terminal, else nil.
	Terminal *os.File
	// Environment looks up an environment variable.
	Environment func(string) (string, bool)
	// Exit ends the process if an orderly end takes too long; with nil there is no time limit.
	Exit func(code int)
}

// Process returns the running process's own streams.
func Process() Streams {
	s := Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environment: os.LookupEnv, Exit: os.Exit}
	if isTerminal(os.Stdin) && isTerminal(os.Stdout) {
		s.Terminal = os.Stdout
	}
	return s
}

// mistake returns a usage error, which exits with 2.
func mistake(format string, args ...any) error {
	return exec.Mistake(format, args...)
}

// session is one invocation of a command.
type session struct {
	ctx       context.Context
	version   string // of build
	build     Build
	streams   Streams
	command   command
	flags     *pflag.FlagSet
	arguments []string
	options   options
	log       *slog.Logger
	ending    *ending
	// hostReady is called with the info of a lab's source as soon as its host is ready; it may be nil.
	hostReady func(info perf.SourceInfo)
	// run identifies this run of the program in the journal.
	run string
}

var errInterrupted = errors.New("interrupted")

// Main runs the command line and returns the exit code: 0 done, 1 failed, 2 not understood. Each failure is one
// sentence on the error stream.
func Main(ctx context.Context, build Build, arguments []string, streams Streams) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	out := &stickyWriter{w: streams.Out}
	streams.Out = out
	ending := watchEnding(build.Version, streams)
	defer ending.close()
	err := run(ctx, build, arguments, streams, ending)
	if out.err != nil {
		err = out.err // the cause of other errors
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = errInterrupted
	}
	var wrong *exec.MistakeError
	var reported *reportedError
	switch {
	case err == nil || errors.Is(err, pflag.ErrHelp):
		return exitDone
	case errors.As(err, &reported):
		return reported.code
	case errors.As(err, &wrong):
		complain(streams.Err, err)
		return exitMistake
	default:
		complain(streams.Err, err)
		return exitFailed
	}
}

// complain prints an error as one line without control characters: it may quote names from outside.
func complain(w io.Writer, err error) {
	fmt.Fprintln(w, "cxdeck: "+exec.Sentence(err.Error())) //nolint:errcheck // there is no other output
}

func run(ctx context.Context, build Build, arguments []string, streams Streams, ending *ending) error {
	s := &session{ctx: ctx, version: build.Version, build: build, streams: streams, ending: ending, run: newRun(time.Now())}
	if len(arguments) > 0 && arguments[0] == completeCommand {
		return s.runComplete(arguments[1:])
	}
	all := commands()
	s.command = all[0]
	if len(arguments) > 0 && arguments[0] != "" && !strings.HasPrefix(arguments[0], "-") {
		found, err := findCommand(all, arguments[0])
		if err != nil {
			return err
		}
		s.command, arguments = found, arguments[1:]
	}
	if err := s.parse(arguments); err != nil {
		return err
	}
	if s.options.help {
		if s.command.split && len(s.arguments) > 0 {
			if text := catalog.Commands().HelpOn(s.arguments); text != "" {
				_, err := io.WriteString(s.streams.Out, text)
				return err
			}
		}
		return s.printHelp(s.command)
	}
	if s.options.version {
		return runVersion(s)
	}
	ending.setCrashFolder(s.stateDirectory())
	closeLog, err := s.openLog()
	if err != nil {
		return err
	}
	defer closeLog()
	s.log.Info("start", "version", s.version, "command", s.command.name)
	err = s.command.run(s)
	if err != nil {
		s.log.Error("failed", "error", err.Error())
	}
	return err
}

func findCommand(all []command, name string) (command, error) {
	var names []string
	for _, c := range all[1:] {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return command{}, mistake("unknown command %q%s", name, hint(name, names))
}

func (s *session) noArguments() error {
	if len(s.arguments) == 0 {
		return nil
	}
	return mistake("unexpected argument %q: cxdeck %s takes no arguments", s.arguments[0], s.command.name)
}
