package catalog

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"cxdeck/views/exec"
)

// manualLine is a line of PowerShell in the manuals, with what cxdeck does with it: it runs on the default lab, the host refuses it, or
// it is not understood. Refusal is the message; Reason says why that is right.
type manualLine struct {
	Line    string `json:"line"`
	Source  string `json:"source"`
	Outcome string `json:"outcome"`
	Refusal string `json:"refusal,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// manualNames replaces the placeholders and names of the manuals by names of the default lab.
var manualNames = strings.NewReplacer(
	"<EthInterfaceName>", `"Ethernet 9"`, "<interface name>", `"Ethernet 7"`, "<AdapterName>", `"Ethernet 7"`, "<VMName>", "vm001", "<VM Name>", "vm001",
	"<VM name>", "vm001", `"VM Name"`, "vm001", "<vSwitchName>", `"Switch Ethernet 7"`, "<StaticMAC Address>", "00155D720101", "<VMmacaddress1>", `"00155D01841B"`,
	"<VMmacaddress>", `"00155D01841B"`, "<VMMacAddress>", `"00155D01841B"`, "<virtualSubnetID>", "5001", "<VMInterfaceIPAddress/Mask>", "172.16.0.0/16",
	"<VMInterfaceIPAddress 1/n>", "172.16.0.1", "<VMInterfaceIPAddress>", "172.16.0.1", "<HypervisorInterfaceIPAddress1>", "192.168.20.114",
	"<HypervisorInterfaceIPAddress>", "192.168.20.114", "<number>", "4", "<Required number of VFs>", "4", "<mode>", "1", "<n>", "8",
	"<0 | 100>", "100", "<0|100>", "100", "<100|0>", "100", "<4|8>", "4", "<$true|$false>", "$true", "<NetQos | DcbQos | NetAdapter>", "NetQos",
	"vm1", "vm001", `"Virtual Adapter Name"`, `"Network Adapter"`, `"port1"`, `"Ethernet 7"`, `"port2"`, `"Ethernet 8"`, `"CX4_P1"`, `"Ethernet 7"`,
	`"Cx3Pro_ETH_P1"`, `"Ethernet 3"`, "mtlae14-005", "vm001", "mtlae14-006", "vm002", "mtlae15-005", "vm003", "mtlae15-006", "vm004",
	`"Port1"`, `"Ethernet 9"`, `"VSwMLNX"`, `"Switch Ethernet 7"`, `"00155D720100"`, `"00155D01841B"`,
)

// typedLine returns a line of the manuals with names of the default lab. A new switch gets a new name.
func typedLine(line string) string {
	if strings.Contains(line, "New-VMSwitch") {
		line = strings.NewReplacer("<vSwitchName>", "Lab", `"VSwMLNX"`, "Lab").Replace(line)
	}
	return manualNames.Replace(line)
}

// TestPowerShellOfTheManuals runs each line of PowerShell of the manuals on the default lab, each on a copy of it, and compares what
// happens with the table. A line that does not run needs a reason. With -update it writes outcomes and refusals.
func TestPowerShellOfTheManuals(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	const path = "testdata/powershell-manual-lines.json"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines []manualLine
	if err := json.Unmarshal(data, &lines); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, nil)
	if status := b.script(`$NIC = Get-NetAdapter "Ethernet 7"`); status != exec.Done {
		t.Fatal(b.errs.String())
	}
	b.host = triedHost{b.host}
	counts := map[string]int{}
	for i := range lines {
		l := lines[i]
		b.out.Reset()
		b.errs.Reset()
		l.Outcome = map[exec.Status]string{exec.Done: "runs", exec.Failed: "the host refuses"}[b.script(typedLine(l.Line))]
		if l.Outcome == "" {
			l.Outcome = "not understood"
		}
		l.Refusal = strings.TrimPrefix(strings.TrimSpace(b.errs.String()), "cxdeck: ")
		counts[l.Outcome]++
		if !*update && l != lines[i] {
			t.Errorf("%s (%s): %s: %s, want %s: %s", l.Line, l.Source, l.Outcome, l.Refusal, lines[i].Outcome, lines[i].Refusal)
		}
		if !*update && l.Outcome != "runs" && l.Reason == "" {
			t.Errorf("%s (%s) does not run, and no reason says why: %s", l.Line, l.Source, l.Refusal)
		}
		lines[i] = l
	}
	t.Logf("%d lines: %v", len(lines), counts)
	if *update {
		var out strings.Builder
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", " ")
		if err := encoder.Encode(lines); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
