package cli

import (
	"context"
	"io"

	"cxdeck/driver/exercise"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/cli/process"
	"cxdeck/views/cli/training"
	"cxdeck/views/train"
)

// runTrain lists exercises, checks a file with one, or runs one: in the console, or without a terminal with the lines of standard input.
func runTrain(s *session) error {
	command := &training.Command{Ctx: s.ctx, Streams: s.streams, Directory: s.stateDirectory(), Seed: s.options.seed, JSON: s.options.format == "json"}
	if len(s.arguments) == 0 {
		return command.List()
	}
	name, rest := s.arguments[0], s.arguments[1:]
	switch {
	case name == "check" && len(rest) == 1:
		return command.Check(rest[0])
	case name == "check":
		return mistake("train check requires the name of one file")
	case len(rest) > 0:
		return mistake("unexpected argument %q after train %s", rest[0], name)
	case name == "list":
		return command.List()
	}
	e, err := training.FindExercise(name)
	if err != nil {
		return err
	}
	if s.streams.Terminal == nil || s.streams.In == nil || !process.IsTerminal(s.streams.In) {
		return command.RunLines(e)
	}
	return s.trainInConsole(e, false)
}

// trainInConsole runs an exercise in a console of its own, which keeps no history. returns reports that another console follows.
func (s *session) trainInConsole(e *exercise.Exercise, returns bool) error {
	course, broken, err := train.Begin(s.ctx, e, s.options.seed)
	if err != nil {
		return err
	}
	directory := s.stateDirectory()
	own := *s
	own.options.ephemeral, own.options.source, own.options.screen = true, "lab", ""
	if own.options.speed == 0 {
		own.options.speed = 1
	}
	c := newConsole(&own)
	c.trainer.Directory, c.trainer.Course, c.returns = directory, course, returns
	c.deck.Exercise = true
	if err := c.run(func(context.Context, *store.DB) (perf.Source, string, error) {
		source, err := lab.New(broken)
		return source, "", err
	}); err != nil {
		return err
	}
	if course.Ended != nil && !returns {
		_, err = io.WriteString(s.streams.Out, train.PlainText(course.EndPage(), training.Width, widget.Wrap))
	}
	return err
}

// startExercise leaves the screens; the console begins again when the exercise is over.
func (c *console) startExercise(name string) ui.Cmd {
	c.next = name
	return ui.Quit()
}

// cannotStart returns the reason why a console can't be left for an exercise; empty when it can.
func (c *console) cannotStart() string {
	switch {
	case c.session.options.plain:
		return "start it with cxdeck train NAME"
	case c.session.options.source == "lab" && c.session.options.ephemeral:
		return "this host is not kept (--ephemeral), and would be lost: start the exercise with cxdeck train NAME"
	}
	return ""
}
