package train

import (
	"context"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/exercise"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// onStage opens a stage with the page of an exercise, and returns the host that the exercise broke.
func onStage(t *testing.T) (*viewtest.Stage, *Trainer, *driver.Host) {
	t.Helper()
	e, _ := exercise.Find("cable-out")
	c, h, err := Begin(t.Context(), e, 1)
	if err != nil {
		t.Fatal(err)
	}
	trainer := &Trainer{Directory: t.TempDir(), Course: c, Clone: func(context.Context) (*driver.Host, error) { return h.Clone(), nil },
		Now: func() time.Time { return time.Unix(1_700_000_000, 0) }}
	stage := viewtest.Open(t, &deck.Deck{}, nil, "one")
	cmds := trainer.Introduce()
	if len(cmds) != 1 || len(trainer.Introduce()) != 0 {
		t.Fatal("the page of an exercise is not opened once at the start")
	}
	stage.Shell.Send(cmds[0]())
	return stage, trainer, h
}

// TestCourseDialog does an exercise with the buttons of its page: a check too early, a hint, the fix, and the end page.
func TestCourseDialog(t *testing.T) {
	t.Parallel()
	stage, trainer, h := onStage(t)
	stage.Golden("task")
	stage.Press("left", "left", "enter")
	stage.Want("Hint 1", "column State")
	stage.Press("left", "enter")
	stage.WaitIdle()
	stage.Want("Not solved yet", "Ethernet 7 still has a problem")
	stage.Golden("unsolved")
	if trainer.Course.Ended != nil || trainer.AskToLeave() == nil {
		t.Error("an unsolved exercise can be left without a question")
	}
	if _, err := h.Apply(driver.Plan{Title: "Plug in", Operations: []driver.Operation{driver.PlugCable{Connection: "Ethernet 7"}}}); err != nil {
		t.Fatal(err)
	}
	h.Advance(settled)
	stage.Press("enter")
	stage.WaitIdle()
	stage.Want("Solved.", "The cable of Ethernet 7 was unplugged.")
	stage.Golden("solved")
	list, _, err := ReadRecords(trainer.Directory)
	if err != nil || len(list) != 1 || !list[0].Solved || list[0].Hints != 1 || list[0].Changes != 1 {
		t.Errorf("the records are %+v, %v", list, err)
	}
	if trainer.AskToLeave() != nil {
		t.Error("a solved exercise asks before it is left")
	}
}

// TestGiveUp holds that giving up needs two presses, and is recorded as not solved.
func TestGiveUp(t *testing.T) {
	t.Parallel()
	stage, trainer, _ := onStage(t)
	stage.Press("left", "enter")
	stage.Want("Really give up")
	stage.Press("enter")
	stage.WaitIdle()
	stage.Want("Given up. This is the solution.")
	if list, _, _ := ReadRecords(trainer.Directory); len(list) != 1 || list[0].Solved {
		t.Errorf("the records are %+v", list)
	}
}

// TestList holds that the list shows the exercises with the best records, and says why it can't start one.
func TestList(t *testing.T) {
	t.Parallel()
	trainer := &Trainer{Directory: t.TempDir(), CannotStart: "this host is not kept"}
	if err := AddRecord(trainer.Directory, Record{Exercise: "cable-out", Solved: true, Seconds: 75, Hints: 2}); err != nil {
		t.Fatal(err)
	}
	stage := viewtest.Open(t, &deck.Deck{}, nil, "one")
	stage.Shell.Send(trainer.openList()())
	stage.Want("cable-out", "2 hints", "team-hides")
	stage.Golden("list")
	stage.Press("enter")
	stage.Want("this host is not kept")
	if a := trainer.Actions()[0]; strings.Join(a.Keys, "") != "Q" || !a.Hidden {
		t.Errorf("the action is %+v", a)
	}
}
