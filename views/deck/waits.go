package deck

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/perf/labstate"
	"cxdeck/ui"
)

// waits follows operations of the live host that end after some time, such as restarts.
type waits struct {
	// seen holds the waits at the last call of EndedWaits.
	seen []driver.Wait
	// followed is the number of callers that report the end of waits themselves: wizards with an applied plan.
	followed int
}

// FollowWaits suppresses the toasts about ended waits until done is called: the caller reports their end itself.
func (d *Deck) FollowWaits() (done func()) {
	d.waits.followed++
	over := false
	return func() {
		if !over {
			over = true
			d.waits.followed--
		}
	}
}

// hostWaits returns the waits of the live host, the one that ends last first, and the host's time.
func (d *Deck) hostWaits() (list []driver.Wait, now time.Time) {
	if d.Live == nil || d.Live.Lab() == nil {
		return nil, time.Time{}
	}
	list, now = slices.Clone(d.Live.Lab().Waits), d.Live.Status().Now
	slices.Reverse(list)
	return list, now
}

// Waits lists the waits for the header: a step of the lab's time, a change that has to be confirmed, then the live host's
// operations in progress, even while a recording is shown.
func (d *Deck) Waits() (list []ui.Wait) {
	host, now := d.hostWaits()
	if d.Live == nil {
		return nil
	}
	if status := d.Live.Status(); !status.SkipTo.IsZero() {
		list = append(list, ui.Wait{What: "skipping ahead, Esc stops", Until: true, Time: status.SkipTo.Sub(now)})
	}
	if guard, ok := d.Live.Unconfirmed(); ok {
		list = append(list, ui.Wait{What: fmt.Sprintf("change %d waits for an answer", guard.Sequence), Until: true, Time: guard.Remaining(time.Now())})
	}
	for _, w := range host {
		list = append(list, ui.Wait{What: w.What, Until: true, Time: w.Until.Sub(now)})
	}
	return list
}

// PassAction is the id of the action that skips a wait.
const PassAction = "wait.pass"

// WaitActions returns the actions for the lab's waits; none if the operator does not control the time: with another source,
// or during a replay.
func (d *Deck) WaitActions() []ui.Action {
	if d.Live == nil || !d.Live.Operable() || d.Replay != nil {
		return nil
	}
	pass := ui.Action{ID: PassAction, Keys: []string{">"}, Name: "skip the wait",
		Help: "Skip the wait shown in the header (asks first). Samples of the skipped time are recorded. If a change awaits confirmation, it asks again"}
	stop := ui.Action{ID: "wait.stop", Keys: []string{"esc"}, Name: "stop", Hidden: true,
		Help: "Stop skipping ahead", Disabled: "no wait is being skipped"}
	host, now := d.hostWaits()
	switch passing := !d.Live.Status().SkipTo.IsZero(); {
	case passing:
		pass.Hidden, pass.Disabled = true, "a wait is being skipped already; Esc stops it"
		stop.Hidden, stop.Disabled = false, ""
		stop.Run = func() ui.Cmd {
			d.Live.StopSkipping()
			return ui.Toast(ui.Note, "Time passes at normal speed again.")
		}
	case len(host) == 0:
		pass.Hidden, pass.Disabled = true, "there is nothing to wait for"
	default:
		w := host[0]
		pass.Object = w.What
		pass.Run = func() ui.Cmd { return d.askToPass(w, now) }
	}
	return []ui.Action{pass, stop}
}

// askToPass asks whether to skip a wait. The default answer is yes: skipping interrupts nothing.
func (d *Deck) askToPass(w driver.Wait, now time.Time) ui.Cmd {
	m := d.Live
	left := ui.Wait{Until: true, Time: w.Until.Sub(now)}
	question := fmt.Sprintf("Skip %s? %s at %s.", strings.TrimPrefix(left.String(), ": "), wording.UpperFirst(w.Return), w.Until.Format("15:04:05"))
	return ui.Ask("Skip a wait", question, "Skip", func() ui.Cmd {
		if !m.Status().Now.Before(w.Until) {
			return ui.Toast(ui.Note, wording.UpperFirst(w.Done)+" already.")
		}
		if err := m.SkipUntil(w.Until); err != nil {
			return ui.Toast(ui.Failure, wording.UpperFirst(err.Error())+".")
		}
		return nil
	})
}

// EndedWaits reports the driver starts that have ended since the last call; events report changes of links. Warnings are last,
// because the last of several toasts stays visible.
func (d *Deck) EndedWaits() []ui.Cmd {
	now, _ := d.hostWaits()
	var well, lacking []ui.Cmd
	for _, w := range d.waits.seen {
		at := slices.IndexFunc(now, func(other driver.Wait) bool { return other.What == w.What })
		if at >= 0 {
			now[at].Connections = w.Connections // connections that are up earlier are reported with the others
		} else if !w.Link && d.waits.followed == 0 {
			if report, whole := reportWaitEnd(d.Live.Lab(), &w); whole {
				well = append(well, report)
			} else {
				lacking = append(lacking, report)
			}
		}
	}
	d.waits.seen = now
	return append(well, lacking...)
}

// reportWaitEnd reports the state of a wait's connections after it, and whether all of them are up.
func reportWaitEnd(lab *labstate.State, w *driver.Wait) (report ui.Cmd, whole bool) {
	var lacking []string
	for i := range lab.Ports {
		p := &lab.Ports[i]
		name := p.Description.Connection
		switch {
		case !slices.Contains(w.Connections, name):
		case p.State == driver.Restarting:
			lacking = append(lacking, name+" restarts")
		case p.State != driver.Running:
			lacking = append(lacking, name+" is "+p.State.String())
		case !p.Up:
			lacking = append(lacking, name+" has no link")
		}
	}
	if len(lacking) == 0 {
		return ui.Toast(ui.Success, wording.UpperFirst(w.Done)+"."), true
	}
	if more := len(lacking) - 2; more > 0 {
		lacking = append(lacking[:2], fmt.Sprintf("%d more are not up", more))
	}
	return ui.Toast(ui.Caution, wording.UpperFirst(w.Done)+", but "+strings.Join(lacking, ", ")+"."), false
}
