package setup

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/dcqcn"
	"cxdeck/driver"
	"cxdeck/driver/lossless/plans"
	"cxdeck/driver/qos"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// checkRow is a check as JSON.
type checkRow struct {
	Title  string `json:"title"`
	Passed bool   `json:"passed"`
	Found  string `json:"found"`
}

// apply makes the plan of a request, applies it, and checks the host. With --plan it applies it to a copy of the host alone.
func apply(c *exec.Call, s plans.Setup, onlyPlan bool) (exec.Answer, error) {
	var made plans.AnnotatedPlan
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		made, err = plans.Make(h, s)
		return err
	})
	if err != nil {
		return exec.Answer{}, err
	}
	for _, note := range made.Notes {
		c.Note(note)
	}
	c.WhatIf = c.WhatIf || onlyPlan
	row := exec.EntryRow{Title: made.Title, Operations: []exec.OperationRow{}, WhatIf: c.WhatIf, Unchanged: []string{"the host has these settings already"}}
	if len(made.Operations) > 0 {
		if row, err = c.Do(made.Plan); err != nil {
			return exec.Answer{}, err
		}
	}
	checks := []checkRow{}
	if !c.WhatIf {
		err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
			for _, f := range s.Check(h) {
				checks = append(checks, checkRow{wording.UpperFirst(f.Title), f.OK, f.Text})
			}
			return nil
		})
		if err != nil {
			return exec.Answer{}, err
		}
	}
	failed := 0
	for _, check := range checks {
		if !check.Passed {
			failed++
		}
	}
	if failed > 0 {
		c.Note(wording.Count(failed, "check") + " failed after the change")
	}
	change := exec.ChangeAnswer(row)
	return exec.Answer{
		Result: struct {
			Change exec.EntryRow `json:"change"`
			Checks []checkRow    `json:"checks,omitempty"`
		}{row, checks},
		Text: func(w io.Writer) error {
			if err := change.Text(w); err != nil {
				return err
			}
			if c.WhatIf {
				return writeSteps(w, &made)
			}
			return writeChecks(w, checks)
		},
	}, nil
}

func writeSteps(w io.Writer, made *plans.AnnotatedPlan) error {
	for i, o := range made.Operations {
		if _, err := fmt.Fprintf(w, "%3d. %s\n", i+1, exec.Clean(wording.UpperFirst(o.Describe()))); err != nil {
			return err
		}
	}
	return nil
}

func writeChecks(w io.Writer, checks []checkRow) error {
	if len(checks) == 0 {
		return nil
	}
	t := exec.NewTextTable(w, "CHECK", "RESULT", "FOUND")
	for _, check := range checks {
		t.Row(check.Title, map[bool]string{true: "passed", false: "failed"}[check.Passed], check.Found)
	}
	return t.Flush()
}

func lossless(c *exec.Call, in *struct {
	Names     []string `is:"connection"`
	Priority  int      `is:"a priority" range:"0 7" flag:"priority" default:"3"`
	Ports     string   `flag:"ports"`
	Share     int      `is:"the share" range:"1 100" flag:"share"`
	Only      bool     `flag:"only"`
	Trust     bool     `flag:"trust-dscp"`
	NoControl bool     `flag:"no-control"`
	Plan      bool     `flag:"plan"`
}) (exec.Answer, error) {
	s := plans.Lossless{Connections: in.Names, Priority: in.Priority, Share: in.Share, Only: in.Only, TrustDSCP: in.Trust, Control: !in.NoControl}
	if in.Ports != "" {
		for word := range strings.SplitSeq(in.Ports, ",") {
			n, err := exec.WholeNumber(strings.TrimSpace(word), "NetDirect port")
			if err != nil {
				return exec.Answer{}, err
			}
			s.Ports = append(s.Ports, n)
		}
	}
	return apply(c, s, in.Plan)
}

func trust(c *exec.Call, in *struct {
	Name  string `is:"connection"`
	Field string
	Marks string `flag:"mark"`
	Plan  bool   `flag:"plan"`
}) (exec.Answer, error) {
	s := plans.Trust{Connection: in.Name, DSCP: strings.EqualFold(in.Field, "dscp"), Codes: map[int]int{}}
	if !s.DSCP && !strings.EqualFold(in.Field, "pcp") {
		return exec.Answer{}, exec.Mistake("the field must be dscp or pcp, not %q", in.Field)
	}
	if in.Marks != "" {
		for word := range strings.SplitSeq(in.Marks, ",") {
			priority, code, err := pair(word, "a mark", "a priority and a DSCP, such as 3=26")
			if err != nil {
				return exec.Answer{}, err
			}
			if _, twice := s.Codes[priority]; twice {
				return exec.Answer{}, exec.Mistake("priority %d has two marks", priority)
			}
			s.Codes[priority] = code
		}
	}
	return apply(c, s, in.Plan)
}

// pair reads two integers with = between them.
func pair(word, what, example string) (first, second int, err error) {
	left, right, _ := strings.Cut(strings.TrimSpace(word), "=")
	first, err1 := strconv.Atoi(left)
	second, err2 := strconv.Atoi(right)
	if errors.Join(err1, err2) != nil {
		return 0, 0, exec.Mistake("%s must be %s, not %q", what, example, word)
	}
	return first, second, nil
}

func shares(c *exec.Call, in *struct {
	Shares []string
	Plan   bool `flag:"plan"`
}) (exec.Answer, error) {
	var s plans.Shares
	for _, word := range in.Shares {
		at := strings.LastIndexByte(word, '=')
		if at < 1 {
			return exec.Answer{}, exec.Mistake("a share must be a class and a percentage, such as SMB=50, or SMB=50:3 for a new class of priority 3, not %q", word)
		}
		name, rest := word[:at], strings.TrimSuffix(word[at+1:], "%")
		percent, priority, fresh := strings.Cut(rest, ":")
		n, err := exec.WholeNumber(strings.TrimSuffix(percent, "%"), "share")
		if err != nil {
			return exec.Answer{}, err
		}
		if !fresh {
			s.Classes = append(s.Classes, plans.Share{Class: name, Percent: n})
			continue
		}
		var list []int
		for digit := range strings.SplitSeq(priority, "+") {
			p, err := exec.WholeNumber(digit, "priority")
			if err != nil {
				return exec.Answer{}, err
			}
			if slices.Contains(list, p) {
				return exec.Answer{}, exec.Mistake("priority %d is listed twice for %s", p, name)
			}
			list = append(list, p)
		}
		set, err := qos.SetOf(list...)
		if err != nil {
			return exec.Answer{}, err
		}
		s.New = append(s.New, qos.Class{Name: name, Algorithm: qos.ETS, Bandwidth: n, Priorities: set})
	}
	return apply(c, s, in.Plan)
}

func pause(c *exec.Call, in *struct {
	Name string `is:"connection"`
	On   bool   `is:"global pause"`
	Plan bool   `flag:"plan"`
}) (exec.Answer, error) {
	return apply(c, plans.Pause{Connection: in.Name, On: in.On}, in.Plan)
}

func limit(c *exec.Call, in *struct {
	Name   string `is:"connection"`
	Limits []string
	Plan   bool `flag:"plan"`
}) (exec.Answer, error) {
	s := plans.Limit{Connection: in.Name}
	for _, word := range in.Limits {
		class, mbps, err := pair(word, "a limit", "a class and a rate in Mbit/s, such as 3=1000")
		if err != nil {
			return exec.Answer{}, err
		}
		s.Limits = append(s.Limits, qos.Limit{Class: class, Mbps: mbps})
	}
	return apply(c, s, in.Plan)
}

func congestion(c *exec.Call, in *struct {
	Name       string `is:"connection"`
	Values     []string
	Profile    string `flag:"profile"`
	Priorities string `flag:"priorities"`
	Preview    bool   `flag:"preview"`
	Plan       bool   `flag:"plan"`
}) (exec.Answer, error) {
	s := plans.Congestion{Connection: in.Name, Profile: in.Profile, Values: map[dcqcn.Parameter]uint32{}}
	for _, word := range in.Values {
		name, text, _ := strings.Cut(word, "=")
		p, known := dcqcn.Find(name)
		if !known || p < dcqcn.ClampTargetRate {
			var names []string
			for _, parameter := range dcqcn.All()[dcqcn.ClampTargetRate:] {
				names = append(names, parameter.String())
			}
			return exec.Answer{}, exec.Mistake("unknown parameter %q%s", name, exec.Suggest(name, names, "help qos setup congestion lists them"))
		}
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			return exec.Answer{}, exec.Mistake("%s must be an integer, not %q", p, text)
		}
		if _, twice := s.Values[p]; twice {
			return exec.Answer{}, exec.Mistake("%s has two values", p)
		}
		s.Values[p] = uint32(n)
	}
	switch {
	case strings.EqualFold(in.Priorities, "none"):
		s.Priorities = new(qos.Priorities)
	case in.Priorities != "":
		var list []int
		for word := range strings.SplitSeq(in.Priorities, ",") {
			n, err := exec.WholeNumber(strings.TrimSpace(word), "priority")
			if err != nil {
				return exec.Answer{}, err
			}
			list = append(list, n)
		}
		set, err := qos.SetOf(list...)
		if err != nil {
			return exec.Answer{}, err
		}
		s.Priorities = &set
	}
	if in.Preview {
		return preview(c, s)
	}
	if in.Profile == "" && len(in.Values) == 0 && in.Priorities == "" {
		return exec.Answer{}, exec.Mistake("qos setup congestion requires --profile, --priorities or a parameter, such as DcqcnRpgAiRate=20")
	}
	return apply(c, s, in.Plan)
}

// rateRow is a point of a preview as JSON.
type rateRow struct {
	Microseconds int64   `json:"microseconds"`
	Rate         float64 `json:"bits_per_second"`
}

// previewPoints is the number of points in a preview.
const previewPoints = 20

// preview shows the rate of a flow after its first CNP.
func preview(c *exec.Call, s plans.Congestion) (exec.Answer, error) {
	var now dcqcn.Parameters
	var line uint32
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		now, line, err = plans.CongestionOf(h, s.Connection)
		return err
	})
	if err != nil {
		return exec.Answer{}, err
	}
	want, err := s.With(now, line)
	if err != nil {
		return exec.Answer{}, err
	}
	span, back := plans.Recovery(&want, line)
	rows := []rateRow{}
	for i, rate := range plans.Curve(&want, line, span, previewPoints) {
		rows = append(rows, rateRow{span * int64(i+1) / previewPoints, rate * 1e6})
	}
	return exec.Answer{
		Result: struct {
			Recovers bool      `json:"recovers"`
			Span     int64     `json:"span_microseconds"`
			Rates    []rateRow `json:"rates"`
		}{back, span, rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "AFTER THE CNP", "RATE", "")
			for _, r := range rows {
				const widest = 40
				bar := strings.Repeat("#", int(r.Rate/1e6/float64(line)*widest))
				t.Row(fmt.Sprintf("%.1f ms", float64(r.Microseconds)/1000), c.BitRate(r.Rate), bar)
			}
			if err := t.Flush(); err != nil {
				return err
			}
			text := fmt.Sprintf("The flow has the line rate again after %.1f ms.", float64(span)/1000)
			if !back {
				text = "The flow does not have the line rate again within a second."
			}
			_, err := fmt.Fprintln(w, text)
			return err
		},
	}, nil
}

func roce(c *exec.Call, in *struct {
	Name   string `is:"connection"`
	Mode   string
	Driver bool `flag:"driver"`
	Plan   bool `flag:"plan"`
}) (exec.Answer, error) {
	return apply(c, plans.RoCE{Connection: in.Name, Mode: in.Mode, Driver: in.Driver}, in.Plan)
}

func dropless(c *exec.Call, in *struct {
	Name    string `is:"connection"`
	On      bool   `is:"dropless mode"`
	Timeout *int   `is:"the time limit, in 100 us," range:"1 65535" flag:"timeout"`
	Plan    bool   `flag:"plan"`
}) (exec.Answer, error) {
	s := plans.Dropless{Connection: in.Name, On: in.On}
	if in.Timeout != nil {
		s.Timeout = *in.Timeout
	}
	return apply(c, s, in.Plan)
}

func profilesHelp() string {
	var b strings.Builder
	for _, p := range plans.Profiles() {
		fmt.Fprintf(&b, "%s %s. ", wording.UpperFirst(p.Name), p.About)
	}
	return strings.TrimSpace(b.String())
}

func modesHelp() string {
	var words []string
	for _, m := range plans.Modes() {
		words = append(words, m.Word+" ("+m.About+")")
	}
	return strings.Join(words, ", ")
}

func parametersHelp() string {
	var words []string
	for _, p := range dcqcn.All()[dcqcn.ClampTargetRate:] {
		words = append(words, p.String())
	}
	return strings.Join(words, ", ")
}
