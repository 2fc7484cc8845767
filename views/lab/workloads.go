package lab

import (
	"fmt"
	"slices"

	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
	"cxdeck/views/change"
)

// scales are the steps in which the demand of a workload is raised and lowered.
var scales = []float64{0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10}

// stepAbove returns the next step above a scale, 0 for none.
func stepAbove(scale float64) float64 {
	if i := slices.IndexFunc(scales, func(s float64) bool { return s > scale }); i >= 0 {
		return scales[i]
	}
	return 0
}

func stepBelow(scale float64) float64 {
	for _, s := range slices.Backward(scales) {
		if s < scale {
			return s
		}
	}
	return 0
}

// runAction stops the selected workload, or starts it.
func (v *View) runAction() ui.Action {
	a := ui.Action{ID: "lab.run", Keys: []string{" "}, Name: "stop", AsksFirst: true, Changes: true,
		Help: "Stop the selected workload, or start it with its configured demand"}
	f := v.changeable(&a)
	if f == nil {
		return a
	}
	if f.Scale == 0 {
		a.Name, a.Run = "start", v.scaleTo(f, 1, "Start "+f.Name)
		return a
	}
	a.Run = v.scaleTo(f, 0, "Stop "+f.Name)
	return a
}

// moreAction raises the demand of the selected workload, lessAction lowers it.
func (v *View) moreAction() ui.Action {
	a := ui.Action{ID: "lab.more", Keys: []string{"+"}, FormerKeys: []string{"="}, Name: "more", Changes: true,
		Help: "Raise the selected workload's demand, up to ten times its configured demand"}
	if f := v.changeable(&a); f != nil {
		if to := stepAbove(f.Scale); to == 0 {
			a.Disabled = f.Name + " has ten times its described demand already, the maximum"
		} else {
			a.Run = v.scaleTo(f, to, fmt.Sprintf("Scale %s to %g", f.Name, to))
		}
	}
	return a
}

func (v *View) lessAction() ui.Action {
	a := ui.Action{ID: "lab.less", Keys: []string{"-"}, Name: "less", Changes: true,
		Help: "Lower the selected workload's demand, down to a tenth of its configured demand"}
	if f := v.changeable(&a); f != nil {
		switch to := stepBelow(f.Scale); {
		case f.Scale == 0:
			a.Disabled = f.Name + " is stopped: Space starts it"
		case to == 0:
			a.Disabled = f.Name + " has a tenth of its demand already; Space stops it"
		default:
			a.Run = v.scaleTo(f, to, fmt.Sprintf("Scale %s to %g", f.Name, to))
		}
	}
	return a
}

// changeable returns the selected workload; if it can't be changed, it returns nil and sets the action's reason.
func (v *View) changeable(a *ui.Action) *labstate.Flow {
	if a.Disabled = v.deck.CannotChange(); a.Disabled != "" {
		return nil
	}
	f := v.flow()
	if f == nil {
		a.Disabled = "select a workload"
		return nil
	}
	a.Object = f.Name
	return f
}

func (v *View) scaleTo(f *labstate.Flow, scale float64, title string) func() ui.Cmd {
	plan := driver.Plan{Title: title, Operations: []driver.Operation{fabric.ScaleFlow{Flow: f.Name, Scale: scale}}}
	return func() ui.Cmd { return change.Do(v.deck, "Do it", plan) }
}
