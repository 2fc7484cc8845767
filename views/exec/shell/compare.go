package shell

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// regular compiles a pattern of -match, which ignores case.
func regular(pattern string) (*regexp.Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	compiled, err := regexp.Compile("(?i)" + pattern)
	if err != nil {
		return nil, fmt.Errorf("invalid regular expression %q", pattern)
	}
	return compiled, nil
}

// like reports whether a text matches a pattern with * and ?, in any case.
func like(pattern, text string) (bool, error) {
	if len(pattern) > maxPattern {
		return false, fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	clean := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "/", "\x00") }
	matched, err := path.Match(strings.ReplaceAll(clean(pattern), `\`, `\\`), clean(text))
	if err != nil {
		return false, fmt.Errorf("invalid pattern %q", pattern)
	}
	return matched, nil
}

// compare evaluates a comparison. A list on the left side gives its values for which it holds.
func compare(operator string, left, right Value) (Value, error) {
	switch operator {
	case "join":
		return joinTexts(left, Text(right))
	case "in":
		return contains(right, left), nil
	case "notin":
		return !contains(right, left), nil
	case "contains":
		return contains(left, right), nil
	case "notcontains":
		return !contains(left, right), nil
	}
	items, isList := left.([]Value)
	if !isList {
		return holds(operator, left, right)
	}
	found := []Value{}
	for _, item := range items {
		ok, err := holds(operator, item, right)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, item)
		}
	}
	return found, nil
}

// joinTexts joins the texts of a list.
func joinTexts(list Value, separator string) (Value, error) {
	var b strings.Builder
	for i, v := range values(list) {
		if i > 0 {
			b.WriteString(separator)
		}
		if b.WriteString(Text(v)); b.Len() > maxText {
			return nil, fmt.Errorf("a text can have at most %d bytes", maxText)
		}
	}
	return b.String(), nil
}

func contains(in, v Value) bool {
	for _, item := range values(in) {
		if same(item, v) {
			return true
		}
	}
	return false
}

// holds evaluates a comparison of two values.
func holds(operator string, left, right Value) (bool, error) {
	negative := strings.HasPrefix(operator, "not")
	switch operator {
	case "eq":
		return same(left, right), nil
	case "ne":
		return !same(left, right), nil
	case "like", "notlike":
		ok, err := like(Text(right), lineOf(left))
		return ok != negative, err
	case "match", "notmatch":
		pattern, err := regular(Text(right))
		if err != nil {
			return false, err
		}
		return pattern.MatchString(lineOf(left)) != negative, nil
	}
	order, err := order(left, right)
	switch operator {
	case "gt":
		return order > 0, err
	case "ge":
		return order >= 0, err
	case "lt":
		return order < 0, err
	}
	return order <= 0, err
}

// lineOf returns a value as a text to search in: of an object, the line that it prints.
func lineOf(v Value) string {
	o, ok := v.(*Object)
	if !ok {
		return Text(v)
	}
	var cells []string
	for i := range o.Properties {
		cells = append(cells, Text(o.Properties[i].Value))
	}
	return strings.Join(cells, "  ")
}

// same reports whether two values are equal. Texts are equal in any case; numbers and bools also equal their texts.
func same(a, b Value) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if o, ok := a.(*Object); ok {
		other, isObject := b.(*Object)
		return isObject && o == other
	}
	if _, isObject := b.(*Object); isObject {
		return false
	}
	if t, ok := a.(bool); ok {
		return t == truthOf(b)
	}
	if t, ok := b.(bool); ok {
		if s, isText := a.(string); isText {
			return strings.EqualFold(s, Text(t))
		}
		return truth(a) == t
	}
	if isNumber(a) || isNumber(b) {
		x, ok := number(a)
		y, also := number(b)
		if ok && also {
			return x == y
		}
	}
	return strings.EqualFold(Text(a), Text(b))
}

// truthOf returns a value that is compared with a bool: the words True and False are their bools.
func truthOf(v Value) bool {
	if strings.EqualFold(Text(v), "false") {
		return false
	}
	return truth(v)
}

func isNumber(v Value) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

// order compares two values: as numbers if both look like numbers and one is a number or a property, else as texts.
func order(a, b Value) (int, error) {
	for _, v := range []Value{a, b} {
		switch v.(type) {
		case *Object, *Table, []Value:
			return 0, fmt.Errorf("an object or a list has no order; compare a property of it")
		}
	}
	_, cellLeft := a.(Cell)
	_, cellRight := b.(Cell)
	x, ok := number(a)
	y, also := number(b)
	if ok && also && (isNumber(a) || isNumber(b) || cellLeft || cellRight || a == nil || b == nil) {
		switch {
		case x < y:
			return -1, nil
		case x > y:
			return 1, nil
		}
		return 0, nil
	}
	if isNumber(a) && !also || isNumber(b) && !ok {
		return 0, fmt.Errorf("%q and %q can't be compared: only one is a number", Text(a), Text(b))
	}
	return strings.Compare(strings.ToLower(Text(a)), strings.ToLower(Text(b))), nil
}
