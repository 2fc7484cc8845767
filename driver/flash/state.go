package flash

import (
	"errors"
	"slices"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/request"
)

// Content is a firmware image in a flash.
type Content struct {
	Version string `json:"version"`
	PSID    string `json:"psid"`
	ROM     string `json:"rom,omitempty"`
	// Digest is the digest of the file that was burnt; empty for the image that a card came with.
	Digest string `json:"digest,omitempty"`
}

// Card is the flash of a card that was burnt.
type Card struct {
	Adapter string `json:"adapter"`
	// Board is the PSID that the board was made with.
	Board string `json:"board"`
	// Running is the image that the card has loaded, Stored the one that it loads next.
	Running Content `json:"running"`
	Stored  Content `json:"stored"`
	Flaws
	// RunsNothing reports that the card found no image that it can load.
	RunsNothing bool `json:"runs_nothing,omitempty"`
	// Cut is the percentage at which the next burn is interrupted, 0 for none.
	Cut int `json:"cut_percent,omitempty"`
}

// Flaws are what is wrong with a flash.
type Flaws struct {
	// Partial is the percentage of an image that an interrupted burn left in the second half of the flash, which the card never loads.
	Partial int `json:"partial_percent,omitempty"`
	// Damaged reports that no image can be loaded: a burn without a spare copy was interrupted.
	Damaged bool `json:"damaged,omitempty"`
	// NotFailsafe reports that the image has no spare copy.
	NotFailsafe bool `json:"not_failsafe,omitempty"`
}

// State holds the flashes of the cards that were burnt. Copies share its list, which is replaced and never changed.
type State struct {
	Cards []Card `json:"cards,omitempty"`
}

// Facts are the facts about a host that burning needs.
type Facts interface {
	Lab() *device.Lab
	// Card finds a card by its name.
	Card(adapter string) (int, error)
	// ImageSettings returns the fields of the ini file of the image in a card's flash that have a value; SetImageSettings replaces them.
	ImageSettings(card int) map[string]uint32
	SetImageSettings(card int, values map[string]uint32)
}

// Set is the state of the flashes with the facts that burning needs.
type Set struct {
	Facts
	*State
}

// Flash returns the flash of a card.
func (s Set) Flash(card int) Card {
	a := &s.Lab().Description().Adapters[card]
	if at := slices.IndexFunc(s.Cards, func(c Card) bool { return c.Adapter == a.Name }); at >= 0 {
		return s.Cards[at]
	}
	content := Content{Version: a.Firmware, PSID: a.PSID}
	if r, ok := FindRelease(a.DeviceID, a.Firmware); ok {
		content.ROM = r.ROM
	}
	return Card{Adapter: a.Name, Board: a.PSID, Running: content, Stored: content}
}

// set stores the flash of a card.
func (s Set) set(c Card) {
	list := slices.DeleteFunc(slices.Clone(s.Cards), func(other Card) bool { return other.Adapter == c.Adapter })
	list = append(list, c)
	s.Cards = list
}

// Load has a card load its image, as a reset does, and reports whether another one runs than before.
func (s Set) Load(card int) (changed bool) {
	now := s.Flash(card)
	next := now
	if next.RunsNothing = next.Damaged; !next.Damaged {
		next.Running = next.Stored
	}
	if next == now {
		return false
	}
	s.set(next)
	return true
}

// StartFails reports whether the driver of a card can't run its firmware: the card found no image, or one for another board.
func (s Set) StartFails(card int) bool {
	c := s.Flash(card)
	return c.RunsNothing || c.Running.PSID != c.Board
}

// NeedsReset reports whether a card has an image that it has not loaded yet.
func (s Set) NeedsReset(card int) bool {
	c := s.Flash(card)
	return c.Damaged != c.RunsNothing || !c.Damaged && c.Running != c.Stored
}

// AnyNeedsReset reports whether one of the cards has an image that it has not loaded yet.
func (s Set) AnyNeedsReset() bool {
	for card := range s.Lab().Description().Adapters {
		if s.NeedsReset(card) {
			return true
		}
	}
	return false
}

// Check validates a saved state.
func (s Set) Check() error {
	seen := map[string]bool{}
	for _, c := range s.Cards {
		known := slices.ContainsFunc(s.Lab().Description().Adapters, func(a description.Adapter) bool { return a.Name == c.Adapter })
		for _, text := range []string{c.Board, c.Running.Version, c.Running.PSID, c.Running.ROM, c.Stored.Version, c.Stored.PSID, c.Stored.ROM, c.Stored.Digest, c.Running.Digest} {
			known = known && len(text) <= request.MaxTarget
		}
		if !known || seen[c.Adapter] || c.Running.Version == "" || c.Stored.Version == "" || c.Partial < 0 || c.Partial > 99 || c.Cut < 0 || c.Cut > 99 {
			return errors.New("the firmware images of the saved host are damaged")
		}
		seen[c.Adapter] = true
	}
	return nil
}
