package regedit

import (
	"strings"

	"cxdeck/driver/registry"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/registry/regfile"
)

// Load stores the values of a file in a registry that no driver has read yet. Below the root keys the registry has the values of the
// file and no others. It omits values that describe the installation of an adapter, as an import does.
func Load(g edit.Registry, f *regfile.File, roots ...string) error {
	wanted, err := valuesOf(g, f)
	if err != nil {
		return err
	}
	for _, root := range roots {
		path, err := registry.NormalPath(root)
		if err != nil {
			return err
		}
		for _, v := range g.All() {
			if _, ok := registry.BelowPath(g.Path(&v), path); ok {
				g.Delete(v.Place(), v.Name)
			}
		}
	}
	for i := range wanted {
		w := &wanted[i]
		if !w.value.Exists() || w.describesInstallation(g) {
			continue
		}
		if err := g.Fits(w.name, w.value); err != nil {
			return err
		}
		g.Set(w.Place, w.name, w.value)
	}
	return nil
}

// ParseLines reads the lines of a registry file without its first line, as a twin keeps them.
func ParseLines(lines []string) (*regfile.File, error) {
	if len(lines) == 0 {
		return &regfile.File{}, nil
	}
	return regfile.Parse([]byte("\uFEFFWindows Registry Editor Version 5.00\r\n\r\n" + strings.Join(lines, "\r\n") + "\r\n"))
}

// LoadTwin is Load for the registry of the description's twin; it does nothing for a lab that is no twin.
func LoadTwin(g edit.Registry) error {
	twin := g.Lab().Twin
	if twin == nil {
		return nil
	}
	file, err := ParseLines(twin.Registry)
	if err != nil {
		return err
	}
	return Load(g, file, twin.Roots...)
}
