package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// fakeHost is a catalogue and a host with three cmdlets and one program: Get-Thing lists things, Set-Thing changes one, and tool echoes
// its words.
type fakeHost struct {
	calls   []string
	printed []string
}

func (*fakeHost) Kind(name string) Kind {
	switch strings.ToLower(name) {
	case "get-thing", "set-thing":
		return Cmdlet
	case "tool":
		return Program
	}
	return Unknown
}

func (*fakeHost) Word(text string) (string, int, error) {
	word, _, _ := strings.Cut(text, " ")
	return word, len(word), nil
}

func (h *fakeHost) Line(line string) ([]string, bool) {
	words := strings.Fields(line)
	if len(words) == 0 || h.Kind(words[0]) == Unknown || strings.ContainsAny(line, "|;(){}$@'\"`#,&>\x1b") {
		return nil, false
	}
	return words, true
}

func (*fakeHost) More([]string) func(string) bool { return nil }

func (*fakeHost) Check(words []string, _ bool, _ string) error {
	for _, word := range words[1:] {
		if strings.HasPrefix(word, "-Wrong") {
			return errors.New("no parameter -Wrong")
		}
	}
	return nil
}

func (*fakeHost) Effect(words []string) (changes, interrupts, asks bool) {
	return strings.EqualFold(words[0], "Set-Thing"), false, false
}

func (*fakeHost) Missing(name string) string { return "unknown command " + name }

func (*fakeHost) Noun(words []string) string {
	noun, _ := strings.CutPrefix(words[0], "Get-")
	return noun
}

func (h *fakeHost) Call(_ context.Context, call *Call) ([]Value, error) {
	text := strings.Join(call.Words, " ")
	for _, v := range call.Input {
		found, _ := property(v, "Name")
		text += " <" + Text(found)
	}
	h.calls = append(h.calls, text)
	var list []Value
	if strings.EqualFold(call.Words[0], "Get-Thing") {
		layout := &Layout{}
		for i, name := range []string{"one", "two", "three"} {
			list = append(list, &Object{"Thing", layout, []Property{{"Name", Cell(name)}, {"Size(MB)", Cell(fmt.Sprint(10 * (i + 1)))}, {"On", i != 1}}})
		}
	}
	if !call.Needed {
		h.printed = append(h.printed, text)
		return nil, nil
	}
	return list, nil
}

func (h *fakeHost) Save(path, text string) error {
	h.printed = append(h.printed, path+": "+text)
	return nil
}

func (h *fakeHost) Show(values []Value) error {
	for _, part := range Parts(values) {
		h.printed = append(h.printed, part.Lines()...)
	}
	return nil
}

// runScript runs a script on a fakeHost.
func runScript(t *testing.T, script string) (h *fakeHost, err error) {
	t.Helper()
	h = &fakeHost{}
	s, err := Parse(&Source{Text: script, Line: 1}, h, nil)
	if err != nil {
		return h, err
	}
	session := &Session{}
	for i := range s.Statements() {
		if words, _ := s.Words(i); words != nil {
			h.calls, h.printed = append(h.calls, strings.Join(words, " ")), append(h.printed, strings.Join(words, " "))
			continue
		}
		if err := s.Run(t.Context(), i, session, h); err != nil {
			return h, err
		}
	}
	return h, nil
}

// TestScripts holds that scripts print what PowerShell prints for them.
func TestScripts(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		`$x = 1, 2 ; $X.count`:        "2",
		`1..4 | ? { $_ -gt 2 }`:       "3|4",
		`4..1`:                        "4|3|2|1",
		`"a$(1 + 2)b" + 'c$x'`:        "a3bc$x",
		`$n = 'q'; "${n}x $n.y $_"`:   "!$_ has a value only",
		`2KB + 1`:                     "2049",
		`10 / 4; 7 % 4; -3 + 1; 0x10`: "2.5|3|-2|16",
		`'a' -eq 'A'; 'a' -ne 'b'`:    "True|True",
		`'abc' -like 'A*' -and -not ('x' -match '^y')`:                                      "True",
		`1,2,3 -contains 2; 5 -notin 1..4`:                                                  "True|True",
		`!$true -or $false`:                                                                 "False",
		`$null -eq $null`:                                                                   "True",
		`@(1).Count; @().Count; (1,2)[1]; (1..5)[-1]`:                                       "1|0|2|5",
		`@{ A = 1; 'b c' = 2 }.a`:                                                           "1",
		`$h = @{A = 1}; $h += @{B = 2}; $h['b']`:                                            "2",
		`Get-Thing | select Name`:                                                           "Name|one|two|three",
		`Get-Thing | ? on | % Name`:                                                         "one|three",
		`Get-Thing | where { $_.Size -ge 20 } | foreach { $_.Name.Length }`:                 "3|5",
		`(Get-Thing | sort size -Descending | select -First 1).Name`:                        "three",
		`Get-Thing | measure Size -Sum -Average`:                                            "Count    : 3|Average  : 20|Sum      : 60|Property : Size",
		`Get-Thing | select -ExpandProperty Name -Skip 1`:                                   "two|three",
		`foreach ($t in Get-Thing) { if ($t.On) { "$($t.Name)+" } else { "$($t.Name)-" } }`: "one+|two-|three+",
		"if (1 -gt 2) { 'a' }\nelseif (2 -gt 1)\n{ 'b' }\nelse { 'c' }":                     "b",
		"# note\nGet-Thing `\n  -Name x # more\n<# a\nb #> 'end'":                           "Get-Thing -Name x|end",
		`$n = 'a b'; Set-Thing -Name $n -Size (1+1) -On:$true x,"y z"`:                      "Set-Thing -Name a b -Size 2 -On:$true x,y z",
		`$p = @{Name = 'a'; On = $true}; Set-Thing @p`:                                      "Set-Thing -Name:a -On:$true",
		`Get-Thing | ? Name -like t* | Set-Thing -Size 1`:                                   "Set-Thing -Size 1 <two <three",
		`'x','y' | % { Set-Thing -Name $_ }`:                                                "Set-Thing -Name x|Set-Thing -Name y",
		`tool {a} c:\d; $v = 'w'; tool $v $u`:                                               "tool {a} c:\\d|tool w $u",
		`Get-Thing | ? { $_.Name -eq “two” } | fl Name, Size`:                               "Name     : two|Size(MB) : 20",
		`Get-Thing | Format-Table -AutoSize | Out-String -Stream | sls three`:               "three  30        True",
		`('a' + [char]10 + 'b') -match "a\nb"`:                                              "True",
		`$a = 1,2; foreach ($i in 1..60) { $a = $a,$a }; $a.Count; $a -eq 1; $h = @{}; foreach ($i in 1..60) { $h = @{ a = $h; b = $h } }; $h.Count`: "2|2",
		`1,1,2 | select -Unique; 3,1,2 | sort`:                   "1|2|1|2|3",
		`'a','b' -join '+'`:                                      "a+b",
		`Get-Thing | Out-Null; Write-Output a b; Write-Host "c"`: "a|b|c",
		`Get-Thing|?{$_.Name -eq 'one'}|%{$_.Name}`:              "one",
		`Get-Thing | where {$ .Name -eq "two"} | % Name`:         "two",
		`00155D720100 -eq '00155d720100'`:                        "True",
		// What is refused, with a part of the error.
		`Get-Thing | Nothing`:                         "!line 1, column 13: unknown command Nothing",
		`Set-Thing; Get-Thing -Wrong x`:               "!no parameter -Wrong",
		"Set-Thing\n'a":                               "!line 2, column 1: a quote is not closed",
		`Set-Thing; foreach ($x in 1) {`:              "!} is missing",
		`Set-Thing; $y`:                               "!column 12: the variable $y is not set",
		`Set-Thing | select Name`:                     "!passes nothing on",
		`$x = Set-Thing`:                              "!passes nothing on",
		`Get-Thing | ? { $_.Nmae -ne 1 } | Set-Thing`: "!no property Nmae",
		`$a = Get-Thing; Set-Thing -Name $a`:          "!write $a.Name",
		`'x' | Set-Thing`:                             "!takes objects from a pipe",
		`Get-Thing | tool`:                            "!reads nothing from a pipe",
		`while (1) { }`:                               "!while of PowerShell is not supported",
		`'a'.ToUpper()`:                               "!calls no methods",
		`[int]'4'`:                                    "!types of .NET",
		`$script:PATH`:                                "!scope or drive",
		`$env:PATH`:                                   "!the variable $env:PATH is not set",
		`$env:Path = 'a b'; $env:PATH`:                "a b",
		`Get-Thing > x`:                               "!redirect the output",
		`Get-Thing && Get-Thing`:                      "!& of PowerShell is not supported",
		`@'`:                                          "!here-strings",
		`1 -bxor 2`:                                   "!unknown operator -bxor",
		`"a" -match "("`:                              "!invalid regular expression",
		`Get-Thing }`:                                 "!closes nothing",
		`1 / 0`:                                       "!division by zero",
		`1..9999999`:                                  "!at most",
		`$x = Get-Thing | % { 1..60000 }`:             "!at most",
		`'a' + "` + "`a" + `"`:                        "!control character",
		"Get-Thing \x1b[2J":                           "!control character",
		`Get-Thing | select -First x`:                 "!whole number",
		`$a = 1,2; foreach ($i in 1..60) { $a = $a,$a }; $a.Name`: "!a list in a list",
		`$a = 1,2; foreach ($i in 1..60) { $a = $a,$a }; "$a"`:    "!a text can have at most",
		`$true = 1`:                      "!can't be assigned",
		`@p`:                             "!@ must be followed",
		`Set-Thing @p`:                   "!the variable $p is not set",
		`Where-Object Name`:              "!must follow a |",
		strings.Repeat("(", 200):         "!levels deep",
		strings.Repeat("1+", 2000) + "1": "!operators",
		`Get-Thing |`:                    "!a | must be followed",
		`Get-Thing | | select a`:         "!must be followed by a command",
		`Get-Thing | ? Name -eq`:         "!requires a property, an operator and a value",
		`Get-Thing | ? { }`:              "!must be one condition",
		`foreach ($t in Get-Thing) { Set-Thing -Name $t }`: "!write $t.Name",
		`$t.Name = 'x'`:           "!can't be assigned",
		`$x = 'a'; $x.Length.Foo`: "!no property Foo",
	} {
		h, err := runScript(t, script)
		if part, refused := strings.CutPrefix(want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v, want %s", script, err, part)
			}
			var before *Error
			if errors.As(err, &before) && len(h.calls) > 0 {
				t.Errorf("%s: %q ran before it was refused", script, h.calls)
			}
			continue
		}
		if got := strings.Join(h.printed, "|"); err != nil || got != want {
			t.Errorf("%s: %q, want %q, error %v", script, got, want, err)
		}
	}
}

// TestIncomplete holds that a part of a script that may go on says so.
func TestIncomplete(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]bool{
		"'a": true, "Get-Thing |": true, "foreach ($x in 1) {": true, "$x =": true, "<# a": true, "(1": true, "@{ a = 1": true,
		"Get-Thing | Nothing": false, ")": false, "Get-Thing -Wrong": false,
	} {
		var refused *Error
		if _, err := Parse(&Source{Text: script, Line: 1, Partial: true}, &fakeHost{}, nil); !errors.As(err, &refused) || refused.Incomplete != want {
			t.Errorf("%q: %+v, want incomplete %v", script, err, want)
		}
	}
}

// TestInterrupt holds that a script ends when its context does.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h := &fakeHost{}
	s, err := Parse(&Source{Text: "1..90000 | % { $_ }", Line: 1}, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(ctx, 0, &Session{}, h); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// FuzzParse holds that no script makes the parser or the evaluation panic, that an error has its place in the script, and that values
// of the same script are the same each time.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`$x = Get-Thing | ? { $_.Size -ge 2KB -and $_.Name -like "o*" } | select Name,Size -First 2`, "if ($x) { 'a' } elseif (1) { \"$(1)\" } else { @{a=1} }",
		"foreach ($i in 1..3) { Set-Thing -Name \"n$i\" -On:$true @p }", "$p = @{ Name = 'a' }; Set-Thing @p; tool {x} $p", "tool{\x00", "Ⱥ", "$p = @{}; tool @Ⱥ; 1 -liKe 2", "$Ⱥ = 1; foreach ($Ⱥ in 1) { $Ⱥ }", "<# #> # a\n`\n(1,2)[0].Count | % Length",
		`'a' + [char]10 + ([WildcardPattern]::Escape('[x]'))`, "1..4 | sort -Descending | measure -Sum | fl | Out-String -Stream | sls 1", "“a”–eq 'b' -join ','",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		h := &fakeHost{}
		s, err := Parse(&Source{Text: script, Line: 1}, h, nil)
		if err != nil {
			var refused *Error
			if !errors.As(err, &refused) || refused.Line < 1 || refused.Line > strings.Count(script, "\n")+1 || refused.Text == "" {
				t.Errorf("%q: %v", script, err)
			}
			return
		}
		session := &Session{}
		for i := range s.Statements() {
			if words, _ := s.Words(i); words == nil && s.Run(t.Context(), i, session, h) != nil {
				break
			}
		}
		for _, line := range h.printed {
			if strings.ContainsAny(line, "\x00\x1b\x7f") && !strings.Contains(strings.ToLower(script), "[char]") {
				t.Errorf("%q prints %q", script, line)
			}
		}
	})
}
