package registry

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"cxdeck/device/dcqcn"
	"cxdeck/device/description"
	"cxdeck/driver/limits"
	"cxdeck/driver/table"
)

//go:embed winof.json
var tableWinOF string

//go:embed winof2.json
var tableWinOF2 string

// Catalogue holds all keys of a driver family; it never changes.
type Catalogue struct {
	// Rows are in the order of the manuals' tables.
	Rows   []Row
	byName map[string][]int
	joined []int // keys whose effect depends on others
}

// Keys returns the catalogue of a driver family. It is read on first use.
func Keys(family description.Family) *Catalogue {
	if family == description.WinOF {
		return keysWinOF()
	}
	return keysWinOF2()
}

var (
	keysWinOF  = sync.OnceValue(func() *Catalogue { return readEmbedded(tableWinOF, description.WinOF) })
	keysWinOF2 = sync.OnceValue(func() *Catalogue { return readEmbedded(tableWinOF2, description.WinOF2) })
)

func readEmbedded(text string, family description.Family) *Catalogue {
	c, err := read(text, family)
	if err != nil {
		panic("registry: an embedded key table is damaged: " + err.Error()) // a test reads it: this can't ship
	}
	return c
}

func read(text string, family description.Family) (*Catalogue, error) {
	rows, err := table.Read[[]Row](text)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{Rows: rows, byName: make(map[string][]int, len(rows))}
	for i := range c.Rows {
		r := &c.Rows[i]
		r.Index, r.Family = i, family
		r.AppliesGiven = r.Applies != "" && r.Applies != AtNewVM // the manuals don't mention that moment
		if r.Type == "" {
			r.Type = Number
		}
		switch {
		case r.Applies != "":
		case r.Scope == Congestion:
			r.Applies = AtOnce
		default:
			r.Applies = AtRestart
		}
		switch bus := r.Scope == BusDriver || r.Scope == BusDevice; {
		case bus && r.Applies == AtRestart: // the bus driver reads its keys when it is loaded
			r.Applies = AtReload
		case r.Scope == Miniport && r.Applies == AtReload: // a file that is loaded for a port is loaded at its start
			r.Applies = AtRestart
		}
		if r.Bad == "" {
			r.Bad = UseDefault
		}
		if dependsOnOthers(r) && r.Scope.Stored() {
			c.joined = append(c.joined, i)
		}
		r.Stride = max(r.Stride, 1)
		if r.Form == "" {
			r.Form = r.form()
		}
		r.folded = lookupName(r.Name)
		r.limits = limits.OfKey(family, r.Name)
		if p, ok := dcqcn.Find(r.Name); ok {
			r.lineRate = p.Range().LineRate
		}
		for _, other := range c.byName[r.folded] {
			if c.Rows[other].Scope == r.Scope && r.Scope.Stored() {
				return nil, fmt.Errorf("two keys of %s are called %s", r.Scope, r.Name)
			}
		}
		c.byName[r.folded] = append(c.byName[r.folded], i)
	}
	return c, nil
}

// lookupName returns a name for look-ups: in lower case, without the asterisk at the front.
func lookupName(name string) string {
	return strings.ToLower(strings.TrimPrefix(strings.TrimSpace(name), "*"))
}

// Find returns the key with a name in the first of the scopes that has one. It ignores case and the asterisk at the front;
// "bus-driver/PermitSriov" also names the scope.
func (c *Catalogue) Find(name string, scopes ...Scope) (*Row, bool) {
	requested, rest, named := strings.Cut(name, "/")
	if !named {
		rest = name
	}
	var found *Row
	for _, scope := range scopes {
		for _, i := range c.byName[lookupName(rest)] {
			r := &c.Rows[i]
			switch {
			case r.Scope != scope || named && !strings.EqualFold(string(scope), strings.TrimSpace(requested)):
			case r.Name == strings.TrimSpace(rest): // SRIOV_EN and sriov_en are two settings of the firmware
				return r, true
			case found == nil:
				found = r
			}
		}
		if found != nil {
			return found, true
		}
	}
	return nil, false
}

// List returns the keys of some scopes on ports of a link type, in the order of the tables.
func (c *Catalogue) List(link description.LinkType, scopes ...Scope) (list []*Row) {
	for i := range c.Rows {
		if r := &c.Rows[i]; slices.Contains(scopes, r.Scope) && r.Fits(link) {
			list = append(list, r)
		}
	}
	return list
}
