package guides_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"cxdeck/driver/guide"
	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
)

// scriptLines are the lines of a script's parts.
var scriptLines = regexp.MustCompile(`(?m)^    (.*)$`)

// absentCmdlets are cmdlets that only read, and that the lab does not have.
var absentCmdlets = []string{"Get-NetAdapterSriovVf", "Get-Content", "Get-Counter", "Get-CimInstance Win32_Product"}

// commandsOf returns the commands of a script as they are typed on a real host, without waits.
func commandsOf(script string) (commands []string) {
	_, body, _ := strings.Cut(script, "throw")
	for _, match := range scriptLines.FindAllStringSubmatch(body, -1) {
		line := match[1]
		if quoted, ok := strings.CutPrefix(line, "Invoke-Program '"); ok {
			line = strings.ReplaceAll(strings.TrimSuffix(quoted, "'"), "''", "'")
		}
		if line != "exit" && !strings.HasPrefix(line, "Write-Host") {
			commands = append(commands, line)
		}
	}
	return commands
}

// checkScript types the commands of a guide's script on a new host in the state that the guide starts from: they leave the same settings as
// the guide has left on its host. A guide whose commands are all its own lines is not typed again.
func checkScript(t *testing.T, g *guide.Guide, script string, want map[string]string) {
	t.Helper()
	own := func(step guide.Step) bool {
		return step.Kind == guide.Plan || slices.ContainsFunc(step.Run, func(line string) bool {
			words := strings.Fields(line)
			return words[0] != "advance" && !catalog.Commands().IsProgram(words) && !catalog.Commands().IsShell(line)
		})
	}
	if !slices.ContainsFunc(g.Steps, own) {
		return
	}
	s := newStage(t, g.Try.Lab)
	s.prepare(t, g)
	var text strings.Builder // one script, as its variables live on
	for _, line := range commandsOf(script) {
		if slices.ContainsFunc(absentCmdlets, func(name string) bool { return strings.HasPrefix(line, name) }) {
			continue
		}
		if seconds, ok := strings.CutPrefix(line, "Start-Sleep -Seconds "); ok {
			line = "advance " + seconds + "s"
		}
		text.WriteString(line + "\n")
		if strings.HasPrefix(line, "Restart-NetAdapter") { // on a real host it returns when the adapter runs
			text.WriteString("advance 15s\n")
		}
	}
	if status, out := s.run(t, text.String()); status != exec.Done {
		t.Errorf("the script gives %d: %s", status, out)
	}
	s.run(t, "advance 30s")
	for part, is := range s.settings(t) {
		if is != want[part] {
			t.Errorf("after the script the %s differ: %s", part, difference(want[part], is))
		}
	}
}

// unlikeScript are guides whose script does the same by other settings: the lab has a quarantine of virtual functions, Windows has none.
var unlikeScript = []string{"quarantine-vfs", "release-vfs"}

// TestScriptsAreRefused: a script is refused with the step that PowerShell does not do; the runbook of the guide says what is done by
// hand, at the switch, or in cxdeck.
func TestScriptsAreRefused(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct{ refusal, runbook string }{
		"trust-dscp":            {"step 1, Trust the DSCP, is partly done by hand (Set the switch port of", "By hand: Set the switch port of Ethernet"},
		"ipoib-sriov-sm-switch": {"is not done in PowerShell", "At the switch:\n\n   ```\n   switch > enable\n"},
	} {
		g, _ := guide.Find(name)
		s := newStage(t, g.Try.Lab)
		answers := s.prepare(t, g)
		status, out := s.run(t, slices.Concat([]string{"guide", "export", name, "guide.ps1"}, answers)...)
		if status != exec.Failed || !strings.Contains(out, want.refusal) || !strings.Contains(out, "a file whose name ends in .md") || len(s.files) > 0 {
			t.Errorf("%s: the script gives %d: %s", name, status, out)
		}
		if status, out := s.run(t, slices.Concat([]string{"guide", "export", name, "guide.md"}, answers)...); status != exec.Done {
			t.Fatalf("%s: %s", name, out)
		}
		if text := string(s.files["guide.md"]); !strings.Contains(text, want.runbook) {
			t.Errorf("%s: the runbook is\n%s", name, text)
		}
	}
}

// TestRunbookAfterTheGuide: --runbook writes the runbook with the commands of steps that are done, and a script ends at a restart.
func TestRunbookAfterTheGuide(t *testing.T) {
	t.Parallel()
	s := newStage(t, "")
	s.run(t, "guide", "run", "sriov-bios-enable")
	for _, more := range []string{"", "--runbook"} {
		if status, out := s.run(t, strings.Fields("guide export sriov-bios-enable guide"+more+".md "+more)...); status != exec.Done {
			t.Fatal(out)
		}
	}
	protocol, runbook := string(s.files["guide.md"]), string(s.files["guide--runbook.md"])
	if !strings.HasPrefix(protocol, "# Protocol: ") || strings.HasPrefix(runbook, "# Protocol") || !strings.Contains(runbook, "## Undo") {
		t.Errorf("the protocol is\n%s\nand the runbook\n%s", protocol, runbook)
	}
}
