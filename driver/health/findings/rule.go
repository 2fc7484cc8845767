package findings

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"cxdeck/driver/eventlog"
)

//go:embed rules.json
var ruleTable []byte

// Rule finds one thing that can be wrong.
type Rule struct {
	// ID identifies the rule in commands and documents: "port-down".
	ID string `json:"id"`
	// Of is the kind of subject.
	Of Kind `json:"of"`
	// Severity is the severity of its findings; a finding for which Worse holds is an error.
	Severity eventlog.Severity `json:"-"`
	Word     string            `json:"severity"`
	// Weight orders findings of one severity, the largest first: the effect on users, and how sure the rule is. 0 to 100.
	Weight int `json:"weight"`
	// When is the condition, Worse the condition for an error; without When the items or the events alone are the condition.
	When  string `json:"when"`
	Worse string `json:"worse"`
	// Each makes a finding of each item of a kind.
	Each string `json:"each"`
	// Events are keys of events; one within Within without a later event of ClearedBy makes the finding. Text is a part of the
	// message of such events, for events without a key.
	Events    []string `json:"events"`
	Text      string   `json:"text"`
	Within    Duration `json:"within"`
	ClearedBy []string `json:"cleared_by"`
	// Count is the number of events from which the finding is made; 0 means 1.
	Count int `json:"count"`
	// Begin is how long the condition must hold before the finding is shown, End how long it must not hold before it ends.
	Begin Duration `json:"begin"`
	End   Duration `json:"end"`
	// Title is the sentence, with {name}, {item}, texts of the subject and facts in braces; no full stop.
	Title string `json:"title"`
	// Why explains the mechanism, Causes are the usual ones.
	Why    string   `json:"why"`
	Causes []string `json:"causes"`
	// Evidence are facts that show it.
	Evidence []string `json:"evidence"`
	Fixes    []Fix    `json:"fixes"`
	// Source is its place in the manuals; Trouble are the rows of the manuals' troubleshooting tables that it implements.
	Source  string   `json:"source"`
	Trouble []string `json:"trouble"`
	// LeadsTo are the rules of findings that follow from this one at the same port.
	LeadsTo []string `json:"leads_to"`

	when, worse *Condition
}

// Fix is what an operator can do about a finding.
type Fix struct {
	// Title is an imperative: "Plug in the cable of {name}".
	Title string `json:"title"`
	// Operations are the steps as tagged JSON, with {name}, {adapter} and texts of the subject; none for work outside the console.
	Operations []json.RawMessage `json:"operations"`
	// Plan names a plan that the console makes for the host: Agreement, RDMA, Congestion or Shares.
	Plan string `json:"plan"`
	// Steps are finished steps, of an item.
	Steps []Operation `json:"-"`
}

// Applies reports whether the console can apply the fix.
func (f *Fix) Applies() bool { return len(f.Operations) > 0 || f.Plan != "" || len(f.Steps) > 0 }

// Same reports whether two fixes are one change: they have finished steps, and the same ones.
func (f *Fix) Same(other *Fix) bool {
	return len(f.Steps) > 0 && slices.EqualFunc(f.Steps, other.Steps, func(a, b Operation) bool { return a.Describe() == b.Describe() })
}

// The plans that the console makes.
const (
	// Agreement makes the ends of a cable agree.
	Agreement = "agreement"
	// RDMA turns on RDMA with RoCE v2: of a port, or of all ports whose workloads use another RoCE mode.
	RDMA = "rdma"
	// Congestion turns on congestion control of a port for its priorities with PFC.
	Congestion = "congestion"
	// Shares gives strict traffic classes a share by ETS.
	Shares = "ets"
)

// Duration is a length of time as text in JSON: "10s".
type Duration time.Duration

// UnmarshalJSON reads "10s".
func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	read, err := time.ParseDuration(text)
	*d = Duration(read)
	return err
}

// Rules returns all rules. They are read on first use.
func Rules() []*Rule { return rules() }

// Lookup returns the rule with an id.
func Lookup(id string) (*Rule, bool) {
	i := slices.IndexFunc(rules(), func(r *Rule) bool { return r.ID == id })
	if i < 0 {
		return nil, false
	}
	return rules()[i], true
}

var rules = sync.OnceValue(func() []*Rule {
	list, err := readRules(ruleTable)
	if err != nil {
		panic("findings: the embedded rules are damaged: " + err.Error()) // a test reads them: this can't ship
	}
	return list
})

func readRules(data []byte) (list []*Rule, err error) {
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, r := range list {
		if seen[r.ID] || r.ID == "" {
			return nil, fmt.Errorf("two rules have the id %q", r.ID)
		}
		seen[r.ID] = true
		switch r.Word {
		case "error":
			r.Severity = eventlog.Error
		case "warning":
			r.Severity = eventlog.Warning
		case "info":
		default:
			return nil, fmt.Errorf("rule %s: invalid severity %q", r.ID, r.Word)
		}
		for _, condition := range []struct {
			text string
			into **Condition
		}{{r.When, &r.when}, {r.Worse, &r.worse}} {
			if condition.text == "" {
				continue
			}
			if *condition.into, err = parseCondition(condition.text, Catalogue().Find); err != nil {
				return nil, fmt.Errorf("rule %s: %w", r.ID, err)
			}
		}
		if r.when == nil && r.Each == "" && len(r.Events) == 0 && r.Text == "" {
			return nil, fmt.Errorf("rule %s has no condition", r.ID)
		}
	}
	return list, nil
}

// NeedsHost reports whether the rule reads settings, state or events of a host; other rules read counters alone.
func (r *Rule) NeedsHost() bool {
	if r.when == nil || r.Each != "" {
		return true
	}
	return slices.ContainsFunc(r.when.facts, func(i int) bool { return len(Catalogue().Facts[i].Counters) == 0 })
}
