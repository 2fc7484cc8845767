package fabric

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"cxdeck/device/description"
	"cxdeck/driver/cmdlet"
)

// AddPartition creates a virtual IPoIB port on an InfiniBand port.
type AddPartition struct {
	// Connection is the InfiniBand port: "Ethernet 4".
	Connection string `json:"connection"`
	// Name is its name in part_man: "ipoib_4_1"; generated when it is empty.
	Name string `json:"name,omitempty"`
	// PKey is the key of its partition, 0 for the default partition.
	PKey description.PKey `json:"pkey,omitzero"`
	// Virtual is its own connection: "Ethernet 6"; the next free one when it is empty.
	Virtual string `json:"virtual,omitempty"`
	// GUID of the network interface, with braces; empty to derive one from the lab's seed.
	GUID string `json:"guid,omitempty"`
	// Broken adds only an entry in the registry, as a removal leaves it that does not end.
	Broken bool `json:"broken,omitempty"`
}

// RemovePartition removes a virtual IPoIB port. While the driver of its port does not run, it leaves a broken entry in the registry, which
// it removes when it is applied again with the driver.
type RemovePartition struct {
	// Connection is the connection of the virtual port: "Ethernet 6".
	Connection string `json:"connection"`
}

func (AddPartition) Kind() string    { return "add-partition" }
func (RemovePartition) Kind() string { return "remove-partition" }

func (o AddPartition) Target() string    { return o.Connection }
func (o RemovePartition) Target() string { return o.Connection }

func (o AddPartition) Describe() string {
	text := "add a virtual IPoIB port to " + o.Connection
	if o.Name != "" {
		text = fmt.Sprintf("add the virtual IPoIB port %s to %s", o.Name, o.Connection)
	}
	if key := cmp.Or(o.PKey, description.DefaultPKey); key != description.DefaultPKey {
		text += " for the partition " + key.String()
	}
	return text
}

func (o RemovePartition) Describe() string { return "remove the virtual IPoIB port " + o.Connection }

// Commands returns the part_man command.
func (o AddPartition) Commands() []string {
	command := "part_man add " + cmdlet.Word(o.Connection)
	if o.Name != "" {
		command += " " + cmdlet.Word(o.Name)
	}
	if key := cmp.Or(o.PKey, description.DefaultPKey); key != description.DefaultPKey {
		command += " " + key.String()
	}
	return []string{command}
}

// Commands returns the part_man command.
func (o RemovePartition) Commands() []string {
	return []string{"part_man rem " + cmdlet.Word(o.Connection)}
}

// newPartition returns the virtual port that an Operation creates, without its GUID.
func (o AddPartition) newPartition(s Set) (*partition, error) {
	port, err := s.Port(o.Connection)
	if err != nil {
		return nil, err
	}
	p := &partition{port: port, connection: o.Virtual, name: o.Name, key: cmp.Or(o.PKey, description.DefaultPKey), guid: o.GUID}
	if p.name == "" {
		p.name = s.nextPartitionName(port)
	}
	if p.connection == "" {
		p.connection = s.nextConnection()
	}
	if o.GUID != "" {
		if p.guid, err = s.CheckGUID(o.GUID); err != nil {
			return nil, err
		}
	}
	return p, s.checkNewPartition(p)
}

func (o AddPartition) Inverse(s Set) (Operation, error) {
	p, err := o.newPartition(s)
	if err != nil {
		return nil, err
	}
	return RemovePartition{p.connection}, nil
}

func (o AddPartition) Apply(s Set) error {
	p, err := o.newPartition(s)
	if err != nil {
		return err
	}
	if p.guid, err = s.GUID(o.GUID, nil); err != nil {
		return err
	}
	s.Broken = without(s.Broken, s.findBroken(p.connection))
	if o.Broken {
		s.Broken = with(s.Broken, *p)
		return nil
	}
	s.Partitions = with(s.Partitions, *p)
	return nil
}

func (o RemovePartition) Inverse(s Set) (Operation, error) {
	p, broken, err := o.find(s)
	if err != nil {
		return nil, err
	}
	return AddPartition{s.Lab().Connection(p.port), p.name, p.key, p.connection, p.guid, broken}, nil
}

// find returns the virtual port, or its broken entry, which can't be removed without the driver.
func (o RemovePartition) find(s Set) (p *partition, broken bool, err error) {
	if i := s.findBroken(o.Connection); i >= 0 {
		if p = &s.Broken[i]; !s.Running(p.port) {
			return nil, false, fmt.Errorf("the entry of %s in the registry can't be removed while the driver of %s does not run", p.connection, s.Lab().Connection(p.port))
		}
		return p, true, nil
	}
	i, err := s.Find(o.Connection)
	if err != nil {
		return nil, false, err
	}
	return &s.Partitions[i], false, nil
}

func (o RemovePartition) Apply(s Set) error {
	p, broken, err := o.find(s)
	if err != nil {
		return err
	}
	if broken {
		s.Broken = without(s.Broken, s.findBroken(o.Connection))
		return nil
	}
	if !s.Running(p.port) {
		s.Broken = with(s.Broken, *p)
	}
	i, err := s.Find(o.Connection)
	s.Partitions = without(s.Partitions, i)
	return err
}

// with returns a list with one more virtual port.
func with(list []partition, p partition) []partition {
	list = append(slices.Clone(list), p)
	slices.SortFunc(list, byConnection)
	return list
}

// without returns a list without an item, nil for an empty list; -1 is no item.
func without(list []partition, i int) []partition {
	if i < 0 {
		return list
	}
	if len(list) == 1 {
		return nil
	}
	return slices.Delete(slices.Clone(list), i, i+1)
}

// SavedPartition is the saved form of a virtual port.
type SavedPartition struct {
	Port       int              `json:"port"`
	Connection string           `json:"connection"`
	Name       string           `json:"name"`
	PKey       description.PKey `json:"pkey"`
	GUID       string           `json:"guid"`
	// Broken marks the entry that a removal has left in the registry.
	Broken bool `json:"broken,omitempty"`
}

// Save returns the virtual ports in their saved form.
func (s *State) Save() (list []SavedPartition) {
	for _, p := range s.Partitions {
		list = append(list, SavedPartition{p.port, p.connection, p.name, p.key, p.guid, false})
	}
	for _, p := range s.Broken {
		list = append(list, SavedPartition{p.port, p.connection, p.name, p.key, p.guid, true})
	}
	return list
}

// Restore restores saved virtual ports on a host.
func (s Set) Restore(saved []SavedPartition) error {
	for _, kept := range saved {
		if kept.Port < 0 || kept.Port >= s.Lab().Ports() {
			return errors.New("a virtual IPoIB port of the saved host is on a port that the lab does not have")
		}
		p := partition{kept.Port, kept.Connection, kept.Name, kept.PKey, kept.GUID}
		_, err := s.CheckGUID(p.guid)
		if kept.Broken && s.findBroken(p.connection) >= 0 {
			err = fmt.Errorf("%s has two broken entries", p.connection)
		}
		if err := errors.Join(err, s.checkNewPartition(&p)); err != nil {
			return fmt.Errorf("the saved host has a damaged virtual IPoIB port: %w", err)
		}
		if kept.Broken {
			s.Broken = with(s.Broken, p)
		} else {
			s.Partitions = with(s.Partitions, p)
		}
	}
	return nil
}
