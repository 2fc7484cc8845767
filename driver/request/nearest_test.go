package request_test

import (
	"testing"

	"cxdeck/driver/request"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	words := []string{"sessions", "counters", "version", "completion", "compare"}
	for word, want := range map[string]string{
		"sesions": "sessions", "VERSOIN": "version", "counter": "counters", "comp": "completion", "": "", "zzzz": "", "q": "",
	} {
		if got := request.Nearest(word, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
