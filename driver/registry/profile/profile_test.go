package profile

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestProfileRoundTrip(t *testing.T) {
	t.Parallel()
	p := Profile{"a", "b", []Value{{Key: "*RSS", Value: "1"}, {Key: "x", Delete: true}}}
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var back Profile
	if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(p, back) {
		t.Errorf("%+v, %v", back, err)
	}
	for _, bad := range []string{
		`{}`, `{"name":"a","values":[]}`, `{"name":"a","values":[{"key":""}]}`, `{"name":"a","more":1}`,
		`{"name":"` + strings.Repeat("x", 300) + `","values":[{"key":"a"}]}`,
	} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%.80s is taken", bad)
		}
	}
}

func FuzzUnmarshalProfile(f *testing.F) {
	f.Add([]byte(`{"name":"a","about":"b","values":[{"key":"*RSS","value":"1"},{"key":"x","delete":true}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p Profile
		if json.Unmarshal(data, &p) == nil {
			if err := p.Check(); err != nil {
				t.Errorf("%+v was taken: %v", p, err)
			}
		}
	})
}

// New profiles have names that can be printed; saved ones with other names go on being read.
func TestProfileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a\xffb", "a\x07b", "new\nline", "a\u202eb", "", " ", strings.Repeat("n", 257)} {
		if CheckName(name) == nil {
			t.Errorf("%q is taken", name)
		}
		saved := Profile{Name: name, Values: []Value{{Key: "*JumboPacket", Value: "1514"}}}
		data, err := saved.Encode()
		if err != nil {
			continue
		}
		if _, err := Read("p.json", data); err == nil && !strings.Contains(name, "\xff") { // JSON replaces it
			t.Errorf("%q is imported", name)
		}
	}
	var old Profile
	if err := json.Unmarshal([]byte(`{"name":"a\u0007b","values":[{"key":"*JumboPacket","value":"1514"}]}`), &old); err != nil || old.Name != "a\x07b" {
		t.Errorf("a saved profile is not read: %+v, %v", old, err)
	}
	if err := CheckName("Büro 7"); err != nil {
		t.Error(err)
	}
}
