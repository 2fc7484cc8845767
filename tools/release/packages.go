package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// content is a file of a package, as nfpm reads it.
type content struct {
	Source      string `json:"src"`
	Destination string `json:"dst"`
	Packager    string `json:"packager,omitempty"`
	Info        info   `json:"file_info"`
}

type info struct {
	Mode  int    `json:"mode"`
	Mtime string `json:"mtime"`
}

// writePackages writes the packages for Debian and Red Hat. nfpm's configuration is YAML, of which JSON is a part.
func (r *release) writePackages(t target, folder string) error {
	for name, text := range map[string]string{"cxdeck.1": "cxdeck.1.gz", "CHANGELOG.md": "changelog.gz"} {
		plain, err := os.ReadFile(filepath.Join(r.stage, name))
		if err != nil {
			return err
		}
		packed, err := compress(plain)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(folder, text), packed); err != nil {
			return err
		}
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	others, err := os.ReadFile(filepath.Join(folder, "THIRD-PARTY.txt"))
	if err != nil {
		return err
	}
	if err := write(filepath.Join(folder, "copyright"), append(append(licence, '\n'), others...)); err != nil {
		return err
	}
	date := r.date.Format("2006-01-02T15:04:05Z")
	file := func(source, destination, packager string, mode int) content {
		return content{source, destination, packager, info{mode, date}}
	}
	contents := []content{
		file(filepath.Join(folder, "cxdeck"), "/usr/bin/cxdeck", "", 0o755),
		file(filepath.Join(folder, "cxdeck.1.gz"), "/usr/share/man/man1/cxdeck.1.gz", "", 0o644),
		file(filepath.Join(folder, "changelog.gz"), "/usr/share/doc/cxdeck/changelog.gz", "", 0o644),
		file(filepath.Join(folder, "copyright"), "/usr/share/doc/cxdeck/copyright", "", 0o644),
		file(filepath.Join(r.stage, "README.md"), "/usr/share/doc/cxdeck/README.md", "", 0o644),
		file(filepath.Join(r.stage, "SECURITY.md"), "/usr/share/doc/cxdeck/SECURITY.md", "", 0o644),
		file(filepath.Join(r.stage, "completions/cxdeck.bash"), "/usr/share/bash-completion/completions/cxdeck", "", 0o644),
		file(filepath.Join(r.stage, "completions/_cxdeck"), "/usr/share/zsh/vendor-completions/_cxdeck", "deb", 0o644),
		file(filepath.Join(r.stage, "completions/_cxdeck"), "/usr/share/zsh/site-functions/_cxdeck", "rpm", 0o644),
		file(filepath.Join(r.stage, "completions/cxdeck.fish"), "/usr/share/fish/vendor_completions.d/cxdeck.fish", "", 0o644),
		file(filepath.Join(r.stage, "completions/cxdeck.ps1"), "/usr/share/cxdeck/cxdeck.ps1", "", 0o644),
	}
	description := map[string]any{
		"name": "cxdeck", "arch": t.processor, "platform": "linux", "version": r.version, "section": "net", "priority": "optional",
		"maintainer": "cxdeck <cxdeck@localhost>", "license": "MIT", "mtime": date,
		"description": "terminal console for ConnectX network adapters\nLive counters, reviewed changes that can be undone, and a history of both,\non an embedded lab or on this machine.",
		"contents":    contents,
		"rpm":         map[string]any{"buildhost": "localhost", "summary": "Terminal console for ConnectX network adapters"},
	}
	if t.compiler != "" {
		description["overrides"] = map[string]any{"deb": map[string]any{"depends": []string{"libc6"}}, "rpm": map[string]any{"depends": []string{"glibc"}}}
	}
	encoded, err := json.Marshal(description)
	if err != nil {
		return err
	}
	configuration := filepath.Join(folder, "nfpm.yaml")
	if err := write(configuration, encoded); err != nil {
		return err
	}
	environment := []string{fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.date.Unix())}
	for _, packager := range []string{"deb", "rpm"} {
		name := fmt.Sprintf("cxdeck_%s_%s.%s", strings.ReplaceAll(r.version, "+", "."), t.processor, packager)
		if _, err := output(environment, "go", "tool", "-modfile=tools/tools.mod", "nfpm", "package", "--config", configuration,
			"--packager", packager, "--target", filepath.Join(r.out, name)); err != nil {
			return err
		}
	}
	return nil
}
