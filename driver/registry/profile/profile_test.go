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
