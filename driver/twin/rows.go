package twin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of exports. A host with 32 adapters and 4096 machines stays far below.
const (
	// MaxBytes is the maximum size of a file other than a registry file or a log.
	MaxBytes = 32 << 20
	maxRows  = 20_000
	maxCells = 400
	maxDepth = 32
	maxText  = 120 // bytes of a name, as in the description of a lab
)

// decodeText returns the text of a file in UTF-8 or UTF-16, with or without a byte order mark; PowerShell writes the latter.
func decodeText(data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte{0xEF, 0xBB, 0xBF}):
		data = data[3:]
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}), bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		high := 0
		if data[0] == 0xFF {
			high = 1
		}
		if len(data)%2 != 0 {
			return "", errors.New("the text is cut off within a character")
		}
		units := make([]uint16, 0, len(data)/2)
		for i := 2; i+1 < len(data); i += 2 {
			units = append(units, uint16(data[i+high])<<8|uint16(data[i+1-high]))
		}
		return string(utf16.Decode(units)), nil
	}
	if !utf8.Valid(data) {
		return "", errors.New("the text is neither UTF-8 nor UTF-16")
	}
	return string(data), nil
}

// clean returns a text from a file without control characters, at most as long as a name in a description.
func clean(text string) string { return cleanTo(text, maxText) }

func cleanTo(text string, limit int) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "")))
	for len(text) > limit {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text
}

// row is an object of ConvertTo-Json: its properties by name, in lower case and without spaces and units.
type row map[string]any

// folded returns the name of a property in the form of rows: "Bandwidth(%)" is bandwidth.
func folded(name string) string {
	name, _, _ = strings.Cut(name, "(")
	return strings.ToLower(strings.ReplaceAll(name, " ", ""))
}

// get returns the first property with a value.
func (r row) get(names ...string) any {
	for _, name := range names {
		if v := r[name]; v != nil && v != "" {
			return v
		}
	}
	return nil
}

func (r row) has(names ...string) bool {
	for _, name := range names {
		if _, ok := r[name]; !ok {
			return false
		}
	}
	return true
}

// text returns a property as a text. Of an object, such as a mode of a service, it is the value.
func (r row) text(names ...string) string { return clean(textOf(r.get(names...))) }

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		if len(v) > 0 {
			return textOf(v[0])
		}
	case map[string]any:
		for _, name := range []string{"Value", "value", "Name"} {
			if inner, ok := v[name].(string); ok {
				return inner
			}
		}
	}
	return ""
}

// list returns a property with several values; "{a, b}" is how PowerShell prints them.
func (r row) list(names ...string) (all []string) {
	switch v := r.get(names...).(type) {
	case []any:
		for _, element := range v {
			all = append(all, clean(textOf(element)))
		}
	case string:
		for _, part := range strings.Split(strings.Trim(v, "{}"), ",") {
			all = append(all, clean(part))
		}
	case json.Number:
		all = append(all, v.String())
	}
	return all
}

func (r row) number(names ...string) (int64, bool) {
	text := strings.TrimSpace(textOf(r.get(names...)))
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f, failed := strconv.ParseFloat(text, 64)
		if failed != nil || f != f || f < -1<<53 || f > 1<<53 {
			return 0, false
		}
		n = int64(f)
	}
	return n, true
}

// flag returns a switch; PowerShell writes a bool, or the number or the word of an enumeration.
func (r row) flag(names ...string) (on, ok bool) {
	switch text := strings.ToLower(textOf(r.get(names...))); text {
	case "true", "1", "enabled", "on", "yes":
		return true, true
	case "false", "0", "disabled", "off", "no", "2":
		return false, text != "2"
	}
	return false, false
}

// parseRows reads the objects of a JSON document: an array of them, or a single one, as ConvertTo-Json writes it.
func parseRows(text string) (rows []row, err error) {
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var document any
	if err := decoder.Decode(&document); err != nil {
		return nil, fmt.Errorf("the JSON is damaged or cut off: %w", jsonReason(err))
	}
	if decoder.More() {
		return nil, errors.New("the file has more than one JSON document")
	}
	elements, isList := document.([]any)
	if !isList {
		elements = []any{document}
	}
	if len(elements) > maxRows {
		return nil, fmt.Errorf("the file has %d objects, more than %d", len(elements), maxRows)
	}
	for _, element := range elements {
		object, ok := element.(map[string]any)
		if !ok {
			if element == nil {
				continue
			}
			return nil, errors.New("the JSON has values where objects are expected; export with ConvertTo-Json")
		}
		if len(object) > maxCells {
			return nil, fmt.Errorf("an object has %d properties, more than %d", len(object), maxCells)
		}
		rows = append(rows, foldedRow(object))
	}
	return rows, nil
}

// foldedRow returns an object with folded names. Of names that fold to the same one, the first in alphabetical order with a value counts, so
// that the same file makes the same twin.
func foldedRow(object map[string]any) row {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	r := make(row, len(names))
	for _, name := range names {
		if v := r[folded(name)]; v == nil || v == "" {
			r[folded(name)] = object[name]
		}
	}
	return r
}

// jsonReason returns the reason of a JSON error without the types of Go.
func jsonReason(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("at byte %d: %w", syntax.Offset, err)
	}
	return err
}

// checkDepth refuses a document whose nesting is deeper than any export's.
func checkDepth(text string) error {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return fmt.Errorf("the JSON is nested deeper than %d levels; export with ConvertTo-Json -Depth 3", maxDepth)
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return nil
}
