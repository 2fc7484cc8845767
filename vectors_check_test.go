package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFailingVectorsAreReported checks that the runner of vectors reports wrong results.
func TestFailingVectorsAreReported(t *testing.T) {
	t.Parallel()
	type input struct{ A, B int }
	type output struct {
		Sum  int     `json:"sum"`
		Mean float64 `json:"mean"`
	}
	add := func(in input) (output, error) {
		if in.A < 0 {
			return output{}, errors.New("no negative number")
		}
		return output{Sum: in.A + in.B, Mean: float64(in.A+in.B) / float64(2/in.B)}, nil
	}
	groups := []map[string]vectorRunner{
		{"add": vector(input{B: 2}, add)},
		{"ops": vectorOps(map[string]vectorRunner{"plus": vector(input{B: 2}, add)})},
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"add.json": `{"description": "", "source": "", "cases": [
			{"name": "right", "input": {"A": 1, "B": 2}, "expected": {"sum": 3, "mean": 3.0}},
			{"name": "default", "input": {"A": 1}, "expected": {"sum": 3}},
			{"name": "wrong", "input": {"A": 1}, "expected": {"sum": 4, "mean": 3.0}},
			{"name": "refused", "input": {"A": -1}, "expected": {"sum": 1}},
			{"name": "panics", "input": {"A": 1, "B": 0}, "expected": {"sum": 1}},
			{"name": "unread", "input": {"A": 1, "C": 2}, "expected": {"sum": 3}},
			{"name": "right", "input": {"A": 1}, "expected": {"sum": 3}},
			{"name": "empty", "input": {"A": 1}}
		]}`,
		"ops.json": `{"cases": [
			{"name": "known", "input": {"op": "plus", "A": 1}, "expected": {"sum": 3}},
			{"name": "unknown", "input": {"op": "minus", "A": 1}, "expected": {"sum": 3}},
			{"name": "none", "input": {"A": 1}, "expected": {"sum": 3}}
		]}`,
		"not-run.json": `{"cases": [`,
		"README.md":    "not a vector file",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	results, err := runVectors(folder, groups)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range results {
		got = append(got, r.String())
	}
	want := []string{"add.json: 8 cases ran, 6 failed", "not-run.json: not run", "ops.json: 3 cases ran, 2 failed"}
	if !slices.Equal(got, want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for i, said := range []string{
		"wrong: sum is 3, expected 4", "refused: no negative number", "panics: panic: runtime error: integer divide by zero",
		`unread: read the input: json: unknown field "C"`, `case 6: the name "right" is empty or not the only one`,
		"empty: a case has an input and what is expected",
	} {
		if results[0].failures[i] != said {
			t.Errorf("failure %d is %q, want %q", i, results[0].failures[i], said)
		}
	}
	if ran, failures := runVectorFile([]byte(`{"cases": [`), groups[0]["add"]); ran != 0 || len(failures) != 1 {
		t.Errorf("half a file: %d cases, %q", ran, failures)
	}
}

func TestVectorComparison(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		got, expected string
		differs       string // the reported difference, "" if they are equal
	}{
		{`{"a": [1, {"b": "x"}], "c": true, "more": 1}`, `{"a": [1, {"b": "x"}], "c": true}`, ""},
		{`null`, `null`, ""},
		{`{}`, `{"a": 1}`, "a is not in the output"},
		{`{"a": {"b": [1, 2]}}`, `{"a": {"b": [1, 3]}}`, "a.b[1] is 2, expected 3"},
		{`[1]`, `[1, 2]`, "the output has 1 entries, expected 2"},
		{`[1, 2]`, `[1]`, "has 2 entries, expected 1"},
		{`"1"`, `1`, "is 1, expected 1"},
		{`{"a": null}`, `{"a": 0}`, "a is <nil>, expected 0"},
		{`{"a": []}`, `{"a": {}}`, "a is [], expected map[]"},
		{`1e3`, `1000`, ""},
		{`1000`, `1000.0`, ""},
		{`18446744073709551615`, `18446744073709551615`, ""},
		{`18446744073709551615`, `18446744073709551614`, "expected 18446744073709551614"},
		{`1000.0000001`, `1000`, "expected 1000"}, // integers are compared exactly
		{`1000.0009`, `1000.0`, ""},
		{`1000.002`, `1000.0`, "expected 1000.0"},
		{`1e-13`, `0.0`, ""},
		{`1e-9`, `0.0`, "expected 0.0"},
		{`-1.5`, `1.5`, "expected 1.5"},
	} {
		err := compareJSON(json.RawMessage(c.got), json.RawMessage(c.expected))
		switch {
		case c.differs == "" && err != nil:
			t.Errorf("%s and %s: %v", c.got, c.expected, err)
		case c.differs != "" && (err == nil || !strings.Contains(err.Error(), c.differs)):
			t.Errorf("%s and %s: %v, want %q", c.got, c.expected, err, c.differs)
		}
	}
}
