package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ruleID matches the id of a rule of the model in comments and tests.
var ruleID = regexp.MustCompile(`\b(?:(?:DCQ|DMN|FAM|FAR|HQ|IOV|KEY|MTU|ND|NIC|PERF|PKEY|QOS|RES|RING|ROCE|RSS|SD|SH|SMB|STL|TEAM|TUNE|VFN|VIRT)-\d+)\b`)

// relationID matches the id of a relation between counters, which the packages at the top of a room cite.
var relationID = regexp.MustCompile(`\b[TAEQD]\d{1,2}\b`)

// definedRule matches the row that explains a rule.
var definedRule = regexp.MustCompile(`(?m)^\| ([A-Z]+-?\d+) \|`)

// TestModelPage: docs/model.md explains each rule that a comment cites, and each of its rules once.
func TestModelPage(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine for seconds: run it without -short")
	}
	t.Parallel()
	page := readPage(t, "model.md")
	defined := map[string]int{}
	for _, row := range definedRule.FindAllStringSubmatch(page, -1) {
		if defined[row[1]]++; defined[row[1]] == 2 && strings.Contains(row[1], "-") { // a relation may be in a second table
			t.Errorf("docs/model.md explains the rule %s twice", row[1])
		}
	}
	cited := 0
	for _, room := range []string{"device", "driver", "perf", "store", "views"} {
		err := filepath.WalkDir(filepath.Join("../..", room), func(file string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(text)) {
				_, comment, _ := strings.Cut(line, "//")
				ids := ruleID.FindAllString(comment, -1)
				if filepath.Dir(file) == filepath.Join("../..", room) && room != "store" && room != "views" {
					ids = append(ids, relationID.FindAllString(comment, -1)...)
				}
				for _, id := range ids {
					cited++
					if defined[id] == 0 {
						t.Errorf("%s cites the rule %s, which docs/model.md does not explain", file, id)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if cited == 0 {
		t.Error("no file cites a rule")
	}
}
