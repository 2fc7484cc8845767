package table

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

type embedded struct {
	Name string `json:"name"`
	Size int8   `json:"size"`
}

type row struct {
	embedded
	Upper  upper             `json:"upper"`
	Limit  *uint32           `json:"limit"`
	Words  []string          `json:"words"`
	Inner  []*embedded       `json:"inner"`
	Places map[string]string `json:"places"`
	Raw    json.RawMessage   `json:"raw"`
	Scale  float64           `json:"scale"`
	On     bool              `json:"on"`
	Ready  int               `json:"-"`
}

// upper is a type that reads its own text.
type upper string

func (u *upper) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return fmt.Errorf("it is empty")
	}
	*u = upper(strings.ToUpper(string(text)))
	return nil
}

const sample = `[
{"name": "one", "size": -3, "upper": "abc", "limit": 4294967295, "words": ["a", "b\"\u00e9\n", "\"c"], "on": true},
{"scale": 1.5e3, "name": "two, \\ {", "words": [], "inner": [{"name": "x"}, {"size": 1}], "places": {"k": "v", "l": ""},
 "raw": {"a": [1, "]}"], "b": null}, "limit": null, "on": false}, {}
]
`

// TestReadAgreesWithEncodingJSON reads a table with everything in it in both ways.
func TestReadAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	got, err := Read[[]row](sample)
	if err != nil {
		t.Fatal(err)
	}
	var want []row
	if err := json.Unmarshal([]byte(sample), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestTextsAreNotCopied looks whether a text lies in the table.
func TestTextsAreNotCopied(t *testing.T) {
	t.Parallel()
	rows, err := Read[[]row](sample)
	if err != nil {
		t.Fatal(err)
	}
	if at := strings.Index(sample, "one"); unsafe.StringData(rows[0].Name) != unsafe.StringData(sample[at:]) {
		t.Error("a name is a copy")
	}
}

// TestListsHaveNoRoomLeft: tables are kept permanently.
func TestListsHaveNoRoomLeft(t *testing.T) {
	t.Parallel()
	rows, err := Read[[]row](sample)
	if err != nil {
		t.Fatal(err)
	}
	if cap(rows) != len(rows) || cap(rows[0].Words) != len(rows[0].Words) {
		t.Errorf("room for %d rows, not %d, and for %d words, not %d", cap(rows), len(rows), cap(rows[0].Words), len(rows[0].Words))
	}
}

func TestDamagedTablesAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "{}", "[", "[{", `[{}`, `[{}]]`, `[{},]`, `[{"name"}]`, `[{"name":}]`, `[{"name":"A]`, `[{"name":"\`, `[{"name":"A\u00"}]`,
		`[{"naem":"A"}]`, `[{"Name":"A"}]`, `[{"size":128}]`, `[{"size":1.5}]`, `[{"limit":-1}]`, `[{"on":1}]`, `[{"on":tru}]`,
		`[{"upper":""}]`, `[{"words":["a" "b"]}]`, `[{"raw":[`, `[{"scale":x}]`, `[{"scale":1e999}]`, `[{"places":[]}]`, `[{"name":"a",}]`,
	} {
		if rows, err := Read[[]row](text); err == nil {
			t.Errorf("%q was taken: %+v", text, rows)
		}
	}
	_, err := Read[[]row]("[\n{},\n{\"naem\": 1}]")
	if err == nil || !strings.Contains(err.Error(), "line 3") || !strings.Contains(err.Error(), "naem") {
		t.Errorf("the error %v does not say where", err)
	}
}

// FuzzRead looks for texts that the reader neither takes nor refuses.
func FuzzRead(f *testing.F) {
	f.Add(sample)
	f.Add(`[{"raw": "\"", "words": ["\\"]}]`)
	f.Fuzz(func(_ *testing.T, text string) { _, _ = Read[[]row](text) })
}
