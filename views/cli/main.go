package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"cxdeck/driver"
	"cxdeck/views/cli/labs"
	"cxdeck/views/cli/process"
	"cxdeck/views/cli/savedhosts"
	"cxdeck/views/cli/twin"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
)

// Exit codes; exitMistake is a usage error.
const (
	exitDone    = 0
	exitFailed  = 1
	exitMistake = 2
)

// mistake returns a usage error, which exits with 2.
func mistake(format string, args ...any) error {
	return exec.Mistake(format, args...)
}

// session is one invocation of a command.
type session struct {
	ctx       context.Context
	version   string // of build
	build     Build
	streams   process.Streams
	command   command
	flags     *pflag.FlagSet
	arguments []string
	options   options
	log       *slog.Logger
	ending    *process.Ending
	// run identifies this run of the program in the journal.
	run string
}

var errInterrupted = errors.New("interrupted")

// Main runs the command line and returns the exit code: 0 done, 1 failed, 2 not understood. Each failure is one
// sentence on the error stream.
func Main(ctx context.Context, build Build, arguments []string, streams process.Streams) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	out := process.NewStickyWriter(streams.Out)
	streams.Out = out
	ending := process.WatchEnding(build.Version, streams)
	defer ending.Close()
	err := run(ctx, build, arguments, streams, ending)
	if out.Err() != nil {
		err = out.Err() // the cause of other errors
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = errInterrupted
	}
	var wrong *exec.MistakeError
	var reported *process.ReportedError
	switch {
	case err == nil || errors.Is(err, pflag.ErrHelp):
		return exitDone
	case errors.As(err, &reported):
		return reported.Code
	case errors.As(err, &wrong):
		process.Complain(streams.Err, err)
		return exitMistake
	default:
		process.Complain(streams.Err, err)
		return exitFailed
	}
}

func run(ctx context.Context, build Build, arguments []string, streams process.Streams, ending *process.Ending) error {
	s := &session{ctx: ctx, version: build.Version, build: build, streams: streams, ending: ending, run: labs.NewRun(time.Now())}
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
	ending.SetCrashFolder(s.stateDirectory())
	log, closeLog, err := process.OpenLog(s.options.logFile)
	if err != nil {
		return err
	}
	s.log = log
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

// progress returns a function that draws a progress bar on the error stream; nil if it is not a terminal.
func (s *session) progress(title string) func(done, all int) {
	return process.DrawProgress(s.streams.Err, title)
}

// salvageProgress returns a function that draws the progress of salvaging a damaged history; see progress.
func (s *session) salvageProgress() func(done, all int) {
	return s.progress("Saving what can be read of the damaged history")
}

// lab returns the lab that --lab and --seed choose.
func (s *session) lab() *labs.Lab {
	return &labs.Lab{
		File: s.options.labFile, Seed: s.options.seed, History: s.options.db, DefaultHistory: defaultHistory(), Version: s.version,
		Actor: driver.Actor{By: cmp.Or(s.command.name, "console"), Run: s.run},
	}
}

// runHost manages the hosts in the history.
func runHost(s *session) error {
	command := &savedhosts.Command{Ctx: s.ctx, Lab: s.lab(), Out: s.streams.Out, JSON: s.options.format == "json", ReadOnly: s.options.readOnly, Open: s.openFile}
	return command.Run(s.arguments)
}

// runTwin makes, shows and compares twins of real hosts.
func runTwin(s *session) error {
	command := &twin.Command{
		Ctx: s.ctx, History: s.options.db, DefaultHistory: defaultHistory(), Seed: s.options.seed, Version: s.version, Out: s.streams.Out, JSON: s.options.json,
		Force: s.isOn("force"), ReadOnly: s.options.readOnly, Count: s.options.count, Interval: s.options.interval,
	}
	return command.Run(s.arguments)
}
