package deck

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/perf/threshold"
)

// TestThresholdsRoundTrip sets and removes random thresholds, saves and parses them after each change, and compares them with
// a plain list.
func TestThresholdsRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 12))
	base := []threshold.Rule{{Path: `\cxdeck Port(*)\Packets Discarded/sec`, Level: 100, Clear: 1, Run: []string{"mail"}}, {Path: `\S(a)\C1`, Level: 7, Clear: math.NaN()}}
	want := slices.Clone(base)
	var kept KeptThresholds
	for range 500 {
		path := `\S(a)\C` + string(rune('0'+random.IntN(6)))
		want = slices.DeleteFunc(want, func(rule threshold.Rule) bool { return rule.Path == path })
		if random.IntN(3) > 0 {
			rule := threshold.Rule{Path: path, Below: random.IntN(2) == 0, Level: math.Round(random.NormFloat64() * 1e6), Percent: random.IntN(2) == 0,
				Clear: math.NaN(), For: time.Duration(random.IntN(3600)) * time.Second}
			if random.IntN(2) == 0 {
				rule.Clear = rule.Level
			}
			want = append(want, rule)
			with := rule
			with.Run = []string{"/bin/sh", "-c", "harm"} // a history file must not start programs
			kept.Put(strings.ToUpper(path[:1])+path[1:], &with)
		} else {
			kept.Put(path, nil)
		}
		text, err := kept.Text()
		if err != nil {
			t.Fatal(err)
		}
		read, err := ParseKeptThresholds(text)
		if err != nil {
			t.Fatal(err)
		}
		got := read.ApplyTo(base)
		if !slices.EqualFunc(sorted(got), sorted(want), func(a, b threshold.Rule) bool {
			return a.Path == b.Path && a.Below == b.Below && a.Level == b.Level && a.Percent == b.Percent && a.For == b.For &&
				(a.Clear == b.Clear || math.IsNaN(a.Clear) && math.IsNaN(b.Clear)) && slices.Equal(a.Run, b.Run)
		}) {
			t.Fatalf("parsed %+v, want %+v", got, want)
		}
	}
}

func sorted(list []threshold.Rule) []threshold.Rule {
	return slices.SortedFunc(slices.Values(list), func(a, b threshold.Rule) int { return strings.Compare(a.Path, b.Path) })
}

func TestInvalidKeptThresholds(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "[]", "{", `{"version":99}`, `{"set":7}`, strings.Repeat(" ", maxKeptBytes+1)} {
		if _, err := ParseKeptThresholds(bad); err == nil {
			t.Errorf("%.40q was read", bad)
		}
	}
	kept, err := ParseKeptThresholds(`{"version":1,"set":[{"path":"x","level":1},{"path":"\\S(a)\\C","level":1,"for":"-5s"},{"path":"\\S(a)\\C","level":1,"clear":2},{"path":"\\S(a)\\D","level":1}]}`)
	if err != nil || len(kept.Set) != 1 || kept.Set[0].Path != `\S(a)\D` {
		t.Errorf("%+v, %v", kept, err)
	}
}
