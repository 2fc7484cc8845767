package catalog

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"cxdeck/views/exec"
)

// TestScriptIsReadFirst holds that nothing of a script runs when a later part is not understood, from a file or from a text, and that a
// script that reads lines for a command gives them to it.
func TestScriptIsReadFirst(t *testing.T) {
	t.Parallel()
	for _, script := range []string{
		"Disable-NetAdapter \"Ethernet 7\"\nGet-NetAdapter | Frobnicate",
		"cable pull \"Ethernet 7\"\nGet-NetAdapter -Nmae x",
		"foreach ($n in 'Ethernet 7') { Disable-NetAdapter -Name $n }\nif ($true) {",
		"Disable-NetAdapter 'Ethernet 7'; Set-Content a b",
		"Disable-NetAdapter 'Ethernet 7'\nreg",
	} {
		b := newBench(t, nil)
		if status := b.Script(t.Context(), strings.NewReader(script)); status != exec.NotUnderstood {
			t.Errorf("%q: status %d", script, status)
		}
		if n := journalLength(t, b.host); n != 0 {
			t.Errorf("%q: %d changes were made before it was refused: %s", script, n, b.errs.String())
		}
	}
	b := newBench(t, nil)
	script := "Get-NetAdapter 'Ethernet 10' | Out-Null\nswitch console \"Ethernet 10\"\nshow interface ethernet 1/10\nquit\n'end'"
	if status := b.Script(t.Context(), strings.NewReader(script)); status != exec.Done || !strings.HasSuffix(b.out.String(), "end\n") {
		t.Errorf("status %d, %q, %s", status, b.out.String(), b.errs.String())
	}
}

// TestScriptFromAPipe holds that lines before the first line of PowerShell run as they arrive, and that line numbers count from the
// script's start.
func TestScriptFromAPipe(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	pipe, in := io.Pipe()
	go func() {
		_, _ = io.WriteString(in, "cable pull \"Ethernet 7\"\nadapter list `\n\nGet-NetAdapter | Frobnicate\n")
		in.Close()
	}()
	if status := b.Script(t.Context(), pipe); status != exec.NotUnderstood || !strings.Contains(b.errs.String(), "line 4, column 18: ") {
		t.Errorf("status %d, %s", status, b.errs.String())
	}
	if n := journalLength(t, b.host); n != 1 {
		t.Errorf("%d changes", n)
	}
}

// TestLoopsAreUndoneByChange holds that each change of a loop is in the journal and can be undone, and that a pipe into a cmdlet with a
// list of names is one change.
func TestLoopsAreUndoneByChange(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]int{
		`foreach ($n in 'Ethernet 7','Ethernet 8') { Disable-NetAdapter -Name $n }`:   2,
		`Get-NetAdapter "Ethernet 7","Ethernet 8" | % { Disable-NetAdapter $_.Name }`: 2,
		`Get-NetAdapter "Ethernet 7","Ethernet 8" | Disable-NetAdapter`:               1,
		`Get-VMNetworkAdapter | Set-VMNetworkAdapter -VmqWeight 40`:                   1,
	} {
		b := newBench(t, nil)
		if status := b.script(script); status != exec.Done || journalLength(t, b.host) != want {
			t.Errorf("%s: status %d, %d changes, want %d: %s", script, status, journalLength(t, b.host), want, b.errs.String())
		}
		for range want {
			if status := b.script("undo --yes"); status != exec.Done {
				t.Errorf("%s: undo: %s", script, b.errs.String())
			}
		}
		b.out.Reset()
		if b.script(`(Get-NetAdapter "Ethernet 7","Ethernet 8" | ? Status -eq Disabled).Count`); b.out.String() != "0\n" {
			t.Errorf("%s: after undo %s adapters are disabled", script, b.out.String())
		}
	}
}

// TestWhatIf holds that -WhatIf of each cmdlet that changes the host changes nothing, with the parameters of its examples.
func TestWhatIf(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	tried := 0
	for _, c := range Commands().Commands() {
		verb, _, _ := strings.Cut(c.Name, "-")
		if !c.Changes || c.Name == "Start-Sleep" || !slices.Contains(strings.Fields("Set New Remove Enable Disable Add Rename Install Uninstall Restart Start Stop Suspend Save Connect Disconnect"), verb) {
			continue
		}
		examples := c.Describe().Examples
		if len(examples) == 0 {
			t.Logf("%s has no example", c.Name)
		}
		for _, example := range examples {
			line := strings.TrimPrefix(example.Line, "cxdeck exec ")
			b.errs.Reset()
			status := b.script(line + " -WhatIf")
			if strings.Contains(b.errs.String(), "no parameter -WhatIf") || journalLength(t, b.host) != 0 {
				t.Fatalf("%s -WhatIf: status %d, %d changes, %s", line, status, journalLength(t, b.host), b.errs.String())
			}
			tried++
		}
	}
	t.Logf("%d lines were tried", tried)
}

// TestReadOnlyScript holds that read-only mode refuses a script that changes the host before anything runs.
func TestReadOnlyScript(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.ReadOnly = true
	if status := b.script("'before'\nGet-NetAdapter | Disable-NetAdapter"); status != exec.Failed || b.out.Len() > 0 {
		t.Errorf("status %d, printed %q", status, b.out.String())
	}
	if status := b.script("Get-NetAdapter | select Name"); status != exec.Done {
		t.Errorf("reading: %s", b.errs.String())
	}
}

// FuzzShell holds that no script panics, that each failure is one sentence, that nothing changes the host when a trial applies changes
// to copies, and that no control character is printed.
func FuzzShell(f *testing.F) {
	for _, seed := range []string{
		`Get-NetAdapter | ? { $_.Status -eq 'Up' } | Disable-NetAdapter -WhatIf`, "$p = @{ Name = 'x' }\nNew-NetQosPolicy @p", "mlx5cmd -stat | grep ROCE",
		`foreach ($v in Get-VM) { Stop-VM -Name $v.Name }`, `Get-VMNetworkAdapter | Set-VMNetworkAdapter -VmqWeight 1`, "if ((Get-NetAdapter).Count -gt 1) { 'a' + [char]27 }",
		`powershell -Command "Get-NetAdapter | fl"`, "Get-NetAdapter `\n | sort Name | select -First 1 | Get-NetAdapterQos",
	} {
		f.Add(seed)
	}
	b := newBench(f, nil)
	b.host = triedHost{b.host}
	f.Fuzz(func(t *testing.T, script string) {
		for _, word := range []string{"capture", "ibdump", "counters", "advance", "1..", "drill"} {
			if strings.Contains(strings.ToLower(script), word) {
				return // they take long, or the host refuses them
			}
		}
		b.out.Reset()
		b.errs.Reset()
		before := journalLength(t, b.host)
		b.Files, b.Drafts, b.Session = memoryFiles{}, nil, nil
		status := b.Script(context.Background(), strings.NewReader(script))
		if status != exec.Done && b.errs.Len() > 0 && strings.Count(b.errs.String(), "\n") != 1 {
			t.Errorf("%q: status %d, %q", script, status, b.errs.String())
		}
		if strings.ContainsFunc(b.out.String()+b.errs.String(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
			t.Errorf("%q prints a control character: %q", script, b.out.String()+b.errs.String())
		}
		if after := journalLength(t, b.host); after != before {
			t.Errorf("%q left %d entries in the journal of %d", script, after, before)
		}
	})
}
