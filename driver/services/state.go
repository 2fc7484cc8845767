package services

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// StartType says when a service starts.
type StartType string

// The start types: with Windows, some time after it, on demand, and never.
const (
	Automatic StartType = "auto"
	Delayed   StartType = "delayed-auto"
	Manual    StartType = "demand"
	Disabled  StartType = "disabled"
)

// StartTypes returns the start types.
func StartTypes() []StartType { return []StartType{Automatic, Delayed, Manual, Disabled} }

// Service is a service of Windows.
type Service struct {
	// Name is its short name, by which the programs of Windows find it; Display is the name in lists, Name if it is empty.
	Name        string `json:"name"`
	Display     string `json:"display_name,omitempty"`
	Description string `json:"description,omitempty"`
	// Binary is its command line.
	Binary string    `json:"binary_path"`
	Start  StartType `json:"start"`
	// Running reports that its program runs, PID is its process.
	Running bool `json:"running,omitempty"`
	PID     int  `json:"pid,omitempty"`
	// Exit is the error code with which it failed to start last, 0 for none.
	Exit int `json:"exit_code,omitempty"`
	// Own reports a service of the host itself, which can't be changed.
	Own bool `json:"-"`
	// Driver reports a driver of the kernel.
	Driver bool `json:"-"`
}

// DisplayName returns the name in lists.
func (v *Service) DisplayName() string {
	if v.Display == "" {
		return v.Name
	}
	return v.Display
}

// State holds the services that the operator created, by their names. The list is replaced and never changed.
type State struct {
	Services []Service `json:"services,omitempty"`
	// Starts is the time of the lab at which the host has booted, and services start; 0 while it is up.
	Starts time.Duration `json:"starts_ns,omitempty"`
}

// Ports is the part of the host that services use.
type Ports interface {
	// Own returns the services that the host has of its own.
	Own() []Service
	// Launch starts the program of a service, and returns its process; End ends it.
	Launch(service, commandLine string) (pid int, err error)
	End(service string)
	// Log writes an event to the log of Windows.
	Log(e eventlog.Event)
	// Event returns an event of the service manager, at the host's time.
	Event(id int, severity eventlog.Severity, message string) eventlog.Event
}

// Set gives access to the services of a host.
type Set struct {
	Ports
	*State
}

// Operation is a change of the services.
type Operation = operation.Of[Set]

// Limits of services.
const (
	maxServices    = 64
	maxName        = 256
	maxBinary      = 1024
	maxDescription = 1024
)

// CodeError is an error of the service manager with its number.
type CodeError struct {
	Number int
	Text   string
}

// Error returns the text.
func (e *CodeError) Error() string { return e.Text }

// The errors of Windows that callers print with their numbers.
const (
	NotFoundCode = 1060
	ExistsCode   = 1073
	RunningCode  = 1056
	StoppedCode  = 1062
	DisabledCode = 1058
	TimeoutCode  = 1053
	// TerminatedCode is a program that ended at once.
	TerminatedCode = 1067
	NoFileCode     = 2
	DeniedCode     = 5
	InvalidCode    = 87
)

func code(number int, format string, values ...any) error {
	return &CodeError{number, request.Errorf(format, values...).Error()}
}

// All returns the services of the host: its own and the created ones, by their names.
func (s Set) All() []Service {
	list := append(slices.Clone(s.Own()), s.Services...)
	slices.SortStableFunc(list, func(a, b Service) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return list
}

// Find finds a service by its name, in any case, or by its display name.
func (s Set) Find(name string) (Service, error) {
	list := s.All()
	for _, match := range []func(Service) bool{
		func(v Service) bool { return strings.EqualFold(v.Name, name) }, func(v Service) bool { return strings.EqualFold(v.DisplayName(), name) },
	} {
		if i := slices.IndexFunc(list, match); i >= 0 {
			return list[i], nil
		}
	}
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	hint := "sc query lists them"
	if near := request.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return Service{}, code(NotFoundCode, "there is no service %q; %s", name, hint)
}

// changeable finds a service that the operator created.
func (s Set) changeable(name string) (Service, error) {
	v, err := s.Find(name)
	if err == nil && v.Own {
		err = code(DeniedCode, "%s belongs to the host: the lab changes only services that were created", v.Name)
	}
	return v, err
}

// put stores a service in place of the one with its name.
func (s Set) put(v Service) {
	list := slices.DeleteFunc(slices.Clone(s.Services), func(other Service) bool { return strings.EqualFold(other.Name, v.Name) })
	list = append(list, v)
	slices.SortFunc(list, func(a, b Service) int { return strings.Compare(a.Name, b.Name) })
	s.Services = list
}

func (s Set) remove(name string) {
	list := slices.DeleteFunc(slices.Clone(s.Services), func(v Service) bool { return strings.EqualFold(v.Name, name) })
	if s.Services = list; len(list) == 0 {
		s.Services = nil
	}
}

// check returns why a service can't exist.
func (v *Service) check() error {
	switch {
	case strings.ContainsAny(v.Name, `/\`):
		return code(InvalidCode, `the name of a service can't have / or \, and %q has`, v.Name)
	case v.Binary == "" || len(v.Binary) > maxBinary:
		return code(InvalidCode, "the command line of a service must have 1 to %d bytes", maxBinary)
	case !slices.Contains(StartTypes(), v.Start):
		return code(InvalidCode, "the start type of a service must be auto, delayed-auto, demand or disabled, not %q", v.Start)
	case len(v.Description) > maxDescription:
		return code(InvalidCode, "the description of a service can have at most %d bytes", maxDescription)
	}
	if err := request.CheckWords("a service", v.Name); err != nil {
		return err
	}
	for _, text := range []string{v.Display, v.Description, v.Binary} {
		if text == "" {
			continue
		}
		if strings.ContainsFunc(text, request.IsUnsafe) {
			return errors.New("the texts of a service can't have control characters")
		}
	}
	if len(v.Display) > maxName {
		return code(InvalidCode, "the display name of a service can have at most %d bytes", maxName)
	}
	return nil
}

// Check validates a saved state.
func (s Set) Check() error {
	if len(s.Services) > maxServices || s.Starts < 0 {
		return errors.New("the saved host has too many services")
	}
	seen := map[string]bool{}
	for i := range s.Services {
		v := &s.Services[i]
		if v.check() != nil || seen[strings.ToLower(v.Name)] || v.PID < 0 || v.Running != (v.PID > 0) {
			return errors.New("the saved host has a damaged service")
		}
		seen[strings.ToLower(v.Name)] = true
	}
	return nil
}

// The events of the service manager (Windows).
const (
	installedEvent = 7045
	stateEvent     = 7036
	failedEvent    = 7000
	typeEvent      = 7040
)

func (s Set) note(id int, severity eventlog.Severity, format string, values ...any) {
	s.Log(s.Event(id, severity, fmt.Sprintf(format, values...)))
}

// launch starts the program of a service.
func (s Set) launch(v Service) error {
	process, err := s.Launch(v.Name, v.Binary)
	v.Exit = 0
	if err != nil {
		number := NoFileCode
		var known *CodeError
		if errors.As(err, &known) {
			number = known.Number
		}
		return code(number, "%s", err.Error())
	}
	v.Running, v.PID = true, process
	s.put(v)
	s.note(stateEvent, eventlog.Information, "The %s service entered the running state.", v.DisplayName())
	return nil
}

// end ends the program of a service.
func (s Set) end(v Service) {
	s.End(v.Name)
	s.Ended(v.Name)
}

// Ended marks a service as stopped, whose program has ended.
func (s Set) Ended(name string) {
	for _, v := range s.Services {
		if strings.EqualFold(v.Name, name) && v.Running {
			v.Running, v.PID = false, 0
			s.put(v)
			s.note(stateEvent, eventlog.Information, "The %s service entered the stopped state.", v.DisplayName())
		}
	}
}

// GoDown ends all services as the host goes down; the ones that start with Windows start at a time of the lab.
func (s Set) GoDown(starts time.Duration) {
	for _, v := range slices.Clone(s.Services) {
		v.Running, v.PID = false, 0
		s.put(v)
		s.Starts = starts
	}
}

// NextStart returns the time at which services start with Windows, at most until.
func (s *State) NextStart(until, now time.Duration) time.Duration {
	if s.Starts > 0 {
		return min(until, max(s.Starts, now))
	}
	return until
}

// Boot starts the services that start with Windows.
func (s Set) Boot() {
	s.Starts = 0
	for _, v := range slices.Clone(s.Services) {
		if v.Start != Automatic && v.Start != Delayed {
			continue
		}
		if err := s.launch(v); err != nil {
			s.note(failedEvent, eventlog.Error, "The %s service failed to start due to the following error: %s", v.DisplayName(), err)
			var known *CodeError
			if errors.As(err, &known) {
				v.Exit = known.Number
			}
			s.put(v)
		}
	}
}
