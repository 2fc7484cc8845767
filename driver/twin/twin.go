package twin

import (
	"fmt"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/journal"
	"cxdeck/driver/registry/regedit"
	"cxdeck/driver/registry/regfile"
)

// maxUnknown is the maximum number of unknown values that a twin lists.
const maxUnknown = 2000

// Check returns why the twin of a description can't be loaded: its registry is no registry file, or its settings are no Operations. A
// description without a twin has none.
func Check(d *description.Description) error {
	if d.Twin == nil {
		return nil
	}
	if _, err := regedit.ParseLines(d.Twin.Registry); err != nil {
		return fmt.Errorf("the registry of the twin is damaged: %w", err)
	}
	for i, text := range d.Twin.Setup {
		if _, err := journal.UnmarshalOperation([]byte(text)); err != nil {
			return fmt.Errorf("setting %d of the twin is damaged: %w", i+1, err)
		}
	}
	return nil
}

// New makes the description of a twin, and tries it: what the lab refuses is left out and listed, and so are the values that no driver reads.
func New(f *Facts, name string, now time.Time) (*description.Description, error) {
	d, err := f.Make(name, now)
	if err != nil {
		return nil, err
	}
	if err := Check(d); err != nil {
		return nil, err
	}
	setup := d.Twin.Setup
	d.Twin.Setup = nil
	plant, err := device.NewPlant(d)
	if err != nil {
		return nil, err
	}
	h := driver.NewHost(plant.New(1))
	var kept []string
	for _, text := range setup {
		o, err := journal.UnmarshalOperation([]byte(text))
		if err == nil {
			_, err = h.Apply(driver.Plan{Operations: []driver.Operation{o}})
		}
		if err != nil {
			if !isSame(o) {
				d.Twin.Unknown = append(d.Twin.Unknown, cleanTo(fmt.Sprintf("left out: %s: %v", o.Describe(), err), 300))
			}
			continue
		}
		kept = append(kept, text)
	}
	d.Twin.Setup = kept
	file, err := regedit.ParseLines(d.Twin.Registry)
	if err != nil {
		return nil, err
	}
	_, in, err := h.ImportRegistry(name, file)
	if err != nil {
		return nil, err
	}
	for i, u := range in.Unknown {
		if i == maxUnknown {
			d.Twin.Unknown = append(d.Twin.Unknown, fmt.Sprintf("and %d more values that no driver reads", len(in.Unknown)-maxUnknown))
			break
		}
		d.Twin.Unknown = append(d.Twin.Unknown, cleanTo(fmt.Sprintf(`kept: %s\%s: %s`, u.Path, u.Name, u.Why), 300))
	}
	return d, d.Check()
}

// isSame reports whether a refused setting is one that the lab has anyway: its address, or the feature of the system.
func isSame(o driver.Operation) bool {
	return o == nil || o.Kind() == "add-ip-address" || o.Kind() == "set-dcb-feature" || o.Kind() == "set-dcbx"
}

// RegistryOf returns the registry of a twin as it was exported.
func RegistryOf(d *description.Description) (*regfile.File, error) {
	if d.Twin == nil {
		return nil, fmt.Errorf("%s is no twin", clean(d.Name))
	}
	return regedit.ParseLines(d.Twin.Registry)
}
