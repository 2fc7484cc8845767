package perf

import (
	"fmt"
	"strings"
	"testing"
)

// TestPathsIgnoreCase looks up every path in another case, and some missing paths.
func TestPathsIgnoreCase(t *testing.T) {
	t.Parallel()
	series := []Series{{Set: "A", Counter: "no instance"}, {Set: "Ä Set", Instance: "Größe É", Counter: "Über"}}
	for i := range 500 {
		series = append(series, Series{Set: "Set", Instance: fmt.Sprint("Ethernet ", i), Counter: "Bytes/Sec"})
	}
	for i := range series {
		series[i].Cell = i
	}
	s, err := NewSchema(1, len(series), series)
	if err != nil {
		t.Fatal(err)
	}
	for i := range series {
		for _, path := range []string{series[i].Path(), strings.ToUpper(series[i].Path()), strings.ToLower(series[i].Path())} {
			if at, ok := s.Find(path); !ok || at != i {
				t.Errorf("%s is at %d, %v, want %d", path, at, ok, i)
			}
		}
	}
	for _, path := range []string{"", `\`, `\A()\no instance`, `\Set(Ethernet 500)\Bytes/Sec`, `\Set(Ethernet 1)\Bytes`} {
		if at, ok := s.Find(path); ok {
			t.Errorf("%q is found at %d", path, at)
		}
	}
	series[7].Instance = "ETHERNET 1"
	if _, err := NewSchema(1, len(series), series); err == nil {
		t.Error("a schema with two series of the same path was accepted")
	}
}
