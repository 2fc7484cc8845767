package query

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
)

// Table is what a -FilterHashtable selects: @{LogName='System'; ID=256,257; Level=2}.
type Table struct {
	LogName string
	Filter  Filter
}

// maxValues is the number of values of a key.
const maxValues = 100

// ParseTable reads a hash table. Values may lack their quotes.
func ParseTable(text string) (t Table, err error) {
	if len(text) > maxLength {
		return t, fmt.Errorf("a hash table can have at most %d bytes", maxLength)
	}
	body, begins := strings.CutPrefix(strings.TrimSpace(text), "@{")
	body, ends := strings.CutSuffix(body, "}")
	if !begins || !ends {
		return t, errors.New("a hash table is written as @{LogName='System'; ID=256}")
	}
	var conditions []Filter
	for _, part := range strings.FieldsFunc(body, func(r rune) bool { return r == ';' || r == '\n' }) {
		key, list, found := strings.Cut(part, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		if !found {
			if key == "" {
				continue
			}
			return t, fmt.Errorf("%.40q of the hash table has no value", key)
		}
		var values []string
		for _, value := range strings.Split(list, ",") {
			values = append(values, strings.Trim(strings.TrimSpace(value), `'"`))
		}
		if len(values) > maxValues {
			return t, fmt.Errorf("%s can have at most %d values", key, maxValues)
		}
		if key == "logname" {
			t.LogName = values[0]
			if len(values) > 1 {
				return t, errors.New("LogName takes one log here")
			}
			continue
		}
		condition, err := tableCondition(key, values)
		if err != nil {
			return t, err
		}
		conditions = append(conditions, condition)
	}
	t.Filter = func(e *eventlog.Event, now time.Time) bool {
		for _, condition := range conditions {
			if !condition(e, now) {
				return false
			}
		}
		return true
	}
	return t, nil
}

// tableCondition returns the condition of a key.
func tableCondition(key string, values []string) (Filter, error) {
	among := func(of func(*eventlog.Event) int) (Filter, error) {
		var numbers []int
		for _, value := range values {
			n, err := strconv.ParseInt(value, 0, 32)
			if err != nil {
				return nil, fmt.Errorf("%s must have integers, not %.40q", key, value)
			}
			numbers = append(numbers, int(n))
		}
		return func(e *eventlog.Event, _ time.Time) bool { return slices.Contains(numbers, of(e)) }, nil
	}
	switch key {
	case "id":
		return among(func(e *eventlog.Event) int { return e.ID })
	case "level":
		return among(func(e *eventlog.Event) int { return level(e.Severity) })
	case "providername":
		return func(e *eventlog.Event, _ time.Time) bool {
			return slices.ContainsFunc(values, func(v string) bool { return matchesName(v, e.Source) })
		}, nil
	case "data":
		return func(e *eventlog.Event, _ time.Time) bool {
			return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, e.Adapter) || strings.EqualFold(v, e.Message) })
		}, nil
	case "starttime", "endtime":
		at, err := ParseTime(values[0])
		if err != nil {
			return nil, err
		}
		return func(e *eventlog.Event, _ time.Time) bool {
			if key == "starttime" {
				return !e.Time.Before(at)
			}
			return !e.Time.After(at)
		}, nil
	}
	return nil, fmt.Errorf("a hash table has LogName, ProviderName, ID, Level, StartTime, EndTime and Data, not %.40q", key)
}

// matchesName compares a name with one that may end in *.
func matchesName(pattern, name string) bool {
	if start, ok := strings.CutSuffix(strings.ToLower(pattern), "*"); ok {
		return strings.HasPrefix(strings.ToLower(name), start)
	}
	return strings.EqualFold(pattern, name)
}
