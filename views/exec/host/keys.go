package host

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/exec/drafts"
	"cxdeck/views/exec/registrykey"
)

// displayValue returns a value with its label, such as "2 (RoCE v2)", or "-" if it does not exist. The label of a value that manuals write
// in hexadecimal is this form, with as many digits as the maximum: "2048 (0x0800)".
func displayValue(row *registry.Row, v registry.Value) string {
	if !v.Exists() {
		return "-"
	}
	if label := row.Label(v); label != "" {
		return row.WithType(v) + " (" + label + ")"
	}
	if row.Hex && row.Max != nil && v.Type() == registry.Number {
		return fmt.Sprintf("%s (0x%0*X)", row.WithType(v), len(fmt.Sprintf("%X", *row.Max)), v.Number())
	}
	return row.WithType(v)
}

func targetName(t *registrykey.Target) string { return t.Connection + t.Adapter }

// storedKey finds a key that is in the registry; for other keys the error says where they are set.
func storedKey(c *exec.Call, t registrykey.Target, name string) (registry.Key, error) {
	k, err := registrykey.Find(c, t, name)
	if elsewhere := registrykey.ScopeElsewhere(k.Row); err == nil && elsewhere != "" {
		return k, fmt.Errorf("%s is not in the registry: it is %s", k.Row.Name, elsewhere)
	}
	return k, err
}

// findKey finds the target and key of the first two arguments; lookup resolves the key.
func findKey(c *exec.Call,
	lookup func(*exec.Call, registrykey.Target, string) (registry.Key, error),
) (t registrykey.Target, k registry.Key, err error) {
	if t, err = registrykey.FindTarget(c, c.Arguments[0]); err == nil {
		k, err = lookup(c, t, c.Arguments[1])
	}
	return t, k, err
}

func regGet(c *exec.Call) (exec.Answer, error) {
	_, k, err := findKey(c, registrykey.Find)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Key registrykey.Row `json:"key"`
		}{registrykey.RowOf(k)},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w)
			t.Row("Key", k.Row.Name)
			t.Row("Scope", string(k.Row.Scope))
			if k.Path != "" {
				t.Row("Type", string(k.Row.StoredType()))
			}
			t.Row("Summary", k.Row.Summary)
			t.Row("Stored", displayValue(k.Row, k.Stored))
			t.Row("In effect", displayValue(k.Row, k.Effective))
			t.Row("Default", displayValue(k.Row, k.Default))
			if limits := rangeText(&k); limits != "" {
				t.Row("Range", limits)
			}
			for i, choice := range k.Row.Choices {
				lead := ""
				if i == 0 {
					lead = "Values"
				}
				t.Row(lead, strconv.FormatUint(uint64(choice.Value), 10)+" "+choice.Label)
			}
			t.Row("Takes effect", exec.WhenEffective(k.Row.Applies))
			if n := registrykey.Note(&k); n != "" {
				t.Row("Status", n)
			}
			if k.Path != "" {
				t.Row("Path", k.Path)
			}
			return t.Flush()
		},
	}, nil
}

// rangeText returns the range of a key with its unit, such as "614 to 9614 bytes"; it is empty for a key without a range.
func rangeText(k *registry.Key) string {
	format := func(n *uint32) string { return strconv.FormatUint(uint64(*n), 10) }
	var s string
	switch {
	case k.Min != nil && k.Max != nil:
		s = format(k.Min) + " to " + format(k.Max)
	case k.Min != nil:
		s = "from " + format(k.Min)
	case k.Max != nil:
		s = "up to " + format(k.Max)
	default:
		return ""
	}
	if unit := k.Row.Unit; unit != "" && unit[0] >= '0' && unit[0] <= '9' {
		return s + " units of " + unit
	}
	return strings.TrimSpace(s + " " + k.Row.Unit)
}

func regSet(c *exec.Call) (exec.Answer, error) {
	t, k, err := findKey(c, storedKey)
	if err != nil {
		return exec.Answer{}, err
	}
	value := c.Arguments[2]
	if _, err := k.Row.Parse(value); err != nil {
		return exec.Answer{}, invalidValueError(&k, targetName(&t), value, err)
	}
	if k.Row.Type == registry.Number {
		value = strings.TrimSpace(value)
	}
	name := exactName(&k, c.Arguments[1])
	return changeKey(c, edit.SetValue{Connection: t.Connection, Adapter: t.Adapter, Key: name, Value: value}, t, name)
}

// invalidValueError returns the error for a value that a key can't store. It lists the valid values of this port;
// parseErr is the error of the catalogue.
func invalidValueError(k *registry.Key, target, typed string, parseErr error) error {
	if k.Row.Type != registry.Number {
		return exec.Mistake("%v", parseErr)
	}
	valid := rangeText(k)
	const maxChoices = 8 // in one sentence
	allowsUnlisted := k.Min != nil && k.Max != nil && *k.Max-*k.Min >= uint32(len(k.Row.Choices))
	switch choices := k.Row.Choices; {
	case len(choices) > 0 && len(choices) <= maxChoices && !allowsUnlisted:
		labels := make([]string, len(choices))
		for i, choice := range choices {
			labels[i] = fmt.Sprintf("%d (%s)", choice.Value, choice.Label)
		}
		valid = strings.Join(labels, ", ")
	case valid == "":
		valid = "0 to 4294967295"
	}
	return exec.Mistake("invalid value %q for %s of %s: it must be %s", typed, k.Row.Name, target, valid)
}

func regUnset(c *exec.Call) (exec.Answer, error) {
	t, k, err := findKey(c, storedKey)
	if err != nil {
		return exec.Answer{}, err
	}
	name := exactName(&k, c.Arguments[1])
	return changeKey(c, edit.DeleteValue{Connection: t.Connection, Adapter: t.Adapter, Key: name}, t, name)
}

// exactName returns the name of a key in the catalogue's spelling, with its scope if typed has one.
func exactName(k *registry.Key, typed string) string {
	if strings.Contains(typed, "/") {
		return string(k.Row.Scope) + "/" + k.Row.Name
	}
	return k.Row.Name
}

// changeKey applies an Operation on a key and answers with the key's new state, or with --draft adds it to the draft. Without
// --force it refuses an invalid value.
func changeKey(c *exec.Call, change driver.Operation, t registrykey.Target, name string) (exec.Answer, error) {
	plan := driver.Plan{Title: wording.UpperFirst(change.Describe()), Operations: []driver.Operation{change}}
	if c.Flags["draft"] != "" {
		return drafts.Answer(c, plan)
	}
	if c.Flags["force"] == "" {
		review, err := reviewDraft(c, plan)
		if err == nil {
			err = invalidValueIn(&review)
		}
		if err != nil {
			return exec.Answer{}, err
		}
		noteDoubts(c, &review)
	}
	return registrykey.Store(c, change, t, name)
}

// pauseKey has a note of its own about PFC.
const pauseKey = "*FlowControl"

// noteDoubts notes values that the driver accepts, but that are pointless or risky.
func noteDoubts(c *exec.Call, review *driver.Review) {
	for i := range review.Changes {
		change := &review.Changes[i]
		if change.Verdict.Grade == registry.Doubtful && change.Row.Name != pauseKey {
			c.Note(fmt.Sprintf("%s of %s is %s", change.Row.Name, change.Target, change.Verdict))
		}
	}
}
