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

// DraftStore stores the draft of a host, the progress of its guides, and profiles.
type DraftStore interface {
	// Draft returns the draft of the host; it has no Operations if it is empty.
	Draft(ctx context.Context) (driver.Plan, error)
	// SaveDraft replaces the draft; a plan without Operations empties it.
	SaveDraft(ctx context.Context, plan driver.Plan) error
	// Profiles returns all profiles, sorted by name.
	Profiles(ctx context.Context) ([]profile.Profile, error)
	// SaveProfile saves a profile; it replaces the one with the same name, in any case.
	SaveProfile(ctx context.Context, p profile.Profile) error
	DeleteProfile(ctx context.Context, name string) error
	// Guides returns the progress of the host's guides as JSON, nil for none; SaveGuides replaces it.
	Guides(ctx context.Context) ([]byte, error)
	SaveGuides(ctx context.Context, data []byte) error
}

// memory is a DraftStore that lasts as long as the process.
type memory struct {
	mutex    sync.Mutex // guards the fields below
	draft    driver.Plan
	profiles []profile.Profile
	guides   []byte
}

// NewDraftStore returns an empty DraftStore that lasts as long as the process. It is safe for concurrent use.
func NewDraftStore() DraftStore { return &memory{} }

// Draft returns the draft.
func (m *memory) Draft(context.Context) (driver.Plan, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.draft, nil
}

// SaveDraft replaces the draft.
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

// SaveProfile saves a profile.
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

// DeleteProfile deletes a profile.
func (m *memory) DeleteProfile(_ context.Context, name string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.forget(name)
	return nil
}

func (m *memory) forget(name string) {
	m.profiles = slices.DeleteFunc(m.profiles, func(p profile.Profile) bool { return strings.EqualFold(p.Name, name) })
}

// Guides returns the progress of the guides.
func (m *memory) Guides(context.Context) ([]byte, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.guides, nil
}

// SaveGuides replaces the progress of the guides.
func (m *memory) SaveGuides(_ context.Context, data []byte) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.guides = data
	return nil
}

// CopyDraftStore returns a copy of a DraftStore in memory; drafts and profiles that can't be read are left out.
func CopyDraftStore(ctx context.Context, of DraftStore) DraftStore {
	drafts := NewDraftStore()
	if draft, err := of.Draft(ctx); err == nil {
		_ = drafts.SaveDraft(ctx, draft) // memory never fails
	}
	if profiles, err := of.Profiles(ctx); err == nil {
		for _, profile := range profiles {
			_ = drafts.SaveProfile(ctx, profile)
		}
	}
	if guides, err := of.Guides(ctx); err == nil {
		_ = drafts.SaveGuides(ctx, guides)
	}
	return drafts
}
