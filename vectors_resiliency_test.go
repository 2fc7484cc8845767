package main

import (
	"fmt"
	"strconv"

	"cxdeck/device/dropless"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/health"
)

// resiliencyVectors are the topics of model rules RES-1 to RES-5.
var resiliencyVectors = map[string]vectorRunner{
	"resiliency": vectorOps(map[string]vectorRunner{
		"stuck_after":       vector(stuckInput{Interval: health.DefaultInterval, Checks: health.DefaultChecks}, runStuck),
		"sensor_action":     vector(sensorInput{Mask: health.DefaultResetMask, HeadOfQueue: true}, runSensor),
		"dump_slot":         vector(stateDumpInput{Total: health.DefaultDumps, Preserved: health.DefaultPreserved}, runDumpSlot),
		"winof_delay_drop":  vector(timerInput{}, runTimerWinOF),
		"winof2_delay_drop": vector(timerInput{}, runTimerWinOF2),
		"dropless_event":    vector(droplessInput{}, runDropless),
	}),
}

type stuckInput struct {
	Interval int64  `json:"SHCheckForHangTimeInSeconds"`
	Checks   int64  `json:"CheckForHangCQMaxNoProgress"`
	Sensor   string `json:"sensor"`
}

type stuckOutput struct {
	Seconds float64 `json:"seconds"`
}

func runStuck(in stuckInput) (stuckOutput, error) {
	sensor, ok := map[string]health.Sensor{
		"hw_send": health.HardwareSend, "sw_send": health.SoftwareSend, "sw_receive": health.SoftwareReceive,
		"receive_completion_error": health.ReceiveError, "send_completion_error": health.SendError,
	}[in.Sensor]
	if !ok {
		return stuckOutput{}, fmt.Errorf("%q is no sensor", in.Sensor)
	}
	return stuckOutput{health.StuckAfter(sensor, in.Interval, in.Checks).Seconds()}, nil
}

// vectorMask is a mask that is written as a number or as text in hexadecimal.
type vectorMask uint32

// UnmarshalJSON implements json.Unmarshaler.
func (m *vectorMask) UnmarshalJSON(text []byte) error {
	word := string(text)
	if unquoted, err := strconv.Unquote(word); err == nil {
		word = unquoted
	}
	value, err := strconv.ParseUint(word, 0, 32)
	*m = vectorMask(value)
	return err
}

type sensorInput struct {
	Mask        vectorMask `json:"SHMPResetActiveSensorsMask"`
	Sensor      vectorMask `json:"sensor_mask"`
	Function    bool       `json:"vf"`
	HeadOfQueue bool       `json:"hoq_enabled"`
}

type sensorOutput struct {
	Resets bool `json:"reset"`
}

func runSensor(in sensorInput) (sensorOutput, error) {
	return sensorOutput{health.Resets(health.Sensor(in.Sensor), uint32(in.Mask), in.Function, in.HeadOfQueue)}, nil
}

type stateDumpInput struct {
	Total     int `json:"DumpMeNowTotalCount"`
	Preserved int `json:"DumpMeNowPreservedCountMin"`
	Incident  int `json:"incident"`
}

// stateDumpOutput has no slot if the dump is refused.
type stateDumpOutput struct {
	Slot    *int `json:"slot"`
	Refused bool `json:"refused"`
}

func runDumpSlot(in stateDumpInput) (stateDumpOutput, error) {
	slot, ok := health.DumpSlot(in.Total, in.Preserved, in.Incident)
	if !ok {
		return stateDumpOutput{Refused: true}, nil
	}
	return stateDumpOutput{Slot: &slot}, nil
}

type timerInput struct {
	Timeout *int64 `json:"DelayDropTimeout"` // null: the key is absent
}

type timerOutput struct {
	Stored   int  `json:"stored"`
	Enabled  bool `json:"enabled"`
	Infinite bool `json:"infinite"`
	Limit    int  `json:"limit_us"`
	Error    int  `json:"error_us"`
}

func newTimerOutput(t dropless.Timer) (timerOutput, error) {
	return timerOutput{t.Units, t.Enabled(), t.Infinite(), t.Limit(), t.Error}, nil
}

func runTimerWinOF(in timerInput) (timerOutput, error) {
	if in.Timeout == nil {
		return timerOutput{}, nil
	}
	return newTimerOutput(dropless.WinOF(*in.Timeout))
}

func runTimerWinOF2(in timerInput) (timerOutput, error) {
	if in.Timeout == nil { // the mode waits for its OID
		return timerOutput{}, nil
	}
	return newTimerOutput(dropless.WinOF2(*in.Timeout))
}

type droplessInput struct {
	Family string `json:"driver_family"`
	Action string `json:"action"`
}

type droplessOutput struct {
	Event int `json:"event_id"`
}

func runDropless(in droplessInput) (droplessOutput, error) {
	family, err := vectorFamily(in.Family)
	if err != nil {
		return droplessOutput{}, err
	}
	what, ok := map[string]health.Dropless{
		"entered": health.DroplessEntered, "exited": health.DroplessLeft, "timeout": health.DroplessExpired,
	}[in.Action]
	if !ok {
		return droplessOutput{}, fmt.Errorf("%q is nothing that happens to dropless mode", in.Action)
	}
	row, ok := eventlog.Catalogue().Lookup(what.Event(family))
	if !ok {
		return droplessOutput{}, fmt.Errorf("%s is not in the catalogue of events", what.Event(family))
	}
	return droplessOutput{row.ID}, nil
}
