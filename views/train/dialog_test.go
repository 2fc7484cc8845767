package train

import (
	"context"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/exercise"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
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
	stage.Press("right", "enter")
	stage.Want("Hint 1", "column State")
	stage.Press("left", "enter")
	stage.WaitIdle()
	stage.Want("Not solved: 1 problem is left, and 5 workloads are slower")
	if strings.Contains(stage.Text(), "Ethernet 7") {
		t.Error("the check names the port")
	}
	stage.Golden("unsolved")
	if trainer.Course.Ended != nil || trainer.AskToLeave() == nil {
		t.Error("an unsolved exercise can be left without a question")
	}
	if _, err := h.Apply(driver.Plan{Title: "Plug in", Operations: []driver.Operation{hardware.PlugCable{Connection: "Ethernet 7"}}}); err != nil {
		t.Fatal(err)
	}
	h.Advance(settled)
	stage.Press("enter")
	stage.WaitIdle()
	stage.Want("Solved.", "The cable of Ethernet 7 was unplugged.", "Plug in the cable of Ethernet 7", "without what the fault")
	stage.Golden("solved")
	list, _, err := ReadRecords(trainer.Directory)
	if err != nil || len(list) != 1 || !list[0].Solved || list[0].Hints != 1 || list[0].Changes != 1 {
		t.Errorf("the records are %+v, %v", list, err)
	}
	if trainer.AskToLeave() != nil {
		t.Error("a solved exercise asks before it is left")
	}
}

// TestGiveUp holds that giving up is asked first, with the focus on Back, so that Enter twice does not give up, and is recorded as not solved.
func TestGiveUp(t *testing.T) {
	t.Parallel()
	stage, trainer, _ := onStage(t)
	stage.Press("right", "right", "enter")
	stage.Want("Really give up", "Give up? The solution is shown")
	stage.Press("enter")
	stage.WaitIdle()
	if trainer.Course.Ended != nil {
		t.Fatal("Enter twice gives up")
	}
	stage.Shell.Send(trainer.openCourse()())
	stage.Press("right", "right", "enter", "left", "enter")
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

// TestDescribe holds that the end page says what a change did and what the value was.
func TestDescribe(t *testing.T) {
	t.Parallel()
	_, _, h := onStage(t)
	vlans := func(text string) {
		t.Helper()
		if _, err := h.Apply(driver.Plan{Title: "Set up the switch port", Operations: []driver.Operation{fabric.SetSwitchPort{Connection: "Ethernet 8", VLANs: &text}}}); err != nil {
			t.Fatal(err)
		}
	}
	vlans("70")
	vlans("70,71")
	journal := h.Journal()
	text := describe(&journal[len(journal)-1])
	if !strings.Contains(text, "Ethernet 8") || !strings.Contains(text, "70,71") || !strings.HasSuffix(text, "70)") || !strings.Contains(text, "(was ") {
		t.Errorf("the change is %q", text)
	}
	t.Log(text)
	if was := previous("set a of b to 4", "delete a of b"); was != "" {
		t.Errorf("a deleted value was %q", was)
	}
}
