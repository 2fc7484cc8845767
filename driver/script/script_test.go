package script

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/cmdlet"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/request"
)

func newHost(t testing.TB, seed uint64) *driver.Host {
	t.Helper()
	lab, err := device.New(description.Default(), seed)
	if err != nil {
		t.Fatal(err)
	}
	return driver.NewHost(lab)
}

func mustSave(t testing.TB, h *driver.Host) []byte {
	t.Helper()
	data, err := h.Save()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func set(connection, key, value string) edit.SetValue {
	return edit.SetValue{Connection: connection, Key: key, Value: value}
}

// hostile are names and values that would do harm in a script if they were not quoted.
var hostile = []string{
	`Ethernet 7'; Remove-Item C:\ -Recurse #`, "Ethernet `$(calc)` 7", `$env:PATH $(whoami) "x"`, "a\r\nRemove-Item C:\\\r\n",
	"‘Ethernet’ ‚7‛ “x” „y”", "-WhatIf", "a\x00b\x1b[2J", "Büro\u2028Stop-Computer\u2029", "*?[7]", "@('x')", "%PATH% & del", "\u202e7 tenrehtE", "",
}

// arguments reads a line as PowerShell does: the arguments, each as the text that it represents. It fails the test on
// anything that is not a plain word, a string or our ways of putting one together.
func arguments(t *testing.T, line string) (list []string) {
	t.Helper()
	quotes := "'‘’‚‛"
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " ") {
		var word strings.Builder
		inside := 0
		for line != "" && (inside > 0 || line[0] != ' ') {
			r := []rune(line)[0]
			line = line[len(string(r)):]
			switch {
			case strings.ContainsRune(quotes, r):
				for {
					if line == "" {
						t.Fatalf("a string without end: %q", word.String())
					}
					r := []rune(line)[0]
					line = line[len(string(r)):]
					if strings.ContainsRune(quotes, r) {
						if line == "" || !strings.ContainsRune(quotes, []rune(line)[0]) {
							break
						}
						line = line[len(string([]rune(line)[0])):]
					}
					word.WriteRune(r)
				}
			case r == '"':
				end := strings.IndexByte(line, '"')
				if end < 0 || strings.ContainsAny(line[:end], "$`“”„") {
					t.Fatalf("a string that could mean something: %q", line)
				}
				word.WriteString(line[:end])
				line = line[end+1:]
			case r == '(':
				inside++
			case r == ')':
				inside--
			case inside > 0 && strings.HasPrefix(string(r)+line, "[char]"):
				end := strings.IndexAny(line, " )")
				n := rune(0)
				for _, d := range line[len("char]"):end] {
					n = n*10 + d - '0'
				}
				word.WriteRune(n)
				line = line[end:]
			case inside > 0 && strings.HasPrefix(string(r)+line, "[WildcardPattern]::Escape"):
				line = line[len("WildcardPattern]::Escape"):]
			case inside > 0 && (r == ' ' || r == '+'):
			case inside == 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(`-_:\.$=,`, r)):
				word.WriteRune(r)
			default:
				t.Fatalf("%q stands outside of a string, before %q", r, line)
			}
		}
		list = append(list, word.String())
	}
	return list
}

func TestHostileNamesStayNames(t *testing.T) {
	t.Parallel()
	for _, name := range hostile {
		for _, quoted := range []string{cmdlet.Quote(name), cmdlet.Pattern(name)} {
			if strings.ContainsFunc(quoted, request.IsUnsafe) {
				t.Errorf("%q becomes %q", name, quoted)
			}
			if got := arguments(t, "Get-X -Name "+quoted); len(got) != 3 || got[2] != name {
				t.Errorf("%q becomes %q and is read as %q", name, quoted, got)
			}
		}
	}
}

func FuzzQuote(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		name = strings.ToValidUTF8(name, "?")
		if got := arguments(t, "X "+cmdlet.Pattern(name)); len(got) != 2 || got[1] != name {
			t.Errorf("%q is read as %q", name, got)
		}
	})
}

func TestScriptsHoldNothingButTheirCommands(t *testing.T) {
	t.Parallel()
	for _, name := range hostile {
		if name == "" {
			continue
		}
		d := description.Default()
		d.Adapters[0].Ports[0].Connection = name
		d.Flows = nil
		d.Faults = nil
		lab, err := device.New(d, 1)
		if err != nil {
			continue // no lab has such a name
		}
		h := driver.NewHost(lab)
		plan := driver.Plan{Title: "Title " + name, Operations: []driver.Operation{set(name, "*JumboPacket", "4000"), edit.DeleteValue{Connection: name, Key: "*RSS"}, hardware.PullCable{Connection: name}}}
		script, inverse, err := PowerShell(h, plan)
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		for what, text := range map[string]string{"the script": script, "the inverse": inverse} {
			commands := 0
			for _, line := range strings.Split(strings.TrimPrefix(text, scriptStart), scriptLine) {
				if line == "" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "$ErrorActionPreference") {
					if strings.ContainsFunc(line, request.IsUnsafe) {
						t.Errorf("%q: %s has the line %q", name, what, line)
					}
					continue
				}
				commands++
				if got := arguments(t, line); got[1] != "-Name" || got[2] != name {
					t.Errorf("%q: %s has %q", name, what, got)
				}
			}
			if commands != 3 {
				t.Errorf("%q: %s has %d commands:\n%s", name, what, commands, text)
			}
		}
		ticket, err := Ticket(h, plan)
		if err != nil || strings.ContainsFunc(strings.ReplaceAll(ticket, "\n", ""), request.IsUnsafe) {
			t.Errorf("%q: %v\n%q", name, err, ticket)
		}
	}
}

func TestFileRequiresAName(t *testing.T) {
	t.Parallel()
	if _, _, err := Files(nil, driver.Plan{}, ""); err == nil || !strings.Contains(err.Error(), "requires a name") {
		t.Error(err)
	}
}

func TestScriptAndItsUndoScript(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	h.Advance(5 * time.Second)
	plan := driver.Plan{Title: "Jumbo frames", Operations: []driver.Operation{
		set("Ethernet 7", "*JumboPacket", "4000"), set("Ethernet 7", "RssBaseCpu", "2"), hardware.PullCable{Connection: "Ethernet 8"},
	}}
	if _, err := h.Key("Ethernet 7", "RssBaseCpu"); err != nil {
		plan.Operations = append(plan.Operations[:1], plan.Operations[2])
	}
	before := mustSave(t, h)
	script, inverse, err := PowerShell(h, plan)
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(mustSave(t, h)) {
		t.Error("the host changed")
	}
	for text, wanted := range map[string][]string{
		script: {
			"# Jumbo frames\r\n", `Set-NetAdapterAdvancedProperty -Name "Ethernet 7" -RegistryKeyword '*JumboPacket' -RegistryValue "4000" -NoRestart`,
			"# There is no command for it", `Restart-NetAdapter -Name "Ethernet 7"`,
		},
		inverse: {"# Undo: Jumbo frames\r\n", `-RegistryValue "9014" -NoRestart`, `Restart-NetAdapter -Name "Ethernet 7"`},
	} {
		if !strings.Contains(text, "# *JumboPacket of Ethernet 7 before: ") {
			t.Errorf("the old value is not in it:\n%s", text)
		}
		at := 0
		for _, want := range wanted {
			i := strings.Index(text[at:], want)
			if i < 0 {
				t.Errorf("%q is not there, or too early:\n%s", want, text)
				break
			}
			at += i
		}
	}
	ticket, err := Ticket(h, plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- Ethernet 7, *JumboPacket: 9014 -> 4000", "pull the cable of Ethernet 8", "Ethernet 7 down for about 3 s; interrupts", "Commands to undo it"} {
		if !strings.Contains(ticket, want) {
			t.Errorf("%q is not there:\n%s", want, ticket)
		}
	}
}
