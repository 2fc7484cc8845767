package query

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
)

// Filter reports whether an event is selected. now is the host's time.
type Filter func(e *eventlog.Event, now time.Time) bool

// The limits of an expression: its length in bytes, and the depth of its brackets.
const (
	maxLength = 4096
	maxDepth  = 32
)

// Levels of Windows: 2 error, 3 warning, 4 information. 1, critical, and 5, verbose, have no events in the lab.
func level(s eventlog.Severity) int {
	return [...]int{4, 3, 2}[min(s, eventlog.Error)]
}

// scope is the element of an event that a part of an expression is about.
type scope int

const (
	inEvent scope = iota
	inSystem
	inProvider
	inTime
	inData
)

// ParseXPath reads the XPath of a query: *[System[(Level=2 or Level=3) and Provider[@Name='mlx5'] and
// TimeCreated[timediff(@SystemTime) <= 3600000]]]. It has the elements EventID, Level, Provider, Channel, EventRecordID, TimeCreated and
// EventData, with and, or, not and comparisons.
func ParseXPath(text string) (Filter, error) {
	if len(text) > maxLength {
		return nil, fmt.Errorf("an expression can have at most %d bytes", maxLength)
	}
	p := &parser{text: text}
	p.blank()
	if !p.take("*") && !p.acceptName("Event") {
		return nil, p.fail("begins with * or Event")
	}
	all := Filter(func(*eventlog.Event, time.Time) bool { return true })
	for p.blank(); p.at < len(p.text); p.blank() {
		if !p.take("[") {
			return nil, p.fail("goes on with [")
		}
		f, err := p.parseAlternatives(inEvent)
		if err != nil {
			return nil, err
		}
		if !p.take("]") {
			return nil, p.fail("closes with ]")
		}
		before := all
		all = func(e *eventlog.Event, now time.Time) bool { return before(e, now) && f(e, now) }
	}
	return all, nil
}

type parser struct {
	text      string
	at, depth int
}

// fail returns an error with the place in the expression.
func (p *parser) fail(want string) error {
	rest := p.text[p.at:]
	if rest == "" {
		return fmt.Errorf("the expression ends too early: it %s", want)
	}
	return fmt.Errorf("the expression %s, not with %.20q in column %d", want, rest, p.at+1)
}

func (p *parser) blank() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// take consumes a sign.
func (p *parser) take(sign string) bool {
	p.blank()
	if strings.HasPrefix(p.text[p.at:], sign) {
		p.at += len(sign)
		return true
	}
	return false
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '@'
}

// word returns the next name without consuming it.
func (p *parser) word() string {
	p.blank()
	end := p.at
	for end < len(p.text) && isName(p.text[end]) {
		end++
	}
	return p.text[p.at:end]
}

// acceptName consumes a name.
func (p *parser) acceptName(word string) bool {
	if strings.EqualFold(p.word(), word) {
		p.at += len(word)
		return true
	}
	return false
}

// parseAlternatives reads alternatives joined by or.
func (p *parser) parseAlternatives(in scope) (Filter, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, errors.New("the expression has too many brackets")
	}
	defer func() { p.depth-- }()
	f, err := p.both(in)
	for err == nil && p.acceptName("or") {
		var g Filter
		if g, err = p.both(in); err == nil {
			filter := f
			f = func(e *eventlog.Event, now time.Time) bool { return filter(e, now) || g(e, now) }
		}
	}
	return f, err
}

// both reads conditions joined by and.
func (p *parser) both(in scope) (Filter, error) {
	f, err := p.term(in)
	for err == nil && p.acceptName("and") {
		var g Filter
		if g, err = p.term(in); err == nil {
			one := f
			f = func(e *eventlog.Event, now time.Time) bool { return one(e, now) && g(e, now) }
		}
	}
	return f, err
}

// term reads a condition: in parentheses, negated, on an element, or a comparison.
func (p *parser) term(in scope) (Filter, error) {
	if p.take("(") {
		f, err := p.parseAlternatives(in)
		if err == nil && !p.take(")") {
			err = p.fail("closes with )")
		}
		return f, err
	}
	if p.acceptName("not") {
		if !p.take("(") {
			return nil, p.fail("has parentheses after not")
		}
		f, err := p.parseAlternatives(in)
		if err == nil && !p.take(")") {
			err = p.fail("closes with )")
		}
		return func(e *eventlog.Event, now time.Time) bool { return !f(e, now) }, err
	}
	name := p.word()
	if inner, ok := elements(in)[strings.ToLower(name)]; ok {
		p.at += len(name)
		return p.element(inner, name)
	}
	return p.comparison(in, name)
}

// elements returns the elements with parts of their own, by their names in small letters.
func elements(in scope) map[string]scope {
	switch in {
	case inEvent:
		return map[string]scope{"system": inSystem, "eventdata": inData}
	case inSystem:
		return map[string]scope{"provider": inProvider, "timecreated": inTime}
	case inProvider, inTime, inData:
	}
	return nil
}

// element reads what follows the name of an element: conditions in brackets, or a path.
func (p *parser) element(inner scope, name string) (Filter, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, errors.New("the expression has too many brackets")
	}
	defer func() { p.depth-- }()
	if p.take("/") {
		return p.term(inner)
	}
	if !p.take("[") {
		return nil, p.fail("has [ or / after " + name)
	}
	f, err := p.parseAlternatives(inner)
	if err == nil && !p.take("]") {
		err = p.fail("closes with ]")
	}
	return f, err
}

// comparison reads a comparison of a part of an event with a value.
func (p *parser) comparison(in scope, name string) (Filter, error) {
	start := p.at
	p.at += len(name)
	field := strings.ToLower(name)
	if field == "timediff" && in == inTime {
		if !p.take("(") || !p.acceptName("@SystemTime") || !p.take(")") {
			return nil, p.fail("has timediff(@SystemTime)")
		}
	}
	operator := ""
	for _, sign := range []string{"<=", ">=", "!=", "=", "<", ">"} {
		if p.take(sign) {
			operator = sign
			break
		}
	}
	numbers, texts := fields(in)
	number, isNumber := numbers[field]
	content, isText := texts[field]
	if !isNumber && !isText && (in != inTime || field != "@systemtime") {
		p.at = start
		return nil, p.fail("has EventID, Level, Provider, Channel, EventRecordID, TimeCreated or EventData")
	}
	if operator == "" {
		return nil, p.fail("compares with = != < <= > or >=")
	}
	value, err := p.value()
	if err != nil {
		return nil, err
	}
	switch {
	case isNumber:
		n, err := strconv.ParseInt(value, 0, 64)
		if err != nil {
			return nil, fmt.Errorf("%s must be compared with an integer, not %.40q", name, value)
		}
		return func(e *eventlog.Event, now time.Time) bool { return holds(operator, cmp.Compare(number(e, now), n)) }, nil
	case isText:
		return func(e *eventlog.Event, _ time.Time) bool {
			for _, text := range content(e) {
				if holds(operator, strings.Compare(strings.ToLower(text), strings.ToLower(value))) {
					return true
				}
			}
			return false
		}, nil
	}
	moment, err := ParseTime(value)
	if err != nil {
		return nil, err
	}
	return func(e *eventlog.Event, _ time.Time) bool { return holds(operator, e.Time.Compare(moment)) }, nil
}

// value reads a number or a quoted text.
func (p *parser) value() (string, error) {
	p.blank()
	if p.at == len(p.text) {
		return "", p.fail("has a value")
	}
	if quote := p.text[p.at]; quote == '\'' || quote == '"' {
		end := strings.IndexByte(p.text[p.at+1:], quote)
		if end < 0 {
			return "", p.fail("closes its quotes")
		}
		value := p.text[p.at+1 : p.at+1+end]
		p.at += end + 2
		return value, nil
	}
	value := p.word()
	if p.at += len(value); value == "" {
		return "", p.fail("has a number or a quoted text")
	}
	return value, nil
}

// fields returns the parts of an event that are numbers, and the ones that are texts, by their names in small letters.
func fields(in scope) (numbers map[string]func(*eventlog.Event, time.Time) int64, texts map[string]func(*eventlog.Event) []string) {
	switch in {
	case inSystem:
		return map[string]func(*eventlog.Event, time.Time) int64{
			"eventid":       func(e *eventlog.Event, _ time.Time) int64 { return int64(e.ID) },
			"level":         func(e *eventlog.Event, _ time.Time) int64 { return int64(level(e.Severity)) },
			"eventrecordid": func(e *eventlog.Event, _ time.Time) int64 { return int64(e.Sequence) },
		}, map[string]func(*eventlog.Event) []string{"channel": func(e *eventlog.Event) []string { return []string{e.Channel} }}
	case inProvider:
		return nil, map[string]func(*eventlog.Event) []string{"@name": func(e *eventlog.Event) []string { return []string{e.Source} }}
	case inData:
		return nil, map[string]func(*eventlog.Event) []string{"data": func(e *eventlog.Event) []string { return []string{e.Adapter, e.Message} }}
	case inTime:
		return map[string]func(*eventlog.Event, time.Time) int64{
			"timediff": func(e *eventlog.Event, now time.Time) int64 { return now.Sub(e.Time).Milliseconds() },
		}, nil
	case inEvent:
	}
	return nil, nil
}

// holds reports whether the result of a comparison meets an operator.
func holds(operator string, result int) bool {
	switch operator {
	case "=":
		return result == 0
	case "!=":
		return result != 0
	case "<":
		return result < 0
	case "<=":
		return result <= 0
	case ">":
		return result > 0
	}
	return result >= 0
}

// ParseTime reads a time of an event: RFC 3339, as Windows writes it, or without a zone for UTC.
func ParseTime(text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("invalid time %.40q: write 2026-03-02T14:00:00Z or 2026-03-02 14:00:00", text)
}
