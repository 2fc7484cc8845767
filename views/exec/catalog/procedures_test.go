package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/views/exec"
)

// manualStartup is the startup script as the manuals print it.
const manualStartup = `Remove-NetQosTrafficClass
Remove-NetQosPolicy -Confirm:$False
set-NetQosDcbxSetting -Willing 0
New-NetQosPolicy "SMB" -Policystore Activestore -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3
New-NetQosPolicy "DEFAULT" -Policystore Activestore -Default -PriorityValue8021Action 3
New-NetQosPolicy "TCP" -Policystore Activestore -IPProtocolMatchCondition TCP -PriorityValue8021Action 1
New-NetQosPolicy "UDP" -Policystore Activestore -IPProtocolMatchCondition UDP -PriorityValue8021Action 1
Disable-NetQosFlowControl 0,1,2,4,5,6,7
Enable-NetAdapterQos -InterfaceAlias "port1"
Enable-NetAdapterQos -InterfaceAlias "port2"
Enable-NetQosFlowControl -Priority 3
New-NetQosTrafficClass -name "SMB class" -priority 3 -bandwidthPercentage 50 -Algorithm ETS
`

// TestProcedures walks the procedures of the manuals in testdata/procedures from the first step to the last: each line must succeed. A
// line "> TEXT" says what the answer to the line before contains, whatever the number of blanks; "< TEXT" what it does not contain. A
// line that begins with "! " must be refused.
func TestProcedures(t *testing.T) {
	if testing.Short() {
		t.Skip("many lines: run it without -short")
	}
	t.Parallel()
	paths, err := filepath.Glob("testdata/procedures/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no procedures: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			b := newBench(t, labOf(t, string(text)))
			b.Files.(memoryFiles)["manual.ps1"] = []byte(manualStartup)
			answer := ""
			for line := range strings.Lines(string(text)) {
				line = strings.TrimSpace(line)
				kind, rest, _ := strings.Cut(line, " ")
				switch kind {
				case "", "#":
				case ">", "<":
					if holds := strings.Contains(answer, oneBlank(rest)); holds != (kind == ">") {
						t.Errorf("%s: got\n%s", line, answer)
					}
				default:
					refused := kind == "!"
					if !refused {
						rest = line
					}
					b.out.Reset()
					b.errs.Reset()
					status := b.script(rest)
					if answer = oneBlank(b.out.String() + b.errs.String()); (status == exec.Done) == refused {
						t.Errorf("%s: status %d\n%s", line, status, answer)
					}
				}
			}
		})
	}
}

// losslessProcedures are the procedures of the manuals about lossless networks, by the names that the walks give them.
var losslessProcedures = strings.Fields(`
	qos-pfc-host qos-startup-script ets-configure tc-bandwidth-limit dscp-qos-tcp-rdma dscp-pfc-tcp dscp-ets-tcp dscp-pfc-rdma
	dscp-rx-trust dscp-sanity-test dcbx-enable roce-mode-adapter-mlx5 roce-mode-driver-mlx5 roce-mode-driver-mlx4 roce-udp-port
	rcm-status rcm-enable-disable rcm-tune rcm-restore-defaults rcm-untagged-priority global-pause-host lossless-tcp-mlx4
	dropless-mode-mlx5 packet-burst-handling rx-stall-monitoring head-of-queue-limit link-56gbe roce-switch-arista
	smb-direct-verify storage-spaces-direct-rdma`)

// TestEveryLosslessProcedureHasAWalk: the first line of a walk, or the name of its file, names the procedures that it walks.
func TestEveryLosslessProcedureHasAWalk(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/procedures/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	walks := map[string]int{} // lines by procedure
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		names, lines := strings.TrimSuffix(filepath.Base(path), ".txt"), 0
		for line := range strings.Lines(string(text)) {
			if title, found := strings.CutPrefix(line, "# "); found {
				names += " " + strings.NewReplacer(",", " ", ".", " ", ":", " ").Replace(title)
			} else if strings.TrimSpace(line) != "" && line[0] != '>' && line[0] != '<' {
				lines++
			}
		}
		for _, name := range strings.Fields(names) {
			walks[name] = max(walks[name], lines)
		}
	}
	for _, name := range losslessProcedures {
		if walks[name] == 0 {
			t.Errorf("no walk of testdata/procedures names the procedure %s", name)
		}
	}
}

// oneBlank makes each run of blanks in each line one.
func oneBlank(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}
