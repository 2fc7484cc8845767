package request_test

import (
	"encoding/json"
	"strings"
	"testing"

	"cxdeck/driver/request"
)

// The reasons say what a name must be.
func TestNamesAreChecked(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "requires a name", " \t": "requires a name", "a\xffb": "must be valid UTF-8", "a\nb": "control characters",
		"a\x1b[31m": "control characters", "a\u202eb": "control characters", "a\u2028b": "control characters", "web-01": "", "Büro 7": "",
	} {
		for what, err := range map[string]error{"CheckName": request.CheckName("team", name), "CheckWords": request.CheckWords("a profile", name)} {
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s(%q): %v", what, name, err)
			}
		}
	}
	if err := request.CheckName("team", strings.Repeat("n", request.MaxName+1)); err == nil {
		t.Error("a long name is taken")
	}
	if err := request.CheckWords("a profile", strings.Repeat("n", request.MaxTarget+1)); err == nil {
		t.Error("a long name of a profile is taken")
	}
}

// Errors of JSON name no Go type.
func TestJSONErrorsAreSentences(t *testing.T) {
	t.Parallel()
	type inner struct {
		Size int `json:"size"`
	}
	type outer struct {
		Name string  `json:"name"`
		On   bool    `json:"on"`
		List []inner `json:"list"`
		One  inner   `json:"one"`
	}
	for text, want := range map[string]string{
		"[]":                   "it must be an object, not an array",
		`{"name":5}`:           "name must be a string, not a number",
		`{"on":"x"}`:           "on must be true or false, not a string",
		`{"list":{}}`:          "list must be an array, not an object",
		`{"one":true}`:         "one must be an object, not true or false",
		`{"one":{"size":"x"}}`: "one.size must be a number of the type int, not a string",
		`{"nome":1}`:           `unknown field "nome"`,
		"x":                    "it is not valid JSON: invalid character 'x' looking for beginning of value",
		"":                     "it ends too early for JSON",
		`{"name":"a"`:          "it ends too early for JSON",
		`{"name":"a"}{}`:       "there is data after the end",
	} {
		var into outer
		if err := request.Decode([]byte(text), &into); err == nil || err.Error() != want {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
	var into outer
	if err := request.ExplainJSON(json.Unmarshal([]byte("{"), &into)); err == nil || strings.Contains(err.Error(), "json:") {
		t.Errorf("json.Unmarshal: %v", err)
	}
	if request.ExplainJSON(nil) != nil {
		t.Error("nil became an error")
	}
}
