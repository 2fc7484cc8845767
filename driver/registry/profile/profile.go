// Package profile holds named sets of registry values, the Operations that store them on connections, and their files. The
// package store keeps them.
package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
)

// Profile is a named set of registry values, to be stored on any adapter that has the keys.
type Profile struct {
	Name string
	// About is the purpose.
	About  string
	Values []Value
}

// Value is one value of a profile.
type Value struct {
	// Key is the name of the key, with its scope if several keys have the name: "bus-driver/PermitSriov".
	Key string `json:"key"`
	// Value is the value as an operator types it; Delete reports that the key must be absent.
	Value  string `json:"value,omitempty"`
	Delete bool   `json:"delete,omitempty"`
}

// Limits of a profile, which may come from a file of another author.
const (
	maxValues = 1000
	maxText   = 4096
)

// Check returns why a profile is invalid; nil for a valid one.
func (p Profile) Check() error {
	switch {
	case p.Name == "" || len(p.Name) > request.MaxTarget:
		return fmt.Errorf("a profile requires a name of 1 to %d bytes", request.MaxTarget)
	case len(p.About) > maxText:
		return request.Errorf("the description of the profile %q is longer than %d bytes", p.Name, maxText)
	case len(p.Values) == 0:
		return request.Errorf("the profile %q has no values", p.Name)
	case len(p.Values) > maxValues:
		return request.Errorf("the profile %q has more than %d values", p.Name, maxValues)
	}
	for _, v := range p.Values {
		if v.Key == "" || len(v.Key) > request.MaxTarget || len(v.Value) > maxText {
			return request.Errorf("the profile %q has an invalid value: %.40q", p.Name, v.Key)
		}
	}
	return nil
}

// CheckName returns why a new profile can't have a name. Check takes more names, because earlier versions saved profiles with any.
func CheckName(name string) error { return request.CheckWords("a profile", name) }

// Of returns a profile of the stored values of a connection: of the named keys, or else of all keys with other values than
// after an installation.
func Of(g edit.Registry, connection, name string, keys ...string) (Profile, error) {
	if err := CheckName(name); err != nil {
		return Profile{}, err
	}
	port, err := g.Port(connection)
	if err != nil {
		return Profile{}, err
	}
	p := Profile{Name: name, About: "as stored for " + connection}
	for _, key := range keys {
		port, r, err := g.Find(connection, "", key)
		if err != nil {
			return Profile{}, err
		}
		p.add(r, g.Stored(port, r))
	}
	if len(keys) == 0 {
		link := g.Description(port).Link
		for _, r := range g.Catalogue(port).List(link, registry.Miniport, registry.Congestion) {
			stored := g.Stored(port, r)
			if stored != r.Default(link) && (stored.Exists() || !r.MustCreate) {
				p.add(r, stored)
			}
		}
	}
	if len(p.Values) == 0 {
		return Profile{}, fmt.Errorf("all values of %s are as in a fresh installation", connection)
	}
	return p, p.Check()
}

func (p *Profile) add(r *registry.Row, v registry.Value) {
	p.Values = append(p.Values, Value{Key: string(r.Scope) + "/" + r.Name, Value: v.String(), Delete: !v.Exists()})
}

// ErrStored is the error of a profile whose values are all stored already.
var ErrStored = request.Unchanged("all values are as in the profile")

// Operations returns the Operations that store a profile's values on connections, where they are not stored yet. absent lists
// the keys that a connection does not have. It fails when there is nothing to store.
func (p Profile) Operations(g edit.Registry, connections ...string) (list []edit.Operation, absent []string, err error) {
	known := false
	for _, connection := range connections {
		if _, err := g.Port(connection); err != nil {
			return nil, nil, err
		}
		for _, v := range p.Values {
			port, r, err := g.Find(connection, "", v.Key)
			var unknown *registry.UnknownKeyError
			if errors.As(err, &unknown) {
				absent = append(absent, v.Key+" of "+connection)
				continue
			} else if err != nil {
				return nil, nil, err
			}
			known = true
			o, err := v.operation(connection, r, g.Stored(port, r))
			if err != nil {
				return nil, nil, request.Errorf("the profile %q: %w", p.Name, err)
			}
			if o != nil && !slices.Contains(list, o) {
				list = append(list, o)
			}
		}
	}
	switch {
	case len(list) > 0:
		return list, absent, nil
	case known:
		return nil, absent, ErrStored
	}
	return nil, absent, request.Errorf("none of the adapters has a key of the profile %q", p.Name)
}

// operation returns the Operation that stores the value on a connection; nil if it is stored already.
func (v Value) operation(connection string, r *registry.Row, stored registry.Value) (edit.Operation, error) {
	if v.Delete {
		if !stored.Exists() {
			return nil, nil
		}
		return edit.DeleteValue{Connection: connection, Key: v.Key}, nil
	}
	wanted, err := r.Parse(v.Value)
	if err != nil || wanted == stored {
		return nil, err
	}
	return edit.SetValue{Connection: connection, Key: v.Key, Value: v.Value}, nil
}

type storedProfile struct {
	Name   string  `json:"name"`
	About  string  `json:"about,omitempty"`
	Values []Value `json:"values"`
}

// MarshalJSON writes the profile.
func (p Profile) MarshalJSON() ([]byte, error) { return json.Marshal(storedProfile(p)) }

// UnmarshalJSON reads a profile that MarshalJSON wrote. It fails for a profile that Check refuses.
func (p *Profile) UnmarshalJSON(data []byte) error {
	var stored storedProfile
	if err := request.Decode(data, &stored); err != nil {
		return err
	}
	if err := Profile(stored).Check(); err != nil {
		return err
	}
	*p = Profile(stored)
	return nil
}

// LargestFile is the maximum size of a profile's file, in bytes.
const LargestFile = 8 << 20

// Encode returns the profile as a file, from which Read reads it.
func (p Profile) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(p, "", "  ")
	return append(data, '\n'), err
}

// Read reads the file of a profile; an error names it.
func Read(file string, data []byte) (p Profile, err error) {
	if err := json.Unmarshal(data, &p); err != nil {
		return Profile{}, fmt.Errorf("%s is not a profile: %w", file, request.ExplainJSON(err))
	}
	if err := CheckName(p.Name); err != nil {
		return Profile{}, fmt.Errorf("%s is not a profile: %w", file, err)
	}
	return p, nil
}
