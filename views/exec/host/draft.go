package host

import (
	"errors"

	"cxdeck/driver"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/views/exec"
	"cxdeck/views/exec/drafts"
	"cxdeck/views/exec/registrykey"
)

// errNoDraft is returned by commands that need a draft.
var errNoDraft = errors.New("the draft is empty; reg set --draft or reg import adds changes to it")

// currentDraft returns the draft without values that have been stored meanwhile.
func currentDraft(c *exec.Call) (plan driver.Plan, err error) {
	if plan, err = c.Runner.Drafts.Draft(c.Ctx); err != nil || len(plan.Operations) == 0 {
		return driver.Plan{}, err
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if settled := drafts.Merge(h, driver.Plan{}, plan.Operations); len(settled.Operations) != len(plan.Operations) {
			plan = settled
		}
		return nil
	})
	return plan, err
}

// storeOperation returns the Operation that stores a value with its registry type, or deletes it if v does not exist.
func storeOperation(t registrykey.Target, k *registry.Key, v registry.Value) driver.Operation {
	name := k.Row.Name
	if k.Row.Scope != registry.Miniport {
		name = string(k.Row.Scope) + "/" + name
	}
	if !v.Exists() {
		return edit.DeleteValue{Connection: t.Connection, Adapter: t.Adapter, Key: name}
	}
	set := edit.SetValue{Connection: t.Connection, Adapter: t.Adapter, Key: name, Value: v.String()}
	switch kind := k.Row.OtherType(v); kind {
	case "", registry.Number, registry.Text:
		set.Type = kind
	default: // SetValue can't write this type
		return edit.StoreValues{Path: k.Path, Values: []edit.StoredValue{{Name: k.Row.Name, Value: v}}}
	}
	return set
}
