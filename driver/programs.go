package driver

import (
	"errors"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/opensm"
	"cxdeck/driver/services"
)

// programHost implements the interfaces through which services and OpenSM see a host.
type programHost struct{ *Host }

// serviceSet returns the services of Windows, and managerSet the instances of OpenSM, to look at and to change.
func (h *Host) serviceSet() services.Set {
	return services.Set{Ports: programHost{h}, State: &h.services}
}
func (h *Host) managerSet() opensm.Set { return opensm.Set{Ports: programHost{h}, State: &h.managers} }

// Services returns the services of Windows as they are now, to look at.
func (h *Host) Services() services.Set {
	state := h.services
	return services.Set{Ports: programHost{h}, State: &state}
}

// OpenSM returns the instances of OpenSM as they are now, to look at.
func (h *Host) OpenSM() opensm.Set {
	state := h.managers
	return opensm.Set{Ports: programHost{h}, State: &state}
}

func (h programHost) Lab() *device.Lab                    { return h.lab }
func (h programHost) Port(connection string) (int, error) { return h.port(connection) }
func (h programHost) Log(e eventlog.Event)                { h.events.Add(e) }

// Event implements services.Ports.
func (h programHost) Event(id int, severity eventlog.Severity, message string) eventlog.Event {
	return eventlog.Event{Time: h.Now().UTC(), ID: id, Source: "Service Control Manager", Channel: "System", Severity: severity, Message: message}
}

// Own implements services.Ports: it returns the services of Windows and of the drivers that the lab models.
func (h programHost) Own() (list []services.Service) {
	add := func(name, display, binary string, pid int, driver bool) {
		list = append(list, services.Service{Name: name, Display: display, Binary: binary, Start: services.Automatic, Running: true, PID: pid, Own: true, Driver: driver})
	}
	const shared = hostfiles.System + `\System32\svchost.exe -k netsvcs`
	add("EventLog", "Windows Event Log", shared, 912, false)
	add("LanmanServer", "Server", shared, 1044, false)
	add("LanmanWorkstation", "Workstation", shared, 1044, false)
	if h.hyperVReady() {
		add("vmms", "Hyper-V Virtual Machine Management", hostfiles.System+`\system32\vmms.exe`, 2208, false)
	}
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		if ports, err := h.driverPorts(family.Driver()); err == nil && len(ports) > 0 {
			name := map[description.Family]string{description.WinOF: "mlx4_bus", description.WinOF2: "mlx5"}[family]
			add(name, name, hostfiles.System+`\System32\drivers\`+name+".sys", 0, true)
		}
	}
	return list
}

func (h *Host) hyperVReady() bool { return h.hypervisor().View().Machine.HyperV }

// Launch implements services.Ports: OpenSM is the program that the lab runs.
func (h programHost) Launch(service, commandLine string) (int, error) {
	arguments, err := opensm.ReadCommandLine(commandLine)
	if err == nil && h.NoOpenSM() != "" {
		err = errors.New("the system cannot find the file specified: " + h.NoOpenSM())
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
		if pid, err = h.managerSet().Launch(service, arguments, 0); err == nil {
			return pid, nil
		}
	}
	return 0, &services.CodeError{Number: services.TerminatedCode, Text: "the process terminated unexpectedly: " + err.Error()}
}

// End implements services.Ports.
func (h programHost) End(service string) {
	if i, ok := h.managers.Find(service); ok {
		h.managerSet().End(i.PID)
	}
}

// Ended implements opensm.Ports.
func (h programHost) Ended(service string) { h.serviceSet().Ended(service) }

// NoOpenSM implements opensm.Ports: OpenSM is a part of WinOF.
func (h programHost) NoOpenSM() string {
	if ports, err := h.driverPorts(description.WinOF.Driver()); err != nil || len(ports) == 0 {
		return "OpenSM is a part of WinOF, and the host has no adapter of its family"
	}
	return ""
}

// ReadFile implements opensm.Ports.
func (h programHost) ReadFile(path string) []byte {
	data, err := h.dumps.Files.Read(path)
	if err != nil || len(data) == 0 {
		return nil
	}
	return data[0]
}

// WriteFile implements opensm.Ports.
func (h programHost) WriteFile(path string, data []byte) error {
	folder, name := hostfiles.SplitPath(path)
	files := h.dumps.Files
	if err := files.Add(folder, h.Now(), []hostfiles.Content{{Name: name, Data: data}}); err != nil {
		return err
	}
	h.dumps.Files = files
	return nil
}

// nextProgram returns the time at which a program acts next, at most until.
func (h *Host) nextProgram(until time.Duration) time.Duration {
	return h.managerSet().Next(h.serviceSet().NextStart(until, h.lab.Elapsed()))
}

// runPrograms has the programs act that are due.
func (h *Host) runPrograms() {
	if h.services.Starts > 0 && h.services.Starts <= h.lab.Elapsed() {
		h.serviceSet().Boot()
	}
	h.managerSet().Update()
}

// restorePrograms takes over the saved state of the services and of OpenSM.
func (h *Host) restorePrograms(programs services.State, managers opensm.State) error {
	h.services, h.managers = programs, managers
	return errors.Join(h.serviceSet().Check(), h.managerSet().Check())
}
