package exec

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"cxdeck/driver"
	"cxdeck/driver/registry/profile"
)

// Shelf is where lies what waits or is used again: the draft of a host's plan, and profiles.
type Shelf interface {
	// Draft is the plan that is gathered for the host; one without Operations when there is none.
	Draft(ctx context.Context) (driver.Plan, error)
	// SaveDraft puts a draft in its place; one without Operations is forgotten.
	SaveDraft(ctx context.Context, plan driver.Plan) error
	// Profiles are all of them, sorted by their names.
	Profiles(ctx context.Context) ([]profile.Profile, error)
	// SaveProfile puts a profile in place of the one of its name.
	SaveProfile(ctx context.Context, p profile.Profile) error
	DeleteProfile(ctx context.Context, name string) error
}

// memory is a shelf that lasts as long as the process.
type memory struct {
	mutex    sync.Mutex // of the next lines
	draft    driver.Plan
	profiles []profile.Profile
}

// NewShelf makes a shelf that lasts as long as the process. Any number of goroutines may use it.
func NewShelf() Shelf { return &memory{} }

// Draft returns the draft.
func (m *memory) Draft(context.Context) (driver.Plan, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.draft, nil
}

// SaveDraft keeps a draft.
func (m *memory) SaveDraft(_ context.Context, plan driver.Plan) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.draft = plan
	return nil
}

// Profiles returns the profiles.
func (m *memory) Profiles(context.Context) ([]profile.Profile, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return slices.Clone(m.profiles), nil
}

// SaveProfile keeps a profile.
func (m *memory) SaveProfile(_ context.Context, p profile.Profile) error {
	if err := p.Check(); err != nil {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.forget(p.Name)
	m.profiles = append(m.profiles, p)
	slices.SortFunc(m.profiles, func(a, b profile.Profile) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}

// DeleteProfile forgets a profile.
func (m *memory) DeleteProfile(_ context.Context, name string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.forget(name)
	return nil
}

func (m *memory) forget(name string) {
	m.profiles = slices.DeleteFunc(m.profiles, func(p profile.Profile) bool { return strings.EqualFold(p.Name, name) })
}
