package host

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/profile"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
	"cxdeck/views/exec/drafts"
	"cxdeck/views/exec/registrykey"
)

// difference is a key of a target with the other side's value for it.
type difference struct {
	key   registry.Key
	other registry.Value
}

// differenceRow is a difference as JSON.
type differenceRow struct {
	Key    string         `json:"key"`
	Scope  registry.Scope `json:"scope"`
	Stored any            `json:"stored"`
	Other  any            `json:"other"`
}

// ownKeys returns the keys of a target; for a connection without the keys that it shares with other ports.
func ownKeys(h *driver.Host, t registrykey.Target) (keys []registry.Key, err error) {
	if t.Adapter != "" {
		return h.AdapterKeys(t.Adapter)
	}
	keys, err = h.Keys(t.Connection)
	return slices.DeleteFunc(keys, func(k registry.Key) bool {
		return k.Row.Scope != registry.Miniport && k.Row.Scope != registry.Congestion
	}), err
}

// defaultOf returns the value of a key in a fresh installation; it does not exist for keys that the operator must create.
func defaultOf(k *registry.Key) registry.Value {
	if k.Row.MustCreate {
		return registry.Value{}
	}
	return k.Default
}

// valuesBefore returns, by slot, the values before a change of the journal; of all slots that this and later changes stored.
func valuesBefore(h *driver.Host, sequence uint64) (values map[string]registry.Value, err error) {
	journal := h.Journal()
	from := slices.IndexFunc(journal, func(e driver.Entry) bool { return e.Sequence == sequence })
	if from < 0 {
		return nil, fmt.Errorf("there is no change %d; journal prints them", sequence)
	}
	values = map[string]registry.Value{}
	for _, e := range slices.Backward(journal[from:]) {
		switch {
		case e.Err != "":
			continue
		case e.Unread != "":
			return nil, fmt.Errorf("the state before change %d is unknown because change %d can't be read; choose a later one", sequence, e.Sequence)
		}
		for _, o := range e.Inverse.Operations {
			for slot, v := range valuesOf(h, o) {
				values[slot] = v
			}
		}
	}
	return values, nil
}

// valuesOf returns the values that an Operation stores, by their slots.
func valuesOf(h *driver.Host, o driver.Operation) map[string]registry.Value {
	values := map[string]registry.Value{}
	if w, ok := o.(edit.Writer); ok {
		connection, adapter, key := w.Writes()
		if k, ok := drafts.KeyOn(h, connection, adapter, key); ok {
			if v, err := w.ValueAfter(k.Row); err == nil {
				values[drafts.SlotOf(connection, k)] = v
			}
		}
	}
	if o, ok := o.(edit.StoreValues); ok {
		for i, slot := range drafts.SlotsOf(h, o) {
			values[slot] = o.Values[i].Value
		}
	}
	return values
}

// otherValues returns the side that a target is compared with: the state before a change, a profile, another target, or the
// defaults. value returns its value for a key; ok is false if it has none.
func otherValues(c *exec.Call,
	h *driver.Host, other string,
) (title string, value func(*registry.Key, registrykey.Target) (v registry.Value, ok bool), err error) {
	switch sequence, name := c.Flags["before"], c.Flags["profile"]; {
	case len(slices.DeleteFunc([]string{sequence, name, other}, func(s string) bool { return s == "" })) > 1:
		return "", nil, exec.Mistake("give only one of a second NAME, --profile and --before")
	case sequence != "":
		n, err := strconv.ParseUint(sequence, 10, 64)
		if err != nil {
			return "", nil, exec.Mistake("%q is not the number of a change; journal prints the numbers", sequence)
		}
		values, err := valuesBefore(h, n)
		return fmt.Sprintf("before change %d", n), func(k *registry.Key, t registrykey.Target) (registry.Value, bool) {
			v, ok := values[drafts.SlotOf(t.Connection, *k)]
			return v, ok
		}, err
	case name != "":
		p, err := findProfile(c, name)
		return "profile " + p.Name, func(k *registry.Key, _ registrykey.Target) (registry.Value, bool) { return valueInProfile(&p, k) }, err
	case other != "":
		t, err := registrykey.FindTarget(c, other)
		return targetName(&t), func(k *registry.Key, _ registrykey.Target) (registry.Value, bool) {
			theirs, ok := drafts.KeyOn(h, t.Connection, t.Adapter, string(k.Row.Scope)+"/"+k.Row.Name)
			return theirs.Stored, ok
		}, err
	}
	return "defaults", func(k *registry.Key, _ registrykey.Target) (registry.Value, bool) { return defaultOf(k), true }, nil
}

// valueInProfile returns the value of a key in a profile; ok is false if the profile has none.
func valueInProfile(p *profile.Profile, k *registry.Key) (registry.Value, bool) {
	for _, value := range p.Values {
		scope, name, scoped := strings.Cut(value.Key, "/")
		if !scoped {
			scope, name = string(k.Row.Scope), value.Key
		}
		if !strings.EqualFold(scope, string(k.Row.Scope)) ||
			!strings.EqualFold(strings.TrimPrefix(name, "*"), strings.TrimPrefix(k.Row.Name, "*")) {
			continue
		}
		if value.Delete {
			return registry.Value{}, true
		}
		v, err := k.Row.Parse(value.Value)
		return v, err == nil
	}
	return registry.Value{}, false
}

// differences returns the keys of a target whose stored values differ from the other side's.
func differences(c *exec.Call, t registrykey.Target, other string) (title string, list []difference, err error) {
	var copied *driver.Host
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		copied = h.Clone()
		return nil
	}); err != nil {
		return "", nil, err
	}
	title, value, err := otherValues(c, copied, other)
	if err != nil {
		return title, nil, err
	}
	keys, err := ownKeys(copied, t)
	inCommon := other == ""
	for _, k := range keys {
		v, ok := value(&k, t)
		inCommon = inCommon || ok
		if ok && v != k.Stored {
			list = append(list, difference{k, v})
		}
	}
	if err == nil && !inCommon {
		err = fmt.Errorf("%s and %s have no keys in common", targetName(&t), title)
	}
	return title, list, err
}

func regDiff(c *exec.Call) (exec.Answer, error) {
	t, err := registrykey.FindTarget(c, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	other := ""
	if len(c.Arguments) > 1 {
		other = c.Arguments[1]
	}
	title, list, err := differences(c, t, other)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []differenceRow{}
	for _, d := range list {
		rows = append(rows, differenceRow{d.key.Row.Name, d.key.Row.Scope, registrykey.JSONValue(d.key.Stored), registrykey.JSONValue(d.other)})
	}
	return exec.Answer{
		Result: struct {
			With        string          `json:"with"`
			Differences []differenceRow `json:"differences"`
		}{title, rows},
		Text: func(w io.Writer) error {
			if len(list) == 0 {
				_, err := fmt.Fprintf(w, "%s and %s: nothing differs.\n", exec.Clean(targetName(&t)), exec.Clean(title))
				return err
			}
			table := exec.NewTextTable(w, "KEY", "SCOPE", targetName(&t), title)
			for _, d := range list {
				table.Row(d.key.Row.Name, string(d.key.Row.Scope), displayValue(d.key.Row, d.key.Stored), displayValue(d.key.Row, d.other))
			}
			return table.Flush()
		},
	}, nil
}

func regRestore(c *exec.Call) (exec.Answer, error) {
	t, err := registrykey.FindTarget(c, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	var wanted []*registry.Row
	for _, name := range c.Arguments[1:] {
		k, err := storedKey(c, t, name)
		if err != nil {
			return exec.Answer{}, err
		}
		wanted = append(wanted, k.Row)
	}
	title, list, err := differences(c, t, "")
	if err != nil {
		return exec.Answer{}, err
	}
	plan := driver.Plan{Title: fmt.Sprintf("Restore %s: %s", targetName(&t), title)}
	for i := range list {
		if len(wanted) == 0 || slices.Contains(wanted, list[i].key.Row) {
			plan.Operations = append(plan.Operations, storeOperation(t, &list[i].key, list[i].other))
		}
	}
	if len(plan.Operations) == 0 {
		return exec.Answer{}, &request.UnchangedError{Why: fmt.Sprintf("nothing to restore on %s: all values are already as requested (%s)", targetName(&t), title)}
	}
	return drafts.Answer(c, plan)
}
