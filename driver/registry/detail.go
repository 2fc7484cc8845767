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
	// Constraint describes limits that the range can't express.
	Constraint string `json:"constraint"`
	// Related are the names of related keys.
	Related []string `json:"related"`
	// Moves are the performance counters that change with the value, as set\counter.
	Moves []string `json:"moves"`
	// Notes are other facts for the operator: the name in the dialog, releases, tools that write it.
	Notes string `json:"notes"`
	// Decision is the model's choice where the manuals are silent or contradict each other; empty where they are clear.
	Decision string `json:"decision"`
	// Lab is the reason why the value has no visible effect in the lab, although it has one on a card; empty for keys with a
	// visible effect, and for keys that are inert on any card.
	Lab string `json:"lab"`
	// Manual is its place in the manuals.
	Manual string `json:"manual"`

	search searchTexts
}

//go:embed winof-details.json
var tableDetailsWinOF string

//go:embed winof2-details.json
var tableDetailsWinOF2 string

// inFlash stands in the table for the reason that flashReason returns.
const inFlash = "flash"

// flashReason returns why a setting in the card's flash has no visible effect, with the tool that writes it.
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
func (r *Row) Detail() *Detail {
	if r.Index < 0 { // a value that is in no catalogue
		return &Detail{}
	}
	return &details(r.Family)[r.Index]
}

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
