package cli

import (
	"context"
	"errors"
	"testing"

	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
	"cxdeck/views/viewtest"
)

// typedLine is a screen whose key a runs a line like one typed after :.
type typedLine struct {
	console *console
	line    string
}

func (v *typedLine) ID() string           { return "typed" }
func (v *typedLine) Title() string        { return "Typed" }
func (v *typedLine) Help() string         { return "" }
func (v *typedLine) Draw(widget.Area)     {}
func (v *typedLine) Update(ui.Msg) ui.Cmd { return nil }
func (v *typedLine) Actions() []ui.Action {
	action, ok := v.console.line(v.line)
	if !ok {
		return nil
	}
	action.Keys = []string{"a"}
	return []ui.Action{action}
}

// TestTypedLineAsksFirst: a line typed after : asks like the screens, with its effect on this host and the default answer Back, but
// only if it interrupts or removes something.
func TestTypedLineAsksFirst(t *testing.T) {
	t.Parallel()
	d := viewtest.Run(t, viewtest.Lab(t))
	v := &typedLine{console: &console{deck: d, session: &session{}}}
	s := viewtest.Open(t, d, []ui.View{v})
	s.Await(d, "traffic", func() bool { return d.Monitor().Status().Samples > 5 })
	for _, c := range []struct {
		line string
		want []string
	}{
		{`adapter restart "Ethernet 7"`, []string{"Ethernet 7", "Gb/s", " s", "[ Run ]", "[ Back ]"}},
		{`cable pull "Ethernet 8"`, []string{"Ethernet 8 stays down", "Gb/s", "[ Back ]"}},
		{`host reboot`, []string{"Ethernet 7", "Gb/s", "[ Back ]"}},
		{`Restart-NetAdapter -Name "Ethernet 7"`, []string{"Ethernet 7", "Gb/s", "[ Back ]"}},
		{`Get-NetAdapter "Ethernet 7" | Restart-NetAdapter`, []string{"Ethernet 7", "Gb/s", "[ Back ]"}},
		{`foreach ($n in "Ethernet 7") { Disable-NetAdapter $n }`, []string{"Ethernet 7", "Gb/s", "[ Back ]"}},
	} {
		v.line = c.line
		s.Press("a")
		s.Want(c.want...)
		for range 12 {
			s.Press("enter")
		}
		if journal := d.Monitor().Journal(); len(journal) != 0 {
			t.Fatalf("Enter ran %q: %+v", c.line, journal)
		}
	}
	v.line = `reg set "Ethernet 7" *JumboPacket 1514`
	s.Press("a")
	s.WantNot("[ Back ]")
	if journal := d.Monitor().Journal(); len(journal) != 1 {
		t.Errorf("a line without an impact did not run: %+v\n%s", journal, s.Text())
	}
	s.Press("enter")
	v.line = `adapter restart "Ethernet 5"`
	s.Press("a")
	s.Want("your own session", "[ Back ]")
}

// unknownEffect is a screen whose key a runs work whose trial run fails.
type unknownEffect struct {
	typedLine
	ran bool
}

func (v *unknownEffect) Actions() []ui.Action {
	try := func(context.Context, *driver.Host) (driver.Plan, error) {
		return driver.Plan{}, errors.New("its trial run took longer than 10s, so it is unknown what it interrupts")
	}
	return []ui.Action{{ID: "run", Keys: []string{"a"}, Name: "run", Help: "Run it", Changes: true, AsksFirst: true, Run: func() ui.Cmd {
		return change.Before(v.console.deck, "Run", "the work", false, try, func() ui.Cmd {
			v.ran = true
			return nil
		})
	}}}
}

// TestUnknownEffectAsksFirst: work whose trial run did not end in time is not taken for harmless.
func TestUnknownEffectAsksFirst(t *testing.T) {
	t.Parallel()
	d := viewtest.Run(t, viewtest.Lab(t))
	v := &unknownEffect{typedLine: typedLine{console: &console{deck: d, session: &session{}}}}
	s := viewtest.Open(t, d, []ui.View{v})
	s.Press("a")
	s.Want("Its trial run took longer than 10s, so it is unknown what it interrupts.", "[ Back ]")
	s.Press("enter")
	if v.ran {
		t.Error("Enter ran work with an unknown effect")
	}
	s.Press("a", "y")
	if !v.ran {
		t.Error("the work did not run after the answer yes")
	}
}
