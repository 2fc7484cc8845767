package exec

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/registry"
)

// errNoDraft is what commands say that need a draft.
var errNoDraft = errors.New("the draft is empty; reg set --draft or reg import puts changes in it")

// slots are the places of the values that an Operation stores or deletes, each as a word that no other place has; none
// for any other Operation.
func slots(h *driver.Host, o driver.Operation) (list []string) {
	connection, key, ok := "", driver.Key{}, false
	switch o := o.(type) {
	case driver.SetValue:
		connection = o.Connection
		key, ok = keyOn(h, o.Connection, o.Adapter, o.Key)
	case driver.DeleteValue:
		connection = o.Connection
		key, ok = keyOn(h, o.Connection, o.Adapter, o.Key)
	case driver.StoreValues:
		for _, v := range o.Values {
			list = append(list, strings.ToLower(o.Path+"\x00"+v.Name))
		}
	}
	if ok {
		list = append(list, slotOf(connection, key))
	}
	return list
}

// slotOf is the place of a key's value. What Windows keeps elsewhere has no path, and belongs to the connection.
func slotOf(connection string, k driver.Key) string {
	at := k.Path
	if at == "" {
		at = connection
	}
	return strings.ToLower(at + "\x00" + k.Row.Name)
}

// keyOn is a key of a connection or of a card; ok is false when the host does not have it.
func keyOn(h *driver.Host, connection, adapter, name string) (key driver.Key, ok bool) {
	var err error
	if connection == "" {
		key, err = h.AdapterKey(adapter, name)
	} else {
		key, err = h.Key(connection, name)
	}
	return key, err == nil
}

// gathered is a draft with more Operations: those on the same values take the places of older ones, and those that
// would change nothing are left out.
func gathered(h *driver.Host, draft driver.Plan, more []driver.Operation) driver.Plan {
	var list []driver.Operation
	at := map[string]int{}
	for _, o := range slices.Concat(draft.Operations, more) {
		place := strings.Join(slots(h, o), "\x01")
		if older, again := at[place]; again && place != "" {
			list[older] = o
			continue
		}
		at[place] = len(list)
		list = append(list, o)
	}
	list = slices.DeleteFunc(list, h.Idle)
	return driver.Plan{Title: draftTitle(h, list), Operations: list}
}

// draftTitle says what a draft changes: "Set *JumboPacket of Ethernet 7 to 9014", "3 changes on Ethernet 7 and Ethernet
// 8".
func draftTitle(h *driver.Host, list []driver.Operation) string {
	if len(list) == 1 {
		return upper(list[0].Describe())
	}
	var owners []string
	for _, o := range list {
		owners = append(owners, h.OwnerOf(o))
	}
	return driver.ChangesTitle(len(list), owners)
}

// count is a number of things in words: "1 value", "40 values".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// draft is the draft without what is stored by now.
func (c *call) draft() (plan driver.Plan, err error) {
	if plan, err = c.runner.Shelf.Draft(c.ctx); err != nil || len(plan.Operations) == 0 {
		return driver.Plan{}, err
	}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		if settled := gathered(h, driver.Plan{}, plan.Operations); len(settled.Operations) != len(plan.Operations) {
			plan = settled
		}
		return nil
	})
	return plan, err
}

// gather puts Operations in the draft and says what it has then.
func (c *call) gather(more []driver.Operation) (driver.Plan, error) {
	plan, err := c.runner.Shelf.Draft(c.ctx)
	if err != nil {
		return plan, err
	}
	err = c.host.Look(c.ctx, func(h *driver.Host) error {
		plan = gathered(h, plan, more)
		return nil
	})
	if err == nil {
		err = c.runner.Shelf.SaveDraft(c.ctx, plan)
	}
	return plan, err
}

// draftRow is a draft as JSON.
type draftRow struct {
	Title      string         `json:"title"`
	Operations []operationRow `json:"operations"`
}

func draftOf(plan driver.Plan) draftRow {
	row := draftRow{Title: plan.Title, Operations: []operationRow{}}
	for _, o := range plan.Operations {
		row.Operations = append(row.Operations, operationRow{o.Kind(), o.Target(), o.Describe()})
	}
	return row
}

// drafted applies a plan, or with --draft puts it in the draft.
func (c *call) drafted(plan driver.Plan) (answer, error) {
	if c.flags["draft"] == "" {
		return c.apply(plan)
	}
	draft, err := c.gather(plan.Operations)
	if err != nil {
		return answer{}, err
	}
	return answer{
		result: struct {
			Draft draftRow `json:"draft"`
		}{draftOf(draft)},
		text: func(w io.Writer) error { return tellDraft(w, draft) },
	}, nil
}

// tellDraft says what is in the draft.
func tellDraft(w io.Writer, draft driver.Plan) error {
	if len(draft.Operations) == 0 {
		_, err := fmt.Fprintln(w, "The draft is empty: all of it is stored as it is.")
		return err
	}
	_, err := fmt.Fprintf(w, "In the draft: %s. Nothing is changed yet; plan show reviews it, plan apply applies it.\n",
		Clean(draft.Title))
	return err
}

// setting is the Operation that stores a value of a key as it is, or deletes it when there is none.
func setting(t keyTarget, k *driver.Key, v registry.Value) driver.Operation {
	name := k.Row.Name
	if k.Row.Scope != registry.Miniport {
		name = string(k.Row.Scope) + "/" + name
	}
	if !v.Exists() {
		return driver.DeleteValue{Connection: t.connection, Adapter: t.adapter, Key: name}
	}
	set := driver.SetValue{Connection: t.connection, Adapter: t.adapter, Key: name, Value: v.String()}
	switch kind := k.Row.OtherType(v); kind {
	case "", registry.Number, registry.Text:
		set.Type = kind
	default: // it can't be typed
		return driver.StoreValues{Path: k.Path, Values: []driver.StoredValue{{Name: k.Row.Name, Value: v}}}
	}
	return set
}
