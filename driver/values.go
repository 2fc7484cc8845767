package driver

import (
	"cmp"
	"fmt"

	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// SetValue stores a value in the registry. Any value of the key's type can be stored; what the driver makes of it shows
// when it counts.
type SetValue struct {
	// Connection is the connection whose key it is: "Ethernet 7". It may name a key of its card, driver or system, too.
	Connection string `json:"connection,omitempty"`
	// Adapter is the card, for a key that its ports share: "ConnectX-3 Pro". One of the two is empty.
	Adapter string `json:"adapter,omitempty"`
	// Key is the name; case and the asterisk at the front don't matter. "bus-driver/PermitSriov" names its scope,
	// too.
	Key string `json:"key"`
	// Value is as it is typed: "9014", "0x2336", text for a REG_SZ.
	Value string `json:"value"`
	// Type is REG_SZ or REG_DWORD for a value that is stored as another type than the key's own
	// (registry.Row.StoredType); mostly empty.
	Type registry.Type `json:"type,omitempty"`
}

// DeleteValue removes a value from the registry: the driver does without it from then on, mostly with its default.
type DeleteValue struct {
	Connection string `json:"connection,omitempty"`
	Adapter    string `json:"adapter,omitempty"`
	Key        string `json:"key"`
}

func (SetValue) Kind() string    { return "set-value" }
func (DeleteValue) Kind() string { return "delete-value" }

func (o SetValue) Target() string    { return cmp.Or(o.Connection, o.Adapter) }
func (o DeleteValue) Target() string { return cmp.Or(o.Connection, o.Adapter) }

func (o SetValue) Describe() string {
	text := fmt.Sprintf("set %s of %s to %s", o.Key, o.Target(), o.Value)
	if o.Type != "" {
		text += " as " + string(o.Type)
	}
	return text
}

func (o DeleteValue) Describe() string { return fmt.Sprintf("delete %s of %s", o.Key, o.Target()) }

// parse is the value that it stores.
func (o SetValue) parse(r *registry.Row) (registry.Value, error) {
	switch o.Type {
	case "", registry.Number, registry.Text:
		v, err := r.ParseAs(o.Value, o.Type)
		return r.Own(v), err
	default:
		return registry.Value{}, fmt.Errorf("%s can't be set as a %s; import it from a .reg file", r.Name, o.Type)
	}
}

func (o SetValue) inverse(h *Host) (Operation, error) {
	port, r, err := h.find(o.Connection, o.Adapter, o.Key)
	if err != nil {
		return nil, err
	}
	if _, err := o.parse(r); err != nil {
		return nil, err
	}
	if !h.hive.Of(h.place(port, r.Scope), r).Exists() {
		return DeleteValue{o.Connection, o.Adapter, o.Key}, nil
	}
	return h.setBack(o.Connection, o.Adapter, o.Key, port, r), nil
}

func (o DeleteValue) inverse(h *Host) (Operation, error) {
	port, r, err := h.find(o.Connection, o.Adapter, o.Key)
	if err != nil {
		return nil, err
	}
	if !h.hive.Of(h.place(port, r.Scope), r).Exists() {
		return nil, fmt.Errorf("%s is not there", r.Name)
	}
	return h.setBack(o.Connection, o.Adapter, o.Key, port, r), nil
}

// setBack stores a value as it is now.
func (h *Host) setBack(connection, adapter, key string, port int, r *registry.Row) Operation {
	old := h.hive.Of(h.place(port, r.Scope), r)
	set := SetValue{Connection: connection, Adapter: adapter, Key: key, Value: old.String()}
	set.Type = r.OtherType(old)
	if v, err := set.parse(r); err == nil && v == old {
		return set
	}
	path := h.path(&registry.Stored{Scope: r.Scope, Index: h.place(port, r.Scope).Index, Name: r.Name})
	return StoreValues{path, []StoredValue{{r.Name, old}}}
}

func (o SetValue) apply(h *Host) error {
	port, r, err := h.find(o.Connection, o.Adapter, o.Key)
	if err != nil {
		return err
	}
	v, err := o.parse(r)
	if err != nil {
		return err
	}
	h.hive.Set(h.place(port, r.Scope), r.Name, v)
	h.changed(port, r)
	return nil
}

func (o DeleteValue) apply(h *Host) error {
	port, r, err := h.find(o.Connection, o.Adapter, o.Key)
	if err != nil {
		return err
	}
	h.hive.Delete(h.place(port, r.Scope), r.Name)
	h.changed(port, r)
	return nil
}

// changed makes the drivers that run take up a key that counts at once.
func (h *Host) changed(port int, r *registry.Row) {
	if r.Name == virtualization.PageLimitKey { // the stored limit shows in the reasons of waiting adapters
		h.settleVirtual()
	}
	if r.Applies != registry.AtOnce {
		return
	}
	at := h.place(port, r.Scope)
	for i := range h.miniports {
		m := &h.miniports[i]
		if h.family(i) != r.Family || h.place(i, r.Scope) != at || m.state != Running {
			continue
		}
		m.effective = m.effective.With(r, h.hive.Of(at, r))
		h.configure(i)
	}
}
