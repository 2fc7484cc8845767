package windows

import (
	"io"
	"strconv"
	"time"

	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// startSleep implements Start-Sleep: time of the host passes, also on a host whose time passes by itself.
func startSleep(p *powershell.Invocation) (exec.Answer, error) {
	d := time.Duration(0)
	for _, part := range []struct {
		parameter string
		unit      time.Duration
	}{{"Seconds", time.Second}, {"Milliseconds", time.Millisecond}} {
		text := p.Value(part.parameter)
		if text == "" {
			continue
		}
		if d != 0 {
			return exec.Answer{}, exec.Mistake("Start-Sleep takes -Seconds or -Milliseconds, not both")
		}
		n, err := strconv.ParseFloat(text, 64)
		if d = time.Duration(n * float64(part.unit)); err != nil || n <= 0 || n > float64(exec.MaxAdvance/part.unit) || d <= 0 {
			return exec.Answer{}, exec.Mistake("invalid -%s %q: write a number above 0; 24 hours is the maximum", part.parameter, exec.Clean(text))
		}
	}
	if d == 0 {
		return exec.Answer{}, exec.Mistake("Start-Sleep requires -Seconds or -Milliseconds")
	}
	if err := exec.Wait(p.Call.Ctx, p.Call.Host, d); err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Passed float64 `json:"passed_seconds"`
		}{d.Seconds()},
		Text: func(io.Writer) error { return nil },
	}, nil
}
