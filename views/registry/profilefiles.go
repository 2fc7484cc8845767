package registry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/registry/profile"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/change"
)

// exportProfile asks for a file and writes a profile to it, for the import on another console.
func (v *View) exportProfile(p profile.Profile) ui.Cmd {
	job := change.ExportJob{What: "the profile " + p.Name, Contents: func(_ context.Context, path string) ([]script.File, []string, error) {
		data, err := p.Encode()
		return []script.File{{Path: path, Data: data}}, nil, err
	}}
	return change.Export(v.deck, "Export the profile "+p.Name, "File", fileName(p.Name)+".json", job)
}

// importedMsg contains the profile that was read from a file.
type importedMsg struct{ profile profile.Profile }

// importProfile asks for a file with a profile and saves the profile.
func (v *View) importProfile() ui.Cmd {
	if v.deck.DB == nil {
		return ui.Toast(ui.Caution, wording.UpperFirst(v.deck.NoDB))
	}
	return ui.PromptWork("Import a profile", "File", "", change.CheckFileName, "Import a profile", func(_ context.Context, path string) (ui.Msg, error) {
		path = strings.TrimSpace(path)
		data, err := readFile(path, profile.LargestFile)
		if err != nil {
			return nil, fmt.Errorf("%w; nothing was saved", err)
		}
		p, err := profile.Read(path, data)
		if err != nil {
			return nil, fmt.Errorf("%w; nothing was saved", err)
		}
		return importedMsg{p}, nil
	})
}

// saveImported saves an imported profile; before it replaces a profile it asks.
func (v *View) saveImported(msg importedMsg) ui.Cmd {
	keep := keepProfile(v.deck.DB, msg.profile)
	if slices.ContainsFunc(v.profiles, func(p profile.Profile) bool { return strings.EqualFold(p.Name, msg.profile.Name) }) {
		return ui.Confirm("There is a profile "+msg.profile.Name+" already. Replace it?", "Replace", func() ui.Cmd { return keep })
	}
	return keep
}

// keepProfile saves a profile and reads the list of profiles again.
func keepProfile(db *store.DB, p profile.Profile) ui.Cmd {
	return ui.Background("Save the profile", func(ctx context.Context) ui.Msg {
		if err := db.SaveProfile(ctx, p); err != nil {
			return ui.Toast(ui.Failure, wording.UpperFirst(err.Error()))()
		}
		list, err := readProfiles(ctx, db)
		return ui.Batch(ui.Toast(ui.Success, fmt.Sprintf("Profile %s: %s saved", p.Name, count(len(p.Values), "value"))),
			func() ui.Msg { return profilesMsg{profiles: list, err: err} })()
	})
}
