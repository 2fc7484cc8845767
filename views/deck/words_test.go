package deck

import (
	"strings"
	"testing"
)

func TestWordsMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		filter string
		texts  []string
		want   bool
	}{
		{"", []string{"anything"}, true},
		{"  ", nil, true},
		{"ethernet", []string{"Ethernet 7"}, true},
		{"ETHERNET 7", []string{"Ethernet 7"}, true},
		{"7 eth", []string{"Ethernet 7"}, false},
		{"up", []string{"Ethernet 7", "up"}, true},
		{"down | 7", []string{"Ethernet 7", "up"}, true},
		{"down|8", []string{"Ethernet 7", "up"}, false},
		{"|", []string{"Ethernet 7"}, true},
		{"ethernet 77", []string{"Ethernet 7"}, false},
		{"größe", []string{"GRÖSSE und Größe"}, true},
		{"ö", []string{"Ethernet"}, false},
		{"longer than the text", []string{"l"}, false},
	} {
		if got := ParseWords(c.filter).Match(c.texts...); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.filter, c.texts, got, c.want)
		}
	}
}

func FuzzWordsMatch(f *testing.F) {
	f.Add("eth|7", "Ethernet 7")
	f.Add("Ö", "ö")
	f.Add("\xff", "a\xff")
	f.Fuzz(func(t *testing.T, filter, text string) {
		words := ParseWords(filter)
		want := len(words) == 0
		for _, w := range words {
			want = want || strings.Contains(strings.ToLower(text), w)
		}
		// The two implementations differ for text that is not ASCII or not valid UTF-8.
		if got := words.Match(text); got != want && strings.ToValidUTF8(text, "") == text && isASCII(text) {
			t.Errorf("%q matches %q: %v, want %v", filter, text, got, want)
		}
	})
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > 0x7f }) < 0
}

func BenchmarkWordsMatchTenThousand(b *testing.B) {
	words := ParseWords("buffer seven|nowhere")
	b.ReportAllocs()
	for b.Loop() {
		for range 10_000 {
			words.Match("no receive buffers: 312 packets dropped a second on this port", "Ethernet 7", "mlx5", "mlx5.no-buffer")
		}
	}
}
