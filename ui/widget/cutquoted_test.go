package widget

import (
	"strings"
	"testing"
)

func TestCutQuoted(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("A", 300)
	path := `\Mellanox WinOF-2 Port QoS(Ethernet 7 Priority 3)\Bytes Received/Sec and more`
	short := long[:maxQuoted-1] + "…"
	for name, c := range map[string][2]string{
		"short":              {`there is no adapter "Ethernet 77"; did you mean "Ethernet 7"?`, ""},
		"one name":           {`there is no adapter "` + long + `"; adapter list prints the names`, `there is no adapter "` + short + `"; adapter list prints the names`},
		"two names":          {`"` + long + `" is not "` + long + `"`, `"` + short + `" is not "` + short + `"`},
		"an escaped mark":    {`no "` + `\"` + long + `" here`, `no "` + `\"` + long[:maxQuotedPath-3] + "…" + `" here`},
		"a path":             {`no counter matches "` + path + `"`, ""},
		"a longer path":      {`no file "/` + long + `"`, `no file "/` + long[:maxQuotedPath-2] + "…" + `"`},
		"never closed":       {`a quote " is not closed ` + long, ""},
		"inches":             {`a disk of 5" and then ` + long + ` "x"`, ""},
		"wide characters":    {`no "` + strings.Repeat("網", 100) + `"`, `no "` + strings.Repeat("網", 29) + `…"`},
		"a mark at the end":  {`a long sentence that ends in a mark, which opens nothing at all "`, ""},
		"a stroke at an end": {`a long sentence that ends in a stroke, which escapes nothing at "x\`, ""},
	} {
		want := c[1]
		if want == "" {
			want = c[0]
		}
		if got := CutQuoted(c[0]); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
