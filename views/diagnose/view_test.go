package diagnose

import (
	"slices"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/findings"
	"cxdeck/perf/diagnosis/observe"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// diagnosed is the screen with what is wrong with a host of the lab after an Operation; the report comes from a copy of the host,
// because a monitor runs its rules by the wall clock, too.
func diagnosed(t *testing.T, o driver.Operation) *View {
	t.Helper()
	d := viewtest.WatchLab(t, 20, nil)
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	host := driver.NewHost(lab)
	host.Advance(time.Minute)
	if _, err := host.Apply(driver.Plan{Title: "test", Operations: []driver.Operation{o}}); err != nil {
		t.Fatal(err)
	}
	report, err := observe.OfHost(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	v := New(d)
	v.Update(ui.ShowMsg{})
	v.report = report
	v.arrange()
	return v
}

var unplugged = hardware.PullCable{Connection: "Ethernet 9"}

func TestGolden(t *testing.T) {
	t.Parallel()
	v := diagnosed(t, unplugged)
	if len(v.rows) == 0 || v.rows[0].Rule.ID != "cable-out" {
		t.Fatalf("the first finding is %+v", v.rows)
	}
	viewtest.Golden(t, v, "cable")
	viewtest.GoldenWide(t, v, "cable")
	v.InPage = true
	viewtest.Golden(t, v, "page")
	v.InPage = false
	v.Filter.Set("no such thing")
	v.arrange()
	viewtest.Golden(t, v, "no-match")
}

// TestWithoutTopology says that nothing was checked.
func TestWithoutTopology(t *testing.T) {
	t.Parallel()
	v := diagnosed(t, unplugged)
	var watch findings.Watch
	v.report = watch.Update(&findings.Facts{Time: time.Unix(1e9, 0).UTC(), Subjects: []*findings.Subject{findings.NewSubject(findings.Host, "LAB-N4")}})
	v.arrange()
	viewtest.Golden(t, v, "no-topology")
}

func TestEverySize(t *testing.T) {
	t.Parallel()
	viewtest.EverySize(t, diagnosed(t, unplugged))
}

// TestFixIsReviewed holds that r reviews the plan of the first fix, and that nothing can be reviewed without a finding.
func TestFixIsReviewed(t *testing.T) {
	t.Parallel()
	v := diagnosed(t, unplugged)
	if a := v.reviewAction(); a.Disabled != "" || a.Object != "Ethernet 9" {
		t.Errorf("the action is %+v", a)
	}
	if a := v.countersAction(); a.Disabled != "" {
		t.Errorf("no counters: %s", a.Disabled)
	}
	v.report = nil
	v.arrange()
	if v.reviewAction().Disabled == "" || v.countersAction().Disabled == "" {
		t.Error("actions without a finding are possible")
	}
}

// TestPageStartsAtAFix holds that the cursor of the page starts at the first fix that can be applied, and that Enter there reviews it.
func TestPageStartsAtAFix(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 120} {
		v := diagnosed(t, unplugged)
		viewtest.Body(v, width, 24)
		v.InPage = true
		viewtest.Body(v, width, 24)
		if a := v.openAction(); a.Disabled != "" || a.Object != "Plug in the cable of Ethernet 9" {
			t.Errorf("at width %d Enter on the page: %+v", width, a)
		}
		v.Page.Scroll.Move(-1)
		viewtest.Body(v, width, 24)
		if v.openAction().Disabled == "" {
			t.Errorf("at width %d the cursor does not leave the fix", width)
		}
	}
}

// TestSelectionFollowsTheFinding holds that the selected finding stays selected when the list is reordered, and the first one while its page
// has the focus.
func TestSelectionFollowsTheFinding(t *testing.T) {
	t.Parallel()
	v := diagnosed(t, unplugged)
	v.Table.List.Select(3)
	selected := v.finding().Key()
	first := v.report.Findings[0]
	v.report.Findings = append(v.report.Findings[1:], first)
	v.arrange()
	if v.finding().Key() != selected || v.Table.List.Cursor() != 2 {
		t.Errorf("row %d is selected", v.Table.List.Cursor())
	}
	v.Table.List.Select(0)
	v.InPage, selected = true, v.finding().Key()
	slices.Reverse(v.report.Findings)
	v.arrange()
	if v.finding().Key() != selected {
		t.Errorf("the page is about %s, and was about %s", v.finding().Key(), selected)
	}
}
