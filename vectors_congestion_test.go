package main

import (
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/dcqcn"
	"cxdeck/device/dscp"
)

// congestionVectors are the topics of model rules DCQ-1 to DCQ-23.
var congestionVectors = map[string]vectorRunner{
	"dcqcn": vector(reactionInput{}, runReaction),
	"dcqcn-np": vectorOps(map[string]vectorRunner{
		"generate": vector(generateInput{}, func(in generateInput) (generateOutput, error) {
			return generateOutput{notifications(in.Marked, in.Interval)}, nil
		}),
		"cnp_header":       vector(headerInput{Mode: 1, Priority: 7}, runHeader),
		"reacts":           vector(reactsInput{Version: 2}, runReacts),
		"mark_probability": vector(markInput{}, runMark),
	}),
	"dcqcn-params": vectorOps(map[string]vectorRunner{
		"set": vector(parameterInput{}, runSetParameter),
		"set_default_untagged_priority": vector(untaggedInput{}, func(in untaggedInput) (storedOutput, error) {
			return storedOutput{Stored: int64(dscp.DefaultUntagged(in.Value))}, nil
		}),
	}),
}

type reactionInput struct {
	LineRate   float64          `json:"line_rate_mbps"`
	Parameters map[string]int64 `json:"params"`
	Events     []struct {
		At    int64  `json:"t_us"`
		Event string `json:"ev"`
		Bytes int64  `json:"n"`
	} `json:"events"`
	End      int64 `json:"end_us"`
	LogAlpha bool  `json:"log_alpha"`
}

type reactionState struct {
	Limited            bool    `json:"limited"`
	Current            float64 `json:"cr_mbps"`
	Target             float64 `json:"tr_mbps"`
	Alpha              float64 `json:"alpha"`
	ByteStage          int     `json:"byte_stage"`
	TimeStage          int     `json:"time_stage"`
	BytesSinceIncrease int64   `json:"unspent_bytes"`
}

type reactionEvent struct {
	At    int64  `json:"t_us"`
	Cause string `json:"cause"`
	Phase string `json:"phase"`
	reactionState
}

type reactionOutput struct {
	Trace []reactionEvent `json:"trace"`
	Final reactionState   `json:"final"`
}

func runReaction(in reactionInput) (reactionOutput, error) {
	parameters := dcqcn.Defaults()
	for name, value := range in.Parameters {
		p, ok := dcqcn.Find(name)
		if !ok {
			return reactionOutput{}, fmt.Errorf("%q is no parameter", name)
		}
		if err := parameters.Set(p, value, uint32(in.LineRate)); err != nil {
			return reactionOutput{}, err
		}
	}
	control := dcqcn.NewControl(&parameters, in.LineRate)
	trace := reactionTrace{
		control: &control, entries: []reactionEvent{},
		alpha: in.LogAlpha, window: int64(max(1, parameters[dcqcn.AlphaWindow])),
	}
	control.Watch = trace.watch
	for _, e := range in.Events {
		trace.advance(e.At)
		switch e.Event {
		case "cnp":
			trace.flow.Notify(&control, e.At)
		case "bytes":
			trace.flow.Sent(&control, e.At, e.Bytes)
		default:
			return reactionOutput{}, fmt.Errorf("%q is no event", e.Event)
		}
	}
	trace.advance(in.End)
	return reactionOutput{trace.entries, reactionState(trace.flow.State(&control, in.End))}, nil
}

// reactionTrace records the events of a flow. The flow itself doesn't stop at the ends of alpha windows, so a trace of
// alpha advances it to each of them.
type reactionTrace struct {
	control *dcqcn.Control
	flow    dcqcn.Flow
	entries []reactionEvent
	alpha   bool
	window  int64
	end     int64 // of the running alpha window
}

func (r *reactionTrace) watch(e dcqcn.Event) {
	if e.Cause == dcqcn.FirstNotification {
		r.end = e.At + r.window
	}
	r.entries = append(r.entries, reactionEvent{e.At, e.Cause.String(), e.Phase.String(), reactionState(e.State)})
}

func (r *reactionTrace) advance(to int64) {
	for r.alpha && r.flow.Limited() && r.end <= to {
		state := r.flow.State(r.control, r.end-1)
		if !state.Limited {
			break
		}
		after := r.flow // alpha changes first at its instant: later events of the copy are not recorded
		silent := *r.control
		silent.Watch = nil
		state.Alpha = after.State(&silent, r.end).Alpha
		r.entries = append(r.entries, reactionEvent{At: r.end, Cause: "alpha", reactionState: reactionState(state)})
		r.end += r.window
	}
	r.flow.Advance(r.control, to)
}

type generateInput struct {
	Interval int64   `json:"min_interval_us"`
	Marked   []int64 `json:"marked_us"`
}

type generateOutput struct {
	Sent []int64 `json:"cnp_us"`
}

// notifications returns the times at which CNPs are sent for packets marked at the given times.
func notifications(marked []int64, interval int64) []int64 {
	sent := []int64{}
	var point dcqcn.Notifier
	for _, now := range marked {
		if at, due := point.Due(now, interval); due {
			sent = append(sent, at)
		}
		if point.Marked(now, interval) == 1 {
			sent = append(sent, now)
		}
	}
	if len(marked) > 0 {
		if at, due := point.Due(slices.Max(marked)+interval, interval); due {
			sent = append(sent, at)
		}
	}
	return sent
}

type headerInput struct {
	Mode     uint32 `json:"DcqcnCnpPrioMode"`
	Priority uint32 `json:"DcqcnCnp802pPrio"`
	DSCP     uint32 `json:"DcqcnCnpDscp"`
	Received uint8  `json:"received_priority"`
}

type headerOutput struct {
	Priority uint8 `json:"priority"`
	DSCP     uint8 `json:"dscp"`
}

func runHeader(in headerInput) (headerOutput, error) {
	parameters := dcqcn.Defaults()
	parameters[dcqcn.NotificationPriorityMode] = in.Mode
	parameters[dcqcn.NotificationPriority] = in.Priority
	parameters[dcqcn.NotificationDSCP] = in.DSCP
	priority, dscp := parameters.Header(in.Received)
	return headerOutput{priority, dscp}, nil
}

type reactsInput struct {
	Notifies []dcqcn.Parameter `json:"np_enabled_priorities"`
	Reacts   []dcqcn.Parameter `json:"rp_enabled_priorities"`
	Priority *uint8            `json:"priority"` // null: untagged
	Version  int               `json:"roce_version"`
	Untagged uint8             `json:"default_untagged_priority"`
}

type reactsOutput struct {
	Notified bool `json:"cnp_sent"`
	Limited  bool `json:"rate_limited"`
}

func runReacts(in reactsInput) (reactsOutput, error) {
	sender, receiver := dcqcn.Defaults(), dcqcn.Defaults()
	for _, priority := range in.Notifies {
		receiver[dcqcn.NPEnable+priority] = 1
	}
	for _, priority := range in.Reacts {
		sender[dcqcn.RPEnable+priority] = 1
	}
	priority := in.Untagged
	if in.Priority != nil {
		priority = *in.Priority
	}
	notified, limited := dcqcn.Loop(&sender, &receiver, priority, in.Version)
	return reactsOutput{notified, limited}, nil
}

type markInput struct {
	Queue       float64 `json:"queue_bytes"`
	Least       float64 `json:"kmin_bytes"`
	Most        float64 `json:"kmax_bytes"`
	Probability float64 `json:"pmax"`
}

type markOutput struct {
	Share float64 `json:"probability"`
}

func runMark(in markInput) (markOutput, error) {
	return markOutput{dcqcn.Marking{Min: in.Least, Max: in.Most, Probability: in.Probability}.Share(in.Queue)}, nil
}

type parameterInput struct {
	LineRate uint32 `json:"line_rate_mbps"`
	Name     string `json:"param"`
	Value    int64  `json:"value"`
	Old      uint32 `json:"old_value"`
}

type untaggedInput struct {
	Value int64 `json:"value"`
	Old   int64 `json:"old_value"` // ignored
}

type storedOutput struct {
	Result string `json:"result,omitempty"`
	Stored int64  `json:"stored"`
}

func runSetParameter(in parameterInput) (storedOutput, error) {
	p, ok := dcqcn.Find(in.Name)
	if !ok {
		return storedOutput{}, fmt.Errorf("%q is no parameter", in.Name)
	}
	parameters := dcqcn.Defaults()
	parameters[p] = in.Old
	result := "ok"
	var wrong *dcqcn.RangeError
	switch err := parameters.Set(p, in.Value, in.LineRate); {
	case errors.As(err, &wrong) && wrong.Clamped:
		result = "clamped"
	case errors.As(err, &wrong):
		result = "rejected"
	case err != nil:
		return storedOutput{}, err
	}
	return storedOutput{result, int64(parameters[p])}, nil
}
