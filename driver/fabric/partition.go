package fabric

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/request"
)

// partition is a virtual IPoIB port: a network device on an InfiniBand port, for the traffic of one partition.
type partition struct {
	// port is the number of the InfiniBand port.
	port int
	// connection is its name in Windows, name the name in part_man.
	connection, name string
	// key is the PKey that was requested.
	key  description.PKey
	guid string
}

// The maximum number of virtual ports of a host, and of one port (PKEY-2).
const (
	maxPartitions       = 64
	MaxPartitionsOfPort = 32
)

// UnknownPartitionError is a virtual port that the host does not have.
type UnknownPartitionError struct{ Connection string }

// Error names it and the remedy.
func (e *UnknownPartitionError) Error() string {
	return fmt.Sprintf("there is no virtual IPoIB port %q; part_man show lists them", e.Connection)
}

// Find finds a virtual port by its connection, and ignores case as Windows does.
func (s *State) Find(connection string) (int, error) {
	for i := range s.Partitions {
		if strings.EqualFold(s.Partitions[i].connection, connection) {
			return i, nil
		}
	}
	return 0, &UnknownPartitionError{connection}
}

// findBroken returns the index of a broken entry, -1 for none.
func (s *State) findBroken(connection string) int {
	return slices.IndexFunc(s.Broken, func(p partition) bool { return strings.EqualFold(p.connection, connection) })
}

// connectionPrefix is the beginning of the connection names that Windows creates.
const connectionPrefix = "Ethernet"

// nextConnection returns the name that Windows gives a new connection: the number after the highest.
func (s Set) nextConnection() string {
	highest := 1
	see := func(connection string) {
		if n, err := strconv.Atoi(strings.TrimPrefix(connection, connectionPrefix+" ")); err == nil {
			highest = max(highest, n)
		}
	}
	for port := range s.Lab().Ports() {
		see(s.Lab().Connection(port))
	}
	for i := range s.Partitions {
		see(s.Partitions[i].connection)
	}
	for i := range s.Broken {
		see(s.Broken[i].connection)
	}
	return fmt.Sprintf("%s %d", connectionPrefix, highest+1)
}

// nextPartitionName returns the name that part_man generates for a virtual port: the number of the port's connection, and a
// number of its own.
func (s Set) nextPartitionName(port int) string {
	parent := strconv.Itoa(port + 1)
	if _, number, ok := strings.Cut(s.Lab().Connection(port), connectionPrefix+" "); ok {
		parent = number
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("ipoib_%s_%d", partitionNumber(parent), n)
		if !slices.ContainsFunc(s.Partitions, func(p partition) bool { return strings.EqualFold(p.name, name) }) {
			return name
		}
	}
}

// partitionNumber replaces the characters that the name of a virtual port can't have.
func partitionNumber(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(badInPartitionName, r) || request.IsUnsafe(r) {
			return '_'
		}
		return r
	}, text)
}

// badInPartitionName are the characters that the name of a virtual port can't have.
const badInPartitionName = ":,;- "

// checkPartitionName returns why a name is invalid for a virtual port.
func checkPartitionName(name string) error {
	switch {
	case !strings.HasPrefix(strings.ToLower(name), "i"):
		return request.Errorf("the name of a virtual IPoIB port must begin with an i, and %q does not", name)
	case len(name) > request.MaxName:
		return fmt.Errorf("the name of a virtual IPoIB port has at most %d bytes", request.MaxName)
	case strings.ContainsAny(name, badInPartitionName) || strings.ContainsFunc(name, request.IsUnsafe):
		return request.Errorf("the name of a virtual IPoIB port can't contain a space or : , ; -, and %q does", name)
	}
	return nil
}

// checkNewPartition returns why a virtual port can't be added to the host.
func (s Set) checkNewPartition(p *partition) error {
	d, _, _ := s.Lab().Port(p.port)
	if d.Link != description.InfiniBand {
		return fmt.Errorf("%s is an Ethernet port; virtual IPoIB ports need an InfiniBand port", d.Connection)
	}
	if err := checkPartitionName(p.name); err != nil {
		return err
	}
	if p.key.Full() == description.PKey(0).Full() {
		return errors.New("there is no partition 0; give four hexadecimal digits such as F123")
	}
	if err := request.CheckName("connection", p.connection); err != nil {
		return err
	}
	_, taken := s.Port(p.connection)
	if _, err := s.Find(p.connection); taken == nil || err == nil {
		return request.Errorf("there is a connection %q already", p.connection)
	}
	if i := s.findBroken(p.connection); i >= 0 && s.Broken[i].guid != p.guid {
		return request.Errorf("the registry has an entry of %q, which was not fully removed; part_man rem removes it", p.connection)
	}
	ofPort := 0
	for i := range s.Partitions {
		other := &s.Partitions[i]
		if other.port != p.port {
			continue
		}
		ofPort++
		if strings.EqualFold(other.name, p.name) && other.key == p.key {
			return fmt.Errorf("%s has the virtual port %s with the PKey %s already: %s", d.Connection, p.name, p.key,
				other.connection)
		}
	}
	switch {
	case ofPort >= MaxPartitionsOfPort:
		return fmt.Errorf("%s has %d virtual ports, the maximum for a port", d.Connection, ofPort)
	case len(s.Partitions) >= maxPartitions:
		return fmt.Errorf("the host has %d virtual IPoIB ports, the maximum", len(s.Partitions))
	}
	return nil
}

// byConnection sorts virtual ports by their connections, Ethernet 6 before Ethernet 10.
func byConnection(a, b partition) int {
	return cmp.Or(cmp.Compare(len(a.connection), len(b.connection)), cmp.Compare(a.connection, b.connection))
}

// usedKey returns the PKey that a virtual port uses: the requested key, or the full member's key when a partial member's was
// requested and the subnet manager assigns the full one; ok is false when it assigns neither (PKEY-3).
func (s Set) usedKey(p *partition) (key description.PKey, ok bool) {
	known := s.PKeys(p.port)
	for _, key := range []description.PKey{p.key.Full(), p.key} {
		if slices.Contains(known, key) && (key == p.key || key == p.key.Full()) {
			return key, true
		}
	}
	return 0, false
}
