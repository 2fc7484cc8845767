package catalog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/hosts"
)

// hostileWords returns malicious and mistaken arguments: empty ones, at and beyond every limit, invalid text, and text with
// invisible characters. Every run tries the first one at every place.
func hostileWords() []string {
	return []string{
		"", strings.Repeat("x", 257), strings.Repeat("n", 300), strings.Repeat("y", 100_000), "bad \xff bytes\xc3",
		"nul\x00, \x1b[31mred\nline", "right \u202eto left\u2069\u2028", strings.Repeat("n", 128), `\ufffd`, "-", "\ufeff\ufffd</script>&",
	}
}

// takesEmptyWords are the commands for which an empty word has a meaning. In others an empty word is a variable that a script
// forgot to set, and must change nothing.
var takesEmptyWords = []string{"switch console"} // a line without a command

// hostileRun runs lines with hostile words on copies of a host.
type hostileRun struct {
	*bench
	// sampled is how many lines of a command were taken, and longest the number of words of the longest one.
	sampled, longest map[string]int
	// samples is how many are, and tries how many hostile words each of their places gets: the first, and others in
	// turn. next counts the lines that were tried, done the lines that were carried out.
	samples, tries, turn, next, done int
}

// commandLine is a line with its command.
type commandLine struct {
	words   []string
	command *exec.Command
}

// commandLines returns the lines of a text that begin with a command.
func commandLines(text string) (list []commandLine) {
	for line := range strings.SplitSeq(text, "\n") {
		words, err := Commands().Split(line)
		if err != nil || len(words) == 0 {
			continue
		}
		if c, ok := Commands().Find(words); ok {
			list = append(list, commandLine{words, c})
		}
	}
	return list
}

// needsSample reports whether a line changes the host, and its command has not been tried often enough, or only with fewer
// arguments.
func (r *hostileRun) needsSample(line commandLine) bool {
	name := line.command.Name
	return line.command.Changes && (r.sampled[name] < r.samples || len(line.words) > r.longest[name])
}

// try replaces each argument of a line by hostile words, runs the line on a copy of the host, and restores the saved copy.
func (r *hostileRun) try(t *testing.T, line commandLine) {
	t.Helper()
	c, words := line.command, line.words
	if !r.needsSample(line) {
		return
	}
	r.sampled[c.Name]++
	r.longest[c.Name] = max(r.longest[c.Name], len(words))
	before, drafts := r.host, r.Drafts
	defer func() { r.host, r.Drafts = before, drafts }()
	host := hostOf(t, before).Clone()
	source, err := lab.New(host)
	if err != nil {
		t.Fatal(err)
	}
	r.host, r.Drafts = hosts.OnLab(source, nil, nil), exec.NewDraftStore()
	hostile := hostileWords()
	for place := len(strings.Fields(c.Name)); place <= len(words); place++ {
		for try := range r.tries {
			word := hostile[0]
			if try > 0 {
				word = hostile[1+r.turn%(len(hostile)-1)]
				r.turn++
			}
			line := append(slices.Clone(words[:place]), word)
			if r.next++; place < len(words) {
				line = append(line, words[place+1:]...)
			}
			r.out.Reset()
			r.errs.Reset()
			entries := len(host.Journal())
			if r.Run(t.Context(), line) == exec.Done {
				r.done++
				if word == "" && len(host.Journal()) > entries && !slices.Contains(takesEmptyWords, c.Name) {
					t.Errorf("%.60q changes the host: %s", line, host.Journal()[entries].Plan.Title)
				}
			} else if said := r.errs.String(); strings.Count(said, "\n") != 1 || len(said) > 5000 {
				t.Errorf("%.60q says %.300q", line, said)
			}
		}
	}
	if err := readBack(host); err != nil {
		t.Errorf("%s: %v", c.Name, err)
	}
}

// hostOf returns the driver's host of an exec.Host.
func hostOf(t *testing.T, of exec.Host) (host *driver.Host) {
	t.Helper()
	if err := of.ReadHost(t.Context(), func(h *driver.Host) error {
		host = h
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return host
}

// TestNoChangeMakesAHostUnreadable tries lines of the scripts and examples of every command that changes the host.
func TestNoChangeMakesAHostUnreadable(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	r := &hostileRun{sampled: map[string]int{}, longest: map[string]int{}, samples: 1, tries: 2}
	if os.Getenv("CXDECK_LONG") != "" {
		r.samples, r.tries = 10, len(hostileWords())
	}
	scripts, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := commandLines(string(text))
		for len(lines) > 0 && !r.needsSample(lines[len(lines)-1]) {
			lines = lines[:len(lines)-1] // what comes after the last line that is tried need not be run
		}
		r.bench = newBench(t, nil)
		for _, line := range lines {
			r.try(t, line)
			if line.command.Changes || line.command.Name == "advance" {
				r.Run(t.Context(), line.words)
			}
		}
	}
	r.bench = newBench(t, nil)
	for _, c := range Commands().Commands() {
		for _, example := range c.Describe().Examples {
			for _, line := range commandLines(strings.TrimPrefix(example.Line, "cxdeck exec ")) {
				r.try(t, line)
			}
		}
		if c.Changes && r.sampled[c.Name] == 0 {
			t.Errorf("%s: no example and no script has a line of it", c.Name)
		}
	}
	t.Logf("%d of %d lines were done", r.done, r.next)
	if r.done < 5 || r.next < 300 {
		t.Errorf("only %d of %d lines did anything: the test tries too little", r.done, r.next)
	}
}

// readBack saves and restores a host, and returns an error for a difference.
func readBack(h *driver.Host) error {
	saved, err := h.Save()
	if err != nil {
		return err
	}
	back, err := driver.RestoreHost(h.Lab().Description(), saved)
	if err != nil {
		return err
	}
	again, err := back.Save()
	if err != nil {
		return err
	}
	if !bytes.Equal(saved, again) {
		return fmt.Errorf("it is saved in another way after it was read back")
	}
	journal, was := back.Journal(), h.Journal()
	if len(journal) != len(was) {
		return fmt.Errorf("%d changes became %d", len(was), len(journal))
	}
	for i := range journal {
		a, err := journal[i].MarshalJSON()
		b, other := was[i].MarshalJSON()
		if journal[i].Unread != "" || err != nil || other != nil || !bytes.Equal(a, b) || journal[i].Plan.Title != was[i].Plan.Title {
			return fmt.Errorf("change %d, %.80q, came back as %.80q, %s", was[i].Sequence, was[i].Plan.Title, journal[i].Plan.Title, journal[i].Unread)
		}
	}
	return nil
}
