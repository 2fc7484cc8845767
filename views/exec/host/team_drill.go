package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
	"cxdeck/views/exec"
)

// The host times of a drill.
const (
	defaultDrillTime = 5 * time.Second
	maxDrillTime     = 10 * time.Minute
	// maxLinkWait limits the wait for the link after the cable was plugged in.
	maxLinkWait = 30 * time.Second
)

// drillRow is the report of a drill as JSON.
type drillRow struct {
	Team   string `json:"team"`
	Member string `json:"member"`
	// Before, During and After list the members that carried traffic.
	Before []string `json:"active_before"`
	During []string `json:"active_during"`
	After  []string `json:"active_after"`
	// Out is the time without the cable, Back the time until the link was up again, in seconds of host time.
	Out          float64 `json:"cable_out_seconds"`
	Back         float64 `json:"link_back_seconds"`
	Outage       float64 `json:"outage_seconds"`
	LostReceived uint64  `json:"lost_received_frames"`
	LostSent     uint64  `json:"lost_sent_frames"`
	// Discarded counts frames for which the team has no adapter, such as frames of an unknown VLAN.
	DiscardedReceived uint64             `json:"discarded_received_frames"`
	DiscardedSent     uint64             `json:"discarded_sent_frames"`
	Failovers         []exec.FailoverRow `json:"failovers"`
}

// teamDrill pulls the cable of a member, plugs it in again after a time, waits for the link, and reports interruption and
// losses.
func teamDrill(c *exec.Call, in *struct {
	Team *teams.View
	Rest []string
}) (exec.Answer, error) {
	t := in.Team
	name, span, err := drillArguments(in.Rest)
	if err != nil {
		return exec.Answer{}, err
	}
	member, err := drillMember(t, name)
	if err != nil {
		return exec.Answer{}, err
	}
	// In a console the command can't advance the time, and the cable would stay out.
	if err := c.Host.Advance(c.Ctx, 0); err != nil {
		return exec.Answer{}, fmt.Errorf("%w; use the drill of the Teams screen", err)
	}
	row := drillRow{Team: t.Name, Member: member, Before: activeOf(t), Out: span.Seconds()}
	if err := runDrill(c, &row, span); err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Drill drillRow `json:"drill"`
		}{row},
		Text: func(w io.Writer) error { return row.write(w, c) },
	}, nil
}

// drillArguments parses [MEMBER] [SECONDS]; member is empty if it was not given.
func drillArguments(arguments []string) (member string, span time.Duration, err error) {
	span = defaultDrillTime
	if len(arguments) > 0 {
		last := arguments[len(arguments)-1]
		if seconds, err := strconv.ParseFloat(strings.TrimSuffix(last, "s"), 64); err == nil {
			span = time.Duration(seconds * float64(time.Second))
			arguments = arguments[:len(arguments)-1]
			if !(seconds >= 0.1 && seconds <= maxDrillTime.Seconds()) {
				return "", 0, exec.Mistake("invalid length of a drill %q: it must be 0.1 to %.0f seconds", last, maxDrillTime.Seconds())
			}
		}
	}
	switch len(arguments) {
	case 0:
		return "", span, nil
	case 1:
		return arguments[0], span, nil
	}
	return "", 0, exec.Mistake("SECONDS must be a number, not %q", arguments[1])
}

// runDrill runs the drill and fills in row. It plugs the cable in again even if the command is interrupted.
func runDrill(c *exec.Call, row *drillRow, span time.Duration) (err error) {
	view, err := c.View()
	if err != nil {
		return err
	}
	before, err := exec.FindTeam(view, row.Team)
	if err != nil {
		return err
	}
	pull := driver.Plan{Title: "Drill: pull the cable of " + row.Member,
		Operations: []driver.Operation{hardware.PullCable{Connection: row.Member}}}
	out, err := c.Host.Apply(c.Ctx, pull)
	if err != nil {
		return err
	}
	advanceErr := c.Host.Advance(c.Ctx, span)
	during, viewErr := currentTeam(c, row.Team)
	plug := driver.Plan{Title: "Drill: plug in the cable of " + row.Member,
		Operations: []driver.Operation{hardware.PlugCable{Connection: row.Member}}}
	in, err := c.Host.Apply(context.WithoutCancel(c.Ctx), plug)
	if err != nil || advanceErr != nil || viewErr != nil {
		return errors.Join(err, advanceErr, viewErr)
	}
	row.During, row.Out = activeOf(during), in.Time.Sub(out.Time).Seconds()
	step := 100 * time.Millisecond
	for waited := time.Duration(0); row.Back == 0 && waited < maxLinkWait; waited += step {
		if err := c.Host.Advance(c.Ctx, step); err != nil {
			return err
		}
		if row.Back, err = linkUpSeconds(c, row.Member, in.Time); err != nil {
			return err
		}
	}
	if err := c.Host.Advance(c.Ctx, time.Second); err != nil { // for frames in flight
		return err
	}
	after, err := currentTeam(c, row.Team)
	if err != nil {
		return err
	}
	failovers, cost := after.FailoversSince(out.Time)
	row.After, row.Failovers = activeOf(after), exec.FailoverRows(failovers)
	row.Outage, row.LostReceived, row.LostSent = cost.Outage.Seconds(), cost.LostReceived, cost.LostSent
	row.DiscardedReceived = after.Discarded[0] - before.Discarded[0]
	row.DiscardedSent = after.Discarded[1] - before.Discarded[1]
	return nil
}

// currentTeam returns the current state of a team.
func currentTeam(c *exec.Call, name string) (*teams.View, error) {
	view, err := c.View()
	if err != nil {
		return nil, err
	}
	return exec.FindTeam(view, name)
}

// linkUpSeconds returns the seconds from since until the link of a connection came up, from the event log; 0 while it is down.
func linkUpSeconds(c *exec.Call, name string, since time.Time) (seconds float64, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if up, ok := h.LinkUpSince(name, since); ok {
			seconds = max(up.Sub(since), time.Nanosecond).Seconds()
		}
		return nil
	})
	return seconds, err
}

// activeOf returns the members of a team that carry traffic.
func activeOf(t *teams.View) []string {
	names := []string{}
	for _, m := range t.Members {
		if m.Role == mux.Active {
			names = append(names, m.Connection)
		}
	}
	return names
}

func (r *drillRow) write(w io.Writer, c *exec.Call) error {
	names := func(list []string) string { return exec.Clean(cmp.Or(strings.Join(list, ", "), "no member")) }
	discarded := ""
	if r.DiscardedReceived+r.DiscardedSent > 0 {
		discarded = fmt.Sprintf("Discarded because the team has no adapter for them: %d frames received, %d sent.\n", r.DiscardedReceived,
			r.DiscardedSent)
	}
	_, err := fmt.Fprintf(w, "The cable of %s was out for %g s, and its link was back %.1f s after it was plugged in.\n"+
		"Traffic of the team %s was carried by %s before, by %s while it was out, and by %s at the end.\n"+
		"Lost: %d frames received, %d sent; traffic was sent to a dead link for %.3f s.\n%s",
		exec.Clean(r.Member), r.Out, r.Back, exec.Clean(r.Team), names(r.Before), names(r.During), names(r.After),
		r.LostReceived, r.LostSent, r.Outage, discarded)
	if err != nil || len(r.Failovers) == 0 {
		return err
	}
	return writeFailovers(c, w, r.Failovers)
}
