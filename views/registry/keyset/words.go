package keyset

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver/registry"
)

// FormatValue formats a value without its meaning: "1", "0x3F", "9014"; "-" for none.
func FormatValue(r *registry.Row, v registry.Value) string {
	switch {
	case !v.Exists():
		return "-"
	case v.Type() != registry.Number:
		return v.String()
	case r.Hex || r.Form == registry.Mask:
		return fmt.Sprintf("0x%X", v.Number())
	case v.Number() == registry.Automatic:
		return "-1"
	}
	return v.String()
}

// FormatWithMeaning formats a value with its meaning: "1 on".
func FormatWithMeaning(r *registry.Row, v registry.Value) string {
	text := FormatValue(r, v)
	if v.Type() == registry.Number {
		if label := meaning(r, v); label != "" && label != text {
			text += " " + label
		}
	}
	if kind := r.OtherType(v); kind == registry.Number || kind == registry.Text {
		text += " as " + string(kind)
	}
	return text
}

// meaning returns the meaning of a value; empty for none.
func meaning(r *registry.Row, v registry.Value) string {
	if label := r.Label(v); label != "" {
		return label
	}
	if r.Form == registry.Toggle && v.Type() == registry.Number && v.Number() <= 1 {
		return [...]string{"off", "on"}[v.Number()]
	}
	return ""
}

// Choices returns the values of an enumeration; nil for another key.
func Choices(r *registry.Row) []registry.Choice {
	if r.Form == registry.Toggle && len(r.Choices) == 0 {
		return []registry.Choice{{Value: 0, Label: "off"}, {Value: 1, Label: "on"}}
	}
	return r.Choices
}

// Span returns the range of a key on its port: "614 - 9614", "off, on", "any text".
func (e *Entry) Span() string {
	r := e.Row
	if r.Form == registry.Toggle || r.Form == registry.List {
		var words []string
		for _, c := range Choices(r) {
			if r.Form == registry.Toggle {
				words = append(words, c.Label)
			} else {
				words = append(words, strconv.FormatUint(uint64(c.Value), 10))
			}
		}
		return strings.Join(words, ", ")
	}
	if r.Type == registry.Text && e.Min == nil && e.Max == nil {
		return cmp.Or(map[registry.Form]string{registry.Path: "a folder", registry.MAC: "an address"}[r.Form], "any text")
	}
	number := func(n uint32) string {
		if r.Hex || r.Form == registry.Mask {
			return fmt.Sprintf("0x%X", n)
		}
		return strconv.FormatUint(uint64(n), 10)
	}
	switch {
	case e.Min != nil && e.Max != nil:
		return number(*e.Min) + " - " + number(*e.Max)
	case e.Max != nil:
		return "up to " + number(*e.Max)
	case e.Min != nil:
		return "from " + number(*e.Min)
	case len(r.Choices) == 1:
		return "one choice"
	case len(r.Choices) > 1:
		return strconv.Itoa(len(r.Choices)) + " choices"
	}
	return ""
}

// MomentWords are the moments when a stored value takes effect.
var MomentWords = map[registry.EffectTime]string{
	registry.AtOnce: "at once", registry.AtRestart: "adapter restart", registry.AtReload: "driver reload",
	registry.AtReboot: "reboot", registry.AtNewVM: "new VM",
}

// ShortWords are the same for a column of the table.
var ShortWords = map[registry.EffectTime]string{
	registry.AtOnce: "at once", registry.AtRestart: "restart", registry.AtReload: "reload", registry.AtReboot: "reboot",
	registry.AtNewVM: "new VM",
}

// RemedyWords are the driver's replacements of a value that it can't use.
var RemedyWords = map[registry.InvalidHandling]string{
	registry.UseDefault: "the driver uses its default", registry.Clamp: "the driver uses the nearest value that it accepts",
	registry.FeatureOff: "the driver turns the feature off", registry.NoStart: "the adapter does not start (Code 10)",
}
