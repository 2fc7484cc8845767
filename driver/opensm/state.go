package opensm

import (
	"errors"
	"slices"
	"strings"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	managers "cxdeck/device/infiniband/opensm"
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

// The time of a start until OpenSM has found its subnet, and the polls of a standby: it takes over after so many polls without an
// answer (the defaults sminfo_polling_timeout and polling_retry_number of OpenSM).
const (
	discovery = time.Second
	poll      = 10 * time.Second
	retries   = 4
)

// MaxAdvised is the number of instances that a subnet should have at most (WinOF manual, "OpenSM - Subnet Manager").
const MaxAdvised = 2

// switchGUID is the port GUID of the lab's switch, the lower one of an election with equal priorities.
const switchGUID description.GUID = 0x0002c90300000001

// subnet returns the subnet of a port: all InfiniBand ports of the lab are cabled to one fabric. It is -1 for an Ethernet port.
func (s Set) subnet(port int) int {
	if d, _, _ := s.Lab().Port(port); d.Link != description.InfiniBand {
		return -1
	}
	return 0
}

// options returns the options of an instance, which were read when it was started.
func (i *Instance) options() Options {
	o, _ := Parse(i.Arguments)
	return o
}

// rank is a subnet manager in an election.
type rank struct {
	priority int
	guid     description.GUID
}

// beats reports whether a manager becomes the master in place of another one: by its priority, and with equal ones by the lower GUID.
func (r rank) beats(other rank) bool {
	if r.priority != other.priority {
		return r.priority > other.priority
	}
	return r.guid < other.guid
}

func (s Set) rank(i *Instance) rank {
	if i.Host != "" {
		return rank{i.options().Priority, i.GUID}
	}
	port, err := s.Port(i.Connection)
	if err != nil {
		return rank{priority: -1}
	}
	d, _, _ := s.Lab().Port(port)
	return rank{i.options().Priority, d.GUID}
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
			if d.GUID == o.GUID && s.subnet(port) >= 0 {
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
		if s.subnet(port) >= 0 {
			ports = append(ports, port)
		}
	}
	return ports
}

// besideSwitch reports whether the subnet manager of the switch runs in the subnet of an instance.
func (s Set) besideSwitch(i *Instance) bool {
	runs := func(port int) bool { return s.Lab().SwitchPort(port).SubnetManager == description.SubnetManaged }
	if i.Host != "" {
		return slices.ContainsFunc(s.InfiniBand(), runs)
	}
	port, err := s.Port(i.Connection)
	return err == nil && runs(port)
}

// betterRival reports whether a manager that an instance sees would become the master in its place: the switch at its port, or another
// instance with a link.
func (s Set) betterRival(i *Instance) bool {
	mine := s.rank(i)
	if s.besideSwitch(i) && (rank{0, switchGUID}).beats(mine) {
		return true
	}
	return slices.ContainsFunc(s.Instances, func(other Instance) bool {
		return other.PID != i.PID && (other.Role == Master || other.Role == Standby) && s.linked(&other) && s.rank(&other).beats(mine)
	})
}

// hasMaster reports whether another manager is the master of an instance's subnet.
func (s Set) hasMaster(i *Instance) bool {
	if s.besideSwitch(i) {
		return true
	}
	return slices.ContainsFunc(s.Instances, func(other Instance) bool {
		return other.PID != i.PID && other.Role == Master && s.linked(&other)
	})
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
	now := s.Lab().Elapsed()
	for _, started := range slices.Clone(s.Instances) {
		i := s.Instances[slices.IndexFunc(s.Instances, func(i Instance) bool { return i.PID == started.PID })]
		linked := s.linked(&i)
		lost := !linked && (i.Role == Master || i.Role == Standby)
		if (i.Due == 0 || i.Due > now) && !lost {
			continue
		}
		s.act(i, now)
	}
	s.Serve()
}

// act lets an instance act.
func (s Set) act(i Instance, now time.Duration) {
	o := i.options()
	was := i.Role
	if i.Connection == "" && i.Host == "" {
		s.bindTo(&i, &o)
	}
	linked, hasMaster := s.linked(&i), s.hasMaster(&i)
	role, decided := s.decided(&i, &o)
	switch {
	case o.Inactive:
		i.Role, i.Due = NotActive, 0
	case !linked:
		i.Role, i.Due = NotActive, now+discovery
	case was == NotActive:
		i.Role, i.Due = Discovering, now+discovery
	case decided:
		i.Role, i.Due = role, now+discovery
	case s.betterRival(&i), hasMaster && was == Discovering:
		i.Role, i.Due = Standby, now+poll
		s.handOver(&i, was)
	case was == Standby && !hasMaster && now-i.Since < retries*poll:
		i.Due = now + poll
	default:
		i.Role, i.Due = Master, s.nextSweep(&o)
	}
	if i.Role != was || i.Role == Standby && hasMaster { // Since is the last poll that a master answered
		i.Since = now
	}
	if i.Role != was {
		s.log(&i, roleLines(i.Role)...)
		if i.Role == Master {
			s.demote(i.PID)
			s.log(&i, subnetUp)
		}
	}
	s.logSweep(&i, &o, was)
	s.replace(i)
	if i.Role == Master && o.Once {
		s.Serve()
		s.End(i.PID)
		if i.Service != "" {
			s.Ended(i.Service)
		}
	}
}

// decided returns the role that the managers of a described subnet have found for an instance of this host; false in other labs, where the
// instance finds it here.
func (s Set) decided(i *Instance, o *Options) (Role, bool) {
	port, err := s.Port(i.Connection)
	if err != nil || i.Host != "" || o.Inactive {
		return NotActive, false
	}
	role, decided := s.Lab().RunManager(port, true, uint8(o.Priority))
	return map[managers.Role]Role{managers.Master: Master, managers.Standby: Standby, managers.Discovering: Discovering, managers.NotActive: Discovering}[role], decided
}

// subnetUp is the line of the log at the end of a sweep that set up the subnet.
const subnetUp = "SUBNET UP"

// nextSweep returns the time of the next sweep of a master, 0 for none.
func (s Set) nextSweep(o *Options) time.Duration {
	if o.Sweep == 0 {
		return 0
	}
	return s.Lab().Elapsed() + o.Sweep
}

// bindTo binds an instance to its port, if there is one.
func (s Set) bindTo(i *Instance, o *Options) {
	if i.Connection = s.bind(o); i.Connection == "" {
		return
	}
	s.log(i, "OpenSM "+Version, "Binding to port 0x"+hex(s.rank(i).guid))
}

// handOver makes the best standby the master, when the sweep of a master has found a better one.
func (s Set) handOver(i *Instance, was Role) {
	if was != Master || s.hasMaster(i) {
		return
	}
	best := *i
	for _, other := range s.Instances {
		if other.PID != i.PID && other.Role == Standby && s.linked(&other) && s.rank(&other).beats(s.rank(&best)) {
			best = other
		}
	}
	if best.PID != i.PID {
		o := best.options()
		best.Role, best.Since, best.Due = Master, s.Lab().Elapsed(), s.nextSweep(&o)
		s.log(&best, append(roleLines(Master), subnetUp)...)
		s.replace(best)
	}
}

// demote makes the other masters standbys: they hand over to a process.
func (s Set) demote(process int) {
	for _, other := range s.Instances {
		if other.PID != process && other.Role == Master {
			other.Role, other.Since, other.Due = Standby, s.Lab().Elapsed(), s.Lab().Elapsed()+poll
			s.log(&other, roleLines(Standby)...)
			s.replace(other)
		}
	}
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

// Serve has the lab serve the ports of the subnets that have a master among the instances.
func (s Set) Serve() {
	for _, port := range s.InfiniBand() {
		to := setup.Unserved
		for k := range s.Instances {
			i := &s.Instances[k]
			at, err := s.Port(i.Connection)
			switch same := i.Host != "" || err == nil && s.subnet(at) == s.subnet(port); {
			case i.Role != Master || !same:
			case i.Virtual:
				to = setup.ServedVirtual
			default:
				to = setup.Served
			}
		}
		if s.NoGUID(port) {
			to = setup.Unknown
		}
		s.Lab().Serve(port, to)
		bound, priority := false, 0
		for i := range s.Instances {
			if at, err := s.Port(s.Instances[i].Connection); s.Instances[i].Host == "" && err == nil && at == port {
				o := s.Instances[i].options()
				bound, priority = !o.Inactive, o.Priority
			}
		}
		s.Lab().RunManager(port, bound, uint8(priority))
	}
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
		_, bad := Parse(i.Arguments)
		known := slices.Contains([]Role{Discovering, Master, Standby, NotActive}, i.Role)
		_, port := s.Port(i.Connection)
		if bad != nil || !known || i.Connection != "" && port != nil || i.PID <= 0 || seen[i.PID] || i.Due < 0 || i.Since < 0 || len(i.Pending) > maxPending || len(i.Host) > request.MaxName {
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
