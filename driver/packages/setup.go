package packages

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/flash"
	"cxdeck/driver/limits"
	"cxdeck/driver/operation"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
)

// The return codes of the setup programs (002:8424-8467, 003:1993-2025, 002:1349).
const (
	fatal          = 1603
	wrongPlatform  = 1633
	notOpened      = 1004
	noImage        = 1005
	severalImages  = 1006
	needsForce     = 1007
	mixedVersions  = 1008
	notRestored    = 3
	notUpgraded    = 9
	roceOff        = 4 // the value of roce_mode
	queuePairsKept = 16
)

// codes are the events and the sentences of the return codes.
var codes = map[int]struct{ event, what string }{
	fatal:         {"setup.1603", "Fatal error during installation"},
	wrongPlatform: {"setup.1633", "The installation package is not supported on this platform"},
	notOpened:     {"fwburn.1004", "Failed to open the device"},
	noImage:       {"fwburn.1005", "Could not find an image for at least one device"},
	severalImages: {"fwburn.1006", "Found one device that has multiple images"},
	needsForce:    {"fwburn.1007", "Found one device for which force update is required"},
	mixedVersions: {"fwburn.1008", "Found one device that has mixed versions"},
	notRestored:   {"restoreconf.3", "Failed to restore the configuration"},
	notUpgraded:   {"fwupgrade.9", "The firmware can't be upgraded while RoCE is off"},
}

// Operation runs a setup program, or changes what it meets.
type Operation = operation.Of[Set]

// What a restart option asks for.
const (
	NoRestart    = "norestart"
	ForceRestart = "forcerestart"
)

// Setup runs the setup program of a release: it installs the package, or removes it. It can't be undone: another run does that.
type Setup struct {
	Product Product `json:"product"`
	// File is the name of the program, Version the release; System and Platform are what its name says: "win2016", "x64".
	File     string `json:"file"`
	Version  string `json:"version"`
	System   string `json:"system,omitempty"`
	Platform string `json:"platform,omitempty"`
	// Remove uninstalls the package.
	Remove bool `json:"remove,omitempty"`
	// Unattended closes programs that hold files of the driver. Restart is one of the words above, empty for a restart when one is needed.
	Unattended bool   `json:"unattended,omitempty"`
	Restart    string `json:"restart,omitempty"`
	// The properties that turn something off: MT_SKIPFWUPGRD=1, MT_NDPROPERTY=0, MT_WMI=0, MT_RESTORECONF=0, PERFCHECK=0.
	SkipFirmware bool `json:"skip_firmware,omitempty"`
	NoProvider   bool `json:"no_provider,omitempty"`
	NoWMI        bool `json:"no_wmi,omitempty"`
	NoRestore    bool `json:"no_restore,omitempty"`
	NoTuning     bool `json:"no_tuning,omitempty"`
	// Timeout is MT_DRIVER_LOAD_TIMEOUT in seconds, 0 for 120.
	Timeout int `json:"timeout_s,omitempty"`
	// Folder is the target folder, empty for the usual one; Log is the path of a log file, empty for none but the usual one.
	Folder string `json:"folder,omitempty"`
	Log    string `json:"log,omitempty"`
}

// SetCondition makes the host have a condition that stops a setup program, or removes it.
type SetCondition struct {
	Condition string `json:"condition"`
	On        bool   `json:"on"`
}

// Burning is a firmware upgrade that a setup program makes.
type Burning struct {
	Adapter string `json:"adapter"`
	From    string `json:"from"`
	To      string `json:"to"`
}

// Outcome is what a run of a setup program does.
type Outcome struct {
	// Code is the return code, What its sentence; 0 and empty for success. Stops reports that nothing is installed.
	Code  int
	What  string
	Stops bool
	// From and To are the versions before and after it, Driver the version of the driver after it.
	From, To, Driver string
	Burns            []Burning
	// Closed are the programs that it ends, Held the ones that keep the old filter driver.
	Closed, Held []string
	// Needs is why the computer must be restarted, empty if it need not; Restarts reports that the program restarts it.
	Needs    string
	Restarts bool
	// Notes are further sentences.
	Notes []string
}

// Kind implements driver.Operation.
func (Setup) Kind() string { return "run-setup" }

// Kind implements driver.Operation.
func (SetCondition) Kind() string { return "set-setup-condition" }

// Target implements driver.Operation.
func (o Setup) Target() string { return o.File }

// Target implements driver.Operation.
func (o SetCondition) Target() string { return o.Condition }

// Describe implements driver.Operation.
func (o Setup) Describe() string {
	if o.Remove {
		return fmt.Sprintf("uninstall %s with %s", o.Product.Title(), request.Word(o.File))
	}
	return fmt.Sprintf("install %s with %s", o.Product.Title(), request.Word(o.File))
}

// Describe implements driver.Operation.
func (o SetCondition) Describe() string {
	what := o.Condition
	if c, ok := FindCondition(o.Condition); ok {
		what = c.Name
	}
	if o.On {
		return "let setup programs meet the condition " + what
	}
	return "remove the condition " + what + " of setup programs"
}

// Commands returns the line of the program.
func (o Setup) Commands() []string {
	var words []string
	if o.Unattended {
		words = append(words, "/S")
	}
	if o.Remove {
		words = append(words, "/x")
	}
	if o.Unattended {
		words = append(words, "/v/qn")
	}
	for _, property := range []struct {
		on   bool
		text string
	}{
		{o.SkipFirmware, "MT_SKIPFWUPGRD=1"}, {o.NoProvider, "MT_NDPROPERTY=0"}, {o.NoWMI, "MT_WMI=0"}, {o.NoRestore, "MT_RESTORECONF=0"}, {o.NoTuning, "PERFCHECK=0"},
		{o.Timeout > 0, fmt.Sprintf("MT_DRIVER_LOAD_TIMEOUT=%d", o.Timeout)}, {o.Restart != "", "/" + o.Restart},
	} {
		if property.on {
			words = append(words, "/v"+property.text)
		}
	}
	for _, path := range []struct{ before, path string }{{"INSTALLDIR=", o.Folder}, {"/l*vx ", o.Log}} {
		if path.path != "" {
			words = append(words, `/v"`+path.before+path.path+`"`)
		}
	}
	return []string{strings.Join(append([]string{o.File}, words...), " ")}
}

// Commands is empty: a condition is no work of an operator.
func (SetCondition) Commands() []string { return nil }

// Touches is empty: a run can't be undone.
func (Setup) Touches() []string { return nil }

// Touches returns what it changes.
func (o SetCondition) Touches() []string { return []string{"the condition " + o.Condition} }

// Restarts reports that the run restarts several adapters; see driver.Restarter.
func (Setup) Restarts() string { return "" }

// Consequence says how to undo a run; see driver.Final.
func (o Setup) Consequence() string {
	if o.Remove {
		return "the network on its ports stops, and an uninstallation can't be stopped; another installation undoes it"
	}
	return "the drivers of its ports load again; it can't be undone, but installing the former package or uninstalling does that"
}

// Inverse is nil: another run undoes it.
func (o Setup) Inverse(Set) (Operation, error) {
	p, ok := Find(o.Product, o.Version)
	switch {
	case o.Product != WinOF && o.Product != WinOF2:
		return nil, request.Errorf("there is no product %q", string(o.Product))
	case !ok || p.Version != o.Version:
		return nil, request.Errorf("there is no %s %q; setup packages lists the packages", o.Product.Title(), o.Version)
	case o.File == "":
		return nil, request.Errorf("the name of the setup program is required")
	case !slices.Contains([]string{"", NoRestart, ForceRestart}, o.Restart):
		return nil, request.Errorf("the restart option is %s or %s, not %q", NoRestart, ForceRestart, o.Restart)
	case o.Timeout < 0 || o.Timeout > 86400:
		return nil, fmt.Errorf("the load time-out must be 1 to 86400 seconds, not %d", o.Timeout)
	}
	return nil, nil
}

// Inverse sets what was before.
func (o SetCondition) Inverse(s Set) (Operation, error) {
	c, ok := FindCondition(o.Condition)
	if !ok || c.Name != o.Condition {
		return nil, request.Errorf("there is no condition %q", o.Condition)
	}
	return SetCondition{c.Name, slices.Contains(s.Conditions, c.Name)}, nil
}

// Apply keeps the condition.
func (o SetCondition) Apply(s Set) error {
	list := slices.DeleteFunc(slices.Clone(s.Conditions), func(name string) bool { return name == o.Condition })
	if o.On {
		list = append(list, o.Condition)
	}
	slices.Sort(list)
	if s.Conditions = list; len(list) == 0 {
		s.Conditions = nil
	}
	return nil
}

// refusal returns the return code of a run that installs nothing, with its sentence; 0 if it can install.
func (s Set) refusal(o *Setup, p *Package, ports []int) (code int, what string) {
	d := s.Lab().Description()
	system := SystemOf(d.Host.System)
	for _, name := range s.Conditions {
		if c, _ := FindCondition(name); c.Code == fatal && (c.Product == "" || c.Product == o.Product) && (c.Name != "rdsh" || !o.Remove) {
			return fatal, c.What
		}
	}
	switch {
	case o.Platform != "" && o.Platform != "x64":
		return wrongPlatform, "This installation package is not supported by this processor type. Contact your product vendor"
	case s.Pending():
		return fatal, "an installation waits for a restart of the computer: restart it first"
	case o.Remove && s.Installed(o.Product).Version == "":
		return fatal, o.Product.Title() + " is not installed"
	case o.Remove:
		return 0, ""
	case o.System != "" && system != "" && !strings.EqualFold(o.System, system) || !p.Fits(d.Host.System):
		return wrongPlatform, fmt.Sprintf("%s is made for %s, and the host runs %s", o.File, strings.Join(p.Systems, ", "), d.Host.System)
	case len(ports) == 0:
		other := map[Product]string{WinOF: "ConnectX-3 cards; ConnectX-4 and later ones need WinOF-2", WinOF2: "ConnectX-4 and later cards; ConnectX-3 needs WinOF"}[o.Product]
		return wrongPlatform, fmt.Sprintf("%s supports %s, and the host has none", o.Product.Title(), other)
	}
	return 0, ""
}

// Outcome returns what a run would do.
func (s Set) Outcome(o Setup) (out Outcome) {
	p, _ := Find(o.Product, o.Version)
	ports, _ := s.DriverPorts(o.Product.Family().Driver()) // none for a host without such cards
	now := s.Installed(o.Product)
	out.From, out.To, out.Driver = now.Version, now.Version, now.Driver
	if out.Code, out.What = s.refusal(&o, &p, ports); out.Code != 0 {
		out.Stops = true
		return out
	}
	if programs := s.NetworkDirectPrograms(ports); o.Unattended {
		out.Closed = programs
	} else if o.Product == WinOF && !o.Remove && p.Driver != now.Driver {
		out.Held = programs
	}
	if o.Remove {
		out.To = ""
		out.Driver, _ = inbox(o.Product, s.Lab().Description().Host.System)
		out.Needs = "the files of the driver are removed at the next start"
	} else {
		out.To, out.Driver = p.Version, p.Driver
		if !o.SkipFirmware {
			out.Code, out.Burns = s.upgrades(&p, ports)
		}
		if out.Code == 0 && !o.NoRestore && slices.Contains(s.Conditions, "settings-not-restored") {
			out.Code = notRestored
		}
		switch {
		case len(out.Burns) > 0:
			out.Needs = "the cards load their new firmware with the next start"
		case o.Product == WinOF && !o.NoTuning:
			out.Needs = "the performance tuning takes effect with the next start"
		}
		if o.Product == WinOF && now.Version != "" && !newer(now.Version, "4.70.99999") && newer(p.Version, now.Version) {
			out.Notes = append(out.Notes, "the upgrade unloads a driver of 4.70 or earlier, during which a computer can hang: restart it first, or use an image of Windows with the new driver")
		}
		if len(out.Held) > 0 {
			out.Notes = append(out.Notes, strings.Join(out.Held, ", ")+" kept the old ndfltr.sys in memory: close it, and reload the driver")
		}
	}
	if out.What = codes[out.Code].what; out.Code == 0 {
		out.What = ""
	}
	out.Restarts = o.Restart == ForceRestart || o.Restart == "" && o.Unattended && out.Needs != ""
	return out
}

// upgrades returns the firmware upgrades that a run makes, and the code of the first card that it can't upgrade. Cards of other vendors
// are left alone.
func (s Set) upgrades(p *Package, ports []int) (code int, list []Burning) {
	found := func(n int) {
		if code == 0 {
			code = n
		}
	}
	cards := s.Lab().Description().Adapters
	for card := range cards {
		a := &cards[card]
		f := s.Images().Flash(card)
		if a.Family != p.Product.Family() || flash.IsOEM(f.Board) {
			continue
		}
		runs := slices.ContainsFunc(ports, func(port int) bool {
			_, of, _ := s.Lab().Port(port)
			return of == card && s.Running(port)
		})
		want := p.firmwareFor(major(f.Stored.Version))
		r, known := flash.Latest(a.DeviceID, want)
		old, mixed := limits.Older(f.Stored.Version, r.Version), false
		if stored, ok := flash.FindRelease(a.DeviceID, f.Stored.Version); ok {
			mixed = f.Partial > 0 || f.Stored.ROM != stored.ROM
		}
		switch {
		case !runs || f.Damaged:
			found(notOpened)
		case !known, old && slices.Contains(s.Conditions, noImageCondition):
			found(noImage)
		case f.Stored.PSID != f.Board:
			found(severalImages)
		case mixed:
			found(mixedVersions)
		case !old:
		case f.NotFailsafe:
			found(needsForce)
		case p.Product == WinOF && newer("5.35.12970", p.Driver) && s.isRoCEOff(ports[0]):
			found(notUpgraded)
		default:
			list = append(list, Burning{a.Name, f.Stored.Version, r.Version})
		}
	}
	return code, list
}

// Apply runs the program.
func (o Setup) Apply(s Set) error {
	p, _ := Find(o.Product, o.Version)
	out := s.Outcome(o)
	ports, _ := s.DriverPorts(o.Product.Family().Driver())
	log := o.log(s, &out)
	if event := codes[out.Code].event; event != "" {
		s.Note(max(0, slices.Min(append([]int{0}, ports...))), event)
	}
	defer func() { // also when nothing is installed
		for _, path := range o.logs(&p) {
			_ = s.WriteFile(path, log) // as for any program, a full disk costs the log
		}
	}()
	if out.Stops {
		return nil
	}
	now := s.Installed(o.Product)
	driver := o.Product.Family().Driver()
	if len(out.Closed) > 0 {
		s.CloseNetworkDirect(ports)
	}
	if len(out.Held) > 0 {
		if err := s.KeepOldFilter(ports); err != nil {
			return err
		}
	}
	after := Installed{Product: o.Product, Pending: out.Needs != ""}
	if o.Remove {
		o.remove(s, &after, ports)
		s.untune(ports[0], now.Untuned)
	} else {
		after.Version, after.Package, after.Driver, after.NoWMI, after.Folder = p.Version, p.Title(), p.Driver, o.NoWMI, o.Folder
		after.Untuned = now.Untuned
		if now.Version == "" {
			s.first(&p, ports)
		}
		if o.NoRestore {
			for _, port := range ports {
				s.ResetSettings(port)
			}
		}
		if o.Product == WinOF && !o.NoTuning {
			after.Untuned = s.tune(ports[0], now.Untuned)
		}
	}
	if err := s.SetProviders(driver, !o.Remove && !o.NoProvider); err != nil {
		return err
	}
	s.set(after)
	s.FollowVersions()
	for _, b := range out.Burns {
		if err := s.burn(b); err != nil {
			return err
		}
	}
	s.ReloadDriver(ports)
	return nil
}

// tuning is the general tuning of the whole host (002:5876-5895): SACK off, the fast path of datagrams up to 64 KB, and processor 1 as the first
// one of RSS.
var tuning = [...]struct {
	key   string
	value uint32
}{{"SackOpts", 0}, {"FastSendDatagramThreshold", 64 << 10}, {"RssBaseCpu", 1}}

// tune sets the general tuning, and returns the values before the first tuning.
func (s Set) tune(port int, before []SystemValue) []SystemValue {
	first := before == nil
	for _, setting := range tuning {
		if first {
			old := SystemValue{Key: setting.key}
			if value, _ := s.Stored(port, setting.key, registry.System); value.Exists() {
				old.Value = new(value.Number())
			}
			before = append(before, old)
		}
		s.StoreAt(port, registry.System, setting.key, registry.NumberValue(setting.value))
	}
	return before
}

// untune restores the values before the tuning.
func (s Set) untune(port int, before []SystemValue) {
	for _, old := range before {
		var value registry.Value
		if old.Value != nil {
			value = registry.NumberValue(*old.Value)
		}
		s.StoreAt(port, registry.System, old.Key, value)
	}
}

func (s Set) isRoCEOff(port int) bool {
	mode, _ := s.Stored(port, "roce_mode", registry.RoCE)
	return mode.Number() == roceOff
}

// storeRoCE stores the RoCE mode of a port.
func (s Set) storeRoCE(port int, mode uint32) {
	s.StoreAt(port, registry.RoCE, "roce_mode", registry.NumberValue(mode))
}

// first sets what a first installation of a package sets, also over the driver of Windows: the default RoCE mode (ROCE-4). Packages
// before 5.50 leave LogNumQP of the driver of Windows Server 2012 R2 (002:770).
func (s Set) first(p *Package, ports []int) {
	for _, port := range ports {
		s.storeRoCE(port, p.RoCE)
		if p.Product == WinOF && !limits.Older(p.Driver, "5.50") {
			s.StoreAt(port, registry.BusDriver, "LogNumQP", registry.Value{})
		}
	}
}

// remove has the driver of Windows take over.
func (o *Setup) remove(s Set, after *Installed, ports []int) {
	system := s.Lab().Description().Host.System
	var mode uint32
	if after.Driver, mode = inbox(o.Product, system); after.Driver == "" {
		return
	}
	after.Package = "Windows inbox " + after.Driver
	for _, port := range ports {
		s.storeRoCE(port, mode)
		if o.Product == WinOF && SystemOf(system) == "win2012R2" {
			s.StoreAt(port, registry.BusDriver, "LogNumQP", registry.NumberValue(queuePairsKept))
		}
	}
}

// burn burns the firmware of a package.
func (s Set) burn(b Burning) error {
	cards := s.Lab().Description().Adapters
	card := slices.IndexFunc(cards, func(a description.Adapter) bool { return a.Name == b.Adapter })
	set := s.Images()
	f := set.Flash(card)
	r, _ := flash.FindRelease(cards[card].DeviceID, b.To)
	i := flash.NewImage(cards[card].DeviceID, r, f.Stored.PSID, set.ImageSettings(card))
	return s.Burn(flash.Burn{
		Adapter: b.Adapter, Image: flash.Content{Version: i.Version, PSID: i.PSID, ROM: i.ROM}, Devices: i.Devices, Settings: i.Settings, Force: true,
	})
}
