package intent

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// Kept is the intent that a host is to keep; the QoS screen shows the checks that fail. It never changes.
type Kept struct {
	// File is the name of the file that the intent was read from, Data its content.
	File string `json:"file"`
	Data []byte `json:"data"`
	// Kept is the host's time when the intent was stored.
	Kept time.Time `json:"kept"`

	declared *Intent
}

// Declared returns the intent as it was read.
func (k *Kept) Declared() *Intent { return k.declared }

// Host is what the Operation needs of a host.
type Host interface {
	// HostName is the name that a node of the intent must have.
	HostName() string
	Now() time.Time
	// Intent returns the stored intent; nil for none.
	Intent() *Kept
	SetIntent(kept *Kept)
}

// Operation is a change of the stored intent.
type Operation = operation.Of[Host]

// Keep stores an intent with the host and replaces the previous one; without data it deletes the stored intent.
type Keep struct {
	File string `json:"file,omitempty"`
	Data []byte `json:"data,omitempty"`
	// Kept is the time at which the intent was stored that undo restores; zero for now.
	Kept time.Time `json:"kept,omitzero"`
}

func (Keep) Kind() string   { return "keep-intent" }
func (Keep) Target() string { return "intent" }

// Describe names the file.
func (o Keep) Describe() string {
	if len(o.Data) == 0 {
		return "delete the stored intent"
	}
	return "store the intent " + o.File
}

// Commands is empty: Windows stores no intent.
func (Keep) Commands() []string { return nil }

// MaxKept is the maximum size of a stored intent in bytes: it is in the journal and in each saved state of the host.
const MaxKept = 64 << 10

// maxFileName is the maximum length of the file's name in bytes.
const maxFileName = 255

// Parse reads the data. It refuses an intent without a node for the host.
func (o Keep) Parse(h Host) (*Kept, error) {
	switch {
	case len(o.Data) > MaxKept:
		return nil, fmt.Errorf("a stored intent can have at most %d KB, and %s has %d", MaxKept>>10, o.File, len(o.Data)>>10)
	case o.File == "" || len(o.File) > maxFileName || strings.ContainsFunc(o.File, request.IsUnsafe):
		return nil, errors.New("the name of the intent's file is invalid")
	}
	in, err := Read(o.Data)
	if err != nil {
		return nil, err
	}
	if name := h.HostName(); in.NodeOf(name) == nil {
		return nil, fmt.Errorf("the intent has no node %s", name)
	}
	kept := o.Kept
	if kept.IsZero() {
		kept = h.Now()
	}
	return &Kept{o.File, o.Data, kept, in}, nil
}

func (o Keep) Inverse(h Host) (Operation, error) {
	if len(o.Data) > 0 {
		if _, err := o.Parse(h); err != nil {
			return nil, err
		}
	}
	k := h.Intent()
	switch {
	case k == nil && len(o.Data) == 0:
		return nil, request.Unchanged("no intent is stored")
	case k == nil:
		return Keep{}, nil
	case k.File == o.File && bytes.Equal(k.Data, o.Data):
		return nil, request.Unchanged("this intent is stored already")
	}
	return Keep{k.File, k.Data, k.Kept}, nil
}

func (o Keep) Apply(h Host) error {
	if len(o.Data) == 0 {
		h.SetIntent(nil)
		return nil
	}
	kept, err := o.Parse(h)
	if err == nil {
		h.SetIntent(kept)
	}
	return err
}
