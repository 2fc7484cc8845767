package driver

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/intent"
	"cxdeck/driver/request"
)

// KeptIntent is the intent that a host is to keep; the QoS screen shows the checks that fail. It never changes.
type KeptIntent struct {
	// File is the name of the file that the intent was read from, Data its content.
	File string `json:"file"`
	Data []byte `json:"data"`
	// Kept is the host's time when the intent was stored.
	Kept time.Time `json:"kept"`

	declared *intent.Intent
}

// Declared returns the intent as it was read.
func (k *KeptIntent) Declared() *intent.Intent { return k.declared }

// Intent returns the stored intent; nil for none.
func (h *Host) Intent() *KeptIntent { return h.intent }

// KeepIntent stores an intent with the host and replaces the previous one; without data it deletes the stored intent.
type KeepIntent struct {
	File string `json:"file,omitempty"`
	Data []byte `json:"data,omitempty"`
	// Kept is the time at which the intent was stored that undo restores; zero for now.
	Kept time.Time `json:"kept,omitzero"`
}

func (KeepIntent) Kind() string   { return "keep-intent" }
func (KeepIntent) Target() string { return "intent" }

// Describe names the file.
func (o KeepIntent) Describe() string {
	if len(o.Data) == 0 {
		return "delete the stored intent"
	}
	return "store the intent " + o.File
}

// Commands is empty: Windows stores no intent.
func (KeepIntent) Commands() []string { return nil }

// MaxKeptIntent is the maximum size of a stored intent in bytes: it is in the journal and in each saved state of the host.
const MaxKeptIntent = 64 << 10

// maxIntentName is the maximum length of the file's name in bytes.
const maxIntentName = 255

// parse reads the data. It refuses an intent without a node for the host.
func (o KeepIntent) parse(h *Host) (*KeptIntent, error) {
	switch {
	case len(o.Data) > MaxKeptIntent:
		return nil, fmt.Errorf("a stored intent can have at most %d KB, and %s has %d", MaxKeptIntent>>10, o.File, len(o.Data)>>10)
	case o.File == "" || len(o.File) > maxIntentName || strings.ContainsFunc(o.File, request.IsUnsafe):
		return nil, errors.New("the name of the intent's file is invalid")
	}
	in, err := intent.Read(o.Data)
	if err != nil {
		return nil, err
	}
	if name := h.lab.Description().Host.Name; in.NodeOf(name) == nil {
		return nil, fmt.Errorf("the intent has no node %s", name)
	}
	kept := o.Kept
	if kept.IsZero() {
		kept = h.Now()
	}
	return &KeptIntent{o.File, o.Data, kept, in}, nil
}

func (o KeepIntent) inverse(h *Host) (Operation, error) {
	if len(o.Data) > 0 {
		if _, err := o.parse(h); err != nil {
			return nil, err
		}
	}
	k := h.intent
	switch {
	case k == nil && len(o.Data) == 0:
		return nil, request.Unchanged("no intent is stored")
	case k == nil:
		return KeepIntent{}, nil
	case k.File == o.File && bytes.Equal(k.Data, o.Data):
		return nil, request.Unchanged("this intent is stored already")
	}
	return KeepIntent{k.File, k.Data, k.Kept}, nil
}

func (o KeepIntent) apply(h *Host) error {
	if len(o.Data) == 0 {
		h.intent = nil
		return nil
	}
	kept, err := o.parse(h)
	if err == nil {
		h.intent = kept
	}
	return err
}

// restoreIntent takes over a saved intent.
func (h *Host) restoreIntent(saved *KeptIntent) (err error) {
	if saved == nil {
		return nil
	}
	if h.intent, err = (KeepIntent{saved.File, saved.Data, saved.Kept}).parse(h); err != nil {
		return fmt.Errorf("the stored intent: %w", err)
	}
	return nil
}
