package perf_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"cxdeck/perf"
)

func smallSchema(t testing.TB) *perf.Schema {
	t.Helper()
	var series []perf.Series
	add := func(set, instance, counter string) {
		series = append(series, perf.Series{Set: set, Instance: instance, Counter: counter, Cell: len(series)})
	}
	for _, instance := range []string{"Ethernet 7", "Ethernet (2)", "Mellanox ConnectX-3 [_2]", "_Total"} {
		add("Network Interface", instance, "Bytes Received/sec")
		add("Network Interface", instance, "Packets Received Discarded")
	}
	add("Mellanox Adapter QoS Counters", "Ethernet 7 (1) Priority 3", "Bytes Received")
	add("Memory", "", "Available Bytes")
	schema, err := perf.NewSchema(1, len(series), series)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestMatch(t *testing.T) {
	t.Parallel()
	schema := smallSchema(t)
	for pattern, want := range map[string][]int{
		`\Network Interface(Ethernet 7)\Bytes Received/sec`:         {0},
		`\network interface(ETHERNET 7)\bytes received/SEC`:         {0},
		`Network Interface(Ethernet 7)\Bytes Received/sec`:          {0},
		`\\LAB-N4\Network Interface(Ethernet 7)\Bytes Received/sec`: {0},
		`\Network Interface(*)\Packets*`:                            {1, 3, 5, 7},
		`\Network Interface(Ethernet*)\*`:                           {0, 1, 2, 3},
		`\Network Interface(Ethernet (2))\Bytes Received/sec`:       {2},
		`\Network Interface(Mellanox ConnectX-3 [_2])\Packets*`:     {5},
		`\*QoS*(*)\*`:            {8},
		`\*(*Priority 3)\Bytes*`: {8},
		`\Mellanox Adapter QoS Counters(Ethernet 7 (1) Priority 3)\*d*`: {8},
		`\Memory\Available Bytes`: {9},
		`\Memory(*)\*`:            {9},
		`\*(*)\*`:                 {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
	} {
		got, err := schema.Match(pattern)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s matches %v, %v; want %v", pattern, got, err, want)
		}
	}
}

func TestMatchHints(t *testing.T) {
	t.Parallel()
	schema := smallSchema(t)
	for pattern, want := range map[string]string{
		`\Network Interfaec(*)\Bytes Received/sec`:           `\Network Interface(*)\Bytes Received/sec`,
		`\Network Interface(*)\Bytes Recieved/sec`:           `\Network Interface(*)\Bytes Received/sec`,
		`\Network Interface(Ethernet 8)\Bytes Received/sec`:  `\Network Interface(Ethernet 7)\Bytes Received/sec`,
		`\Network Interface\Packets Received Discarded`:      `\Network Interface(*)\Packets Received Discarded`,
		`\network interface(*)\packets recieved discarded`:   `\Network Interface(*)\Packets Received Discarded`,
		`\QoS(*)\Bytes Received`:                             `\Mellanox Adapter QoS Counters(*)\Bytes Received`,
		`\Memory(x)\Available Bytes`:                         `\Memory\Available Bytes`,
		`\Something else altogether, and long(*)\Bytes Sent`: ``,
	} {
		_, err := schema.Match(pattern)
		var none *perf.NoMatchError
		if !errors.As(err, &none) || none.Nearest != want || none.Pattern != pattern {
			t.Errorf("%s: %v; want the hint %q", pattern, err, want)
			continue
		}
		if want == "" {
			continue
		}
		if found, err := schema.Match(none.Nearest); err != nil || len(found) == 0 {
			t.Errorf("%s: the hint %s matches nothing: %v", pattern, none.Nearest, err)
		}
	}
}

func TestInvalidPatterns(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", `\`, `\\HOST`, `\\HOST\`, "word", `\Set`, `\Set(x)`, `\Set(x)\`, `\(x)\y`, `\a\b\c`, strings.Repeat("a", 5000)} {
		if pattern, err := perf.ParsePattern(text); err == nil {
			t.Errorf("%.20q was parsed as %v", text, pattern)
		}
	}
}

func TestSchemaParts(t *testing.T) {
	t.Parallel()
	schema := smallSchema(t)
	if got := schema.Sets(); !slices.Equal(got, []string{"Network Interface", "Mellanox Adapter QoS Counters", "Memory"}) {
		t.Errorf("sets %q", got)
	}
	if got := schema.Instances("Network Interface"); len(got) != 4 || got[3] != "_Total" {
		t.Errorf("instances %q", got)
	}
	if got := schema.Counters("Memory"); !slices.Equal(got, []string{"Available Bytes"}) {
		t.Errorf("counters %q", got)
	}
}

// FuzzPattern matches hostile patterns: none may panic or take long, a path as a pattern matches its own series, and a hint
// matches a series.
func FuzzPattern(f *testing.F) {
	schema := smallSchema(f)
	for _, series := range schema.Series {
		f.Add(series.Path())
	}
	f.Add(`\\host\a(b)(c)\d`)
	f.Add(strings.Repeat("*a", 100) + `(*)\*`)
	f.Add("\\\xff(\x00)\\*")
	f.Fuzz(func(t *testing.T, text string) {
		found, err := schema.Match(text)
		var none *perf.NoMatchError
		if errors.As(err, &none) && none.Nearest != "" {
			if _, err := schema.Match(none.Nearest); err != nil {
				t.Fatalf("%q: the hint %q matches nothing: %v", text, none.Nearest, err)
			}
		}
		if !strings.Contains(text, "*") && len(found) > 1 {
			t.Fatalf("%q without * matches %d series", text, len(found))
		}
		if set, instance, counter, ok := perf.SplitPath(text); ok {
			again, instance2, counter2, ok := perf.SplitPath(perf.JoinPath(set, instance, counter))
			if strings.HasPrefix(set, `\`) || strings.TrimSpace(text) != text || strings.HasSuffix(counter, " ") {
				return
			}
			if !ok || again != set || instance2 != instance || counter2 != counter {
				t.Fatalf("%q splits to %q %q %q, which joins to another path", text, set, instance, counter)
			}
		}
	})
}

func TestGlob(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		pattern, text string
		want          bool
	}{
		{"*discard*/sec", "Packets Received Discarded/sec", true}, {"*discard*/sec", "Packets Received Discarded", false},
		{"*", "", true}, {"", "", true}, {"", "x", false},
		{"a*b*c", "aXbYbZc", true}, {"a*b*c", "aXbYbZ", false},
	} {
		if got := perf.Glob(test.pattern, test.text); got != test.want {
			t.Errorf("%q matches %q: %t", test.pattern, test.text, got)
		}
	}
}
