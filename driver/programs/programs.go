package programs

import (
	"errors"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/linux"
	"cxdeck/driver/opensm"
	"cxdeck/driver/services"
)

// State holds the services of a host and its instances of OpenSM.
type State struct {
	Services services.State `json:"services,omitzero"`
	OpenSM   opensm.State   `json:"opensm,omitzero"`
	// Linux is the Linux host beside this one.
	Linux linux.State `json:"linux_host,omitzero"`
}

// Host is the part of the host that programs use.
type Host interface {
	Lab() *device.Lab
	// Port returns the port number of a connection.
	Port(connection string) (int, error)
	Now() time.Time
	Log(e eventlog.Event)
	// HasDriver reports whether the driver of a family is loaded, HasHyperV whether the role Hyper-V is installed.
	HasDriver(family description.Family) bool
	HasHyperV() bool
	// Files are the files on the disks of the host.
	Files() *hostfiles.Store
}

// Set gives access to the programs of a host.
type Set struct {
	Host
	*State
}

// Services returns the services of Windows, Managers the instances of OpenSM.
func (s Set) Services() services.Set { return services.Set{Ports: s, State: &s.State.Services} }
func (s Set) Managers() opensm.Set   { return opensm.Set{Ports: s, State: &s.OpenSM} }

// Event implements services.Ports.
func (s Set) Event(id int, severity eventlog.Severity, message string) eventlog.Event {
	return eventlog.Event{Time: s.Now().UTC(), ID: id, Source: "Service Control Manager", Channel: "System", Severity: severity, Message: message}
}

// Own implements services.Ports: it returns the services of Windows and of the drivers that the lab models.
func (s Set) Own() (list []services.Service) {
	add := func(name, display, binary string, pid int, driver bool) {
		list = append(list, services.Service{Name: name, Display: display, Binary: binary, Start: services.Automatic, Running: true, PID: pid, Own: true, Driver: driver})
	}
	const shared = hostfiles.System + `\System32\svchost.exe -k netsvcs`
	add("EventLog", "Windows Event Log", shared, 912, false)
	add("LanmanServer", "Server", shared, 1044, false)
	add("LanmanWorkstation", "Workstation", shared, 1044, false)
	if s.HasHyperV() {
		add("vmms", "Hyper-V Virtual Machine Management", hostfiles.System+`\system32\vmms.exe`, 2208, false)
	}
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		if s.HasDriver(family) {
			name := map[description.Family]string{description.WinOF: "mlx4_bus", description.WinOF2: "mlx5"}[family]
			add(name, name, hostfiles.System+`\System32\drivers\`+name+".sys", 0, true)
		}
	}
	return list
}

// Launch implements services.Ports: OpenSM is the program that the lab runs.
func (s Set) Launch(service, commandLine string) (int, error) {
	arguments, err := opensm.ReadCommandLine(commandLine)
	if err == nil && s.NoOpenSM() != "" {
		err = errors.New("the system cannot find the file specified: " + s.NoOpenSM())
	}
	if err != nil {
		return 0, &services.CodeError{Number: services.NoFileCode, Text: err.Error()}
	}
	o, err := opensm.Parse(arguments)
	switch {
	case err == nil && !o.Service:
		return 0, &services.CodeError{Number: services.TimeoutCode, Text: "the service did not respond to the start request in time: opensm.exe runs as a service only with -service"}
	case err != nil:
	default:
		var pid int
		if pid, err = s.Managers().Launch(service, arguments, 0); err == nil {
			return pid, nil
		}
	}
	return 0, &services.CodeError{Number: services.TerminatedCode, Text: "the process terminated unexpectedly: " + err.Error()}
}

// End implements services.Ports.
func (s Set) End(service string) {
	if i, ok := s.OpenSM.Find(service); ok {
		s.Managers().End(i.PID)
	}
}

// LinuxHost returns the Linux host.
func (s Set) LinuxHost() linux.Set { return linux.Set{Ports: s, State: &s.Linux} }

// LinuxChanged implements linux.Ports: a guest's port is known by its GUID.
func (s Set) LinuxChanged() { s.Managers().Serve() }

// guest reports whether the host is a guest of the Linux host.
func (s Set) guest() bool { return s.Lab().Description().Host.Guest }

// NoGUID implements opensm.Ports.
func (s Set) NoGUID(int) bool { return s.guest() && !s.Linux.HasGUID() }

// VirtualPKeys returns the index in the partition table of the card for each index of a guest's port, -1 for none; nil for a port that is no
// guest's.
func (s Set) VirtualPKeys() []int {
	if !s.guest() {
		return nil
	}
	return s.Linux.PKeyMap()
}

// Ended implements opensm.Ports.
func (s Set) Ended(service string) { s.Services().Ended(service) }

// NoOpenSM implements opensm.Ports: OpenSM is a part of WinOF.
func (s Set) NoOpenSM() string {
	if s.guest() {
		return "OpenSM does not run in a guest"
	}
	if !s.HasDriver(description.WinOF) {
		return "OpenSM is a part of WinOF, and the host has no adapter of its family"
	}
	return ""
}

// ReadFile implements opensm.Ports.
func (s Set) ReadFile(path string) []byte {
	data, err := s.Files().Read(path)
	if err != nil || len(data) == 0 {
		return nil
	}
	return data[0]
}

// ReadOther implements opensm.Ports.
func (s Set) ReadOther(path string) string {
	text, _ := s.Linux.Read(path)
	return text
}

// WriteFile implements opensm.Ports.
func (s Set) WriteFile(path string, data []byte) error {
	folder, name := hostfiles.SplitPath(path)
	return s.Files().Add(folder, s.Now(), []hostfiles.Content{{Name: name, Data: data}})
}

// Next returns the time at which a program acts next, at most until.
func (s Set) Next(until time.Duration) time.Duration {
	return s.Managers().Next(s.State.Services.NextStart(until, s.Lab().Elapsed()))
}

// Run has the programs act that are due.
func (s Set) Run() {
	if starts := s.State.Services.Starts; starts > 0 && starts <= s.Lab().Elapsed() {
		s.Services().Boot()
	}
	s.Managers().Update()
}

// GoDown ends all programs as the host goes down; services start with Windows at a time of the lab.
func (s Set) GoDown(starts time.Duration) {
	s.Managers().Boot()
	s.Services().GoDown(starts)
}

// Check validates a saved state.
func (s Set) Check() error {
	return errors.Join(s.Services().Check(), s.Managers().Check(), s.Linux.Check())
}
