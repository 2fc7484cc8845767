package shell

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// evaluate returns the value of an expression.
func (r *run) evaluate(e expression) (v Value, err error) {
	switch e := e.(type) {
	case *literal:
		return e.value, nil
	case *variable:
		if e.name != current {
			return r.session.get(e.name), nil
		}
		if len(r.current) > 0 {
			v = r.current[len(r.current)-1]
		}
		return v, nil
	case *member:
		if v, err = r.evaluate(e.of); err == nil {
			v, err = property(v, e.name)
		}
	case *element:
		v, err = r.element(e)
	case *unary:
		if v, err = r.evaluate(e.of); err != nil {
			return nil, err
		}
		if e.operator == "not" {
			return !truth(v), nil
		}
		v, err = negate(v)
	case *binary:
		v, err = r.binary(e)
	case *list:
		all := make([]Value, 0, len(e.items))
		for _, item := range e.items {
			one, err := r.evaluate(item)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		return all, nil
	case *output:
		list, err := r.block(e.block, true)
		if err != nil {
			return nil, err
		}
		if e.array {
			return append([]Value{}, list...), nil
		}
		return one(list), nil
	case *hashtable:
		t := &Table{keys: e.keys}
		for _, item := range e.values {
			one, err := r.evaluate(item)
			if err != nil {
				return nil, err
			}
			t.values = append(t.values, one)
		}
		return t, nil
	case *text:
		v, err = r.text(e)
	case *character:
		if v, err = r.evaluate(e.of); err == nil {
			var n uint16
			n, err = unit(v)
			v = joinUnits([]any{n})
		}
	}
	return v, r.fail(e, err)
}

// text joins the parts of a text.
func (r *run) text(e *text) (Value, error) {
	var b strings.Builder
	for _, part := range e.parts {
		v, err := r.evaluate(part)
		if err != nil {
			return nil, err
		}
		if b.WriteString(Text(v)); b.Len() > maxText {
			return nil, fmt.Errorf("a text can have at most %d bytes", maxText)
		}
	}
	return b.String(), nil
}

func (r *run) binary(e *binary) (Value, error) {
	if e.operator == "+" && hasCharacter(e) {
		return r.characters(e)
	}
	left, err := r.evaluate(e.left)
	if err != nil {
		return nil, err
	}
	switch e.operator {
	case "and":
		if !truth(left) {
			return false, nil
		}
	case "or":
		if truth(left) {
			return true, nil
		}
	}
	right, err := r.evaluate(e.right)
	if err != nil {
		return nil, err
	}
	switch e.operator {
	case "and", "or":
		return truth(right), nil
	case "xor":
		return truth(left) != truth(right), nil
	case "+":
		return add(left, right)
	case "-", "*", "/", "%":
		return calculate(e.operator, left, right)
	case "..":
		return span(left, right)
	}
	return compare(e.operator, left, right)
}

// hasCharacter reports whether a sum has a [char]N, whose halves of characters must be joined at once.
func hasCharacter(e expression) bool {
	switch e := e.(type) {
	case *character:
		return true
	case *binary:
		return e.operator == "+" && (hasCharacter(e.left) || hasCharacter(e.right))
	}
	return false
}

// characters evaluates 'text' + [char]N + ...
func (r *run) characters(e *binary) (Value, error) {
	var parts []any
	var collect func(expression) error
	collect = func(e expression) error {
		switch e := e.(type) {
		case *binary:
			if e.operator == "+" {
				if err := collect(e.left); err != nil {
					return err
				}
				return collect(e.right)
			}
		case *character:
			v, err := r.evaluate(e.of)
			if err != nil {
				return err
			}
			n, err := unit(v)
			parts = append(parts, n)
			return err
		}
		v, err := r.evaluate(e)
		parts = append(parts, Text(v))
		return err
	}
	err := collect(e)
	return joinUnits(parts), err
}

// property returns a property of a value: of an object, of a hashtable, of each object of a list, or the count.
func property(v Value, name string) (Value, error) {
	switch of := v.(type) {
	case *Object:
		if found, ok := of.Get(name); ok {
			return found, nil
		}
	case *Table:
		if found, ok := of.get(name); ok {
			return found, nil
		}
		if !strings.EqualFold(name, "Count") {
			return nil, nil
		}
		return int64(len(of.keys)), nil
	case []Value:
		if strings.EqualFold(name, "Count") || strings.EqualFold(name, "Length") {
			return int64(len(of)), nil
		}
		all := []Value{}
		for _, item := range of {
			if _, nested := item.([]Value); nested {
				return nil, fmt.Errorf("a list in a list has no property %s", name)
			}
			found, err := property(item, name)
			if err != nil {
				return nil, err
			}
			all = append(all, found)
		}
		return one(all), nil
	case nil:
		if strings.EqualFold(name, "Count") || strings.EqualFold(name, "Length") {
			return int64(0), nil
		}
		return nil, fmt.Errorf("$null has no property %s: nothing was found", name)
	}
	switch {
	case strings.EqualFold(name, "Count"):
		return int64(1), nil
	case strings.EqualFold(name, "Length"):
		switch v.(type) {
		case string, Cell:
			return int64(utf8.RuneCountInString(Text(v))), nil
		}
		return int64(1), nil
	}
	o, ok := v.(*Object)
	if !ok {
		return nil, fmt.Errorf("%q is no object and has no property %s", Text(v), name)
	}
	kind := "the object"
	if o.Noun != "" {
		kind = "an object of Get-" + o.Noun
	}
	return nil, fmt.Errorf("%s has no property %s here; it has %s", kind, name, strings.Join(o.names(), ", "))
}

// element returns an element of a list, from the end with a negative number, or a value of a hashtable.
func (r *run) element(e *element) (Value, error) {
	of, err := r.evaluate(e.of)
	if err != nil {
		return nil, err
	}
	at, err := r.evaluate(e.at)
	if err != nil {
		return nil, err
	}
	if t, ok := of.(*Table); ok {
		v, _ := t.get(Text(at))
		return v, nil
	}
	items := values(of)
	n, ok := number(at)
	if !ok || n != math.Trunc(n) {
		return nil, fmt.Errorf("the index of a list must be a whole number, not %q", Text(at))
	}
	if n < 0 {
		n += float64(len(items))
	}
	if n < 0 || n >= float64(len(items)) {
		return nil, nil
	}
	return items[int(n)], nil
}
