package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cxdeck/views/viewtest"
)

// TestArchitecturePage compares the picture and the table of packages in docs/architecture.md with go list. With -update it writes
// them.
func TestArchitecturePage(t *testing.T) {
	t.Parallel()
	packages := listPackages(t)
	keep(t, filepath.Join("docs", "pictures", "rooms.svg"), drawRooms(packages))
	const begin, end = "<!-- packages -->\n", "<!-- /packages -->"
	path := filepath.Join("docs", "architecture.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the table of packages", path)
	}
	keep(t, path, before+begin+packageTable(packages)+end+after)
	checkSteps(t, string(page))
}

// stepRow is a row of the tables that trace a counter and an edit through the program: a file and a function in it.
var stepRow = regexp.MustCompile("\\| `([a-z0-9_/]+\\.go)` \\| `(\\w+)` \\|")

// checkSteps fails the test if a function named on the page is not in its file.
func checkSteps(t *testing.T, page string) {
	t.Helper()
	rows := stepRow.FindAllStringSubmatch(page, -1)
	if len(rows) < 20 {
		t.Errorf("the page names %d functions", len(rows))
	}
	for _, row := range rows {
		source, err := os.ReadFile(row[1])
		if err != nil {
			t.Errorf("the page names %s: %v", row[1], err)
		} else if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + row[2] + `[(\[]`).Match(source) {
			t.Errorf("%s has no function %s", row[1], row[2])
		}
	}
}

// keep fails the test if the contents of a file differ from want; with -update it writes the file.
func keep(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err == nil && bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), []byte(want)) {
		return
	}
	if !viewtest.Updating() {
		t.Errorf("%s is not what go list says: run task docs and look at the difference", path)
		return
	}
	if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// packageTable returns a row for each package: the first sentence of its doc comment, and its imports within the module.
func packageTable(packages []listedPackage) string {
	var b strings.Builder
	b.WriteString("\n| package | purpose | imports |\n| --- | --- | --- |\n")
	for _, p := range packages {
		name, ours := strings.CutPrefix(p.ImportPath, "cxdeck/")
		if !ours {
			name = "main.go"
		}
		var imports []string
		for _, imported := range p.Imports {
			if other, ours := strings.CutPrefix(imported, "cxdeck/"); ours {
				imports = append(imports, "`"+other+"`")
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, packageSummary(p), strings.Join(imports, " "))
	}
	return b.String() + "\n"
}

// packageSummary returns the first sentence of a package's doc comment without its name: "models the hardware of the lab".
func packageSummary(p listedPackage) string {
	sentence, _, _ := strings.Cut(strings.Join(strings.Fields(p.Doc), " "), ". ")
	words := strings.Fields(strings.TrimSuffix(sentence, "."))
	if len(words) > 2 && (words[0] == "Package" || words[0] == "Command") {
		words = words[2:]
	}
	return strings.ReplaceAll(strings.Join(words, " "), "|", "\\|")
}

// Sizes of the picture in pixels.
const (
	roomWidth, roomGap   = 176, 52
	roomLine, roomTitle  = 17, 30
	roomAbove, roomStack = 20, 28
)

// room is a box of the picture: a folder of the top level with the packages under it.
type room struct {
	name     string
	packages []string
	imports  map[string]bool
	column   int
	x, y     int
}

func (r *room) height() int { return roomTitle + roomLine*len(r.packages) + 8 }

// drawRooms draws a column for each rank of the rooms, so that all arrows lead to the left. Arrows that others imply are left out.
func drawRooms(packages []listedPackage) string {
	rooms := map[string]*room{}
	for _, p := range packages {
		name, below := "main.go", ""
		if path, ours := strings.CutPrefix(p.ImportPath, "cxdeck/"); ours {
			name, below, _ = strings.Cut(path, "/")
		}
		r := rooms[name]
		if r == nil {
			r = &room{name: name, imports: map[string]bool{}}
			rooms[name] = r
		}
		if below != "" {
			r.packages = append(r.packages, below)
		}
		for _, imported := range p.Imports {
			other, ours := strings.CutPrefix(imported, "cxdeck/")
			if other, _, _ = strings.Cut(other, "/"); ours && other != name {
				r.imports[other] = true
			}
		}
	}
	var rank func(*room) int
	rank = func(r *room) int {
		highest := -1
		for other := range r.imports {
			highest = max(highest, rank(rooms[other]))
		}
		return highest + 1
	}
	names := slices.Sorted(maps.Keys(rooms))
	var bottoms []int
	for _, name := range names {
		r := rooms[name]
		r.column = rank(r)
		for len(bottoms) <= r.column {
			bottoms = append(bottoms, roomAbove)
		}
		r.x, r.y = roomGap/2+r.column*(roomWidth+roomGap), bottoms[r.column]
		bottoms[r.column] += r.height() + roomStack
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">`+"\n",
		len(bottoms)*(roomWidth+roomGap), slices.Max(bottoms))
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">` +
		`<path d="M0 0L8 4L0 8z" fill="#57606a"/></marker></defs>` + "\n" + `<rect width="100%" height="100%" fill="#ffffff"/>` + "\n")
	for _, name := range names {
		for _, other := range slices.Sorted(maps.Keys(rooms[name].imports)) {
			if !implied(rooms, name, other) {
				from, to := rooms[name], rooms[other]
				x1, x2, y2 := from.x, to.x+roomWidth, to.y+roomTitle/2
				y1 := max(from.y+roomTitle/2, min(y2, from.y+from.height()-roomTitle/2)) // level, where the box is high enough
				middle := x1 - roomGap/2
				fmt.Fprintf(&b, `<path d="M%d %dC%d %d %d %d %d %d" fill="none" stroke="#57606a" stroke-width="1.5" marker-end="url(#tip)"/>`+"\n",
					x1, y1, middle, y1, x2+roomGap/2, y2, x2, y2)
			}
		}
	}
	for _, name := range names {
		r := rooms[name]
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="#f6f8fa" stroke="#57606a"/>`+"\n", r.x, r.y, roomWidth, r.height())
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-weight="bold" fill="#1f2328">%s</text>`+"\n", r.x+12, r.y+21, name)
		for i, p := range r.packages {
			fmt.Fprintf(&b, `<text x="%d" y="%d" fill="#1f2328">%s</text>`+"\n", r.x+12+12*strings.Count(p, "/"),
				r.y+roomTitle+12+i*roomLine, p[strings.LastIndex(p, "/")+1:])
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// implied reports whether a room also imports another one through a third.
func implied(rooms map[string]*room, name, other string) bool {
	for between := range rooms[name].imports {
		if between != other && reaches(rooms, between, other) {
			return true
		}
	}
	return false
}

func reaches(rooms map[string]*room, name, other string) bool {
	for next := range rooms[name].imports {
		if next == other || reaches(rooms, next, other) {
			return true
		}
	}
	return false
}
