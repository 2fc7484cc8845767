package drafts

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/impact"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// SlotsOf returns the slots, as SlotOf names them, of the values that an Operation stores or deletes; none for an Operation
// without registry values.
func SlotsOf(h *driver.Host, o driver.Operation) (list []string) {
	if w, ok := o.(edit.Writer); ok {
		connection, adapter, name := w.Writes()
		if key, ok := KeyOn(h, connection, adapter, name); ok {
			list = append(list, SlotOf(connection, key))
		}
	}
	if o, ok := o.(edit.StoreValues); ok {
		for _, v := range o.Values {
			list = append(list, strings.ToLower(o.Path+"\x00"+v.Name))
		}
	}
	return list
}

// SlotOf returns a unique name for the place of a key's value: registry path and name. A key without a path, which Windows
// keeps outside the registry, has the connection in place of it.
func SlotOf(connection string, k registry.Key) string {
	at := k.Path
	if at == "" {
		at = connection
	}
	return strings.ToLower(at + "\x00" + k.Row.Name)
}

// KeyOn finds a key of a connection, or of a card if connection is empty; ok is false if there is no such key.
func KeyOn(h *driver.Host, connection, adapter, name string) (key registry.Key, ok bool) {
	var err error
	if connection == "" {
		key, err = h.AdapterKey(adapter, name)
	} else {
		key, err = h.Key(connection, name)
	}
	return key, err == nil
}

// Merge adds Operations to a draft. A newer Operation on the same value replaces an older one, and Operations that
// would change nothing are removed.
func Merge(h *driver.Host, draft driver.Plan, more []driver.Operation) driver.Plan {
	var list []driver.Operation
	at := map[string]int{}
	for _, o := range slices.Concat(draft.Operations, more) {
		slots := strings.Join(SlotsOf(h, o), "\x01")
		if older, found := at[slots]; found && slots != "" {
			list[older] = o
			continue
		}
		at[slots] = len(list)
		list = append(list, o)
	}
	list = slices.DeleteFunc(list, h.Idle)
	return driver.Plan{Title: Title(h, list), Operations: list}
}

// Title returns the title of a draft: "Set *JumboPacket of Ethernet 7 to 9014", "3 changes on Ethernet 7 and Ethernet
// 8".
func Title(h *driver.Host, list []driver.Operation) string {
	if len(list) == 1 {
		return wording.UpperFirst(list[0].Describe())
	}
	var owners []string
	for _, o := range list {
		owners = append(owners, h.OwnerOf(o))
	}
	return impact.ChangesTitle(len(list), owners)
}

// Add adds Operations to the draft, saves it and returns it.
func Add(c *exec.Call, more []driver.Operation) (driver.Plan, error) {
	plan, err := c.Runner.Drafts.Draft(c.Ctx)
	if err != nil {
		return plan, err
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		plan = Merge(h, plan, more)
		return nil
	})
	if err == nil {
		err = c.Runner.Drafts.SaveDraft(c.Ctx, plan)
	}
	return plan, err
}

// Row is a draft as JSON.
type Row struct {
	Title      string              `json:"title"`
	Operations []exec.OperationRow `json:"operations"`
}

// RowOf returns the row of a draft.
func RowOf(plan driver.Plan) Row {
	row := Row{Title: plan.Title, Operations: []exec.OperationRow{}}
	for _, o := range plan.Operations {
		row.Operations = append(row.Operations, exec.OperationRow{Kind: o.Kind(), Target: o.Target(), Does: o.Describe()})
	}
	return row
}

// Answer applies a plan, or with --draft adds it to the draft.
func Answer(c *exec.Call, plan driver.Plan) (exec.Answer, error) {
	if c.Flags["draft"] == "" {
		return c.Apply(plan)
	}
	draft, err := Add(c, plan.Operations)
	if err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Draft Row `json:"draft"`
		}{RowOf(draft)},
		Text: func(w io.Writer) error { return Write(w, draft) },
	}, nil
}

// Write writes a sentence about the contents of the draft.
func Write(w io.Writer, draft driver.Plan) error {
	if len(draft.Operations) == 0 {
		_, err := fmt.Fprintln(w, "The draft is empty: all its values are stored already.")
		return err
	}
	_, err := fmt.Fprintf(w, "In the draft: %s. Nothing has been changed yet; plan show reviews it, plan apply applies it.\n",
		exec.Clean(draft.Title))
	return err
}
