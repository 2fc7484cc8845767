package opensm

import (
	"errors"
	"slices"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	managers "cxdeck/device/infiniband/opensm"
	"cxdeck/device/infiniband/site"
	"cxdeck/device/setup"
	"cxdeck/device/subnet"
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// Role is what an instance does in its subnet.
type Role string

// The roles.
const (
	Discovering Role = "discovering"
	Master      Role = "master"
	Standby     Role = "standby"
	// NotActive is an instance without a port that has a link, or with the option --inactive.
	NotActive Role = "not-active"
)

// Instance is a running OpenSM.
type Instance struct {
	// PID is its process, Service the service that it runs as; empty for one that was started by hand.
	PID     int    `json:"pid"`
	Service string `json:"service,omitempty"`
	// Host is the other host that it runs on, with its port's GUID; empty for this host. Virtual reports that it manages the ports of virtual
	// functions.
	Host    string           `json:"host,omitempty"`
	GUID    description.GUID `json:"guid,omitempty"`
	Virtual bool             `json:"manages_virtual_ports,omitempty"`
	// Arguments are its command line without the program.
	Arguments []string `json:"arguments,omitempty"`
	// Connection is the port that it is bound to; empty until a port has a link.
	Connection string `json:"connection,omitempty"`
	Role       Role   `json:"role"`
	// Since is the time of the lab at which it got its role, Due the time at which it acts next.
	Since time.Duration `json:"since_ns"`
	Due   time.Duration `json:"due_ns"`
	// Sweep is the time of the next sweep or poll of its manager, as it was when the instance looked.
	Sweep time.Duration `json:"sweep_ns,omitempty"`
	// Trap is the serial number of the last trap in its log.
	Trap uint64 `json:"trap,omitempty"`
	// Files is what it read when it started.
	Files
	// Pending is the part of its log that is not in the file yet.
	Pending string `json:"pending_log,omitempty"`
}

// State holds the instances of a host, in the order of their starts. The list is replaced and never changed.
type State struct {
	Instances []Instance `json:"instances,omitempty"`
	// Started counts the processes of the host, for their numbers.
	Started int `json:"processes,omitempty"`
}

// Ports is the part of the host that OpenSM uses.
type Ports interface {
	Lab() *device.Lab
	// Port returns the port number of a connection.
	Port(connection string) (int, error)
	// ReadFile and WriteFile access a file of the host; a file that is not there is empty.
	ReadFile(path string) []byte
	WriteFile(path string, data []byte) error
	// ReadOther reads a file of the other host.
	ReadOther(path string) string
	// Ended is called when the instance of a service has ended by itself.
	Ended(service string)
	// NoGUID reports that a port has no GUID, so that no subnet manager knows it.
	NoGUID(port int) bool
	// NoOpenSM returns why the host has no OpenSM; empty if it does.
	NoOpenSM() string
}

// Set gives access to the instances of a host.
type Set struct {
	Ports
	*State
}

// Operation is a change of the instances.
type Operation = operation.Of[Set]

// watch is the time between two looks of an instance at its port and its role.
const watch = time.Second

// MaxAdvised is the number of instances that a subnet should have at most (WinOF manual, "OpenSM - Subnet Manager").
const MaxAdvised = 2

// options returns the options of an instance, which were read when it was started.
func (i *Instance) options() Options {
	o, _ := Parse(slices.Concat(i.Settings, i.Arguments))
	return o
}

// guid returns the GUID of the port of an instance, 0 without one.
func (s Set) guid(i *Instance) description.GUID {
	port, err := s.Port(i.Connection)
	switch {
	case i.Host != "":
		return i.GUID
	case err != nil:
		return 0
	}
	d, _, _ := s.Lab().Port(port)
	return d.GUID
}

// linked reports whether the port of an instance has trained its link, so that it reaches the subnet.
func (s Set) linked(i *Instance) bool {
	port, err := s.Port(i.Connection)
	return i.Host != "" || err == nil && s.Lab().State(port).Subnet >= subnet.Init
}

// taken reports whether an instance is bound to a connection.
func (s *State) taken(connection string) bool {
	return slices.ContainsFunc(s.Instances, func(i Instance) bool { return strings.EqualFold(i.Connection, connection) })
}

// bind returns the port of an instance: the one of -g, or else the first active one, or the first one with a link. It is empty while
// no port has a link.
func (s Set) bind(o *Options) string {
	first := ""
	for port := range s.Lab().Ports() {
		d, _, _ := s.Lab().Port(port)
		switch state := s.Lab().State(port).Subnet; {
		case o.GUID != 0:
			if d.GUID == o.GUID && d.Link == description.InfiniBand {
				return d.Connection
			}
		case s.taken(d.Connection):
		case state == subnet.Active:
			return d.Connection
		case state == subnet.Init && first == "":
			first = d.Connection
		}
	}
	return first
}

// InfiniBand returns the ports that OpenSM can be bound to.
func (s Set) InfiniBand() (ports []int) {
	for port := range s.Lab().Ports() {
		if d, _, _ := s.Lab().Port(port); d.Link == description.InfiniBand {
			ports = append(ports, port)
		}
	}
	return ports
}

// Next returns the time at which an instance acts next, at most until.
func (s Set) Next(until time.Duration) time.Duration {
	for i := range s.Instances {
		if due := s.Instances[i].Due; due > 0 {
			until = min(until, max(due, s.Lab().Elapsed()))
		}
	}
	return until
}

// replace replaces the instance of a process.
func (s Set) replace(i Instance) {
	s.Instances = slices.Clone(s.Instances)
	for k := range s.Instances {
		if s.Instances[k].PID == i.PID {
			s.Instances[k] = i
		}
	}
}

// Update lets the instances act that are due, and follow changes of links. It has the ports served that the masters serve.
func (s Set) Update() {
	if len(s.Instances) == 0 {
		return
	}
	now, acted := s.Lab().Elapsed(), false
	for _, started := range slices.Clone(s.Instances) {
		i := s.Instances[slices.IndexFunc(s.Instances, func(i Instance) bool { return i.PID == started.PID })]
		linked := s.linked(&i)
		lost := !linked && (i.Role == Master || i.Role == Standby)
		if (i.Due == 0 || i.Due > now) && !lost {
			continue
		}
		s.act(i, now)
		acted = true
	}
	if acted { // at other times the lab would depend on the steps in which it advances
		s.Serve()
	}
}

// act has an instance look at its port, and follow the role that its manager has in the subnet.
func (s Set) act(i Instance, now time.Duration) {
	o := i.options()
	was := i.Role
	if i.Connection == "" && i.Host == "" {
		s.bindTo(&i, &o)
	}
	m := s.manager(&i)
	i.Due = now + watch
	switch {
	case o.Inactive:
		i.Role, i.Due = NotActive, 0
	case !s.linked(&i):
		i.Role = NotActive
	case m == nil:
		i.Role = Discovering
	default:
		i.Role = roles[m.Role]
	}
	if i.Role != was {
		i.Since = now
		s.log(&i, roleLines(i.Role)...)
		if i.Role == Master {
			s.log(&i, subnetUp)
		}
	}
	s.logTraps(&i, was)
	s.logSweep(&i, &o, m, was)
	s.replace(i)
	if i.Role == Master && o.Once {
		s.Serve()
		s.End(i.PID)
		if i.Service != "" {
			s.Ended(i.Service)
		}
	}
}

// roles are the roles of the subnet's managers as an instance reports them.
var roles = [...]Role{managers.NotActive: NotActive, managers.Discovering: Discovering, managers.Standby: Standby, managers.Master: Master}

// place returns the port of the subnet that an instance runs on, Nowhere for one that does not manage it.
func (s Set) place(i *Instance) infiniband.Place {
	at := infiniband.Nowhere
	if o := i.options(); o.Inactive || !s.linked(i) {
		return at
	}
	_ = s.Lab().ReadSubnet(func(subnet *site.Site) error { // without a subnet there is no place
		if i.Host != "" {
			at = subnet.Beside(i.GUID)
		} else if port, err := s.Port(i.Connection); err == nil {
			at = subnet.Own[port]
		}
		return nil
	})
	return at
}

// manager returns the manager of an instance in the subnet, nil while it has none.
func (s Set) manager(i *Instance) (m *managers.Manager) {
	at := s.place(i)
	_ = s.Lab().ReadSubnet(func(subnet *site.Site) error {
		m = subnet.HostedOn(at)
		return nil
	})
	return m
}

// subnetUp is the line of the log at the end of a sweep that set up the subnet.
const subnetUp = "SUBNET UP"

// bindTo binds an instance to its port, if there is one.
func (s Set) bindTo(i *Instance, o *Options) {
	if i.Connection = s.bind(o); i.Connection == "" {
		return
	}
	s.log(i, "OpenSM "+Version, "Binding to port 0x"+hex(s.guid(i)))
}

// roleLines are the lines of the log for a role.
func roleLines(r Role) []string {
	switch r {
	case Master:
		return []string{"Entering MASTER state"}
	case Standby:
		return []string{"Entering STANDBY state"}
	case NotActive:
		return []string{"Entering NOT-ACTIVE state", "SM port is down"}
	case Discovering:
		return []string{"Entering DISCOVERING state"}
	}
	return nil
}

// end removes the instance of a process.
func (s Set) end(pid int) {
	if s.Instances = slices.DeleteFunc(slices.Clone(s.Instances), func(i Instance) bool { return i.PID == pid }); len(s.Instances) == 0 {
		s.Instances = nil
	}
}

// Serve has the subnet run the managers of the instances, and the lab serve the ports of the parts that have a master among them.
func (s Set) Serve() {
	err := s.Lab().ReadSubnet(func(subnet *site.Site) error {
		subnet.RunManagers(s.hosted())
		for _, port := range s.InfiniBand() {
			to := setup.Unserved
			if m := subnet.Master(subnet.Own[port]); m != nil && m.Hosted {
				to = setup.Served
				if m.Virtual {
					to = setup.ServedVirtual
				}
			}
			if s.NoGUID(port) {
				to = setup.Unknown
			}
			s.Lab().Serve(port, to)
		}
		return nil
	})
	_ = err // a host without InfiniBand has nothing to serve
}

// hosted returns the managers of the instances.
func (s Set) hosted() (programs []site.Hosted) {
	for k := range s.Instances {
		i := &s.Instances[k]
		at := s.place(i)
		if at == infiniband.Nowhere {
			continue
		}
		o := i.options()
		every := o.Sweep
		if every == 0 {
			every = -1
		}
		programs = append(programs, site.Hosted{Place: at, GUID: i.GUID, Settings: managers.Settings{Priority: uint8(o.Priority), Every: every, Virtual: i.Virtual, QoS: i.Tables, Policy: i.Policy}})
	}
	return programs
}

// Check validates a saved state.
func (s Set) Check() error {
	damaged := errors.New("the saved host has damaged instances of OpenSM")
	seen := map[int]bool{}
	if s.Started < 0 || s.Started > maxStarted || len(s.Instances) > s.Lab().Ports()+2 {
		return damaged
	}
	for k := range s.Instances {
		i := &s.Instances[k]
		_, bad := Parse(slices.Concat(i.Settings, i.Arguments))
		known := slices.Contains([]Role{Discovering, Master, Standby, NotActive}, i.Role)
		_, port := s.Port(i.Connection)
		if bad != nil || !known || i.Tables != nil && !i.Tables.Valid() || i.Policy != nil && !i.Policy.Valid() || len(i.Settings) > maxArguments || i.Connection != "" && port != nil || i.PID <= 0 || seen[i.PID] || i.Due < 0 || i.Since < 0 || len(i.Pending) > maxPending || len(i.Host) > request.MaxName {
			return damaged
		}
		seen[i.PID] = true
	}
	return nil
}

// maxStarted is the maximum number of processes of a host over its life.
const maxStarted = 1 << 24

// Find returns the instance of a service; ok is false when it does not run.
func (s *State) Find(service string) (found Instance, ok bool) {
	i := slices.IndexFunc(s.Instances, func(i Instance) bool { return service != "" && strings.EqualFold(i.Service, service) })
	if i < 0 {
		return found, false
	}
	return s.Instances[i], true
}

// Boot ends all instances of this host, as it goes down.
func (s Set) Boot() {
	if s.Instances = slices.DeleteFunc(slices.Clone(s.Instances), func(i Instance) bool { return i.Host == "" }); len(s.Instances) == 0 {
		s.Instances = nil
	}
	s.Serve()
}

// LogOf returns the path of the log of an instance.
func (i *Instance) LogOf() string {
	if o := i.options(); o.Log != "stdout" {
		return o.Log
	}
	return ""
}
