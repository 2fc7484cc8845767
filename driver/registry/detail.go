package registry

import (
	_ "embed"
	"fmt"
	"sync"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/table"
)

// Detail holds the longer texts about a key.
type Detail struct {
	Name  string `json:"name"`
	Scope Scope  `json:"scope"`
	// Effect describes what raising and lowering the value do, or what each value does.
	Effect string `json:"effect"`
	// Constraint says in words what the range can't.
	Constraint string `json:"constraint"`
	// Related are the names of the keys that it interacts with.
	Related []string `json:"related"`
	// Moves are the performance counters that other values of it move, as set\counter.
	Moves []string `json:"moves"`
	// Notes are other facts for the operator: the name in the dialog, releases, tools that write it.
	Notes string `json:"notes"`
	// Decision is how the model settles what the manuals leave open or state in two ways; empty when they don't.
	Decision string `json:"decision"`
	// Lab is the reason why no value of it shows in the lab, although a card would show one; empty for keys that do, and for
	// keys that are inert on any card.
	Lab string `json:"lab"`
	// Manual is the place in the manuals that it was taken from.
	Manual string `json:"manual"`

	search searchTexts
}

//go:embed winof-details.json
var tableDetailsWinOF string

//go:embed winof2-details.json
var tableDetailsWinOF2 string

// inFlash is in the table for the reason that flashReason gives.
const inFlash = "flash"

// flashReason returns why no value of a setting in the card's flash shows, with the tool that writes it.
func flashReason(r *Row) string {
	s, ok := firmware.Find(r.Family == description.WinOF, r.Name)
	if !ok {
		return "it is stored in the card's flash, and no tool of the lab writes it"
	}
	return string(s.Tool) + " writes it to the card's flash, and nothing else in the lab uses it"
}

// Details are two thirds of the catalogue and are not needed at start: they are read on first use.
var (
	detailsWinOF  = sync.OnceValue(func() []Detail { return readEmbeddedDetails(tableDetailsWinOF, description.WinOF) })
	detailsWinOF2 = sync.OnceValue(func() []Detail { return readEmbeddedDetails(tableDetailsWinOF2, description.WinOF2) })
)

// Detail returns the longer texts about a key.
func (r *Row) Detail() *Detail { return &details(r.Family)[r.Index] }

func details(family description.Family) []Detail {
	if family == description.WinOF {
		return detailsWinOF()
	}
	return detailsWinOF2()
}

func readEmbeddedDetails(text string, family description.Family) []Detail {
	list, err := readDetails(text, Keys(family).Rows)
	if err != nil {
		panic("registry: an embedded table of details is damaged: " + err.Error()) // a test reads it: this can't ship
	}
	return list
}

// readDetails reads the texts of rows, which are in the same order.
func readDetails(text string, rows []Row) ([]Detail, error) {
	list, err := table.Read[[]Detail](text)
	if err != nil {
		return nil, err
	}
	if len(list) != len(rows) {
		return nil, fmt.Errorf("%d texts for %d keys", len(list), len(rows))
	}
	for i := range rows {
		if list[i].Name != rows[i].Name || list[i].Scope != rows[i].Scope {
			return nil, fmt.Errorf("found the text of %s, expected the text of %s", list[i].Name, rows[i].Name)
		}
		if list[i].Lab == inFlash {
			list[i].Lab = flashReason(&rows[i])
		}
		list[i].search = searchable(&rows[i], &list[i])
	}
	return list, nil
}
