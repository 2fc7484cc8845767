package boot

import (
	"errors"
	"reflect"
	"slices"

	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// Set is the boot over the network with the facts of the host.
type Set struct {
	Host
	*State
}

// Operation is a change of a boot over the network.
type Operation = operation.Of[Set]

// Change replaces parts of the state: the ones that are given.
type Change struct {
	// What is the change as a phrase, and Line the line of Windows that makes it, empty for none.
	What   string  `json:"what"`
	Line   string  `json:"line,omitempty"`
	Client *Client `json:"client,omitempty"`
	DHCP   *DHCP   `json:"dhcp,omitempty"`
	WDS    *WDS    `json:"wds,omitempty"`
	ISCSI  *Target `json:"iscsi,omitempty"`
}

// Start runs the boot of the host from a connection.
type Start struct {
	Connection string `json:"connection"`
	// F12 is the key that goes on to the network boot; without it a disk that has Windows boots. Image and OS are the choices in the lists of
	// the server, from 1.
	F12   bool `json:"f12,omitempty"`
	Image int  `json:"image,omitempty"`
	OS    int  `json:"os,omitempty"`
}

// part is the name of what the Operations change.
const part = "network boot"

func (Change) Kind() string   { return "set-network-boot" }
func (Change) Target() string { return part }
func (Start) Kind() string    { return "boot-from-network" }

func (o Change) Describe() string { return part + ": " + o.What }
func (o Start) Target() string    { return o.Connection }
func (o Start) Describe() string  { return "boot the host over " + o.Connection }

// Commands returns the line of the server; the client is set in its BIOS.
func (o Change) Commands() []string {
	if o.Line == "" {
		return nil
	}
	return []string{o.Line}
}

// Commands is empty: an operator presses a key.
func (Start) Commands() []string { return nil }

// swap exchanges the given parts with the ones of the state.
func (o Change) swap(s *State) (next State, back Change) {
	next, back = *s, Change{What: "undo: " + o.What}
	if o.Client != nil {
		back.Client, next.Client = &s.Client, *o.Client
	}
	if o.DHCP != nil {
		back.DHCP, next.DHCP = &s.DHCP, *o.DHCP
	}
	if o.WDS != nil {
		back.WDS, next.WDS = &s.WDS, *o.WDS
	}
	if o.ISCSI != nil {
		back.ISCSI, next.Target = &s.Target, *o.ISCSI
	}
	return next, back
}

func (o Change) Inverse(s Set) (Operation, error) {
	was := *s.State
	next, back := o.swap(&was)
	switch {
	case o.Client == nil && o.DHCP == nil && o.WDS == nil && o.ISCSI == nil:
		return nil, errors.New("a part of the boot over the network is required")
	case len(o.What) > request.MaxTarget || len(o.Line) > 4*request.MaxTarget:
		return nil, errors.New("the description of the change is too long")
	case reflect.DeepEqual(next, was):
		return nil, request.Unchanged("this is so already")
	}
	for _, name := range next.Client.Order {
		if name == Disk {
			continue
		}
		if _, err := factsOf(s, name); err != nil {
			return nil, err
		}
	}
	if err := next.check(); err != nil {
		return nil, err
	}
	return back, nil
}

func (o Change) Apply(s Set) error {
	*s.State, _ = o.swap(s.State)
	return nil
}

// Inverse returns no Operation: a boot is over when it ends.
func (o Start) Inverse(s Set) (Operation, error) {
	_, err := factsOf(s, o.Connection)
	if err == nil && (o.Image < 0 || o.OS < 0) {
		err = errors.New("the choices count from 1")
	}
	return nil, err
}

func (o Start) Apply(s Set) error {
	f, err := factsOf(s, o.Connection)
	if err != nil {
		return err
	}
	result, drive := s.Walk(&f, o)
	s.Last, s.Client.Drive = result, drive
	s.Last.Stages = slices.Clone(result.Stages)
	return nil
}
