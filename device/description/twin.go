package description

import "time"

// MaxTwinLines is the maximum number of lines of a twin's registry.
const MaxTwinLines = 100_000

// Twin is what a lab that was made from the exports of a real host starts with, beside its adapters: the registry and the settings of the
// host as exported. Its lists are checked by the driver, which knows their syntax.
type Twin struct {
	// Host is the name of the real host.
	Host string `toml:"host" required:"true"`
	// Made is the time when the twin was made. It is not part of the hash: the same exports make the same lab.
	Made time.Time `toml:"made,omitempty" json:"-"`
	// Sources are the files that it was made from, with what each of them is.
	Sources []string `toml:"sources,multiline" range:"0 64"`
	// Assumed lists the facts that no export has, with the value that the lab uses instead.
	Assumed []string `toml:"assumed,multiline" range:"0 1000"`
	// Unknown lists exported values and settings that the lab keeps or leaves out without knowing what they mean.
	Unknown []string `toml:"unknown,multiline" range:"0 10000"`
	// Roots are the exported registry keys. Below them the registry of the lab is Registry and nothing else.
	Roots []string `toml:"roots,multiline" range:"0 64"`
	// Registry are the lines of a registry file (.reg).
	Registry []string `toml:"registry,multiline" range:"0 100000"`
	// Setup are Operations in JSON, which the driver applies to the new host: its teams, policies and addresses.
	Setup []string `toml:"setup,multiline" range:"0 5000"`
}

// TwinSetup returns the Operations that set up the host of a twin; none for a lab that is no twin.
func (d *Description) TwinSetup() []string {
	if d.Twin == nil {
		return nil
	}
	return d.Twin.Setup
}
