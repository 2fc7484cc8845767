package qos

import (
	"strings"
	"testing"
)

// TestStartupLines reads the lines of the manuals' startup script, and refuses lines that no script can have.
func TestStartupLines(t *testing.T) {
	t.Parallel()
	manual := strings.Split(`Remove-NetQosTrafficClass
Remove-NetQosPolicy -Confirm:$False
set-NetQosDcbxSetting -Willing 0
New-NetQosPolicy "SMB" -Policystore Activestore -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3
New-NetQosPolicy "DEFAULT" -Policystore Activestore -Default -PriorityValue8021Action 3
New-NetQosPolicy "TCP" -Policystore Activestore -IPProtocolMatchCondition TCP -PriorityValue8021Action 1
Disable-NetQosFlowControl 0,1,2,4, 5,6,7
Enable-NetAdapterQos -InterfaceAlias "port1"
Enable-NetQosFlowControl -Priority 3
# a comment
New-NetQosTrafficClass -name "SMB class" -priority 3 -bandwidthPercentage 50 -Algorithm ETS`, "\n")
	if err := CheckStartup(manual); err != nil {
		t.Fatal(err)
	}
	l, err := parseStartup(manual[3])
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.policy()
	if err != nil || p.Name != "SMB" || p.Store != ActiveStore || p.NetDirectPort != 445 || p.Priority == nil || *p.Priority != 3 {
		t.Errorf("%+v, %v", p, err)
	}
	for line, want := range map[string]string{
		"Format-Volume C:":                              "can't run at startup",
		"Enable-NetQosFlowControl -Priority 8":          "0 to 7",
		"Enable-NetQosFlowControl":                      "requires -Priority",
		"Enable-NetAdapterQos":                          "requires -Name",
		"Set-NetQosDcbxSetting -Willing 2":              "0 or 1",
		"Set-NetQosDcbxSetting -Willing":                "requires a value",
		"Set-NetQosDcbxSetting -Foo 1":                  "no parameter",
		"New-NetQosPolicy X -PriorityValue8021Action 9": "0 to 7",
		`New-NetQosPolicy "X`:                           "not closed",
		"New-NetQosPolicy -Default -Priority 3":         "requires -Name",
		"New-NetQosPolicy X Y Z -Default":               "unexpected argument",
		"New-NetQosTrafficClass A -Algorithm ETS":       "1 to 100",
		"New-NetQosTrafficClass A -Priority 3 -BandwidthPercentage 101 -Algorithm ETS": "1 to 100",
	} {
		if err := CheckStartup([]string{line}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q", line, err, want)
		}
	}
}

// FuzzStartup: no line makes the reader panic.
func FuzzStartup(f *testing.F) {
	f.Add(`New-NetQosPolicy "TCP" -store:Activestore -Default -Priority 3`)
	f.Fuzz(func(_ *testing.T, line string) { _ = CheckStartup([]string{line}) })
}
