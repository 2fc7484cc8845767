package main

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/health/findings"
	"cxdeck/perf/lab"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
	"cxdeck/views/exec/hosts"
)

// commandWords returns the command of exec in a fix's title, which follows a colon; nil for a title without one.
func commandWords(table *exec.Table, title string) []string {
	_, line, found := strings.Cut(title, ": ")
	words, err := table.Split(line)
	if !found || err != nil || len(words) == 0 {
		return nil
	}
	for _, c := range table.Commands() {
		if strings.EqualFold(strings.Fields(c.Name)[0], words[0]) {
			return words
		}
	}
	return nil
}

// TestFixLinesAreComplete holds that a fix whose title has a command has the whole command: exec understands it.
func TestFixLinesAreComplete(t *testing.T) {
	t.Parallel()
	table, count := catalog.Commands(), 0
	placeholder := regexp.MustCompile(`\{(\w+)\}`)
	for _, r := range findings.Rules() {
		f := &findings.Finding{Rule: r, Subject: findings.NewSubject(r.Of, "Ethernet 8")}
		for i := range r.Fixes {
			title := placeholder.ReplaceAllStringFunc(r.Fixes[i].Title, func(s string) string { return f.Value(strings.Trim(s, "{}")) })
			words := commandWords(table, title)
			if words == nil {
				continue
			}
			count++
			made, err := device.New(description.Default(), 1)
			if err != nil {
				t.Fatal(err)
			}
			h := driver.NewHost(made)
			h.Advance(5 * time.Second)
			source, err := lab.New(h)
			if err != nil {
				t.Fatal(err)
			}
			host := hosts.OnLab(source, nil, nil)
			var out bytes.Buffer
			runner := exec.Runner{
				Table: table, Open: func(context.Context) (exec.Host, error) { return host, nil }, Out: &out, Err: &out, Files: noFiles{},
			}
			if status := runner.Run(t.Context(), words); status == exec.NotUnderstood && !strings.Contains(out.String(), "no intent is stored") {
				t.Errorf("rule %s: the line of the fix %q is not complete: %s", r.ID, title, out.String())
			}
		}
	}
	if count < 5 {
		t.Errorf("only %d fixes have commands", count)
	}
}
