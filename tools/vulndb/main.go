// Command vulndb makes a database for govulncheck from the reports of a copy of github.com/golang/vulndb, for machines that can't reach
// vuln.go.dev: vulndb data/osv FOLDER.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// report is what the index needs of a report.
type report struct {
	ID       string    `json:"id"`
	Modified time.Time `json:"modified"`
	Aliases  []string  `json:"aliases"`
	Affected []struct {
		Package struct {
			Name string `json:"name"`
		} `json:"package"`
		Ranges []struct {
			Events []struct {
				Fixed string `json:"fixed"`
			} `json:"events"`
		} `json:"ranges"`
	} `json:"affected"`
}

// module is a row of index/modules.json, and vulnerability one of its reports.
type module struct {
	Path  string          `json:"path"`
	Vulns []vulnerability `json:"vulns"`
}

type vulnerability struct {
	ID       string    `json:"id"`
	Modified time.Time `json:"modified"`
	Fixed    string    `json:"fixed,omitempty"`
	Aliases  []string  `json:"aliases,omitempty"`
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "vulndb requires the folder data/osv of a copy of github.com/golang/vulndb, and a new folder")
		os.Exit(2)
	}
	if err := convert(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "vulndb:", err)
		os.Exit(1)
	}
}

// convert copies the reports and writes the index.
func convert(from, to string) error {
	paths, err := filepath.Glob(filepath.Join(from, "*.json"))
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("there are no reports in %s", from)
	}
	for _, folder := range []string{"ID", "index"} {
		if err := os.MkdirAll(filepath.Join(to, folder), 0o755); err != nil { //nolint:gosec // govulncheck may run as another user
			return err
		}
	}
	slices.Sort(paths)
	var newest time.Time
	modules := map[string]*module{}
	var all []vulnerability
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var r report
		if err := json.Unmarshal(text, &r); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := os.WriteFile(filepath.Join(to, "ID", filepath.Base(path)), text, 0o644); err != nil { //nolint:gosec // as above
			return err
		}
		if r.Modified.After(newest) {
			newest = r.Modified
		}
		all = append(all, vulnerability{ID: r.ID, Modified: r.Modified, Aliases: r.Aliases})
		for _, affected := range r.Affected {
			name := affected.Package.Name
			if modules[name] == nil {
				modules[name] = &module{Path: name}
			}
			v := vulnerability{ID: r.ID, Modified: r.Modified}
			for _, ranges := range affected.Ranges {
				for _, event := range ranges.Events {
					v.Fixed = event.Fixed // the last: it is the newest
				}
			}
			m := modules[name]
			if !slices.ContainsFunc(m.Vulns, func(other vulnerability) bool { return other.ID == v.ID }) {
				m.Vulns = append(m.Vulns, v)
			}
		}
	}
	list := make([]*module, 0, len(modules))
	for _, m := range modules {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *module) int { return strings.Compare(a.Path, b.Path) })
	for name, value := range map[string]any{"db": map[string]time.Time{"modified": newest}, "modules": list, "vulns": all} {
		text, err := json.Marshal(value)
		if err == nil {
			err = os.WriteFile(filepath.Join(to, "index", name+".json"), text, 0o644) //nolint:gosec // as above
		}
		if err != nil {
			return err
		}
	}
	return nil
}
