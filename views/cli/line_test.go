package cli

import (
	"testing"

	"cxdeck/ui"
	"cxdeck/ui/widget"
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
	for _, one := range []struct {
		line string
		want []string
	}{
		{`adapter restart "Ethernet 7"`, []string{"Ethernet 7", "Gb/s", " s", "[ Run ]", "[ Back ]"}},
		{`cable pull "Ethernet 8"`, []string{"Ethernet 8 stays down", "Gb/s", "[ Back ]"}},
		{`host reboot`, []string{"Ethernet 7", "Gb/s", "[ Back ]"}},
		{`Restart-NetAdapter -Name "Ethernet 7"`, []string{"Ethernet 7", "Gb/s", "[ Back ]"}},
	} {
		v.line = one.line
		s.Press("a")
		s.Want(one.want...)
		for range 12 {
			s.Press("enter")
		}
		if journal := d.Monitor().Journal(); len(journal) != 0 {
			t.Fatalf("Enter ran %q: %+v", one.line, journal)
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
