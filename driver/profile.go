package driver

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"cxdeck/driver/registry"
	"cxdeck/driver/request"
)

// Profile is a named set of registry values, to be stored on any adapter that has the keys.
type Profile struct {
	Name string
	// About says what it is for.
	About  string
	Values []ProfileValue
}

// ProfileValue is one value of a profile.
type ProfileValue struct {
	// Key is the name of the key, with its scope where the name alone could be another: "bus-driver/PermitSriov".
	Key string `json:"key"`
	// Value is as it is typed; Delete says that the key is to be absent.
	Value  string `json:"value,omitempty"`
	Delete bool   `json:"delete,omitempty"`
}

// Limits of a profile: it may come from a file that somebody else wrote.
const (
	mostProfileValues  = 1000
	longestProfileText = 4096
)

// Check says what is wrong with a profile; nil for one that can be kept.
func (p Profile) Check() error {
	switch {
	case p.Name == "" || len(p.Name) > longestTarget:
		return fmt.Errorf("a profile needs a name of 1 to %d bytes", longestTarget)
	case len(p.About) > longestProfileText:
		return fmt.Errorf("what is said about the profile %q is longer than %d bytes", p.Name, longestProfileText)
	case len(p.Values) == 0:
		return fmt.Errorf("the profile %q has no values", p.Name)
	case len(p.Values) > mostProfileValues:
		return fmt.Errorf("the profile %q has more than %d values", p.Name, mostProfileValues)
	}
	for _, v := range p.Values {
		if v.Key == "" || len(v.Key) > longestTarget || len(v.Value) > longestProfileText {
			return fmt.Errorf("the profile %q has a value that is none: %.40q", p.Name, v.Key)
		}
	}
	return nil
}

// ProfileOf is a profile of what is stored for a connection: of keys, or of all that are not as a fresh installation
// leaves them when none are named.
func (h *Host) ProfileOf(connection, name string, keys ...string) (Profile, error) {
	port, err := h.port(connection)
	if err != nil {
		return Profile{}, err
	}
	p := Profile{Name: name, About: "as stored for " + connection}
	for _, key := range keys {
		_, r, err := h.find(connection, "", key)
		if err != nil {
			return Profile{}, err
		}
		p.add(r, h.hive.Of(h.place(port, r.Scope), r))
	}
	if len(keys) == 0 {
		for _, k := range h.keys(port, []registry.Scope{registry.Miniport, registry.Congestion}) {
			if k.Stored != k.Default && (k.Stored.Exists() || !k.Row.MustCreate) {
				p.add(k.Row, k.Stored)
			}
		}
	}
	if len(p.Values) == 0 {
		return Profile{}, fmt.Errorf("%s has no values other than those of a fresh installation", connection)
	}
	return p, p.Check()
}

func (p *Profile) add(r *registry.Row, v registry.Value) {
	p.Values = append(p.Values, ProfileValue{Key: string(r.Scope) + "/" + r.Name, Value: v.String(), Delete: !v.Exists()})
}

// errAsProfile is what a profile says whose values are all stored already.
var errAsProfile = request.Unchanged("everything is as the profile has it")

// Plan is what stores a profile's values on connections, where they are not stored yet. Keys that a connection does not
// have are left out and named; it fails when nothing is left to do.
func (p Profile) Plan(h *Host, connections ...string) (plan Plan, absent []string, err error) {
	plan.Title = "Profile " + p.Name
	known := false
	for _, connection := range connections {
		if _, err := h.port(connection); err != nil {
			return Plan{}, nil, err
		}
		for _, v := range p.Values {
			port, r, err := h.find(connection, "", v.Key)
			var unknown *UnknownKeyError
			if errors.As(err, &unknown) {
				absent = append(absent, v.Key+" of "+connection)
				continue
			} else if err != nil {
				return Plan{}, nil, err
			}
			known = true
			o, err := v.operation(connection, r, h.hive.Of(h.place(port, r.Scope), r))
			if err != nil {
				return Plan{}, nil, fmt.Errorf("the profile %q: %w", p.Name, err)
			}
			if o != nil && !slices.Contains(plan.Operations, o) {
				plan.Operations = append(plan.Operations, o)
			}
		}
	}
	switch {
	case len(plan.Operations) > 0:
		return plan, absent, nil
	case known:
		return Plan{}, absent, errAsProfile
	}
	return Plan{}, absent, fmt.Errorf("none of the adapters has a key of the profile %q", p.Name)
}

// operation is what stores the value on a connection; nil when it is stored already.
func (v ProfileValue) operation(connection string, r *registry.Row, stored registry.Value) (Operation, error) {
	if v.Delete {
		if !stored.Exists() {
			return nil, nil
		}
		return DeleteValue{Connection: connection, Key: v.Key}, nil
	}
	wanted, err := r.Parse(v.Value)
	if err != nil || wanted == stored {
		return nil, err
	}
	return SetValue{Connection: connection, Key: v.Key, Value: v.Value}, nil
}

type storedProfile struct {
	Name   string         `json:"name"`
	About  string         `json:"about,omitempty"`
	Values []ProfileValue `json:"values"`
}

// MarshalJSON writes the profile.
func (p Profile) MarshalJSON() ([]byte, error) { return json.Marshal(storedProfile(p)) }

// UnmarshalJSON reads what MarshalJSON wrote, and refuses what Check does.
func (p *Profile) UnmarshalJSON(data []byte) error {
	var stored storedProfile
	if err := strict(data, &stored); err != nil {
		return fmt.Errorf("the profile can't be read: %w", err)
	}
	if err := Profile(stored).Check(); err != nil {
		return err
	}
	*p = Profile(stored)
	return nil
}

// LargestProfile is the largest file with a profile that is read, in bytes.
const LargestProfile = 8 << 20

// File is the profile as a file, from which ReadProfile reads it.
func (p Profile) File(path string) (File, error) {
	data, err := json.MarshalIndent(p, "", "  ")
	return File{Path: path, Data: append(data, '\n')}, err
}

// ReadProfile reads the file of a profile; an error names it.
func ReadProfile(file string, data []byte) (p Profile, err error) {
	if err := json.Unmarshal(data, &p); err != nil {
		return Profile{}, fmt.Errorf("%s is no profile: %w", file, err)
	}
	return p, nil
}
