package perf

import (
	"fmt"
	"strings"

	"cxdeck/driver/request"
)

// maxPattern is the maximum length of a pattern in bytes, the limit of Performance Monitor for a counter path.
const maxPattern = 2048

// Pattern is a perfmon path with * for any run of characters in the set, the instance and the counter.
type Pattern struct {
	text string
	// The parts as written, and folded for comparisons.
	set, instance, counter                   string
	foldedSet, foldedInstance, foldedCounter string
}

// ParsePattern reads `\Set(Instance)\Counter`. The first backslash is optional, and a computer before it,
// `\\HOST\Set(Instance)\Counter`, is ignored. An instance may contain parentheses, brackets and backslashes. A pattern without
// parentheses matches series without an instance; `(*)` matches both.
func ParsePattern(text string) (Pattern, error) {
	if len(text) > maxPattern {
		return Pattern{}, fmt.Errorf("the counter path is %d characters long; %d is the limit", len(text), maxPattern)
	}
	set, instance, counter, ok := SplitPath(text)
	if !ok {
		return Pattern{}, fmt.Errorf(`invalid counter path "%.80s"; write it like \Network Interface(*)\Bytes Received/sec`, text)
	}
	return Pattern{
		text: text, set: set, instance: instance, counter: counter,
		foldedSet: FoldPath(set), foldedInstance: FoldPath(instance), foldedCounter: FoldPath(counter),
	}, nil
}

// SplitPath splits a perfmon path, with or without a computer and a leading backslash; ok is false for other text.
func SplitPath(path string) (set, instance, counter string, ok bool) {
	path = strings.TrimSpace(path)
	if rest, computer := strings.CutPrefix(path, `\\`); computer {
		if _, path, ok = strings.Cut(rest, `\`); !ok {
			return "", "", "", false
		}
	} else {
		path = strings.TrimPrefix(path, `\`)
	}
	opening := strings.IndexByte(path, '(')
	closing := strings.LastIndex(path, `)\`)
	if slash := strings.IndexByte(path, '\\'); opening >= 0 && closing > opening && slash > opening {
		set, instance, counter = path[:opening], path[opening+1:closing], path[closing+2:]
	} else if set, counter, ok = strings.Cut(path, `\`); !ok {
		return "", "", "", false
	}
	return set, instance, counter, set != "" && counter != "" && !strings.Contains(counter, `\`)
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.text }

// AnyInstance reports whether the instance has a *.
func (p Pattern) AnyInstance() bool { return strings.Contains(p.instance, "*") }

// Match reports whether a series matches the pattern.
func (p Pattern) Match(series Series) bool {
	return Glob(p.foldedSet, FoldPath(series.Set)) && Glob(p.foldedCounter, FoldPath(series.Counter)) &&
		Glob(p.foldedInstance, FoldPath(series.Instance))
}

// Glob matches text against a pattern with * for any run of bytes; the case of ASCII letters does not matter. It backtracks
// only to the last *, so that its time is at most proportional to the product of the lengths, and it does not allocate.
func Glob(pattern, text string) bool {
	star, resume := -1, 0
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, resume = p, t
			p++
		case p < len(pattern) && lower(pattern[p]) == lower(text[t]):
			p++
			t++
		case star >= 0:
			resume++
			p, t = star+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

// NoMatchError reports that no series of a schema matches a pattern.
type NoMatchError struct {
	Pattern string
	// Nearest is the most similar path that matches a series; empty when there is none.
	Nearest string
}

// Error returns a sentence for the operator, with the nearest path as a hint.
func (e *NoMatchError) Error() string {
	if e.Nearest == "" {
		return fmt.Sprintf("no counter matches \"%.200s\"; cxdeck counters --list lists them", e.Pattern)
	}
	return fmt.Sprintf("no counter matches \"%.200s\"; did you mean %s?", e.Pattern, e.Nearest)
}

// Match returns the indexes of the series that match a pattern, in the order of the schema. It fails with a *NoMatchError when
// there are none, and with another error for an invalid pattern.
func (s *Schema) Match(pattern string) ([]int, error) {
	p, err := ParsePattern(pattern)
	if err != nil {
		return nil, err
	}
	found := s.Matching(p)
	if len(found) == 0 {
		return nil, &NoMatchError{Pattern: pattern, Nearest: s.nearest(p)}
	}
	return found, nil
}

func (s *Schema) Matching(p Pattern) []int {
	var found []int
	set, fits := "", false // of the previous series: the series of a set are mostly adjacent
	for i := range s.Series {
		if series := &s.Series[i]; i == 0 || series.Set != set {
			set, fits = series.Set, Glob(p.foldedSet, FoldPath(series.Set))
		}
		if fits && p.Match(s.Series[i]) {
			found = append(found, i)
		}
	}
	return found
}

// nearest corrects a pattern without a match, part by part: a part that matches a series is not changed.
func (s *Schema) nearest(p Pattern) string {
	all := s.Series
	set, all := nearestPart(p.set, all, func(series Series) string { return series.Set })
	counter, all := nearestPart(p.counter, all, func(series Series) string { return series.Counter })
	instance, all := nearestPart(p.instance, all, func(series Series) string { return series.Instance })
	if len(all) == 0 {
		return ""
	}
	return JoinPath(set, instance, counter)
}

// nearestPart returns the part of a path that matches some series and is most similar to the given one, and these series.
func nearestPart(given string, among []Series, part func(Series) string) (fits string, kept []Series) {
	fits = given
	if kept = matchingSeries(given, among, part); len(kept) == 0 {
		words := map[string]bool{}
		var distinct []string
		for _, series := range among {
			if word := part(series); !words[word] {
				words[word] = true
				distinct = append(distinct, word)
			}
		}
		fits = request.Nearest(strings.ReplaceAll(given, "*", ""), distinct)
		if given == "" && fits == "" {
			fits = "*" // an omitted instance: all are equally near
		}
		kept = matchingSeries(fits, among, part)
	}
	if len(kept) > 0 && !strings.Contains(fits, "*") {
		fits = part(kept[0])
	}
	return fits, kept
}

// matchingSeries returns the series with a part that matches a pattern.
func matchingSeries(pattern string, among []Series, part func(Series) string) []Series {
	pattern = FoldPath(pattern)
	var kept []Series
	for _, series := range among {
		if Glob(pattern, FoldPath(part(series))) {
			kept = append(kept, series)
		}
	}
	return kept
}
