package driver

// Idle says whether an Operation on values of the registry has nothing to do: what it stores is stored, what it deletes
// is not there. It is false for any other Operation, and for one that can't be applied.
func (h *Host) Idle(o Operation) bool {
	if connection, adapter, key, ok := valueOf(o); ok {
		port, r, err := h.find(connection, adapter, key)
		if err != nil {
			return false
		}
		stored := h.hive.Of(h.place(port, r.Scope), r)
		set, sets := o.(SetValue)
		if !sets {
			return !stored.Exists()
		}
		v, err := set.parse(r)
		return err == nil && v == stored
	}
	store, ok := o.(StoreValues)
	if !ok {
		return false
	}
	if _, err := registryPath(store.Path); err != nil {
		return false
	}
	for i, s := range h.spots(store) {
		if v := store.Values[i]; h.hive.Get(s.place, v.Name) != s.own(v.Value) {
			return false
		}
	}
	return len(store.Values) > 0
}
