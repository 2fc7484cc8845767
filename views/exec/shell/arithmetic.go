package shell

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf16"
)

// add is the operator +: of numbers, of texts, and of lists.
func add(a, b Value) (Value, error) {
	switch left := a.(type) {
	case []Value:
		if len(left)+len(values(b)) > maxValues {
			return nil, errTooMany()
		}
		return append(append([]Value{}, left...), values(b)...), nil
	case nil:
		return b, nil
	case *Table:
		right, ok := b.(*Table)
		if !ok {
			return nil, fmt.Errorf("only a hashtable can be added to a hashtable")
		}
		sum := &Table{append([]string{}, left.keys...), append([]Value{}, left.values...)}
		for i, key := range right.keys {
			if _, has := sum.get(key); has {
				return nil, fmt.Errorf("both hashtables have the key %s", key)
			}
			sum.keys, sum.values = append(sum.keys, key), append(sum.values, right.values[i])
		}
		return sum, nil
	case *Object:
		return nil, fmt.Errorf("an object can't be added to; put it into a list: @(...)")
	}
	if isNumber(a) {
		return calculate("+", a, b)
	}
	if cell, ok := a.(Cell); ok && isNumber(b) {
		if _, isNumber := numberIn(string(cell)); isNumber {
			return calculate("+", a, b)
		}
	}
	joined := Text(a) + Text(b)
	if len(joined) > maxText {
		return nil, fmt.Errorf("a text can have at most %d bytes", maxText)
	}
	return joined, nil
}

// calculate evaluates an operator on numbers.
func calculate(operator string, a, b Value) (Value, error) {
	x, ok := number(a)
	y, also := number(b)
	if !ok || !also {
		return nil, fmt.Errorf("%s requires numbers, not %q and %q", operator, Text(a), Text(b))
	}
	switch operator {
	case "+":
		x += y
	case "-":
		x -= y
	case "*":
		x *= y
	default:
		if y == 0 {
			return nil, fmt.Errorf("division by zero")
		}
		if x /= y; operator == "%" {
			n, _ := number(a)
			x = math.Mod(n, y)
		}
	}
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil, fmt.Errorf("the result of %s is too large", operator)
	}
	return whole(x), nil
}

// span returns the numbers of a range.
func span(a, b Value) (Value, error) {
	x, ok := number(a)
	y, also := number(b)
	if !ok || !also || x != math.Trunc(x) || y != math.Trunc(y) {
		return nil, fmt.Errorf(".. requires whole numbers, not %q and %q", Text(a), Text(b))
	}
	if math.Abs(x-y) >= maxValues {
		return nil, errTooMany()
	}
	step := 1.0
	if y < x {
		step = -1
	}
	list := []Value{}
	for n := x; ; n += step {
		if list = append(list, int64(n)); n == y {
			return list, nil
		}
	}
}

// unit returns the UTF-16 code unit of a number, as [char] does.
func unit(v Value) (uint16, error) {
	n, ok := number(v)
	if !ok || n != math.Trunc(n) || n < 0 || n > math.MaxUint16 {
		return 0, fmt.Errorf("[char] requires a whole number up to %d, not %q", math.MaxUint16, Text(v))
	}
	return uint16(n), nil
}

// joinUnits joins texts and characters, two of which may be the halves of one character.
func joinUnits(parts []any) string {
	var units []uint16
	for _, part := range parts {
		switch part := part.(type) {
		case uint16:
			units = append(units, part)
		case string:
			units = append(units, utf16.Encode([]rune(part))...)
		}
	}
	return string(utf16.Decode(units))
}

// negate returns a number with the other sign.
func negate(v Value) (Value, error) {
	n, ok := number(v)
	if !ok {
		return nil, fmt.Errorf("- requires a number, not %q", strings.TrimSpace(Text(v)))
	}
	return whole(-n), nil
}
