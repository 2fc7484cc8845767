// Package alerting writes alert rules for Prometheus and a dashboard for Grafana from the console's tables: the rules of findings
// whose facts are counters, and the counters that give the facts. It evaluates nothing.
package alerting

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cxdeck/driver/health/findings"
	"cxdeck/perf"
	"cxdeck/perf/prometheus"
)

// divided are the labels of the parts of a port; facts add them up.
const divided = "priority, cpu, vport, receive_queue, send_queue, receive_ring, send_ring"

// Metric returns the name of the samples of a counter, as cxdeck serve names it, and whether it is a counter; ok is false for an
// unknown one.
func Metric(set, counter string) (name string, cumulative, ok bool) {
	catalogued, known := perf.Catalogue().Counter(set, counter)
	if !known {
		return "", false, false
	}
	s := perf.Series{Set: set, Counter: catalogued.Name, Unit: catalogued.Unit, Kind: catalogued.Kind}
	if owner, found := perf.Catalogue().Set(set); found {
		s.Set = owner.Name
	}
	if s.Kind == perf.Rate {
		s.Kind, s.Counter = perf.Cumulative, prometheus.TrimPerSecond(s.Counter)
	}
	m := prometheus.MetricOf(s)
	return m.Sample(), m.Counter, true
}

// expression returns the query of a fact: the first of its counters that a host has. selector chooses series, such as
// `{device=~"$device"}`; window is the range of rates.
func expression(fact *findings.Fact, selector, window string) string {
	var alternatives []string
	for _, text := range fact.Counters {
		set, counters, _ := strings.Cut(text, "|")
		var sum []string
		for counter := range strings.SplitSeq(counters, "+") {
			name, cumulative, ok := Metric(set, counter)
			if !ok {
				continue
			}
			switch {
			case cumulative:
				sum = append(sum, fmt.Sprintf("rate(%s%s[%s])", name, selector, window))
			default:
				sum = append(sum, name+selector)
			}
		}
		if len(sum) == 0 {
			continue
		}
		function := "sum"
		if fact.Max {
			function = "max"
		}
		for i := range sum {
			sum[i] = fmt.Sprintf("%s without (%s) (%s)", function, divided, sum[i])
		}
		alternative := strings.Join(sum, " + ")
		if !slices.Contains(alternatives, alternative) {
			alternatives = append(alternatives, alternative)
		}
	}
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return "(" + strings.Join(alternatives, " or ") + ")"
}

// record returns the name under which the rules record a fact.
func record(fact *findings.Fact) string { return "cxdeck:" + fact.Name + ":" + window }

// translate returns a condition of a rule as a query over recorded facts, and the facts. ok is false if it reads facts that no
// counter gives.
func translate(condition string) (query string, facts []*findings.Fact, ok bool) {
	tokens := strings.Fields(strings.NewReplacer("sum(", " ( ", "(", " ( ", ")", " ) ", "/", " / ", "*", " * ", ",", " + ").Replace(condition))
	var out []string
	var closing []int // the depths at which a divisor ends
	depth := 0
	for i, token := range tokens {
		divisor := i > 0 && tokens[i-1] == "/"
		switch {
		case token == "(":
			depth++
			if divisor {
				closing = append(closing, depth)
				token = "(("
			}
		case token == ")":
			if n := len(closing); n > 0 && closing[n-1] == depth {
				closing, token = closing[:n-1], ") > 0)"
			}
			depth--
		case token == "not":
			return "", nil, false
		case unicode.IsLetter(rune(token[0])) && token != "and" && token != "or":
			at, known := findings.Catalogue().Find(token)
			if !known || len(findings.Catalogue().Facts[at].Counters) == 0 {
				return "", nil, false
			}
			fact := &findings.Catalogue().Facts[at]
			facts = append(facts, fact)
			token = record(fact)
			if divisor { // a division by zero is unknown
				token = "(" + token + " > 0)"
			}
		}
		out = append(out, token)
	}
	return strings.NewReplacer("( ", "(", " )", ")").Replace(strings.Join(out, " ")), facts, len(facts) > 0
}
