package dump

import (
	"errors"
	"fmt"

	"cxdeck/device/description"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/request"
)

// Operation is an Operation on dumps and traces.
type Operation interface {
	Kind() string
	Target() string
	Describe() string
	Commands() []string
	// Inverse returns the Operation that undoes it, nil if none does; it fails when the Operation can't be applied.
	Inverse(s Set) (Operation, error)
	// Apply applies it, completely or not at all.
	Apply(s Set) error
}

// RequestIncident writes a folder of Dump Me Now, as a user or a Network Direct program requests it. It can't be undone.
type RequestIncident struct {
	Adapter string `json:"adapter"`
	// Program is the workload whose program requests it, empty for a user.
	Program string `json:"program,omitempty"`
}

// RequestState writes a state dump, as a user requests it. It can't be undone.
type RequestState struct {
	Connection string `json:"connection"`
}

// RemoveFiles deletes files of the host that match a pattern. It can't be undone.
type RemoveFiles struct {
	Pattern string `json:"pattern"`
}

func (RequestIncident) Kind() string { return "dump-me-now" }
func (RequestState) Kind() string    { return "dump-state" }
func (RemoveFiles) Kind() string     { return "remove-host-files" }

func (o RequestIncident) Target() string { return o.Adapter }
func (o RequestState) Target() string    { return o.Connection }
func (o RemoveFiles) Target() string     { return o.Pattern }

func (o RequestIncident) Describe() string {
	if o.Program != "" {
		return fmt.Sprintf("write a Dump Me Now of %s for the program of %s", o.Adapter, o.Program)
	}
	return "write a Dump Me Now of " + o.Adapter
}
func (o RequestState) Describe() string { return "write a state dump of " + o.Connection }
func (o RemoveFiles) Describe() string  { return "delete the host's files " + o.Pattern }

// Commands is empty: the command depends on the card's address; see Typed.
func (RequestIncident) Commands() []string { return nil }

// Commands is empty: the command depends on the card's address; see Typed.
func (RequestState) Commands() []string { return nil }

// Commands returns the command of Windows.
func (o RemoveFiles) Commands() []string { return []string{`del /s /q "` + o.Pattern + `"`} }

// Consequence says that it can't be undone.
func (RemoveFiles) Consequence() string { return "deleted dumps are lost; this can't be undone" }

// Typed returns the commands of an Operation on a real host, where they need the address of a card; ok is false for other Operations.
func (s Set) Typed(o Operation) (lines []string, ok bool) {
	const tool = "mlxtool.exe dbg %s %d %d %d"
	switch o := o.(type) {
	case RequestIncident:
		if o.Program != "" { // no command: the program calls the provider
			return nil, true
		}
		if port, err := s.portOfAdapter(o.Adapter); err == nil {
			card, _, _ := s.card(port)
			return []string{fmt.Sprintf(tool, "dump-me-now", card.PCI.Bus, card.PCI.Device, card.PCI.Function)}, true
		}
	case RequestState:
		if port, err := s.port(o.Connection); err == nil {
			if card, _, _ := s.card(port); card.Family == description.WinOF {
				return []string{fmt.Sprintf(tool, "mstdump", card.PCI.Bus, card.PCI.Device, card.PCI.Function)}, true
			}
		}
	}
	return nil, false
}

func (s Set) portOfAdapter(name string) (port int, err error) {
	for port := range s.Lab().Ports() {
		if _, a, _ := s.Lab().Port(port); s.Lab().Description().Adapters[a].Name == name {
			return port, nil
		}
	}
	return 0, request.Errorf("the host has no adapter %q", name)
}

func (s Set) port(connection string) (port int, err error) {
	for port := range s.Lab().Ports() {
		if s.Lab().Connection(port) == connection {
			return port, nil
		}
	}
	return 0, request.Errorf("the host has no connection %q", connection)
}

// Inverse is nil: a dump stays.
func (o RequestIncident) Inverse(s Set) (Operation, error) {
	port, err := s.portOfAdapter(o.Adapter)
	if err != nil {
		return nil, err
	}
	if s.Lab().Family(port) != description.WinOF {
		return nil, ErrNotWinOF
	}
	if o.Program != "" {
		return nil, s.checkProgram(o.Adapter, o.Program)
	}
	return nil, nil
}

// checkProgram returns why the program of a workload can't request a dump of a card.
func (s Set) checkProgram(adapter, workload string) error {
	flows := s.Lab().Description().Flows
	for i, state := range s.Lab().Flows() {
		if f := &flows[i]; f.Name == workload {
			_, a, _ := s.Lab().Port(state.Port)
			switch {
			case s.Lab().Description().Adapters[a].Name != adapter:
				return fmt.Errorf("%s does not use %s", workload, adapter)
			case f.Protocol != description.RDMA || f.Application.SMB():
				return fmt.Errorf("%s is not a Network Direct program of user space", workload)
			}
			return nil
		}
	}
	return fmt.Errorf("there is no workload %q", workload)
}

// Apply writes the folder. A dump that can't be written does not fail the Operation: the driver has logged event 0x101.
func (o RequestIncident) Apply(s Set) error {
	port, err := s.portOfAdapter(o.Adapter)
	if err != nil {
		return err
	}
	source := User
	if o.Program != "" {
		source = Program
	}
	if _, err = s.DumpNow(port, source); errors.Is(err, ErrNotWinOF) {
		return err
	}
	return nil
}

// ErrDisabled is the error of a request for a state dump on a host whose driver keeps none.
var ErrDisabled = errors.New("MST dumps are disabled: DumpEventsNum is 0; set it to 1 or more and reload the driver")

// Inverse is nil: a dump stays.
func (o RequestState) Inverse(s Set) (Operation, error) {
	port, err := s.port(o.Connection)
	if err != nil {
		return nil, err
	}
	if s.number(port, "DumpEventsNum", defaultSets) == 0 {
		return nil, ErrDisabled
	}
	if s.count(port, UserRequest) >= s.number(port, "DumpEventsNum", defaultSets) {
		return nil, errors.New("DumpEventsNum allows no further dump for a user's request")
	}
	return nil, nil
}

// Apply writes the files.
func (o RequestState) Apply(s Set) error {
	port, err := s.port(o.Connection)
	if err != nil {
		return err
	}
	if s.DumpState(port, UserRequest) == nil {
		return hostfiles.ErrFull
	}
	return nil
}

// count returns the number of sets of a card for a request.
func (s Set) count(port int, event Event) int {
	card, _, _ := s.card(port)
	name := rows(card.Family)[event].name
	for _, c := range s.Sets {
		if c.Adapter == card.Name && c.Event == name {
			return c.Count
		}
	}
	return 0
}

// Inverse is nil: deleted files are lost.
func (o RemoveFiles) Inverse(s Set) (Operation, error) {
	if o.Pattern == "" || len(o.Pattern) > maxPattern {
		return nil, fmt.Errorf("a pattern of 1 to %d bytes is required", maxPattern)
	}
	if len(s.Files.List(o.Pattern)) == 0 {
		return nil, request.Errorf("no file of the host matches %q", o.Pattern)
	}
	return nil, nil
}

// Apply deletes the files.
func (o RemoveFiles) Apply(s Set) error {
	files := s.Files
	files.Remove(o.Pattern)
	s.Files = files
	return nil
}

// maxPattern is the length of a pattern in bytes.
const maxPattern = 240
