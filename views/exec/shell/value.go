package shell

import (
	"math"
	"strconv"
	"strings"
)

// Value is a value of a script: nil for $null, a bool, an int64, a float64, a string, a Cell, a []Value, a *Table or an *Object.
type Value any

// Cell is a property as a cmdlet prints it. It compares as a number with numbers, else as a text.
type Cell string

// Table is a hashtable; keys have any case.
type Table struct {
	keys   []string
	values []Value
}

func (t *Table) get(name string) (Value, bool) {
	for i, key := range t.keys {
		if strings.EqualFold(key, name) {
			return t.values[i], true
		}
	}
	return nil, false
}

// CellValue returns the value of a printed property: True and False are bools.
func CellValue(text string) Value {
	switch text {
	case "True":
		return true
	case "False":
		return false
	}
	return Cell(text)
}

// Text returns a value as PowerShell prints it in a text. Lists may contain each other many times, so that the text ends after
// maxText bytes or maxValues values.
func Text(v Value) string {
	switch v := v.(type) {
	case string:
		return v
	case Cell:
		return string(v)
	}
	var w textWriter
	w.write(v, false)
	return w.String()
}

// textWriter builds the text of a value.
type textWriter struct {
	strings.Builder
	values int
}

// write adds a value; typed spells it as in a hashtable.
func (w *textWriter) write(v Value, typed bool) {
	if w.values++; w.values > maxValues || w.Len() > maxText {
		return
	}
	switch v := v.(type) {
	case bool:
		word := "False"
		if v {
			word = "True"
		}
		if typed {
			word = "$" + strings.ToLower(word)
		}
		w.WriteString(word)
	case int64:
		w.WriteString(strconv.FormatInt(v, 10))
	case float64:
		w.WriteString(strconv.FormatFloat(v, 'f', -1, 64))
	case []Value:
		separator := map[bool]string{true: ",", false: " "}[typed]
		for i, element := range v {
			if w.values > maxValues {
				return
			}
			if i > 0 {
				w.WriteString(separator)
			}
			w.write(element, typed)
		}
	case *Table:
		w.WriteString("@{")
		for i, key := range v.keys {
			if i > 0 {
				w.WriteString("; ")
			}
			w.WriteString(key + "=")
			w.write(v.values[i], true)
		}
		w.WriteString("}")
	case *Object:
		w.WriteString(v.text())
	case nil:
		if typed {
			w.WriteString("''")
		}
	default:
		text, _ := v.(string)
		if cell, ok := v.(Cell); ok {
			text = string(cell)
		}
		if typed {
			text = "'" + strings.ReplaceAll(text, "'", "''") + "'"
		}
		w.WriteString(text)
	}
}

// number returns a value as a number. A text is one if it looks like one.
func number(v Value) (float64, bool) {
	switch v := v.(type) {
	case nil:
		return 0, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case string:
		return numberIn(v)
	case Cell:
		return numberIn(string(v))
	}
	return 0, false
}

// numberIn parses a decimal number without an exponent, as a text that is compared with a number.
func numberIn(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if text == "" || strings.Trim(text, "0123456789.-") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

// whole returns a number as an int64 if it is one.
func whole(n float64) Value {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return int64(n)
	}
	return n
}

// truth reports whether a value counts as true.
func truth(v Value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case int64:
		return v != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case Cell:
		return v != ""
	case []Value:
		return len(v) > 1 || len(v) == 1 && truth(v[0])
	}
	return true
}

// values returns the values of a list, or one value as a list; none for $null.
func values(v Value) []Value {
	switch v := v.(type) {
	case nil:
		return nil
	case []Value:
		return v
	}
	return []Value{v}
}

// one returns the only value of a list, nil for an empty one.
func one(list []Value) Value {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return list
}
