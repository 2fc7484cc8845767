package shell

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// maxJSON is the maximum length of a text in JSON, in bytes.
const maxJSON = 16 << 20

func buildJSON(c *builtinCall) stage {
	c.read()
	if n := c.count("Depth"); n == 0 {
		c.fail(int(c.node), "-Depth of ConvertTo-Json must be at least 1")
	}
	return &asJSON{c.node, c.switches["Compress"]}
}

func buildOutFile(c *builtinCall) stage {
	c.read()
	path := c.values["FilePath"]
	if _, isBlock := path.(*scriptBlock); path == nil || isBlock {
		c.fail(int(c.node), "Out-File requires the name of a file")
	}
	if l, ok := c.values["Encoding"].(*literal); c.values["Encoding"] != nil && (!ok || !strings.HasPrefix(strings.ToLower(Text(l.value)), "utf8")) {
		c.fail(int(c.node), "Out-File writes utf8 here")
	}
	return &saving{c.node, path}
}

// run returns one text in JSON: of one value its own form, of several an array, as in Windows.
func (s *asJSON) run(list []Value) ([]Value, error) {
	if len(list) == 0 {
		return nil, nil
	}
	w := jsonForm{left: maxValues}
	var v any = w.list(list)
	if len(list) == 1 {
		v = w.of(list[0])
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if !s.compress {
		encoder.SetIndent("", "    ")
	}
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("an object has no form in JSON: %w", err)
	}
	if b.Len() > maxJSON {
		return nil, fmt.Errorf("the text is longer than %d MB", maxJSON>>20)
	}
	return []Value{strings.TrimSuffix(b.String(), "\n")}, nil
}

// jsonForm turns values into a form for JSON. Lists may contain each other many times, so that it ends after some values.
type jsonForm struct{ left, depth int }

func (w *jsonForm) list(list []Value) []any {
	all := make([]any, 0, min(len(list), max(w.left, 0)))
	for _, v := range list {
		if w.left <= 0 {
			break
		}
		all = append(all, w.of(v))
	}
	return all
}

// ordered are the properties of an object in their order.
type ordered []namedValue

type namedValue struct {
	name  string
	value any
}

// MarshalJSON writes the properties.
func (o ordered) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(o[i].name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(o[i].value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// of returns a value. A property that is a plain number is a number, and "{a, b}" a list.
func (w *jsonForm) of(v Value) any {
	w.left--
	switch v := v.(type) {
	case Cell:
		text := string(v)
		if n, err := strconv.ParseInt(text, 10, 53); err == nil && strconv.FormatInt(n, 10) == text {
			return n
		}
		if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") && !strings.Contains(text, "-") {
			return strings.Split(strings.Trim(text, "{}"), ", ")
		}
		return text
	case []Value:
		if w.depth == maxDepth {
			return Text(v)
		}
		w.depth++
		defer func() { w.depth-- }()
		return w.list(v)
	case *Table:
		return Text(v)
	case *Object:
		properties := ordered{}
		for i := range v.Properties {
			properties = append(properties, namedValue{v.Properties[i].Name, w.of(v.Properties[i].Value)})
		}
		return properties
	}
	return v
}

// save writes what would be printed to a file.
func (r *run) save(s *saving, list []Value) error {
	path, err := r.evaluate(s.path)
	if err != nil {
		return err
	}
	var lines []string
	for i, part := range Parts(list) {
		if i > 0 && part.Heading != nil {
			lines = append(lines, "")
		}
		lines = append(lines, part.Lines()...)
	}
	text := ""
	if len(lines) > 0 {
		text = strings.Join(lines, "\r\n") + "\r\n"
	}
	return r.host.Save(Text(path), "\uFEFF"+text)
}
