package savedhosts

import (
	"bytes"
	"testing"
)

// FuzzHostFile: parsing any data gives a valid file or an error.
func FuzzHostFile(f *testing.F) {
	f.Add([]byte(`{"format":"cxdeck host","version":1,"seed":"1","lab":"","state":{}}`))
	f.Add([]byte(`{"format":"cxdeck host","version":1,"seed":"18446744073709551615","lab":"[host]\nname=\"x\"","state":[1,2]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, lab, err := parseHostFile(data)
		if err == nil && (lab == nil || lab.Hash() == "" || file.Elapsed < 0 || bytes.ContainsAny([]byte(file.Seed), "-x")) {
			t.Fatalf("%+v", file)
		}
	})
}
