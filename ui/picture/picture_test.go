package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// sample has text in several styles, hostile text, lines, braille and blocks.
func sample() *widget.Canvas {
	canvas := widget.NewCanvas(30, 6)
	inside := widget.Box(canvas.All(), "Box", true)
	inside.Print(0, 0, `<b>&"Ethernet 7"`, themes.Style{Role: themes.Good, Attr: themes.Bold})
	inside.Print(0, 1, "⣿⣀⡇ ▁▄█▌", themes.Style{Role: themes.Series1})
	inside.Print(0, 2, "日本 underlined", themes.Style{Attr: themes.Underline, Ground: themes.Selected})
	return canvas
}

func TestThemesProduceValidXML(t *testing.T) {
	t.Parallel()
	for _, theme := range themes.All() {
		svg := SVG(sample(), theme)
		decoder := xml.NewDecoder(bytes.NewReader(svg))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v\n%s", theme.Name, err, svg)
			}
		}
		text := string(svg)
		for _, want := range []string{`&lt;b&gt;&amp;`, "日本", `font-weight="bold"`, `text-decoration="underline"`, "<path"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the picture lacks %q:\n%s", theme.Name, want, text)
			}
		}
		if strings.ContainsAny(text, "⣿│┌█") {
			t.Errorf("%s: a shape was written as a letter", theme.Name)
		}
		if again := SVG(sample(), theme); !bytes.Equal(svg, again) {
			t.Errorf("%s: the same canvas gives another picture", theme.Name)
		}
	}
}

func TestBrailleDots(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"⠀": 0, "⠁": 1, "⣿": 8, "⢸": 4} {
		var path strings.Builder
		braille(&path, 0, 0, int([]rune(text)[0]-0x2800))
		if got := strings.Count(path.String(), "M"); got != want {
			t.Errorf("%s has %d dots, want %d", text, got, want)
		}
	}
}
