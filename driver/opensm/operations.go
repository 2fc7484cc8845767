package opensm

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/request"
)

// Start starts OpenSM by hand, in the background.
type Start struct {
	Arguments []string `json:"arguments,omitempty"`
	// PID is the process; 0 for the next one.
	PID int `json:"pid,omitempty"`
	// Host is another host that it starts on, with the GUID of its port; empty for this host. Virtual has it manage the ports of virtual
	// functions.
	Host    string           `json:"host,omitempty"`
	GUID    description.GUID `json:"guid,omitempty"`
	Virtual bool             `json:"manages_virtual_ports,omitempty"`
}

// Stop ends the instance of a process.
type Stop struct {
	PID int `json:"pid"`
}

func (Start) Kind() string { return "start-opensm" }
func (Stop) Kind() string  { return "stop-opensm" }

func (Start) Target() string { return "OpenSM" }
func (Stop) Target() string  { return "OpenSM" }

// Adds reports that it makes an object.
func (Start) Adds() bool { return true }

// Adds reports that it removes one.
func (Stop) Adds() bool { return false }

func (o Start) Describe() string {
	text := "start OpenSM"
	if o.Host != "" {
		text += " of " + o.Host
	}
	return strings.TrimSpace(text + " " + strings.Join(o.Arguments, " "))
}

func (o Stop) Describe() string { return fmt.Sprintf("end OpenSM, process %d", o.PID) }

// Commands returns the line of Windows' shell that runs it in the background.
func (o Start) Commands() []string {
	if o.Host != "" {
		return nil // it is a line of the other host
	}
	words := []string{"start /b opensm"}
	for _, word := range o.Arguments {
		words = append(words, cmdlet.Word(word))
	}
	return []string{strings.Join(words, " ")}
}

// Commands returns the program of Windows that ends it.
func (o Stop) Commands() []string { return []string{fmt.Sprintf("taskkill /pid %d /f", o.PID)} }

// pids are the numbers of processes: Windows uses multiples of four.
func pid(n int) int { return 4 * (900 + n) }

// WhyNot returns why OpenSM can't run with options: the package lacks it, the port has one already, or there is no such port.
func (s Set) WhyNot(o *Options) error {
	if why := s.NoOpenSM(); why != "" {
		return request.Errorf("%s", why)
	}
	free := 0
	var guids []string
	for _, port := range s.InfiniBand() {
		d, _, _ := s.Lab().Port(port)
		guids = append(guids, "0x"+hex(d.GUID))
		switch {
		case o.GUID != 0 && d.GUID != o.GUID:
		case !s.taken(d.Connection):
			free++
		case o.GUID != 0:
			return fmt.Errorf("the bind to port 0x%s failed: an OpenSM runs on %s already", hex(d.GUID), d.Connection)
		}
	}
	switch {
	case guids == nil:
		return fmt.Errorf("the host has no InfiniBand port")
	case o.GUID != 0 && free == 0:
		return fmt.Errorf("no port has the GUID 0x%s; the ports are %s", hex(o.GUID), strings.Join(guids, ", "))
	case free == 0 || s.own() > len(guids)-1:
		return fmt.Errorf("an OpenSM runs on each InfiniBand port already")
	case o.GUID == 0 && o.Asks:
		return fmt.Errorf("give the GUID of a port: %s", strings.Join(guids, ", "))
	}
	return nil
}

// why returns why OpenSM can't start.
func (s Set) why(start *Start, o *Options) error {
	switch {
	case start.Host == "" && (start.GUID != 0 || start.Virtual):
		return fmt.Errorf("OpenSM %s of this host manages no virtual ports", Version)
	case start.Host == "":
		return s.WhyNot(o)
	case request.CheckName("host", start.Host) != nil || start.GUID == 0:
		return fmt.Errorf("the other host requires a name and the GUID of its port")
	case o.GUID != 0 && o.GUID != start.GUID || o.Asks:
		return fmt.Errorf("no port of %s has this GUID; its port is 0x%s", start.Host, hex(start.GUID))
	case len(s.InfiniBand()) == 0:
		return fmt.Errorf("the lab has no InfiniBand subnet")
	}
	if i := slices.IndexFunc(s.Instances, func(i Instance) bool { return i.Host != "" }); i >= 0 {
		return fmt.Errorf("the bind to port 0x%s failed: an OpenSM runs on %s already", hex(start.GUID), s.Instances[i].Host)
	}
	return nil
}

// Launch starts an instance; service is empty for one that is started by hand. It returns its process.
func (s Set) Launch(service string, arguments []string, process int) (int, error) {
	return s.launch(service, &Start{Arguments: arguments, PID: process})
}

func (s Set) launch(service string, start *Start) (int, error) {
	arguments, process := start.Arguments, start.PID
	o, files, err := s.load(start)
	if err == nil {
		err = s.why(start, &o)
	}
	if err != nil {
		return 0, err
	}
	if process == 0 || slices.ContainsFunc(s.Instances, func(i Instance) bool { return i.PID == process }) {
		process = pid(s.Started)
		s.Started++
	}
	i := Instance{PID: process, Service: service, Arguments: slices.Clone(arguments), Host: start.Host, GUID: start.GUID, Virtual: start.Virtual, Files: files, Role: Discovering, Since: s.Lab().Elapsed(), Due: s.Lab().Elapsed() + watch}
	if i.Host != "" {
		s.log(&i, append([]string{"OpenSM " + Version, "Binding to port 0x" + hex(i.GUID)}, roleLines(Discovering)...)...)
		s.logFiles(&i, &o)
		s.Instances = append(slices.Clone(s.Instances), i)
		s.Serve()
		return i.PID, nil
	}
	if o.Erase && o.Log != "stdout" && len(s.ReadFile(o.Log)) > 0 {
		_ = s.WriteFile(o.Log, nil) // a full disk leaves the old log
	}
	s.logFiles(&i, &o)
	if s.bindTo(&i, &o); s.linked(&i) {
		s.log(&i, roleLines(Discovering)...)
	}
	s.Instances = append(slices.Clone(s.Instances), i)
	s.Serve()
	return i.PID, nil
}

// End ends an instance: the ports that it served stay active.
func (s Set) End(process int) {
	for _, i := range s.Instances {
		if i.PID == process {
			s.log(&i, "Exiting SM")
		}
	}
	s.end(process)
	s.Serve()
}

// Inverse ends what it starts.
func (o Start) Inverse(s Set) (Operation, error) {
	parsed, _, err := s.load(&o)
	switch {
	case err != nil:
		return nil, err
	case parsed.Help || parsed.Version:
		return nil, fmt.Errorf("these options print and end: nothing starts")
	case parsed.Service:
		return nil, fmt.Errorf("-service is for the service manager of Windows: sc create registers it, and sc start starts it")
	case len(o.Arguments) > maxArguments || o.PID < 0 || o.PID > pid(maxStarted):
		return nil, fmt.Errorf("the arguments of OpenSM are too many")
	case s.Started >= maxStarted:
		return nil, fmt.Errorf("the host has started too many processes")
	}
	if err := s.why(&o, &parsed); err != nil {
		return nil, err
	}
	process := o.PID
	if process == 0 || slices.ContainsFunc(s.Instances, func(i Instance) bool { return i.PID == process }) {
		process = pid(s.Started)
	}
	return Stop{process}, nil
}

// maxArguments is the maximum number of arguments.
const maxArguments = 64

func (o Start) Apply(s Set) error {
	_, err := s.launch("", &o)
	return err
}

// Inverse starts it again.
func (o Stop) Inverse(s Set) (Operation, error) {
	for _, i := range s.Instances {
		switch {
		case i.PID != o.PID:
		case i.Service != "":
			return nil, request.Errorf("the process %d is the service %s: sc stop ends it", o.PID, i.Service)
		default:
			return Start{i.Arguments, i.PID, i.Host, i.GUID, i.Virtual}, nil
		}
	}
	return nil, request.Errorf("there is no process %d", o.PID)
}

func (o Stop) Apply(s Set) error {
	s.End(o.PID)
	return nil
}

// GUIDs lists the ports that OpenSM can be bound to, as -g 0 prints them.
func (s Set) GUIDs() (lines []string) {
	lines = []string{"Choose a local port number with which to bind:"}
	for n, port := range s.InfiniBand() {
		d, _, _ := s.Lab().Port(port)
		lines = append(lines, fmt.Sprintf("\t%d: GUID = 0x%s, lid = 0x%x, state = %s", n+1, hex(d.GUID), n+1, s.Lab().State(port).Subnet))
	}
	return lines
}

// View is an instance with its port, for lists.
type View struct {
	Instance
	GUID     description.GUID
	Priority int
	Log      string
}

// Views returns the instances.
func (s Set) Views() []View {
	list := make([]View, len(s.Instances))
	for k, i := range s.Instances {
		list[k] = View{Instance: i, GUID: s.guid(&i), Priority: i.options().Priority, Log: i.LogOf()}
	}
	return list
}

// own returns the number of instances on this host.
func (s *State) own() (n int) {
	for i := range s.Instances {
		if s.Instances[i].Host == "" {
			n++
		}
	}
	return n
}
