package history

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/store"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// sawtooth returns a strip whose traffic rises twice, with drops at the end of the first rise.
func sawtooth() strip {
	s := emptyStrip(108_000)
	for i := range stripParts {
		s.traffic[i], s.drops[i] = float64(i%(stripParts/2)), 0
	}
	s.drops[stripParts/2-1] = 40
	return s
}

func TestStripCells(t *testing.T) {
	t.Parallel()
	unicode, ascii := themes.UnicodeGlyphs(), themes.ASCIIGlyphs()
	saw, unknown := sawtooth(), emptyStrip(0)
	quiet := unknown.drops
	quiet[3] = 0
	for _, c := range []struct {
		glyphs *themes.Glyphs
		parts  *[stripParts]float64
		want   int
	}{
		{unicode, &saw.traffic, stripWidth}, {ascii, &saw.traffic, stripWidth}, {unicode, &saw.drops, stripWidth},
		{unicode, &quiet, 1}, {unicode, &unknown.drops, 0},
	} {
		if got := stripCell(c.glyphs, c.parts, themes.Warn).Text; len([]rune(got)) != c.want {
			t.Errorf("%v is drawn as %q, want %d cells", c.parts, got, c.want)
		}
	}
	// Without braille a cell has two parts: the larger one must show.
	if got := []rune(stripCell(ascii, &saw.drops, themes.Warn).Text); got[stripWidth/2-1] == got[0] {
		t.Errorf("the drops are missing in %q", string(got))
	}
}

func TestReadStrip(t *testing.T) {
	t.Parallel()
	db := database(t)
	record(t, db, 121, map[int]driver.Operation{
		60: hardware.PullCable{Connection: "Ethernet 5"},
		61: hardware.PullCable{Connection: "Ethernet 7"},
	})
	s, err := readStrip(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range stripParts {
		if !(s.traffic[i] > 0) || math.IsNaN(s.drops[i]) {
			t.Errorf("part %d of %d: traffic %v, drops %v", i, stripParts, s.traffic[i], s.drops[i])
		}
	}
	if before, after := s.traffic[stripParts/4], s.traffic[3*stripParts/4]; after > 0.9*before {
		t.Errorf("traffic goes from %v to %v as two cables are pulled", before, after)
	}
	if _, err := readStrip(t.Context(), db, 2); err == nil {
		t.Error("a missing session has a strip")
	}
}

// TestStripOfAShortSession checks that with fewer samples than parts, a part repeats the value before it.
func TestStripOfAShortSession(t *testing.T) {
	t.Parallel()
	db := database(t)
	record(t, db, 8, nil)
	s, err := readStrip(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range stripParts {
		if math.IsNaN(s.traffic[i]) {
			t.Errorf("part %d of %d has no traffic: %v", i, stripParts, s.traffic)
		}
	}
}

// TestStripsOfTheRowsInView checks that only the strips of visible sessions are read.
func TestStripsOfTheRowsInView(t *testing.T) {
	t.Parallel()
	db := database(t)
	for range 12 {
		record(t, db, 8, nil)
	}
	d := viewtest.Watch(t, viewtest.Lab(t), 1)
	d.DB = db
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Resize(80, 16)
	s.Press("home")
	_, shown := v.Table.List.Visible()
	if len(v.strips) != shown || shown >= 12 {
		t.Fatalf("%d of 12 strips are read with %d sessions in view:\n%s", len(v.strips), shown, s.Text())
	}
	s.Press("end")
	s.Text()
	s.Press("up")
	if _, ok := v.strips[1]; !ok {
		t.Errorf("the strip of the last session is missing:\n%s", s.Text())
	}
}

// aYear returns the screen with 400 sessions and their strips.
func aYear(b *testing.B) *View {
	b.Helper()
	v := New(&deck.Deck{DB: database(b)})
	var sessions []store.Session
	for id := int64(400); id > 0; id-- {
		session := threeSessions()[id%3]
		session.ID, session.Running, session.Recorded = id, false, noon.AddDate(0, 0, int(id))
		session.Note, session.Tags = fmt.Sprintf("shift %d", id), []string{"night", "rack7"}
		sessions = append(sessions, session)
	}
	for id := range int64(400) {
		v.strips[id+1] = sawtooth()
	}
	v.Update(deck.SessionsMsg{Sessions: sessions})
	return v
}

// BenchmarkPageOfAYear measures a page-down key in 400 sessions, with its redraw.
func BenchmarkPageOfAYear(b *testing.B) {
	v := aYear(b)
	canvas := viewtest.Body(v, 120, 40)
	key := "pgdown"
	b.ReportAllocs()
	for b.Loop() {
		at := v.Table.List.Cursor()
		for _, a := range v.Actions() {
			if len(a.Keys) > 0 && a.Keys[0] == key {
				a.Run()
			}
		}
		canvas.Clear()
		v.Draw(canvas.All())
		if v.Table.List.Cursor() == at {
			v.Table.List.Select(0)
		}
	}
}

// BenchmarkReadStrip reads the strip of a recorded session outside the terminal loop.
func BenchmarkReadStrip(b *testing.B) {
	db := database(b)
	record(b, db, 600, nil)
	for b.Loop() {
		if _, err := readStrip(context.Background(), db, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAGrowingSessionGetsANewStrip(t *testing.T) {
	t.Parallel()
	s := strip{samples: 100}
	if s.isOld(&store.Session{Samples: 110}) || !s.isOld(&store.Session{Samples: 112}) {
		t.Error("a strip is old from a tenth more samples on")
	}
}

// TestStripsWithoutColour draws the strips with each glyph set, and checks that the theme without colours neither underlines nor
// reverses them, which would make dots unreadable, and that drops are bold.
func TestStripsWithoutColour(t *testing.T) {
	t.Parallel()
	saw := sawtooth()
	var lines strings.Builder
	for _, glyphs := range []*themes.Glyphs{themes.UnicodeGlyphs().WithLetters(), themes.BlockGlyphs().WithLetters(), themes.ASCIIGlyphs().WithLetters()} {
		fmt.Fprintf(&lines, "%-8s|%s|%s|\n", glyphs.Name, stripCell(glyphs, &saw.traffic, themes.SeriesRole(0)).Text, stripCell(glyphs, &saw.drops, themes.Warn).Text)
	}
	const want = `unicode |⣀⣤⣤⣶⣶⣿⣀⣤⣤⣶⣶⣿|⣀⣀⣀⣀⣀⣸⣀⣀⣀⣀⣀⣀|
blocks  |_▄▄▄██_▄▄▄██|_____█______|
ascii   |.,-~*#.,-~*#|_____#______|
`
	if lines.String() != want {
		t.Errorf("got\n%swant\n%s", lines.String(), want)
	}
	mono, err := themes.ByName("mono")
	if err != nil {
		t.Fatal(err)
	}
	traffic, drops := mono.Ink(themes.SeriesRole(0)), mono.Ink(themes.Warn)
	if (traffic.Mono|drops.Mono)&(themes.Underline|themes.Reverse) != 0 || drops.Mono&themes.Bold == 0 || traffic.Mono == drops.Mono {
		t.Errorf("traffic has the attributes %b, drops %b", traffic.Mono, drops.Mono)
	}
}
