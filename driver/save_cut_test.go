package driver

import (
	"reflect"
	"strings"
	"testing"

	"cxdeck/driver/request"
)

// TestReadingASavedHostAgreesWithJSON compares the short way to the hardware of a saved host with encoding/json, on what Save
// writes and on texts that are damaged just there.
func TestReadingASavedHostAgreesWithJSON(t *testing.T) {
	t.Parallel()
	good := string(mustSave(t, newHost(t, 1)))
	if rest, lab := cutLab([]byte(good)); len(lab) < len(good)/2 || len(rest) > len(good)/2 {
		t.Errorf("of %d bytes, %d are read as JSON, and %d of hardware are not", len(good), len(rest), len(lab))
	}
	const begin = `{"version":1,"lab":"`
	for what, text := range map[string]string{
		"as it was saved":   good,
		"another order":     strings.Replace(good, `{"version":1,"lab"`, `{"lab"`, 1),
		"space between":     strings.Replace(good, begin, `{"version": 1, "lab": "`, 1),
		"no hardware":       `{"version":1,"lab":"","sequence":3}`,
		"null":              `{"version":1,"lab":null,"sequence":3}`,
		"an end of a line":  strings.Replace(good, begin, begin+"\n", 1),
		"an escaped end":    strings.Replace(good, begin, begin+`\n`, 1),
		"an escaped letter": `{"version":1,"lab":"\u0041AAA"}`,
		"an escaped quote":  `{"version":1,"lab":"AA\"AA"}`,
		"half a group":      `{"version":1,"lab":"AAAAA"}`,
		"a letter outside":  `{"version":1,"lab":"AA*A"}`,
		"no end":            `{"version":1,"lab":"AAAA`,
		"nothing behind":    `{"version":1,"lab":"AAAA"`,
		"a second time":     `{"version":1,"lab":"AAAA","lab":"BBBB"}`,
		"another version":   strings.Replace(good, `"version":1`, `"version":2`, 1),
	} {
		var want savedHost
		err := request.Decode([]byte(text), &want)
		got, problem := readSaved([]byte(text))
		switch {
		case (err != nil || want.Version != savedVersion) != (problem != nil):
			t.Errorf("%s: %v, and encoding/json says %v", what, problem, err)
		case problem == nil && len(got.Lab) == 0 && len(want.Lab) == 0:
		case problem == nil && !reflect.DeepEqual(got, want):
			t.Errorf("%s: it was read as %d bytes of hardware, want %d", what, len(got.Lab), len(want.Lab))
		}
	}
}
