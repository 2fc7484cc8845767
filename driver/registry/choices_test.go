package registry

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
)

// TestNoKeyOffersAValueTwice: neither a number nor a meaning stands twice among what is offered, and what is only taken
// is not offered.
func TestNoKeyOffersAValueTwice(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		rows := Keys(family).Rows
		for i := range rows {
			for _, list := range [][]Choice{rows[i].Choices, rows[i].Bits} {
				for n, c := range list {
					meaning, _, _ := strings.Cut(strings.ToLower(c.Label), ",")
					again := slices.ContainsFunc(list[:n], func(other Choice) bool {
						same, _, _ := strings.Cut(strings.ToLower(other.Label), ",")
						return other.Value == c.Value || same == meaning
					})
					taken := slices.ContainsFunc(rows[i].Taken, func(other Choice) bool { return other.Value == c.Value })
					if again || taken {
						t.Errorf("%s offers %d %s twice", rows[i].Name, c.Value, c.Label)
					}
				}
			}
		}
	}
	r, _ := Keys(description.WinOF).Find("RecvCompletionMethod", Miniport)
	e := Read(Keys(description.WinOF), Facts{Processors: 8, Nodes: 1}, func(*Row) Value { return Value{} })
	if got := e.Judge(r, NumberValue(2)); got.Why != "" || r.Label(got.Value) == "" || e.Judge(r, NumberValue(3)).Why == "" {
		t.Errorf("the value of the tuning tool is %v: %s", got.Value, got.Why)
	}
}

// TestTextsNameWhatThereIs: a text about a setting of the firmware names the tool that writes it, and no text says that
// an event has no name where the events of dumps have numbers.
func TestTextsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		rows := Keys(family).Rows
		for i := range rows {
			r, d := &rows[i], rows[i].Detail()
			s, known := firmware.Find(family == description.WinOF, r.Name)
			switch {
			case r.Scope == Firmware && d.Lab != "" && known != strings.HasPrefix(d.Lab, string(s.Tool)+" writes it"):
				t.Errorf("%s: %s", r.Name, d.Lab)
			case strings.Contains(d.Lab, "nothing in the lab writes") || strings.Contains(d.Lab, "name no event") || d.Lab == inFlash:
				t.Errorf("%s: %s", r.Name, d.Lab)
			case r.Scope == Firmware && !known:
				t.Errorf("no tool of the lab writes %s", r.Name)
			}
			if strings.HasPrefix(r.Name, "DumpMeNow") && !regexp.MustCompile(`0x100\b.*0x101\b`).MatchString(d.Lab+d.Notes) && d.Lab != "" {
				t.Errorf("%s names no events: %s", r.Name, d.Lab)
			}
		}
	}
}

// TestSpeedDuplexReportsTheRate: the choice is the rate that the port has negotiated.
func TestSpeedDuplexReportsTheRate(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		r, _ := Keys(family).Find("*SpeedDuplex", Miniport)
		for speed, want := range map[int]string{100: "100 Gb/s and full duplex", 25: "25 Gb/s and full duplex", 10: "10 Gb/s and full duplex"} {
			own := r.OnPort(float64(speed) * 1e9)
			if own.Label(NumberValue(7)) != want || own.Index != r.Index || r.Label(NumberValue(7)) == want && speed != 10 {
				t.Errorf("%d Gb/s: %s", speed, own.Label(NumberValue(7)))
			}
		}
	}
}
