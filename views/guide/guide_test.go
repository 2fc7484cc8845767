package guide

import (
	"context"
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/perf/lab"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/guides"
	"cxdeck/views/exec/hosts"
	"cxdeck/views/exec/syntax"
	"cxdeck/views/viewtest"
)

// onStage opens a stage with the guides of a host, and returns the lines that the page runs.
func onStage(t *testing.T) (stage *viewtest.Stage, g *Guides, lines *[]string) {
	t.Helper()
	made, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(made))
	if err != nil {
		t.Fatal(err)
	}
	host, drafts := hosts.OnLab(source, nil, nil), exec.NewDraftStore()
	lines = new([]string)
	g = &Guides{
		Open: func(ctx context.Context, name string, answers []string) (*guides.Course, error) {
			runner := &exec.Runner{Table: catalog.Commands(), Drafts: drafts}
			return guides.Open(&exec.Call{Ctx: ctx, Runner: runner, Host: host, Arguments: append([]string{name}, answers...)}, catalog.Forms())
		},
		Run: func(words []string) ui.Cmd {
			*lines = append(*lines, syntax.Join(words))
			return nil
		},
		CannotChange: func() string { return "" }, Unavailable: func() string { return "" },
	}
	return viewtest.Open(t, &deck.Deck{}, nil, "one"), g, lines
}

// TestListAndPage finds a guide by typing, reads its page with the precondition as it is on the host, gives answers, and runs it.
func TestListAndPage(t *testing.T) {
	t.Parallel()
	stage, g, lines := onStage(t)
	list := g.Actions("registry")
	if len(list) != 1 || !slices.Contains(list[0].Keys, "G") {
		t.Fatal("G does not list the guides")
	}
	stage.Shell.Send(list[0].Run()())
	stage.Want("Guides", "Configure receive side scaling")
	stage.Type("no such guide")
	stage.Want("No guide matches.")
	for range len("no such guide") {
		stage.Press("backspace")
	}
	stage.Type("receive side scaling")
	stage.Press("enter")
	stage.WaitIdle()
	stage.Want("Guide: Configure receive side scaling", "met: The driver of Ethernet 7 runs", "[ ]  1. Turn on RSS", "[ Next step ]")
	stage.Press("right", "right", "enter")
	stage.WaitIdle()
	stage.Want("Answers: Configure receive side scaling", "(●) Ethernet 7", "it is an InfiniBand port")
	stage.Press("tab")
	stage.Type("x")
	stage.Press("enter")
	stage.Want("must be an integer")
	stage.Press("backspace", "backspace")
	stage.Type("6")
	stage.Press("enter")
	stage.Want("What will be done", "[ Keep ]")
	stage.Press("enter")
	stage.WaitIdle()
	stage.Want("Guide: Configure receive side scaling", "Processors at most (6)")
	if stage.Press("esc"); len(*lines) != 0 {
		t.Errorf("reading a guide ran %q", *lines)
	}
}

// TestPageMeetsNeeds: while a precondition is not met and lines can meet it, the first button runs them.
func TestPageMeetsNeeds(t *testing.T) {
	t.Parallel()
	stage, g, lines := onStage(t)
	stage.Shell.Send(g.Actions("qos")[0].Run()())
	stage.Type("dcbx-enable")
	stage.Press("enter")
	stage.WaitIdle()
	stage.Want("not met: The switch port sends its settings by DCBX", "[ Meet needs ]")
	stage.Press("enter")
	if want := []string{"guide meet dcbx-enable"}; !slices.Equal(*lines, want) {
		t.Errorf("the page runs %q", *lines)
	}
}

// TestPageRunsLines holds that the buttons run the lines of exec, and that a reason against changes keeps them from it.
func TestPageRunsLines(t *testing.T) {
	t.Parallel()
	stage, g, lines := onStage(t)
	open := func() {
		stage.Shell.Send(g.Actions("overview")[0].Run()())
		stage.Type("receive side scaling")
		stage.Press("enter")
		stage.WaitIdle()
	}
	open()
	stage.Press("enter")
	open()
	stage.Press("right", "enter")
	want := []string{"guide run rss-configure --step", "guide run rss-configure"}
	if !slices.Equal(*lines, want) {
		t.Errorf("the page runs %q", *lines)
	}
	g.CannotChange = func() string { return "the console is read-only" }
	open()
	stage.Press("enter")
	if len(*lines) != 2 || !strings.Contains(stage.Text(), "read-only") {
		t.Errorf("without the right to change the page runs %q", *lines)
	}
}

// TestListOfWhatTheHostLacks: Tab lists the guides whose result the host does not have, and all again.
func TestListOfWhatTheHostLacks(t *testing.T) {
	t.Parallel()
	stage, g, _ := onStage(t)
	stage.Shell.Send(g.Actions("qos")[0].Run()())
	stage.Press("tab")
	stage.WaitIdle()
	for _, name := range []string{"dcbx-enable", "dropless-mode-mlx5"} {
		if !g.lacks[name] {
			t.Errorf("the host does not lack %s", name)
		}
	}
	if n := len(g.lacks); n < 40 || n >= len(guide.All()) {
		t.Errorf("%d guides were asked", n)
	}
	stage.Want("all guides")
	stage.Press("tab")
	stage.Want("what the host lacks")
}
