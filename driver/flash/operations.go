package flash

import (
	"errors"
	"fmt"
	"maps"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/limits"
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// Operation is a change of the flash of a card.
type Operation = operation.Of[Set]

// Burn writes a firmware image into the flash of a card. The card runs it after its next reset.
type Burn struct {
	// Adapter is the card's name: "ConnectX-3 Pro".
	Adapter string `json:"adapter"`
	// File is the name of the image's file.
	File string `json:"file,omitempty"`
	// Image is the image, Devices the PCI device ids that it is for, Settings the fields of its ini file.
	Image    Content           `json:"image"`
	Devices  []uint16          `json:"devices"`
	Settings map[string]uint32 `json:"settings,omitempty"`
	// Force burns an image that is older than the one in the flash, AllowPSIDChange one for another board.
	Force           bool `json:"force,omitempty"`
	AllowPSIDChange bool `json:"allow_psid_change,omitempty"`
	// NotFailsafe overwrites the image in the flash, without a spare copy.
	NotFailsafe bool `json:"not_failsafe,omitempty"`
	// Cut is the percentage at which it is interrupted, 0 for a burn that succeeds.
	Cut int `json:"cut_percent,omitempty"`
}

// Restore writes back what the flash of a card had. It undoes Burn.
type Restore struct {
	Adapter string  `json:"adapter"`
	Image   Content `json:"image"`
	Flaws
	Settings map[string]uint32 `json:"settings,omitempty"`
	// Cut is the percentage at which the next burn is interrupted, 0 for none.
	Cut int `json:"cut_percent,omitempty"`
}

// CutBurn has the next burn of a card be interrupted, as a power failure does. Percent 0 removes this.
type CutBurn struct {
	Adapter string `json:"adapter"`
	Percent int    `json:"percent"`
}

// Kind implements driver.Operation.
func (Burn) Kind() string { return "burn-firmware" }

// Kind implements driver.Operation.
func (Restore) Kind() string { return "restore-firmware" }

// Kind implements driver.Operation.
func (CutBurn) Kind() string { return "cut-burn" }

// Target implements driver.Operation.
func (o Burn) Target() string { return o.Adapter }

// Target implements driver.Operation.
func (o Restore) Target() string { return o.Adapter }

// Target implements driver.Operation.
func (o CutBurn) Target() string { return o.Adapter }

// Describe implements driver.Operation.
func (o Burn) Describe() string {
	text := fmt.Sprintf("burn the firmware %s for %s into %s", request.Word(o.Image.Version), request.Word(o.Image.PSID), o.Adapter)
	if o.Cut > 0 {
		text += fmt.Sprintf(", interrupted at %d%%", o.Cut)
	}
	return text
}

// Describe implements driver.Operation.
func (o Restore) Describe() string {
	return fmt.Sprintf("write the firmware %s for %s back into %s", request.Word(o.Image.Version), request.Word(o.Image.PSID), o.Adapter)
}

// Describe implements driver.Operation.
func (o CutBurn) Describe() string {
	if o.Percent == 0 {
		return "let the next burn of " + o.Adapter + " finish"
	}
	return fmt.Sprintf("interrupt the next burn of %s at %d%%", o.Adapter, o.Percent)
}

// Commands implements driver.Operation; see CommandsOf.
func (o Burn) Commands() []string { return o.commands("mtNNNN_pciconfM") }

func (o Burn) commands(device string) []string {
	line := "flint -d " + device
	for _, flag := range []struct {
		on   bool
		text string
	}{{o.Force, " -y"}, {o.AllowPSIDChange, " -allow_psid_change"}, {o.NotFailsafe, " -nofs"}} {
		if flag.on {
			line += flag.text
		}
	}
	return []string{line + " -i " + fileWord(o.File) + " b"}
}

// fileWord returns the name of a file as a word of a command line.
func fileWord(name string) string {
	if name == "" {
		return "FIRMWARE.bin"
	}
	return `"` + name + `"`
}

// Commands is a burn of the former image.
func (o Restore) Commands() []string { return Burn{Force: true}.commands("mtNNNN_pciconfM") }

// Commands is empty: nobody cuts the power by a command.
func (CutBurn) Commands() []string { return nil }

// CommandsOf returns the commands for an Operation on a real host.
func (s Set) CommandsOf(o Operation) []string {
	card, err := s.Card(o.Target())
	if err != nil {
		return o.Commands()
	}
	device := s.Lab().Description().DeviceName(card)
	switch o := o.(type) {
	case Burn:
		return o.commands(device)
	case Restore:
		return Burn{Force: true}.commands(device)
	}
	return o.Commands()
}

// Touches returns what it changes; see driver.Host.Undo.
func (o Burn) Touches() []string { return []string{"the firmware image of " + o.Adapter} }

// Touches returns what it changes.
func (o Restore) Touches() []string { return Burn{Adapter: o.Adapter}.Touches() }

// Touches returns what it changes.
func (o CutBurn) Touches() []string { return []string{"the next burn of " + o.Adapter} }

// OlderError is an image that is not newer than the one in the flash.
type OlderError struct {
	Adapter, Stored, Image string
	Same                   bool
}

// Error says that a force flag is required.
func (e *OlderError) Error() string {
	than := "older than"
	if e.Same {
		than = "the same as"
	}
	return fmt.Sprintf("the firmware %s is %s %s in the flash of %s; flint -y burns it all the same", e.Image, than, e.Stored, e.Adapter)
}

// PSIDError is an image for another board.
type PSIDError struct{ Adapter, Stored, Image string }

// Error names both boards.
func (e *PSIDError) Error() string {
	return fmt.Sprintf("the PSID %s of the image differs from the PSID %s of %s: it is for another board", e.Image, e.Stored, e.Adapter)
}

// Refusal returns why an image can't be burnt into a card; nil when it can.
func (s Set) Refusal(o Burn) error {
	card, err := s.Card(o.Adapter)
	if err != nil {
		return err
	}
	a, now := &s.Lab().Description().Adapters[card], s.Flash(card)
	fits := false
	for _, device := range o.Devices {
		fits = fits || device == a.DeviceID
	}
	older := limits.Older(o.Image.Version, now.Stored.Version)
	switch {
	case o.Image.Version == "" || o.Image.PSID == "":
		return errors.New("the image has no version or no PSID")
	case !fits:
		return request.Errorf("the image of firmware %q is for another device than %s", o.Image.Version, o.Adapter)
	case o.Cut < 0 || o.Cut > 99:
		return fmt.Errorf("a burn is interrupted at 1 to 99 percent, not %d", o.Cut)
	case o.Image.PSID != now.Stored.PSID && !o.AllowPSIDChange:
		return &PSIDError{o.Adapter, now.Stored.PSID, o.Image.PSID}
	case !o.Force && !now.Damaged && (older || o.Image.Version == now.Stored.Version):
		return &OlderError{o.Adapter, now.Stored.Version, o.Image.Version, !older}
	}
	for name, value := range o.Settings {
		f, ok := firmware.Find(a.Family == description.WinOF, name)
		if !ok || f.Tool != firmware.Image || value < f.Low || value > f.High {
			return request.Errorf("the ini file of the image has an invalid field %q = %d", name, value)
		}
	}
	return nil
}

// Inverse is the restoring of what the flash had.
func (o Burn) Inverse(s Set) (Operation, error) {
	if err := s.Refusal(o); err != nil {
		return nil, err
	}
	return s.backup(o.Adapter)
}

// backup returns the Operation that writes back what a flash has now.
func (s Set) backup(adapter string) (Operation, error) {
	card, err := s.Card(adapter)
	if err != nil {
		return nil, err
	}
	now := s.Flash(card)
	return Restore{Adapter: adapter, Image: now.Stored, Flaws: now.Flaws, Settings: maps.Clone(s.ImageSettings(card)), Cut: now.Cut}, nil
}

// Inverse is the restoring of what the flash had.
func (o Restore) Inverse(s Set) (Operation, error) {
	if o.Image.Version == "" || o.Image.PSID == "" {
		return nil, errors.New("the image has no version or no PSID")
	}
	return s.backup(o.Adapter)
}

// Inverse sets the former percentage.
func (o CutBurn) Inverse(s Set) (Operation, error) {
	card, err := s.Card(o.Adapter)
	if err != nil {
		return nil, err
	}
	if o.Percent < 0 || o.Percent > 99 {
		return nil, fmt.Errorf("a burn is interrupted at 1 to 99 percent, not %d", o.Percent)
	}
	return CutBurn{o.Adapter, s.Flash(card).Cut}, nil
}

// Apply burns the image. Failsafe burning writes the spare half of the flash first: when it is interrupted, the card still has the image
// that it had.
func (o Burn) Apply(s Set) error {
	card, err := s.Card(o.Adapter)
	if err != nil {
		return err
	}
	c := s.Flash(card)
	c.Cut = 0
	switch {
	case o.Cut == 0:
		c.Stored, c.Flaws = o.Image, Flaws{NotFailsafe: o.NotFailsafe}
		s.SetImageSettings(card, o.Settings)
	case o.NotFailsafe || c.NotFailsafe: // there is no spare half
		c.Flaws = Flaws{Damaged: true, NotFailsafe: true}
	default:
		c.Partial = o.Cut
	}
	s.set(c)
	return nil
}

// Apply writes the image back.
func (o Restore) Apply(s Set) error {
	card, err := s.Card(o.Adapter)
	if err != nil {
		return err
	}
	c := s.Flash(card)
	c.Stored, c.Flaws, c.Cut = o.Image, o.Flaws, o.Cut
	s.SetImageSettings(card, o.Settings)
	s.set(c)
	return nil
}

// Apply keeps the percentage.
func (o CutBurn) Apply(s Set) error {
	card, err := s.Card(o.Adapter)
	if err != nil {
		return err
	}
	c := s.Flash(card)
	c.Cut = o.Percent
	s.set(c)
	return nil
}
