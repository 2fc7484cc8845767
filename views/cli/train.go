package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/exercise"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/regular"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/cli/process"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/hosts"
	"cxdeck/views/train"
)

// trainWords are the commands of train beside the names of exercises.
func trainWords() []string {
	words := []string{"list", "check"}
	for _, e := range exercise.All() {
		words = append(words, e.Name)
	}
	return words
}

// runTrain lists exercises, checks a file with one, or runs one: in the console, or without a terminal with the lines of standard input.
func runTrain(s *session) error {
	if len(s.arguments) == 0 {
		return s.listExercises()
	}
	name, rest := s.arguments[0], s.arguments[1:]
	switch {
	case name == "check" && len(rest) == 1:
		return s.checkExercise(rest[0])
	case name == "check":
		return mistake("train check requires the name of one file")
	case len(rest) > 0:
		return mistake("unexpected argument %q after train %s", rest[0], name)
	case name == "list":
		return s.listExercises()
	}
	e, err := s.findExercise(name)
	if err != nil {
		return err
	}
	if s.streams.Terminal == nil || s.streams.In == nil || !process.IsTerminal(s.streams.In) {
		return s.trainByLines(e)
	}
	return s.trainInConsole(e, false)
}

// findExercise returns an embedded exercise, or the one in a file.
func (s *session) findExercise(name string) (*exercise.Exercise, error) {
	if e, ok := exercise.Find(name); ok {
		return e, nil
	}
	if !strings.ContainsAny(name, `./\`) {
		return nil, mistake("there is no exercise %q%s", name, hint(name, trainWords()))
	}
	return readExercise(name)
}

// readExercise reads an exercise from a file.
func readExercise(path string) (*exercise.Exercise, error) {
	text, err := regular.Read(path, exercise.MaxText)
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", path, exec.FailureReason(err))
	}
	e, err := exercise.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

// checkExercise checks a file with an exercise: its text, and that it can be solved by its steps and not by a restart.
func (s *session) checkExercise(path string) error {
	e, err := readExercise(path)
	if err != nil {
		return err
	}
	for seed := uint64(1); seed <= max(uint64(len(e.Places)), 1); seed++ {
		if _, err := train.Verify(s.ctx, e, seed); err != nil {
			if len(e.Places) > 1 {
				err = fmt.Errorf("at %s: %w", e.Places[seed-1], err)
			}
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	_, err = fmt.Fprintf(s.streams.Out, "%s is a sound exercise: a finding shows the fault, the steps solve it, and a restart does not.\n", path)
	return err
}

// exerciseRow is an exercise as JSON.
type exerciseRow struct {
	Name  string        `json:"name"`
	Title string        `json:"title"`
	Level int           `json:"level"`
	Best  *train.Record `json:"best"`
	Tries int           `json:"tries"`
}

// listExercises lists the exercises with the best records.
func (s *session) listExercises() error {
	records, unread, err := train.ReadRecords(s.stateDirectory())
	if err != nil {
		return err
	}
	if unread > 0 {
		process.Complain(s.streams.Err, fmt.Errorf("%d records of exercises can't be read", unread))
	}
	var rows []exerciseRow
	for _, e := range exercise.All() {
		row := exerciseRow{Name: e.Name, Title: e.At(1).Title, Level: e.Level, Best: train.Best(records, e.Name)}
		for i := range records {
			if records[i].Exercise == e.Name {
				row.Tries++
			}
		}
		rows = append(rows, row)
	}
	if s.options.format == "json" {
		encoder := json.NewEncoder(s.streams.Out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(struct {
			Schema    int           `json:"schema"`
			Exercises []exerciseRow `json:"exercises"`
		}{exec.SchemaVersion, rows})
	}
	level := 0
	table := exec.NewTextTable(s.streams.Out, "LEVEL", "EXERCISE", "TITLE", "YOUR BEST", "TRIES")
	for _, row := range rows {
		words := ""
		if row.Level != level {
			level, words = row.Level, fmt.Sprint(row.Level)
		}
		table.Row(words, row.Name, row.Title, train.BestText(records, row.Name), fmt.Sprint(row.Tries))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.streams.Out, "\ncxdeck train NAME begins an exercise.")
	return err
}

// trainingWidth is the width of the pages of an exercise as text.
const trainingWidth = 100

// trainByLines runs an exercise with the lines of standard input: lines of exec, hint, check and give-up.
func (s *session) trainByLines(e *exercise.Exercise) error {
	course, broken, err := train.Begin(s.ctx, e, s.options.seed)
	if err != nil {
		return err
	}
	source, err := lab.New(broken)
	if err != nil {
		return err
	}
	host := hosts.OnLab(source, nil, nil)
	show := func(list []train.Paragraph) error {
		_, err := io.WriteString(s.streams.Out, train.PlainText(list, trainingWidth, widget.Wrap)+"\n")
		return err
	}
	if err := show(append(course.Task(), train.Paragraph{Text: linesHelp})); err != nil {
		return err
	}
	var lines *bufio.Reader
	if s.streams.In != nil && !process.IsTerminal(s.streams.In) {
		lines = bufio.NewReader(s.streams.In)
	}
	for course.Ended == nil {
		text, more := "", false
		if lines != nil {
			text, more = exec.NextLine(lines)
		}
		if err := s.trainLine(course, host, strings.TrimSpace(text), !more, show); err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if course.Ended == nil || !course.Ended.Solved || course.GaveUp {
		return &process.ReportedError{Code: int(exec.Failed)}
	}
	return nil
}

// linesHelp explains the lines that an exercise accepts.
const linesHelp = "Each line is a command of cxdeck exec: diagnose lists what is wrong, and help lists the commands. The lines hint, check and " +
	"give-up belong to the exercise. The time of the lab passes only with commands such as advance 5s."

// ownLines explains the lines that belong to an exercise.
var ownLines = map[string]string{
	"hint": "hint shows the next hint of the exercise. The end page counts the hints.",
	"check": "check compares the host with the same host without the fault and says what is left. The exercise ends when nothing is left. " +
		"After a change of the last 30 seconds the host is judged as it will be 30 seconds later.",
	"give-up": "give-up ends the exercise and shows what was broken and how an expert fixes it.",
}

// trainLine runs a line of an exercise; after the last one the host is checked.
func (s *session) trainLine(course *train.Course, host exec.Host, text string, last bool, show func([]train.Paragraph) error) error {
	gaveUp := text == "give-up"
	switch {
	case text == "" && !last:
		return nil
	case text == "hint":
		if course.Hints < len(course.Exercise.Hints) {
			course.Hints++
		}
		return show(course.LastHint())
	case ownLines[strings.TrimPrefix(text, "help ")] != "" && strings.HasPrefix(text, "help "):
		return show([]train.Paragraph{{Text: ownLines[strings.TrimPrefix(text, "help ")]}})
	case text == "help":
		if err := show([]train.Paragraph{{Text: linesHelp}}); err != nil {
			return err
		}
		fallthrough
	case text != "" && text != "check" && !gaveUp:
		if words, _ := catalog.Commands().Split(text); train.LineRevealsFault(words) {
			process.Complain(s.streams.Err, train.ErrTells)
		} else if err := train.RunLines(s.ctx, host, "exercise", []string{text}, s.streams.Out); err != nil {
			process.Complain(s.streams.Err, err)
		}
		if !last {
			return nil
		}
	}
	var copied *driver.Host
	if err := host.ReadHost(s.ctx, func(h *driver.Host) error { copied = h.Clone(); return nil }); err != nil {
		return err
	}
	result, err := course.Check(s.ctx, copied)
	if err != nil {
		return err
	}
	if !result.Solved && !gaveUp {
		return show(result.State())
	}
	course.Finish(result, gaveUp)
	return errors.Join(show(course.EndPage()), train.AddRecord(s.stateDirectory(), course.Record(time.Now())))
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
		_, err = io.WriteString(s.streams.Out, train.PlainText(course.EndPage(), trainingWidth, widget.Wrap))
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
