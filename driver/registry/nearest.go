package registry

import (
	"slices"

	"cxdeck/driver/request"
)

// Nearest returns the name of a key in one of the scopes that was probably meant; empty when no name is similar.
func (c *Catalogue) Nearest(name string, scopes ...Scope) string {
	var names []string
	for i := range c.Rows {
		if r := &c.Rows[i]; slices.Contains(scopes, r.Scope) {
			names = append(names, r.folded)
		}
	}
	r, ok := c.Find(request.Nearest(lookupName(name), names), scopes...)
	if !ok {
		return ""
	}
	return r.Name
}
