package saving

import (
	"context"
	"fmt"

	"cxdeck/driver"
	"cxdeck/driver/registry/profile"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/exec"
	"cxdeck/views/registry"
)

// Drafts stores the drafts of a host in the history. Its draft is the draft of the Registry screen.
type Drafts struct {
	DB   *store.DB
	Info perf.SourceInfo
}

// Draft reads the draft.
func (s Drafts) Draft(ctx context.Context) (driver.Plan, error) {
	draft, _, err := s.DB.Draft(ctx, s.Info.LabHash, s.Info.Seed, registry.DraftName)
	return draft.Plan, err
}

// SaveDraft writes the draft, or deletes an empty one.
func (s Drafts) SaveDraft(ctx context.Context, plan driver.Plan) error {
	if len(plan.Operations) == 0 {
		return s.DB.DeleteDraft(ctx, s.Info.LabHash, s.Info.Seed, registry.DraftName)
	}
	return s.DB.SaveDraft(ctx, store.Draft{LabHash: s.Info.LabHash, Seed: s.Info.Seed, Name: registry.DraftName, Plan: plan})
}

// Profiles reads the profiles.
func (s Drafts) Profiles(ctx context.Context) (list []profile.Profile, err error) {
	names, err := s.DB.Profiles(ctx)
	for _, name := range names {
		p, ok, err := s.DB.Profile(ctx, name)
		if err != nil {
			return list, err
		}
		if ok {
			list = append(list, p)
		}
	}
	return list, err
}

// SaveProfile writes a profile.
func (s Drafts) SaveProfile(ctx context.Context, p profile.Profile) error {
	return s.DB.SaveProfile(ctx, p)
}

// DeleteProfile deletes a profile.
func (s Drafts) DeleteProfile(ctx context.Context, name string) error {
	return s.DB.DeleteProfile(ctx, name)
}

// guidesKey is the setting with the progress of the host's guides.
func (s Drafts) guidesKey() string {
	return fmt.Sprintf("guides %s %d", s.Info.LabHash, s.Info.Seed)
}

// Guides reads the progress of the guides.
func (s Drafts) Guides(ctx context.Context) ([]byte, error) {
	text, _, err := s.DB.Setting(ctx, s.guidesKey())
	return []byte(text), err
}

// SaveGuides writes the progress of the guides.
func (s Drafts) SaveGuides(ctx context.Context, data []byte) error {
	return s.DB.SaveSetting(ctx, s.guidesKey(), string(data))
}

// WatchedDrafts is a DraftStore that records whether it was changed.
type WatchedDrafts struct {
	exec.DraftStore
	// Changed reports that a draft or a profile was written.
	Changed bool
}

// SaveDraft writes a draft.
func (s *WatchedDrafts) SaveDraft(ctx context.Context, plan driver.Plan) error {
	s.Changed = true
	return s.DraftStore.SaveDraft(ctx, plan)
}

// SaveProfile writes a profile.
func (s *WatchedDrafts) SaveProfile(ctx context.Context, p profile.Profile) error {
	s.Changed = true
	return s.DraftStore.SaveProfile(ctx, p)
}

// DeleteProfile deletes a profile.
func (s *WatchedDrafts) DeleteProfile(ctx context.Context, name string) error {
	s.Changed = true
	return s.DraftStore.DeleteProfile(ctx, name)
}
