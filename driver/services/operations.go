package services

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/request"
)

// Create registers a service. One that was running is started.
type Create struct {
	Service Service `json:"service"`
}

// Delete removes a service. Its program is ended.
type Delete struct {
	Name string `json:"name"`
}

// Start starts a service.
type Start struct {
	Name string `json:"name"`
}

// Stop ends a service.
type Stop struct {
	Name string `json:"name"`
}

// Configure changes settings of a service. Settings that are nil do not change; a change does not act on the running program.
type Configure struct {
	Name        string     `json:"name"`
	Start       *StartType `json:"start,omitempty"`
	Display     *string    `json:"display_name,omitempty"`
	Description *string    `json:"description,omitempty"`
	Binary      *string    `json:"binary_path,omitempty"`
}

func (Create) Kind() string    { return "create-service" }
func (Delete) Kind() string    { return "delete-service" }
func (Start) Kind() string     { return "start-service" }
func (Stop) Kind() string      { return "stop-service" }
func (Configure) Kind() string { return "configure-service" }

func (o Create) Target() string    { return o.Service.Name }
func (o Delete) Target() string    { return o.Name }
func (o Start) Target() string     { return o.Name }
func (o Stop) Target() string      { return o.Name }
func (o Configure) Target() string { return o.Name }

// Adds reports that it makes an object.
func (Create) Adds() bool { return true }

// Adds reports that it removes one.
func (Delete) Adds() bool { return false }

func (o Create) Describe() string { return "create the service " + o.Service.Name }
func (o Delete) Describe() string { return "delete the service " + o.Name }
func (o Start) Describe() string  { return "start the service " + o.Name }
func (o Stop) Describe() string   { return "stop the service " + o.Name }

func (o Configure) Describe() string {
	var list []string
	add := func(text string, value *string) {
		if value != nil {
			list = append(list, fmt.Sprintf("%s %s", text, cmp.Or(*value, "none")))
		}
	}
	add("start type", (*string)(o.Start))
	add("display name", o.Display)
	add("description", o.Description)
	add("command line", o.Binary)
	return fmt.Sprintf("set the service %s to %s", o.Name, strings.Join(list, ", "))
}

// startupWords are the words of PowerShell for start types; Windows Server sets a delayed start with sc.
var startupWords = map[StartType]string{Automatic: "Automatic", Manual: "Manual", Disabled: "Disabled"}

// Commands returns the cmdlets of Windows, and sc for what they lack.
func (o Create) Commands() []string {
	v := &o.Service
	l := cmdlet.New("New-Service").With("Name", v.Name).With("BinaryPathName", v.Binary)
	if v.Display != "" {
		l = l.With("DisplayName", v.Display)
	}
	if v.Description != "" {
		l = l.With("Description", v.Description)
	}
	word, known := startupWords[v.Start]
	lines := []string{l.With("StartupType", cmp.Or(word, startupWords[Automatic])).String()}
	if !known {
		lines = append(lines, scStart(v.Name, v.Start))
	}
	if v.Running {
		lines = append(lines, Start{v.Name}.Commands()...)
	}
	return lines
}

func scStart(name string, start StartType) string {
	return fmt.Sprintf("sc config %s start= %s", cmdlet.Word(name), start)
}

// Commands returns the program of Windows: PowerShell 5 has no cmdlet for it.
func (o Delete) Commands() []string {
	return append(Stop(o).Commands(), "sc delete "+cmdlet.Word(o.Name))
}

// Commands returns the cmdlet of Windows.
func (o Start) Commands() []string {
	return []string{cmdlet.New("Start-Service").With("Name", o.Name).String()}
}

// Commands returns the cmdlet of Windows.
func (o Stop) Commands() []string {
	return []string{cmdlet.New("Stop-Service").With("Name", o.Name).String()}
}

// Commands returns the cmdlet of Windows, and sc for what it lacks.
func (o Configure) Commands() (lines []string) {
	l := cmdlet.New("Set-Service").With("Name", o.Name)
	used := false
	if o.Display != nil {
		l, used = l.With("DisplayName", *o.Display), true
	}
	if o.Description != nil {
		l, used = l.With("Description", *o.Description), true
	}
	if o.Start != nil {
		if word, known := startupWords[*o.Start]; known {
			l, used = l.With("StartupType", word), true
		} else {
			lines = append(lines, scStart(o.Name, *o.Start))
		}
	}
	if o.Binary != nil {
		lines = append(lines, fmt.Sprintf("sc config %s binPath= %s", cmdlet.Word(o.Name), cmdlet.Quote(*o.Binary)))
	}
	if used {
		lines = append([]string{l.String()}, lines...)
	}
	return lines
}

func (o Create) Inverse(s Set) (Operation, error) {
	v := o.Service
	if err := v.check(); err != nil {
		return nil, err
	}
	if len(s.Services) >= maxServices {
		return nil, fmt.Errorf("the host has %d services, the maximum of the lab", maxServices)
	}
	if found, err := s.Find(v.Name); err == nil {
		return nil, code(ExistsCode, "the service %s exists already", found.Name)
	}
	if v.Display != "" {
		if _, err := s.Find(v.Display); err == nil {
			return nil, code(1078, "another service has the name %q already", v.Display)
		}
	}
	return Delete{v.Name}, nil
}

func (o Create) Apply(s Set) error {
	v := o.Service
	runs := v.Running
	v.Running, v.PID, v.Exit = false, 0, 0
	s.put(v)
	s.note(installedEvent, eventlog.Information, "A service was installed in the system. Service Name: %s; Service File Name: %s; Service Type: user mode service; "+
		"Service Start Type: %s start; Service Account: LocalSystem", v.DisplayName(), v.Binary, v.Start)
	if runs {
		return s.launch(v)
	}
	return nil
}

func (o Delete) Inverse(s Set) (Operation, error) {
	v, err := s.changeable(o.Name)
	if err != nil {
		return nil, err
	}
	v.PID = 0
	return Create{v}, nil
}

func (o Delete) Apply(s Set) error {
	v, err := s.changeable(o.Name)
	if err != nil {
		return err
	}
	if v.Running {
		s.end(v)
	}
	s.remove(v.Name)
	return nil
}

func (o Start) Inverse(s Set) (Operation, error) {
	v, err := s.Find(o.Name)
	switch {
	case err != nil:
		return nil, err
	case v.Running:
		return nil, request.Unchanged("the service %s runs already", v.Name)
	case v.Own:
		return nil, code(DeniedCode, "%s belongs to the host: the lab starts only services that were created", v.Name)
	case v.Start == Disabled:
		return nil, code(DisabledCode, "the service %s is disabled: sc config %[1]s start= demand allows its start", v.Name)
	}
	return Stop{v.Name}, nil
}

func (o Start) Apply(s Set) error {
	v, err := s.changeable(o.Name)
	if err != nil {
		return err
	}
	return s.launch(v)
}

func (o Stop) Inverse(s Set) (Operation, error) {
	v, err := s.changeable(o.Name)
	switch {
	case err != nil:
		return nil, err
	case !v.Running:
		return nil, request.Unchanged("the service %s does not run", v.Name)
	}
	return Start{v.Name}, nil
}

func (o Stop) Apply(s Set) error {
	v, err := s.changeable(o.Name)
	if err == nil {
		s.end(v)
	}
	return err
}

// changed returns a service with the settings, and the Operation that sets them back.
func (o Configure) changed(s Set) (v Service, back Configure, err error) {
	if v, err = s.changeable(o.Name); err != nil {
		return v, back, err
	}
	back.Name = v.Name
	if o.Start != nil {
		back.Start, v.Start = new(v.Start), *o.Start
	}
	if o.Display != nil {
		back.Display, v.Display = new(v.Display), *o.Display
	}
	if o.Description != nil {
		back.Description, v.Description = new(v.Description), *o.Description
	}
	if o.Binary != nil {
		back.Binary, v.Binary = new(v.Binary), *o.Binary
	}
	if back == (Configure{Name: back.Name}) {
		return v, back, errors.New("a setting is required: the start type, a name, the description or the command line")
	}
	return v, back, v.check()
}

func (o Configure) Inverse(s Set) (Operation, error) {
	v, back, err := o.changed(s)
	if err != nil {
		return nil, err
	}
	if was, _ := s.Find(v.Name); was == v {
		return nil, request.Unchanged("the service %s has these settings already", v.Name)
	}
	return back, nil
}

func (o Configure) Apply(s Set) error {
	v, back, err := o.changed(s)
	if err != nil {
		return err
	}
	if o.Start != nil {
		s.note(typeEvent, eventlog.Information, "The start type of the %s service was changed from %s start to %s start.", v.DisplayName(), *back.Start, v.Start)
	}
	s.put(v)
	return nil
}
