package windows

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/linuxhost"
	"cxdeck/driver/registry"
	"cxdeck/driver/registry/regfile"
	"cxdeck/perf"
)

const (
	controlSet   = `SYSTEM\CurrentControlSet\`
	classPath    = controlSet + `Control\Class\` + networkClass
	servicesPath = controlSet + `Services`
	localMachine = `HKEY_LOCAL_MACHINE\`
	// maxDepth and maxServiceKeys limit the keys that are read below a service.
	maxDepth       = 4
	maxServiceKeys = 500
)

// Unknown begins the meaning of a value that the catalogue does not have.
const Unknown = "Unknown: the catalogue does not have this key."

// ReadMachine reads the adapters of a machine and the services of their drivers with the values of the registry as settings. root is
// HKEY_LOCAL_MACHINE.
func ReadMachine(root Key) (*linuxhost.Machine, error) {
	control, err := root.Open(controlSet + "Control")
	if err != nil {
		return nil, fmt.Errorf("the registry can't be read: %w", err)
	}
	defer control.Close() //nolint:errcheck // opened for reading
	adapters, err := ReadAdapters(control)
	if err != nil {
		return nil, err
	}
	m := &linuxhost.Machine{Kernel: "Windows", Unread: []string{}}
	for i := range adapters {
		a := &adapters[i]
		name := cmp.Or(a.Connection, a.Description, a.Key)
		m.Adapters = append(m.Adapters, linuxhost.Adapter{Address: a.Key, Vendor: a.Provider, Device: a.Device, Version: a.Version})
		one := linuxhost.Interface{Name: name, Adapter: a.Key, Facts: []linuxhost.Fact{{Name: "device", Value: a.Description}, {Name: "driver", Value: a.Version}}}
		if a.Mellanox() {
			k := catalogueKey{path: classPath + `\` + a.Key, owner: name, rows: registry.Keys(a.family()), scopes: []registry.Scope{registry.Miniport}, restart: true}
			one.Settings = k.settings(a.Values)
		}
		m.Interfaces = append(m.Interfaces, one)
	}
	readServices(root, m)
	return m, nil
}

// family returns the driver family of a Mellanox adapter.
func (a *Adapter) family() description.Family {
	device := strings.ToLower(a.Device)
	for _, winOF := range []string{"dev_1003", "dev_1004", "dev_1007", `mlx4\`, "ipoib"} {
		if strings.Contains(device, winOF) {
			return description.WinOF
		}
	}
	return description.WinOF2
}

// readServices adds the services of the drivers, with the values of their key Parameters and the keys below it.
func readServices(root Key, m *linuxhost.Machine) {
	services, err := root.Open(servicesPath)
	if err != nil {
		m.Unread = append(m.Unread, "services of the drivers: "+linuxhost.Reason(err))
		return
	}
	defer services.Close() //nolint:errcheck // opened for reading
	names, err := services.Subkeys()
	if err != nil {
		m.Unread = append(m.Unread, "services of the drivers: "+linuxhost.Reason(err))
		return
	}
	slices.Sort(names)
	for _, name := range names {
		lower := strings.ToLower(name)
		if !strings.HasPrefix(lower, "mlx4") && !strings.HasPrefix(lower, "mlx5") || name != perf.CleanText(name, perf.NameLimit) {
			continue
		}
		family := description.WinOF2
		if strings.HasPrefix(lower, "mlx4") {
			family = description.WinOF
		}
		service := linuxhost.Interface{Name: name, Kind: "service"}
		r := serviceReader{rows: registry.Keys(family), into: &service}
		r.read(services, name+`\Parameters`, "Parameters", 0)
		m.Interfaces = append(m.Interfaces, service)
	}
}

// serviceReader reads the keys below Parameters of a service.
type serviceReader struct {
	rows *registry.Catalogue
	into *linuxhost.Interface
	keys int
}

func (r *serviceReader) read(services Key, path, below string, depth int) {
	if r.keys++; depth > maxDepth || r.keys > maxServiceKeys {
		return
	}
	key, err := services.Open(path)
	if err != nil {
		return // no such key, or denied
	}
	defer key.Close() //nolint:errcheck // opened for reading
	values, err := key.Values()
	if err != nil {
		return
	}
	k := catalogueKey{path: servicesPath + `\` + path, below: below + `\`, owner: r.into.Name, rows: r.rows}
	switch strings.ToLower(below) {
	case "parameters":
		k.scopes = []registry.Scope{registry.BusDriver}
	case `parameters\roce`:
		k.scopes = []registry.Scope{registry.RoCE}
	case `parameters\diag`:
		k.scopes = []registry.Scope{registry.Diagnostics}
	}
	r.into.Settings = append(r.into.Settings, k.settings(values)...)
	names, err := key.Subkeys()
	if err != nil {
		return
	}
	slices.Sort(names)
	for _, name := range names {
		r.read(services, path+`\`+name, below+`\`+name, depth+1)
	}
}

// catalogueKey is a key of the registry with the rows of the catalogue that belong into it.
type catalogueKey struct {
	// path is below HKEY_LOCAL_MACHINE; below begins the names of the settings.
	path, below string
	owner       string
	rows        *registry.Catalogue
	scopes      []registry.Scope
	// restart reports that Restart-NetAdapter makes the driver read the key.
	restart bool
}

// owned are values of an adapter that Windows and the installer write, in small letters.
var owned = []string{
	"driverdesc", "driverversion", "driverdate", "driverdatedata", "providername", "infpath", "infsection", "infsectionext", "matchingdeviceid", "deviceinstanceid",
	"netcfginstanceid", "netluidindex", "componentid", "characteristics", "bustype", "*iftype", "*mediatype", "*physicalmediatype", "networkinterfaceinstalltimestamp",
	"installtimestamp", "coinstallers32", "includedinfs",
}

// settings returns the stored values as settings, and after them the keys of the catalogue that are not stored.
func (k *catalogueKey) settings(values []regfile.Value) (list []linuxhost.Setting) {
	stored := map[*registry.Row]bool{}
	for i := range values {
		v := &values[i]
		if v.Name == "" || v.Name != perf.CleanText(v.Name, perf.NameLimit) || strings.ContainsAny(v.Name, `\=`) {
			continue // a name that no tool can type
		}
		row, _ := k.rows.Find(v.Name, k.scopes...)
		if row != nil && !strings.EqualFold(row.Name, v.Name) {
			row = nil // Find ignores the asterisk
		}
		if row != nil {
			stored[row] = true
		}
		list = append(list, k.stored(v, row))
	}
	for _, row := range k.rows.List(description.Ethernet, k.scopes...) {
		if stored[row] || row.Inert != "" || slices.ContainsFunc(list, func(s linuxhost.Setting) bool { return strings.EqualFold(s.Name, k.below+row.Name) }) {
			continue
		}
		s := k.known(row)
		s.Name, s.Value, s.Type = k.below+row.Name, linuxhost.NoValue, string(row.StoredType())
		s.Accept = k.accept(row, row.StoredType())
		list = append(list, s)
	}
	return list
}

// known returns a setting with the meaning of a row.
func (k *catalogueKey) known(row *registry.Row) linuxhost.Setting {
	s := linuxhost.Setting{Registry: k.path, Meaning: row.Summary}
	minimum, maximum := row.Range(description.Ethernet)
	switch {
	case minimum != nil && maximum != nil:
		s.Limit = fmt.Sprintf("%d to %d", *minimum, *maximum)
	case maximum != nil:
		s.Limit = fmt.Sprintf("up to %d", *maximum)
	}
	if row.Closed() {
		var texts []string
		for _, choice := range row.Choices {
			s.Choices = append(s.Choices, strconv.FormatUint(uint64(choice.Value), 10))
			texts = append(texts, fmt.Sprintf("%d %s", choice.Value, choice.Label))
		}
		s.Limit = strings.Join(texts, ", ")
	}
	switch row.Applies {
	case registry.AtOnce:
		s.Effect = "takes effect at once"
	case registry.AtReboot:
		s.Effect = "takes effect after a reboot"
	case registry.AtNewVM:
		s.Effect = "takes effect when a virtual machine is started"
	default:
		s.Effect = "takes effect when the driver restarts"
		if k.restart {
			s.Effect = "takes effect when the adapter restarts, which interrupts its traffic: Restart-NetAdapter -Name " + linuxhost.QuotePowerShell(k.owner)
		}
	}
	return s
}

// stored returns the setting of a stored value; row is nil for a value that the catalogue does not have.
func (k *catalogueKey) stored(v *regfile.Value, row *registry.Row) linuxhost.Setting {
	s := linuxhost.Setting{Registry: k.path, Meaning: Unknown, Effect: "has an effect that is unknown here"}
	if row != nil {
		s = k.known(row)
	}
	s.Name, s.Type = k.below+v.Name, v.Type.String()
	switch {
	case v.Type == regfile.Text:
		s.Value, _ = v.Text()
		s.Accept = k.accept(row, registry.Text)
	case v.Type == regfile.DWord && len(v.Data) == 4:
		s.Value = strconv.FormatUint(uint64(binary.LittleEndian.Uint32(v.Data)), 10)
		s.Accept = k.accept(row, registry.Number)
	default:
		s.Fixed = "values of its type are changed with regedit"
	}
	if clean := perf.CleanText(s.Value, perf.PathLimit); s.Fixed != "" || clean != s.Value || s.Value == "" || s.Value == linuxhost.NoValue {
		s.Value = DisplayValue(v)
		s.Fixed = cmp.Or(s.Fixed, "its text has no form that can be typed")
	}
	if k.restart && slices.Contains(owned, strings.ToLower(v.Name)) {
		s.Meaning, s.Fixed, s.Effect = "Windows and the installer write it.", "it belongs to Windows and the installer", ""
	}
	return s
}

// accept returns the check of a value of a key, which is stored with a type.
func (k *catalogueKey) accept(row *registry.Row, kind registry.Type) func(string) (string, error) {
	return func(typed string) (string, error) {
		if typed == linuxhost.NoValue {
			return typed, nil
		}
		if row == nil {
			return acceptUnknown(typed, kind)
		}
		v, err := row.ParseAs(typed, kind)
		if err != nil {
			return "", afterName(err, row.Name)
		}
		number, isNumber := v.Integer()
		text := row.WindowsText(v)
		switch {
		case row.Type != registry.Number:
		case !isNumber:
			return "", fmt.Errorf("must be a number, not %q", typed)
		case text != "-1": // an automatic processor
			minimum, maximum := row.Range(description.Ethernet)
			if minimum != nil && number < *minimum || maximum != nil && number > *maximum {
				return "", fmt.Errorf("must be %s, not %s", k.known(row).Limit, typed)
			}
			if row.Closed() && row.Label(registry.NumberValue(number)) == "" {
				return "", fmt.Errorf("must be one of %s, not %s", k.known(row).Limit, typed)
			}
			if kind == registry.Number {
				return strconv.FormatUint(uint64(number), 10), nil
			}
		}
		return text, nil
	}
}

// afterName returns an error without the name that begins it: the caller's begins with it.
func afterName(err error, name string) error {
	if text, ok := strings.CutPrefix(err.Error(), name+" "); ok {
		return errors.New(text)
	}
	return err
}

// acceptUnknown checks a value of a key that the catalogue does not have: only its type is known.
func acceptUnknown(typed string, kind registry.Type) (string, error) {
	if kind == registry.Number {
		number, err := strconv.ParseUint(typed, 0, 32)
		if err != nil {
			return "", fmt.Errorf("must be an integer from 0 to 4294967295, not %q", typed)
		}
		return strconv.FormatUint(number, 10), nil
	}
	if typed == "" || typed != perf.CleanText(typed, perf.PathLimit) {
		return "", fmt.Errorf("must be text without control characters, not %q", typed)
	}
	return typed, nil
}

// NewValue returns the value that a change writes; a value to be deleted has Delete.
func NewValue(c *linuxhost.Change) (v regfile.Value, err error) {
	name := linuxhost.ValueName(c.Name)
	switch {
	case c.Registry == "" || name == "":
		return v, errors.New("the change names no key of the registry")
	case c.New == linuxhost.NoValue:
		return regfile.Value{Name: name, Delete: true}, nil
	case c.Type == string(registry.Number):
		number, err := strconv.ParseUint(c.New, 10, 32)
		if err != nil {
			return v, fmt.Errorf("%q is no number", c.New)
		}
		return regfile.NumberValue(name, uint32(number)), nil
	case c.Type == string(registry.Text):
		return regfile.TextValue(name, c.New), nil
	}
	return v, fmt.Errorf("values of the type %s can't be written", c.Type)
}

// EncodePlan returns a registry file with the new values of a plan, as regedit imports it.
func EncodePlan(plan linuxhost.Plan) ([]byte, error) {
	file := &regfile.File{Version: regfile.Version5, Encoding: regfile.UTF16}
	for i := range plan {
		v, err := NewValue(&plan[i])
		if err != nil {
			return nil, err
		}
		k := fileKey(file, plan[i].Registry)
		k.Values = append(k.Values, v)
	}
	return regfile.Encode(file)
}

// fileKey returns a key of a file, which is added if it is absent.
func fileKey(file *regfile.File, path string) *regfile.Key {
	path = localMachine + path
	at := slices.IndexFunc(file.Keys, func(k regfile.Key) bool { return strings.EqualFold(k.Path, path) })
	if at < 0 {
		at = len(file.Keys)
		file.Keys = append(file.Keys, regfile.Key{Path: path})
	}
	return &file.Keys[at]
}

// EncodeBackup returns a registry file with all values of the keys that a plan changes. Importing it restores them, and deletes the values
// that the plan creates.
func EncodeBackup(root Key, plan linuxhost.Plan) ([]byte, error) {
	file := &regfile.File{Version: regfile.Version5, Encoding: regfile.UTF16}
	for i := range plan {
		c := &plan[i]
		if c.Registry == "" {
			return nil, errors.New("the change names no key of the registry")
		}
		before := len(file.Keys)
		k := fileKey(file, c.Registry)
		if len(file.Keys) > before {
			if err := addValues(root, k, c.Registry); err != nil {
				return nil, err
			}
		}
		if name := linuxhost.ValueName(c.Name); c.Old == linuxhost.NoValue && !slices.ContainsFunc(k.Values, func(v regfile.Value) bool { return strings.EqualFold(v.Name, name) }) {
			k.Values = append(k.Values, regfile.Value{Name: name, Delete: true})
		}
	}
	return regfile.Encode(file)
}

// addValues adds the values of a key that a file can contain.
func addValues(root Key, k *regfile.Key, path string) error {
	key, err := root.Open(path)
	if err != nil {
		return fmt.Errorf("%s can't be read: %w", path, err)
	}
	defer key.Close() //nolint:errcheck // opened for reading
	values, err := key.Values()
	if err != nil {
		return fmt.Errorf("%s can't be read: %w", path, err)
	}
	for _, v := range values {
		if _, err := regfile.Encode(&regfile.File{Keys: []regfile.Key{{Path: k.Path, Values: []regfile.Value{v}}}}); err == nil {
			k.Values = append(k.Values, v)
		}
	}
	return nil
}
