package wizard

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// Value is the answer to one field; the kind of the field says which part it uses.
type Value struct {
	Text string   `json:"text,omitempty"`
	On   bool     `json:"on,omitempty"`
	IDs  []string `json:"ids,omitempty"`
	Rows []Values `json:"rows,omitempty"`
}

// Values are answers by the ID of their field. It encodes to JSON. Missing answers read as empty.
type Values map[string]Value

// Text returns a text, or the ID of the chosen one, without blanks at its ends.
func (v Values) Text(id string) string { return strings.TrimSpace(v[id].Text) }

// On returns a toggle.
func (v Values) On(id string) bool { return v[id].On }

// IDs returns the IDs of the chosen choices, in the order of the choices.
func (v Values) IDs(id string) []string { return v[id].IDs }

// Has reports whether a choice is chosen.
func (v Values) Has(id, choice string) bool { return slices.Contains(v[id].IDs, choice) }

// Rows returns the rows of a row list.
func (v Values) Rows(id string) []Values { return v[id].Rows }

// Number returns an integer; ok is false for other texts.
func (v Values) Number(id string) (n int, ok bool) {
	n, err := strconv.Atoi(v.Text(id))
	return n, err == nil
}

// MAC returns a MAC address; ok is false for other texts.
func (v Values) MAC(id string) (address [6]byte, ok bool) { return parseMAC(v.Text(id)) }

// parseMAC reads six bytes as 00-11-22-33-44-55, 00:11:22:33:44:55, 0011.2233.4455 or 001122334455.
func parseMAC(text string) (address [6]byte, ok bool) {
	for _, form := range []struct {
		separator string
		digits    int
	}{{"-", 2}, {":", 2}, {".", 4}} {
		parts := strings.Split(text, form.separator)
		if len(parts) == 1 {
			continue
		}
		for _, part := range parts {
			if len(part) != form.digits {
				return address, false
			}
		}
		text = strings.Join(parts, "")
		break
	}
	if len(text) != hex.EncodedLen(len(address)) {
		return address, false
	}
	_, err := hex.Decode(address[:], []byte(text))
	return address, err == nil
}

// Draft holds the answers so far and the current step, to be saved and restored. It encodes to JSON.
type Draft struct {
	// Values are the operator's answers; fields that were never changed are absent and follow their Initial.
	Values Values `json:"values"`
	// Step is the ID of the step that was shown, Reached the ID of the furthest one.
	Step    string `json:"step"`
	Reached string `json:"reached"`
}

// Empty reports that no field was changed.
func (d Draft) Empty() bool { return len(d.Values) == 0 }
