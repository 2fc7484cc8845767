package teaming

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/keeper"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/monitor"
	"cxdeck/perf/window"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

const (
	// defaultDrill is the default time without the cable in a drill, in seconds of the source; minDrill and maxDrill are the
	// bounds.
	defaultDrill = 10
	minDrill     = 1
	maxDrill     = 120
	// drillReturnTime is the maximum wait for the member to reconnect, drillAfter the measuring time after that.
	drillReturnTime = 20 * time.Second
	drillAfter      = 3 * time.Second
	// drillPollInterval is the polling interval of a drill, by the machine's clock.
	drillPollInterval = 20 * time.Millisecond
	// guardMargin is added to the expected duration of a drill to give the time of its guard, by the machine's clock.
	guardMargin = time.Minute
)

// drillPhase is the progress of a drill.
type drillPhase int32

// The phases of a drill in order.
const (
	drillBegins drillPhase = iota
	drillOut
	drillBack
)

// drill is a running drill. The work outside the terminal loop reports its progress in phase and pulled.
type drill struct {
	team, connection string
	length           time.Duration
	cancel           context.CancelFunc
	phase            atomic.Int32
	pulled           atomic.Int64 // the source's time, in nanoseconds
}

// report is the result of a drill.
type report struct {
	team, connection string
	// pulled and plugged are the times at which the cable was pulled and plugged in; back is the time at which the member was
	// connected again, zero if it did not reconnect within drillReturnTime.
	pulled, plugged, back time.Time
	// ended reports that the operator ended the drill early.
	ended bool
	// discarded are the received and sent frames that the team dropped during the drill because no member was active.
	discarded [2]uint64
	failovers []teams.Failover
	cost      teams.FailoverCost
	// before, during and after are the mean traffic of the team before the drill, without the cable and after it, in bytes
	// per second; NaN if unknown.
	before, during, after float64
}

// drillMsg reports the end of a drill.
type drillMsg struct {
	drill  *drill
	report report
	err    error
}

// drillAction begins a drill, or ends the running one.
func (v *View) drillAction() ui.Action {
	a := v.changing("drill", "B", "drill",
		"Pull the cable of the selected member for some seconds, plug it in again, and report what was lost")
	a.FormerKeys = []string{"t"}
	if a.Disabled != "" {
		return a
	}
	if v.drill != nil {
		a.Name, a.Object = "end drill", v.drill.connection
		a.Run = v.endDrill
		return a
	}
	r := v.row()
	if r != nil && r.kind == teamRow { // a drill on a team pulls the cable of its active member
		r = v.activeMember(r.team)
	}
	switch {
	case r == nil || r.kind != memberRow:
		a.Disabled = "select a team, or the member whose cable is pulled"
	case r.port == nil || !r.port.Cabled:
		a.Disabled = "the cable of " + r.member.Connection + " is unplugged already"
	case r.member.Status != mux.Connected:
		a.Disabled = r.member.Connection + " is not connected: it carries no traffic"
	default:
		a.Object = r.member.Connection
		a.Run = func() ui.Cmd { return v.askDrill(r) }
	}
	return a
}

// activeMember returns the row of the first active member of a team; nil if there is none.
func (v *View) activeMember(t *teams.View) *row {
	for i := range v.rows {
		if r := &v.rows[i]; r.kind == memberRow && r.team == t && r.member.Role == mux.Active {
			return r
		}
	}
	return nil
}

// askDrill asks for the time without the cable, then for a confirmation that lists the interruptions, and begins the drill.
func (v *View) askDrill(r *row) ui.Cmd {
	team, connection := r.team.Name, r.member.Connection
	label := "Seconds without the cable. " + deck.TeamEffect(r.team, r.member.Connection)
	if r.port.Management {
		label += " It carries your session."
	}
	return ui.Prompt("Drill: pull the cable of "+connection, label, strconv.Itoa(defaultDrill), func(typed string) string {
		if _, err := widget.WholeNumber(typed, minDrill, maxDrill); err != nil {
			return err.Error()
		}
		return ""
	}, func(typed string) ui.Cmd {
		seconds, _ := strconv.Atoi(strings.TrimSpace(typed)) // the dialog has checked it
		length := time.Duration(seconds) * time.Second
		question := func(review *driver.Review) []string { return v.drillQuestion(review, connection, length) }
		begin := func() ui.Cmd { return v.beginDrill(team, connection, length) }
		return change.AskBefore(v.deck, "Pull", drillPlan(connection), question, begin)
	})
}

// drillPlan returns the plan that pulls the cable of a member.
func drillPlan(connection string) driver.Plan {
	return driver.Plan{Title: "Drill: pull the cable of " + connection,
		Operations: []driver.Operation{hardware.PullCable{Connection: connection}}}
}

// drillQuestion asks for a confirmation that lists the interruptions. The review of the plan assumes that the cable stays
// out, so the question replaces its words with the drill's.
func (v *View) drillQuestion(review *driver.Review, connection string, length time.Duration) []string {
	out := strconv.Itoa(int(length.Seconds())) + " s"
	review.Restarts = nil
	review.Steps = []string{fmt.Sprintf("pull the cable of %s, and plug it in again after %s", connection, out)}
	question := []string{
		fmt.Sprintf("%s is down for about %s, until the cable is in and the link is up again.", connection, out),
	}
	impact := review.Impact
	if review.Management.Lost {
		question = append(question, "It carries your session, which is cut off meanwhile.")
	} else if impact.Session != "" {
		question = append(question, wording.UpperFirst(impact.Session)+".")
	}
	// An interruption that the question names already is not repeated.
	impact.Session, impact.Connections, impact.Lost, impact.Teams = "", nil, nil, nil
	question = append(question, impact.Sentences(v.deck.BitRate)...)
	if loses := strings.TrimSpace(deck.TeamsLose(v.deck.Monitor().Lab(), connection)); loses != "" {
		question = append(question, loses)
	}
	return append(question, "Pull it anyway?")
}

// beginDrill runs a drill outside the terminal loop. A guarded change pulls the cable: the guard plugs it in again even
// if the console crashes.
func (v *View) beginDrill(team, connection string, length time.Duration) ui.Cmd {
	ctx, cancel := context.WithCancel(context.Background())
	d := &drill{team: team, connection: connection, length: length, cancel: cancel}
	v.drill = d
	m := v.deck.Monitor()
	return ui.Background("Drill of "+connection, func(shell context.Context) ui.Msg {
		defer cancel()
		defer context.AfterFunc(shell, cancel)()
		found, err := d.run(ctx, shell, m)
		return drillMsg{d, found, err}
	})
}

// endDrill ends the running drill early: the cable is plugged in at once.
func (v *View) endDrill() ui.Cmd {
	if v.drill != nil {
		v.drill.cancel()
	}
	return nil
}

// run performs the drill and returns its report. Cancelling ctx ends the drill early; shell is cancelled when the console
// ends.
func (d *drill) run(ctx, shell context.Context, m *monitor.Monitor) (r report, err error) {
	r = report{team: d.team, connection: d.connection, before: math.NaN(), during: math.NaN(), after: math.NaN()}
	var before [2]uint64
	if t, _ := d.member(m); t != nil {
		before = t.Discarded
	}
	status := m.Status()
	guard := min(time.Duration(float64(d.length)/max(status.Speed, monitor.MinSpeed))+guardMargin, keeper.MaxConfirmTime)
	entry, err := m.ApplyGuarded(ctx, drillPlan(d.connection), guard)
	if err != nil {
		return r, err
	}
	r.pulled = entry.Time
	d.pulled.Store(r.pulled.UnixNano())
	d.phase.Store(int32(drillOut))
	d.waitUntil(ctx, m, r.pulled.Add(d.length), func() bool {
		_, waits := m.Unconfirmed()
		return !waits
	})
	r.ended = ctx.Err() != nil
	// The cable is plugged in even if the console ends, because the host's goroutine runs for the shutdown grace after it.
	back, done := context.WithTimeout(context.WithoutCancel(shell), 5*time.Second)
	defer done()
	plugged, err := d.plug(back, m)
	if err != nil {
		return r, fmt.Errorf("the cable of %s is still out: %w", d.connection, err)
	}
	r.plugged = plugged
	d.phase.Store(int32(drillBack))
	d.waitUntil(shell, m, r.plugged.Add(drillReturnTime), func() bool { return d.connected(m) })
	if d.connected(m) {
		r.back = d.linkUpTime(shell, m, r.plugged)
		d.waitUntil(shell, m, r.back.Add(drillAfter), nil)
	}
	d.collect(m, &r, before)
	return r, nil
}

// linkUpTime returns the time of the link-up event after the cable was plugged in.
func (d *drill) linkUpTime(ctx context.Context, m *monitor.Monitor, since time.Time) (back time.Time) {
	back = m.Status().Now                            // if the event has left the log
	_ = m.ReadHost(ctx, func(h *driver.Host) error { // no report is needed when the console ends
		if up, ok := h.LinkUpSince(d.connection, since); ok {
			back = up
		}
		return nil
	})
	return back
}

// plug plugs the cable in again and returns the time. It reverts the guarded change or, if that has been confirmed
// meanwhile, applies another change.
func (d *drill) plug(ctx context.Context, m *monitor.Monitor) (time.Time, error) {
	entry, err := m.Revert(ctx)
	if err == nil {
		return entry.Time, nil
	}
	if d.isPlugged(m) {
		return m.Status().Now, nil
	}
	plug := hardware.PlugCable{Connection: d.connection}
	entry, plugErr := m.Apply(ctx, driver.Plan{Title: "Drill: plug in the cable of " + d.connection,
		Operations: []driver.Operation{plug}})
	if plugErr != nil {
		return entry.Time, errors.Join(err, plugErr)
	}
	return entry.Time, nil
}

// isPlugged reports whether the cable is plugged in.
func (d *drill) isPlugged(m *monitor.Monitor) bool {
	state := m.Lab()
	return state != nil && slices.ContainsFunc(state.Ports, func(p labstate.Port) bool {
		return p.Description.Connection == d.connection && p.Cabled
	})
}

// waitUntil waits until the source reaches a time, the condition holds, or ctx is done.
func (d *drill) waitUntil(ctx context.Context, m *monitor.Monitor, until time.Time, reached func() bool) {
	ticker := time.NewTicker(drillPollInterval)
	defer ticker.Stop()
	for {
		status := m.Status()
		if !status.Now.Before(until) || status.Ended || status.Err != nil || reached != nil && reached() {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// member returns the current state of the drilled member; nil if the port has left the team.
func (d *drill) member(m *monitor.Monitor) (*teams.View, *teams.MemberView) {
	state := m.Lab()
	if state == nil {
		return nil, nil
	}
	for i := range state.Teams {
		for j := range state.Teams[i].Members {
			if state.Teams[i].Members[j].Connection == d.connection {
				return &state.Teams[i], &state.Teams[i].Members[j]
			}
		}
	}
	return nil, nil
}

func (d *drill) connected(m *monitor.Monitor) bool {
	_, member := d.member(m)
	return member != nil && member.Status == mux.Connected
}

// collect completes the report with the failovers, the dropped frames and the traffic of the drill.
func (d *drill) collect(m *monitor.Monitor, r *report, before [2]uint64) {
	t, _ := d.member(m)
	recent, inventory := m.Window(), m.Inventory()
	if t == nil || recent == nil || inventory == nil {
		return
	}
	r.failovers, r.cost = t.FailoversSince(r.pulled)
	for direction, n := range t.Discarded {
		if n > before[direction] { // the counters of a team recreated meanwhile start at 0
			r.discarded[direction] = n - before[direction]
		}
	}
	var series []int
	for i := range t.Members {
		for j := range inventory.Nodes {
			if n := &inventory.Nodes[j]; n.Kind == perf.PortNode && n.Name == t.Members[i].Connection {
				series = append(append(series, n.Receive...), n.Send...)
			}
		}
	}
	mean := func(from, to time.Time) float64 {
		var bucket [1]window.Bucket
		recent.Buckets(series, from, to, bucket[:])
		return bucket[0].Average
	}
	r.before = mean(r.pulled.Add(-defaultDrill*time.Second), r.pulled)
	r.during = mean(r.pulled.Add(time.Second), r.plugged)
	if !r.back.IsZero() {
		r.after = mean(r.back, m.Status().Now)
	}
}

// progress returns the progress of a drill in one line.
func (d *drill) progress(glyphs *themes.Glyphs, now time.Time) string {
	switch drillPhase(d.phase.Load()) {
	case drillOut:
		out := min(now.Sub(time.Unix(0, d.pulled.Load())), d.length)
		return fmt.Sprintf("%c drill: %s without cable, %d of %.0f s  B ends it", glyphs.Restarting, d.connection,
			int(max(out, 0).Seconds()), d.length.Seconds())
	case drillBack:
		return fmt.Sprintf("%c drill: %s waits for its link", glyphs.Restarting, d.connection)
	default:
		return fmt.Sprintf("%c drill: pulling the cable of %s", glyphs.Restarting, d.connection)
	}
}

// finishDrill handles the end of a drill and shows its report.
func (v *View) finishDrill(msg drillMsg) ui.Cmd {
	if msg.drill != v.drill {
		return nil
	}
	v.drill = nil
	v.refresh()
	if msg.err != nil {
		return ui.Toast(ui.Failure, "The drill failed: "+msg.err.Error())
	}
	r := msg.report
	if v.drilled = append(v.drilled, r); len(v.drilled) > maxFailovers {
		v.drilled = v.drilled[1:]
	}
	v.Page.Stale = true
	log := ui.Log(r.pulled, fmt.Sprintf("Drill of %s in %s: %s", r.connection, r.team, r.summary()), []string{
		"by hand: pull the cable of " + r.connection, "by hand: plug in the cable of " + r.connection,
	})
	return ui.Batch(log, ui.ShowText("Drill: "+r.connection+" in "+r.team, v.reportText(&r)))
}

// summary returns the report in one line.
func (r *report) summary() string {
	if len(r.failovers) == 0 {
		return "no failover: the team continued unchanged"
	}
	interrupted := "interrupted for " + deck.Length(r.cost.Outage) + ", "
	if lost := r.cost.LostReceived + r.cost.LostSent; lost > 0 {
		return interrupted + wording.Count(int(lost), "frame") + " lost"
	}
	return interrupted + "no frame lost"
}

// reportText returns the report in full.
func (v *View) reportText(r *report) string {
	var b strings.Builder
	line := func(label, format string, values ...any) {
		fmt.Fprintf(&b, "%-14s %s\n", label, fmt.Sprintf(format, values...))
	}
	line("Cable out", "%s, for %s%s", r.pulled.Format("15:04:05.0"), deck.Length(r.plugged.Sub(r.pulled)),
		map[bool]string{true: " (ended early)"}[r.ended])
	if r.back.IsZero() {
		line("Link back", "not within %s after the cable was in", deck.Length(drillReturnTime))
	} else {
		line("Link back", "%s, %s after the cable was in", r.back.Format("15:04:05.0"), deck.Length(r.back.Sub(r.plugged)))
	}
	b.WriteByte('\n')
	if len(r.failovers) == 0 {
		line("Failovers", "none: %s continued unchanged", r.team)
	}
	glyphs := themes.UnicodeGlyphs()
	if v.Page.Glyphs != nil {
		glyphs = v.Page.Glyphs
	}
	for i := range r.failovers {
		f := &r.failovers[i]
		line(deck.EventTime(f.At, v.now), "%s", pathText(glyphs, f))
		for _, part := range strings.SplitN(lossText(f), ", ", 2) {
			line("", "%s", part)
		}
	}
	b.WriteByte('\n')
	line("Team traffic", "%s before", v.deck.ByteRate(r.before))
	line("", "%s without the cable", v.deck.ByteRate(r.during))
	line("", "%s after", v.deck.ByteRate(r.after))
	if sum := r.discarded[0] + r.discarded[1]; sum > 0 {
		line("Discarded", "%s for which the team has no adapter: %d received, %d sent", wording.Count(int(sum), "frame"),
			r.discarded[0], r.discarded[1])
	}
	line("Summary", "%s", r.summary())
	b.WriteString("\nThe cable is plugged in again; both changes are in the journal. Enter closes.\n")
	return b.String()
}
