package findings

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
)

// TestConditions holds the logic of three values: a missing fact and a division by zero are unknown, and never true.
func TestConditions(t *testing.T) {
	t.Parallel()
	s := NewSubject(Port, "Ethernet 1")
	s.Set("rx_packets", 100)
	s.Set("damaged", 0)
	s.Set("up", 1)
	s.Set("cabled", 0)
	for text, want := range map[string]bool{
		"rx_packets > 99": true, "rx_packets >= 100 and up": true, "not cabled": true, "not up": false, "no_wqe > 0": false,
		"not no_wqe": false, "no_wqe > 0 or up": true, "no_wqe > 0 and up": false, "rx_packets / damaged > 1": false,
		"damaged / rx_packets == 0": true, "sum(no_wqe, rx_packets) == 100": true, "sum(no_wqe, rx_discards) >= 0": false,
		"rx_packets * 0.5 - 10 == 40": true, "(cabled or up) and rx_packets != 1": true, "rx_packets > 1e-6": true, "rx_packets < 99": false,
		"rx_packets <= 100": true, "no_wqe == no_wqe": false, "cabled and no_wqe": false, "rx_packets + damaged == 100": true,
	} {
		c, err := parseCondition(text, Catalogue().Find)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := c.Holds(s); got != want {
			t.Errorf("%s is %v", text, got)
		}
	}
	for _, text := range []string{"", "rx_packets >", "rx_packet > 1", "(up", "up up", "sum(up", "up and", "rx_packets > > 1", "not"} {
		if _, err := parseCondition(text, Catalogue().Find); err == nil {
			t.Errorf("%q is a condition", text)
		}
	}
}

// TestNothingKnownIsNothingWrong holds that no rule finds something at a subject without facts.
func TestNothingKnownIsNothingWrong(t *testing.T) {
	t.Parallel()
	facts := &Facts{Time: time.Unix(1000, 0)}
	for _, kind := range []Kind{Host, Card, Port, Function, Machine, Team} {
		facts.Subjects = append(facts.Subjects, NewSubject(kind, string(kind)))
	}
	for _, f := range find(facts) {
		t.Errorf("%s: %s", f.Rule.ID, f.Title)
	}
	// All counters at zero are no fault either.
	for _, s := range facts.Subjects {
		for i, f := range Catalogue().Facts {
			if len(f.Counters) > 0 && f.Name != "rdma_active" && f.Name != "msix_free" {
				s.SetAt(i, 0)
			}
		}
	}
	for _, f := range find(facts) {
		t.Errorf("with counters of 0: %s: %s", f.Rule.ID, f.Title)
	}
}

// TestRulesAreWhole holds that each rule has what an operator reads, and names only what exists.
func TestRulesAreWhole(t *testing.T) {
	t.Parallel()
	list := Rules()
	if len(list) < 60 {
		t.Errorf("only %d rules", len(list))
	}
	for _, r := range list {
		if r.Title == "" || r.Why == "" || r.Source == "" || strings.HasSuffix(r.Title, ".") || r.Weight < 1 || r.Weight > 100 {
			t.Errorf("rule %s lacks something: %+v", r.ID, r)
		}
		for _, id := range r.LeadsTo {
			if _, known := Lookup(id); !known || id == r.ID {
				t.Errorf("rule %s leads to %s", r.ID, id)
			}
		}
		for _, name := range r.Evidence {
			if _, known := Catalogue().Find(name); !known {
				t.Errorf("rule %s has the evidence %s", r.ID, name)
			}
		}
		for _, key := range slices.Concat(r.Events, r.ClearedBy, r.Trouble) {
			if _, known := eventlog.Catalogue().Lookup(key); !known {
				t.Errorf("rule %s names the event %s", r.ID, key)
			}
		}
	}
	for _, f := range Catalogue().Facts {
		if f.Meaning == "" || !slices.Contains([]Kind{Host, Card, Port, Function, Machine, Team}, f.Of) {
			t.Errorf("the fact %+v is not whole", f)
		}
	}
	for _, row := range eventlog.Catalogue().Rows {
		if row.Kind == eventlog.Troubleshooting && !slices.ContainsFunc(list, func(r *Rule) bool { return slices.Contains(r.Trouble, row.Key) }) {
			t.Errorf("no rule for the row %s of the manuals", row.Key)
		}
	}
}

// TestBadTables holds that a table with a mistake is refused.
func TestBadTables(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{`, `[{"id":"a","severity":"bad","when":"up"}]`, `[{"id":"","severity":"info","when":"up"}]`, `[{"id":"a","severity":"info"}]`,
		`[{"id":"a","severity":"info","when":"u"}]`, `[{"id":"a","severity":"info","when":"up"},{"id":"a","severity":"info","when":"up"}]`,
		`[{"id":"a","severity":"info","when":"up","begin":"x"}]`, `[{"id":"a","severity":"info","when":"up","begin":7}]`,
	} {
		if _, err := readRules([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

// TestFindingsBeginAndEnd holds the hysteresis: a finding with a begin is shown when it has held for so long, and ends after its end.
func TestFindingsBeginAndEnd(t *testing.T) {
	t.Parallel()
	rule, _ := Lookup("pause-in-long")
	begin, end := time.Duration(rule.Begin), time.Duration(rule.End)
	if begin == 0 || end == 0 {
		t.Fatal("choose another rule")
	}
	var w Watch
	start := time.Unix(1000, 0)
	look := func(after time.Duration, paused float64) *Report {
		s := NewSubject(Port, "Ethernet 1")
		s.Set("paused", paused)
		s.Set("known", 1)
		return w.Update(&Facts{Time: start.Add(after), Subjects: []*Subject{s}})
	}
	has := func(r *Report) *Finding {
		for _, f := range r.Findings {
			if f.Rule == rule {
				return f
			}
		}
		return nil
	}
	look(0, 0)
	if has(look(time.Second, 0.5)) != nil {
		t.Error("it is shown at once")
	}
	f := has(look(time.Second+begin, 0.5))
	if f == nil || !f.Since.Equal(start.Add(time.Second)) || f.Started {
		t.Fatalf("after its begin it is %+v", f)
	}
	if has(look(2*time.Second+begin, 0)) == nil {
		t.Error("it ends at once")
	}
	r := look(2*time.Second+begin+end, 0)
	ended := slices.IndexFunc(r.Ended, func(f *Finding) bool { return f.Rule == rule })
	if has(r) != nil || ended < 0 || r.Ended[ended].Until.IsZero() || r.Ended[ended].Since != f.Since {
		t.Errorf("it has not ended: %+v", r.Ended)
	}
	if r = look(0, 0); len(r.Ended) != 0 || !r.Checked.Equal(start) {
		t.Error("after a seek the past is kept")
	}
}

// TestCauseBeforeConsequence holds that a consequence follows its cause, and that the cause has the worse severity of both.
func TestCauseBeforeConsequence(t *testing.T) {
	t.Parallel()
	s := NewSubject(Port, "Ethernet 1")
	s.Port, s.Connection = 0, "Ethernet 1"
	other := NewSubject(Port, "Ethernet 2")
	other.Port, other.Connection = 1, "Ethernet 2"
	s.Set("cabled", 0)
	for _, subject := range []*Subject{s, other} {
		subject.Add("unreached-link", Item{Key: "web", Text: "web finds no receiver"})
	}
	var w Watch
	facts := Facts{Subjects: []*Subject{s, other}}
	facts.Time = time.Unix(1000, 0)
	w.Update(&facts)
	facts.Time = time.Unix(1010, 0)
	r := w.Update(&facts)
	if len(r.Findings) != 3 || r.Findings[0].Rule.ID != "cable-out" || r.Findings[0].Follows != "" {
		t.Fatalf("the findings are %+v", r.Findings)
	}
	if r.Findings[1].Subject != other || r.Findings[1].Follows != "" || r.Findings[2].Follows != "cable-out" {
		t.Errorf("the consequences are %+v and %+v", r.Findings[1], r.Findings[2])
	}
	if worst, found := r.Worst(); !found || worst != eventlog.Error || r.Count(eventlog.Error) != 2 || !r.Knows("ethernet 2") || r.Knows("Ethernet 3") {
		t.Errorf("the report is %+v", r)
	}
}

// TestEventsMakeAndClearFindings holds that an event makes a finding at its adapter alone, until a clearing event or its window ends.
func TestEventsMakeAndClearFindings(t *testing.T) {
	t.Parallel()
	at := time.Unix(100_000, 0)
	find := func(events ...eventlog.Event) (ids []string) {
		s := NewSubject(Port, "Ethernet 1")
		s.Aliases = []string{"ConnectX #1"}
		s.Set("failed", 1)
		s.Set("code", 10)
		for _, f := range find(&Facts{Time: at, Subjects: []*Subject{s}, Events: events}) {
			ids = append(ids, f.Rule.ID)
		}
		return ids
	}
	event := func(key, adapter string, before time.Duration) eventlog.Event {
		return eventlog.Event{Key: key, Adapter: adapter, Time: at.Add(-before), Message: "text"}
	}
	if got := find(event("mlx5.multicast-mac", "connectx #1", time.Minute)); !slices.Contains(got, "multicast-mac") {
		t.Errorf("the event finds %v", got)
	}
	for _, events := range [][]eventlog.Event{
		{event("mlx5.multicast-mac", "Ethernet 2", time.Minute)}, {event("mlx5.multicast-mac", "Ethernet 1", 2*time.Hour)},
		{event("mlx5.multicast-mac", "Ethernet 1", time.Minute), event("mlx5.link-up", "Ethernet 1", time.Second)},
	} {
		if got := find(events...); slices.Contains(got, "multicast-mac") {
			t.Errorf("%+v find %v", events, got)
		}
	}
}

func TestNumbersOfSentences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value      float64
		unit, want string
	}{
		{0, "packets per second", "0 packets per second"}, {1.5e6, "packets per second", "1.5 million packets per second"}, {12345, "frames per second", "12.3 thousand frames per second"},
		{0.5, "share", "50%"}, {0.00001, "share", "0.001%"}, {9014, "bytes", "9014 bytes"}, {8, "", "8"}, {math.NaN(), "", "unknown"}, {3e9, "per second", "3 billion per second"},
		{12.34, "Gb/s", "12 Gb/s"}, {0, "share", "0%"}, {1e-9, "share", "less than 0.001%"},
	} {
		if got := format(c.value, c.unit); got != c.want {
			t.Errorf("%g %s is %q, not %q", c.value, c.unit, got, c.want)
		}
	}
}
