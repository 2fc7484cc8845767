package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ruleID matches the id of a rule of the model in comments and tests.
var ruleID = regexp.MustCompile(`\b(?:(?:FAM|PERF|QOS|ROCE|NIC)-\d+|[TAEQD]\d{1,2})\b`)

// TestModelPage: docs/model.md has every rule that comments in device, driver and perf cite.
func TestModelPage(t *testing.T) {
	t.Parallel()
	page := readPage(t, "model.md")
	cited := 0
	for _, room := range []string{"device", "driver", "perf"} {
		files, err := filepath.Glob(filepath.Join("../..", room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				_, comment, found := strings.Cut(line, "//")
				if !found {
					continue
				}
				for _, id := range ruleID.FindAllString(comment, -1) {
					cited++
					if !strings.Contains(page, "| "+id+" |") {
						t.Errorf("%s cites the rule %s, which docs/model.md does not explain", file, id)
					}
				}
			}
		}
	}
	if cited == 0 {
		t.Error("no file cites a rule")
	}
}
