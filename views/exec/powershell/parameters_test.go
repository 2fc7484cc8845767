package powershell

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"cxdeck/driver/cmdlet"
	"cxdeck/views/exec/syntax"
)

// TestParseParameters checks named, positional, abbreviated and listed parameters, and the errors.
func TestParseParameters(t *testing.T) {
	t.Parallel()
	parameters := slices.DeleteFunc(slices.Clone(cmdlet.Find("New-NetLbfoTeam").Parameters), func(p cmdlet.Parameter) bool {
		return p.Name == "LoadBalancingAlgorithm" || p.Name == "LacpTimer"
	})
	for line, want := range map[string]map[string][]string{
		``:                                {},
		`T "A 1","A 2"`:                   {"Name": {"T"}, "TeamMembers": {"A 1", "A 2"}},
		`T "A 1", "A 2" , "A 3"`:          {"Name": {"T"}, "TeamMembers": {"A 1", "A 2", "A 3"}},
		`T "A, 1",B , "C, 2"`:             {"Name": {"T"}, "TeamMembers": {"A, 1", "B", "C, 2"}},
		`T "A 1" ,"A 2" N`:                {"Name": {"T"}, "TeamMembers": {"A 1", "A 2"}, "TeamNicName": {"N"}},
		`-TEAMMEMBERS A -name T -confirm`: {"Name": {"T"}, "TeamMembers": {"A"}, "Confirm": {"$true"}},
		`-Name:T -Confirm:$false A`:       {"Name": {"T"}, "TeamMembers": {"A"}, "Confirm": {"$false"}},
		`T -TeamM A, B N -TeamingM Lacp`: {"Name": {"T"}, "TeamMembers": {"A", "B"}, "TeamNicName": {"N"},
			"TeamingMode": {"Lacp"}},
		`-TeamMembers A -TeamMembers B -Name T`: {"Name": {"T"}, "TeamMembers": {"A", "B"}},
		`T -wh`:                                 {"Name": {"T"}, "WhatIf": {"$true"}},
		`T -WhatIf:$false`:                      {"Name": {"T"}, "WhatIf": {"$false"}},
	} {
		words, err := syntax.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseParameters("New-NetLbfoTeam", words, parameters)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v; want %v", line, got, err, want)
		}
	}
	for line, problem := range map[string]string{
		`-Name`:                   "requires a value for -Name",
		`-Name '' A`:              "requires a value for -Name, not an empty one",
		`T '' "A 2"`:              "requires a value for -TeamMembers, not an empty one",
		`T " "`:                   "requires a value for -TeamMembers, not an empty one",
		`-Name -TeamMembers A`:    "requires a value for -Name",
		`-Name A -Name B`:         "two values for -Name",
		`-Team A`:                 "-Team is ambiguous: it could be -TeamMembers or -TeamNicName",
		`-Nmae A`:                 "did you mean -Name?",
		`-WhatI`:                  "",
		`A B C D E`:               `unexpected argument "E"`,
		`-Force`:                  "has no parameter",
		`A B, C D E F`:            `unexpected argument "F"`,
		`-TeamingMode Lacp Lacp,`: "",
	} {
		words, err := syntax.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseParameters("New-NetLbfoTeam", words, parameters); (err != nil) != (problem != "") || err != nil &&
			!strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v, want %q", line, err, problem)
		}
	}
}

// TestCommaContinuesLastList: a comma adds to the last list of a command with several lists.
func TestCommaContinuesLastList(t *testing.T) {
	t.Parallel()
	parameters := cmdlet.Find("Get-NetAdapterVPort").Parameters
	for line, want := range map[string]map[string][]string{
		`A -FunctionID 0, 1`:                   {"Name": {"A"}, "FunctionID": {"0", "1"}},
		`-FunctionID 0 , 1 -Name A, B ,C`:      {"Name": {"A", "B", "C"}, "FunctionID": {"0", "1"}},
		`-FunctionID 0, 1 -PhysicalFunction A`: {"Name": {"A"}, "FunctionID": {"0", "1"}, "PhysicalFunction": {"$true"}},
		`, A`:                                  {"Name": {"A"}},
	} {
		words, err := syntax.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := parseParameters("Get-NetAdapterVPort", words, parameters); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v; want %v", line, got, err, want)
		}
	}
}
