package cli

import (
	"context"
	"fmt"
	"io"

	"cxdeck/driver"
	"cxdeck/driver/registry/profile"
	"cxdeck/driver/script"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
	"cxdeck/views/registry"
)

// dbDraftStore stores the drafts of a host in the history. Its draft is the draft of the Registry screen.
type dbDraftStore struct {
	db   *store.DB
	info perf.SourceInfo
}

// Draft reads the draft.
func (s dbDraftStore) Draft(ctx context.Context) (driver.Plan, error) {
	draft, _, err := s.db.Draft(ctx, s.info.LabHash, s.info.Seed, registry.DraftName)
	return draft.Plan, err
}

// SaveDraft writes the draft, or deletes an empty one.
func (s dbDraftStore) SaveDraft(ctx context.Context, plan driver.Plan) error {
	if len(plan.Operations) == 0 {
		return s.db.DeleteDraft(ctx, s.info.LabHash, s.info.Seed, registry.DraftName)
	}
	return s.db.SaveDraft(ctx, store.Draft{LabHash: s.info.LabHash, Seed: s.info.Seed, Name: registry.DraftName, Plan: plan})
}

// Profiles reads the profiles.
func (s dbDraftStore) Profiles(ctx context.Context) (list []profile.Profile, err error) {
	names, err := s.db.Profiles(ctx)
	for _, name := range names {
		p, ok, err := s.db.Profile(ctx, name)
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
func (s dbDraftStore) SaveProfile(ctx context.Context, p profile.Profile) error {
	return s.db.SaveProfile(ctx, p)
}

func (s dbDraftStore) DeleteProfile(ctx context.Context, name string) error {
	return s.db.DeleteProfile(ctx, name)
}

// guidesKey is the setting with the progress of the host's guides.
func (s dbDraftStore) guidesKey() string {
	return fmt.Sprintf("guides %s %d", s.info.LabHash, s.info.Seed)
}

// Guides reads the progress of the guides.
func (s dbDraftStore) Guides(ctx context.Context) ([]byte, error) {
	text, _, err := s.db.Setting(ctx, s.guidesKey())
	return []byte(text), err
}

// SaveGuides writes the progress of the guides.
func (s dbDraftStore) SaveGuides(ctx context.Context, data []byte) error {
	return s.db.SaveSetting(ctx, s.guidesKey(), string(data))
}

// watchedDraftStore is a DraftStore that records whether it was changed.
type watchedDraftStore struct {
	exec.DraftStore
	changed bool
}

func (s *watchedDraftStore) SaveDraft(ctx context.Context, plan driver.Plan) error {
	s.changed = true
	return s.DraftStore.SaveDraft(ctx, plan)
}

func (s *watchedDraftStore) SaveProfile(ctx context.Context, p profile.Profile) error {
	s.changed = true
	return s.DraftStore.SaveProfile(ctx, p)
}

func (s *watchedDraftStore) DeleteProfile(ctx context.Context, name string) error {
	s.changed = true
	return s.DraftStore.DeleteProfile(ctx, name)
}

// disk is the machine's file system; relative paths start at the working directory.
type disk struct{}

func (disk) Read(path string, limit int64) ([]byte, error) { return deck.ReadFile(path, limit) }

func (disk) Write(files []script.File, replace bool) error { return deck.WriteFiles(files, replace) }

func (disk) Stream(path string, replace bool, write func(io.Writer) error) error {
	return deck.StreamFile(path, replace, write)
}

func (disk) Folder(name string) (string, error) { return deck.MakeFolder(name) }
