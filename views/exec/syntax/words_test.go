package syntax

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line string
		want []string
	}{
		{"", nil},
		{"  \t ", nil},
		{"# all of it is a comment", nil},
		{"undo", []string{"undo"}},
		{"  adapter   list\t# with a comment", []string{"adapter", "list"}},
		{`reg get "Ethernet 7" *JumboPacket`, []string{"reg", "get", "Ethernet 7", "*JumboPacket"}},
		{`cable pull 'Ethernet 7'`, []string{"cable", "pull", "Ethernet 7"}},
		{`counters \Set(a)\Bytes/sec`, []string{"counters", `\Set(a)\Bytes/sec`}},
		{`counters "\Set(a b)\*"`, []string{"counters", `\Set(a b)\*`}},
		{`a "with \" inside" b`, []string{"a", `with " inside`, "b"}},
		{`a 'with \ inside'`, []string{"a", `with \ inside`}},
		{`pre"fix and "post`, []string{"prefix and post"}},
		{`"" ''`, []string{"", ""}},
		{`a#b #c`, []string{"a#b"}},
		{`a|b | "c|d"|`, []string{"a", "|", "b", "|", "c|d", "|"}},
		{`Ünïcode "世界 7"`, []string{"Ünïcode", "世界 7"}},
	} {
		got, err := Split(c.line)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Split(%q) is %q, %v; want %q", c.line, got, err, c.want)
		}
	}
}

func TestSplitErrors(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`cable pull "Ethernet 7`:        "column 12: a quote is not closed",
		`cable pull 'Ethernet`:          "column 12: a quote is not closed",
		"cable \x1b[2J":                 "column 7: the line has a control character",
		"cable '\x00'":                  "column 7: the quoted text has a control character",
		"cable \xff":                    "not UTF-8",
		strings.Repeat("a", 8193):       "longer than 8192 bytes",
		strings.Repeat("a ", 257):       "more than 256 words",
		"ünï 'x":                        "column 5: a quote is not closed",
		strings.Repeat("a ", 256) + "#": "",
	} {
		_, err := Split(line)
		if want == "" {
			if err != nil {
				t.Errorf("Split(%.20q): %v", line, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Split(%.20q): %v; want %q", line, err, want)
		}
	}
}

// FuzzSplit checks that Split never panics, and that Join and Split are inverse.
func FuzzSplit(f *testing.F) {
	for _, line := range []string{
		"", `reg get "Ethernet 7" *JumboPacket`, `a '"' "'" \"`, "# x", `"`, `''`, `a\ b`, "x\ty", "a\x00", `"\"'"`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := Split(line)
		if err != nil {
			return
		}
		joined := Join(words)
		if len(joined) > MaxLineBytes {
			return
		}
		again, err := Split(joined)
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("%q gives %q, and %q gives %q, %v", line, words, joined, again, err)
		}
	})
}
