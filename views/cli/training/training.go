// Package training implements cxdeck train without a screen: the list of exercises with the records, the check of an own exercise, and
// an exercise by lines of standard input.
package training

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
	"cxdeck/perf/lab"
	"cxdeck/perf/regular"
	"cxdeck/ui/widget"
	"cxdeck/views/cli/process"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/hosts"
	"cxdeck/views/train"
)

// Words returns the words that can follow train: its commands, and the names of exercises.
func Words() []string {
	words := []string{"list", "check"}
	for _, e := range exercise.All() {
		words = append(words, e.Name)
	}
	return words
}

// Command is the command cxdeck train without a console.
type Command struct {
	Ctx     context.Context
	Streams process.Streams
	// Directory is the state directory, with the records.
	Directory string
	// Seed selects the point in the lab's traffic schedule and the place of an exercise.
	Seed uint64
	// JSON prints the list as a document.
	JSON bool
}

// FindExercise returns an embedded exercise, or the one in a file.
func FindExercise(name string) (*exercise.Exercise, error) {
	if e, ok := exercise.Find(name); ok {
		return e, nil
	}
	if !strings.ContainsAny(name, `./\`) {
		return nil, exec.Mistake("there is no exercise %q%s", name, exec.Suggest(name, Words(), "choose from "+strings.Join(Words(), ", ")))
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

// Check checks a file with an exercise: its text, and that it can be solved by its steps and not by a restart.
func (c *Command) Check(path string) error {
	e, err := readExercise(path)
	if err != nil {
		return err
	}
	for seed := uint64(1); seed <= max(uint64(len(e.Places)), 1); seed++ {
		if _, err := train.Verify(c.Ctx, e, seed); err != nil {
			if len(e.Places) > 1 {
				err = fmt.Errorf("at %s: %w", e.Places[seed-1], err)
			}
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	_, err = fmt.Fprintf(c.Streams.Out, "%s is a sound exercise: a finding shows the fault, the steps solve it, and a restart does not.\n", path)
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

// List lists the exercises with the best records.
func (c *Command) List() error {
	records, unread, err := train.ReadRecords(c.Directory)
	if err != nil {
		return err
	}
	if unread > 0 {
		process.Complain(c.Streams.Err, fmt.Errorf("%d records of exercises can't be read", unread))
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
	if c.JSON {
		encoder := json.NewEncoder(c.Streams.Out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(struct {
			Schema    int           `json:"schema"`
			Exercises []exerciseRow `json:"exercises"`
		}{exec.SchemaVersion, rows})
	}
	level := 0
	table := exec.NewTextTable(c.Streams.Out, "LEVEL", "EXERCISE", "TITLE", "YOUR BEST", "TRIES")
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
	_, err = fmt.Fprintln(c.Streams.Out, "\ncxdeck train NAME begins an exercise.")
	return err
}

// Width is the width of the pages of an exercise as text.
const Width = 100

// RunLines runs an exercise with the lines of standard input: lines of exec, hint, check and give-up.
func (c *Command) RunLines(e *exercise.Exercise) error {
	course, broken, err := train.Begin(c.Ctx, e, c.Seed)
	if err != nil {
		return err
	}
	source, err := lab.New(broken)
	if err != nil {
		return err
	}
	host := hosts.OnLab(source, nil, nil)
	show := func(list []train.Paragraph) error {
		_, err := io.WriteString(c.Streams.Out, train.PlainText(list, Width, widget.Wrap)+"\n")
		return err
	}
	if err := show(append(course.Task(), train.Paragraph{Text: linesHelp})); err != nil {
		return err
	}
	var lines *bufio.Reader
	if c.Streams.In != nil && !process.IsTerminal(c.Streams.In) {
		lines = bufio.NewReader(c.Streams.In)
	}
	for course.Ended == nil {
		text, more := "", false
		if lines != nil {
			text, more = exec.NextLine(lines)
		}
		if err := c.runLine(course, host, strings.TrimSpace(text), !more, show); err != nil {
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

// runLine runs a line of an exercise; after the last one the host is checked.
func (c *Command) runLine(course *train.Course, host exec.Host, text string, last bool, show func([]train.Paragraph) error) error {
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
			process.Complain(c.Streams.Err, train.ErrTells)
		} else if err := train.RunLines(c.Ctx, host, "exercise", []string{text}, c.Streams.Out); err != nil {
			process.Complain(c.Streams.Err, err)
		}
		if !last {
			return nil
		}
	}
	var copied *driver.Host
	if err := host.ReadHost(c.Ctx, func(h *driver.Host) error { copied = h.Clone(); return nil }); err != nil {
		return err
	}
	result, err := course.Check(c.Ctx, copied)
	if err != nil {
		return err
	}
	if !result.Solved && !gaveUp {
		return show(result.State())
	}
	course.Finish(result, gaveUp)
	return errors.Join(show(course.EndPage()), train.AddRecord(c.Directory, course.Record(time.Now())))
}
