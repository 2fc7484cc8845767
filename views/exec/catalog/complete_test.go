package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/views/exec"
	"cxdeck/views/exec/complete"
)

// completedLines are lines at the time of Tab, with each kind of word in each kind of place.
var completedLines = []string{
	"", "re", "reg", "reg ", "reg pro", "reg profile ", "xyz", "xyz ", "Reg ", "mst", "MST.exe st", "vlan_config ", "help ", "help reg ", "help reg x",
	"Get-VM", "get-vmn", "Get-VM | ", "Get-VM | Start-", "mlx", "mlx5cmd ", "mlx5cmd -", "mlx5cmd -Qosconfig ", "(Get", "adapter", "adapter show",
	"adapter show ", "adapter show E", "adapter show e", "adapter show 'Ethernet ", "adapter show \"Ethernet 1", "adapter show Ethernet\\ ",
	"adapter show \"Ethernet 7\"", "adapter show \"Ethernet 7\" ", "adapter show C", "adapter restart 'Ethernet 7' 'Ethernet 1", "adapter restart 'Ethernet 7' -",
	"reg get 'Ethernet 7' *Jum", "reg get 'Ethernet 7' jumb", "reg get \"Ethernet 3\" Roce", "reg get nothing DcqcnR", "reg set 'Ethernet 7' *RSS ",
	"reg set 'Ethernet 7' *RSS 1 ", "reg set 'Ethernet 7' *RSS --", "reg set 'Ethernet 7' *RSS --d", "reg list --scope ", "reg list --scope=f", "reg list --scope f",
	"reg list --changed ", "reg list -- ", "reg import ", "reg import f", "reg export f", "reg diff 'Ethernet 7' --profile ", "reg diff 'Ethernet 7' --profile=s",
	"reg profile show ", "reg profile save ", "reg profile apply ", "reg profile save x 'Ethernet 7' *JumboP",
	"plan forecast --", "plan forecast --span ", "plan discard 'Ethernet 7' *Jum", "team show ", "team show o", "team create ", "team create o", "team create x ",
	"team create x SLB Ether", "team create x SLB --primary ", "team modify x --type ", "team attach one Ethernet", "vlan add ", "vlan add one ",
	"vlan remove one ", "vlan remove 'Ethernet 7' ", "vlan modify one o", "vm start ", "vm start 'v", "vm start \"my", "vm create ", "vm create x --switch ",
	"vf set ", "vf set vm001 ", "vf set vm001 v", "vf fault 'Ethernet 7' 0 ", "vf show 'Ethernet 7' ", "vswitch create ", "vswitch remove ", "vswitch remove Sw",
	"fault set 'Ethernet 7' ", "fault set 'Ethernet 7' b", "fault list --a", "scene run ", "scene run pause", "workload scale ", "bios set ", "driver reload ",
	"mlxconfig -d ", "mlxconfig -d mt4", "mlxconfig -d mt4121_pciconf0 ", "mlxconfig -", "flint -d mt4103_pciconf0 ", "mlxtool show regkeys ", "mlxtool show regkeys diff ",
	"New-VMSwitch -", "New-VMSwitch -Name x -Net", "New-VMSwitch -Name x -NetAdapterName ", "New-VM -SwitchName ", "New-VM ", "Remove-VM ", "Remove-VM -Name ", "remove-vm -name v",
	"New-NetLbfoTeam -Name x -TeamMembers ", "Remove-NetLbfoTeam ", "Set-VMNetworkAdapter ", "Set-VMNetworkAdapter -VMName ", "Set-VMNetworkAdapter -VMName vm001 -", "vfpctrl ", "vfpctrl /",
	"vfpctrl /disable-port /", "part_man ", "part_man add ", "vlan_config create team ", "vlan_config removevlan one ", "vlan_config addvlan one ", "perf_tuning ", "perf_tuning -", "perf_tuning -s -c1 ",
	"counters ", "counters --", "events ", "events --severity ", "switch set 'Ethernet 9' ", "firmware set ", "firmware set Con", "slot set C", "limits ", "limits 'Ethernet 7' ", "it's",
	"vm start it's", "vm start \"it's", "vm start 'it", "vm start b", "vm start x y ", "advance ", "undo --", "lab ", "Get-NetAdapter \"Ethernet 1\" \"", "reg get \"a\\\"b", "reg get 'x' \"",
	"vm start \"a\\", "vm start \"a\\\" v", "team create --primary 'Ethernet 8' x A", "mlx5cmd -RegKeys -Name 'Ethernet 7' -D", "perf_tuning -s -c1 'Ethernet 3' -c2 ",
	"perf_tuning -s -c1 'Ethernet 3' ", "Get-NetQosPolicy ", "Set-NetQosPolicy -Name S", "New-NetQosPolicy ", "Remove-NetQosPolicy -PolicyStore ", "Remove-NetQosTrafficClass ", "New-NetQosPolicy X -IPD",
	"Enable-NetAdapterQos ", "Enable-NetQosFlowControl -InterfaceAlias ", "Import-Module ", "Set-ExecutionPolicy ", "Install-WindowsFeature ", "mlxtool modify tc-bw ", "help team ", "reg profile export 'storage one' ", "vm start 'the ", "bios ",
}

// TestCompletions compares the completion of lines in the console with a golden file.
func TestCompletions(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.Drafts = exec.NewDraftStore()
	if b.script(`team create one SLB "Ethernet 8" "Ethernet 10"`, "team create other SLB 'Ethernet 9'", "vlan add one older 80", "vlan add one other 81",
		`vm create "my vm"`, `vm create "it's"`, "vm create b1", `vm create "the cat's a"`, `vm create "the cat's b"`, "vm create b2", "reg profile save 'storage one' 'Ethernet 8' *RSS", "reg profile save second 'Ethernet 8' *RSS") != exec.Done {
		t.Fatal(b.errs.String())
	}
	opened := 0
	open := func(context.Context) (exec.Host, exec.DraftStore, error) {
		opened++
		return b.host, b.Drafts, nil
	}
	var out strings.Builder
	for _, line := range completedLines {
		before := opened
		completed, offered := complete.Line(t.Context(), Commands(), line, open)
		fmt.Fprintf(&out, "%q", line)
		if completed != line {
			fmt.Fprintf(&out, " becomes %q", completed)
		}
		const most = 8
		if len(offered) > most {
			offered = append(offered[:most:most], "and more")
		}
		fmt.Fprintf(&out, ": %q\n", offered)
		if opened > before+1 {
			t.Errorf("%q opens the host %d times", line, opened-before)
		}
	}
	golden(t, "testdata/completions.golden", out.String())
}

// TestCandidates: candidates have help, and file names are left to the shell.
func TestCandidates(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	open := func(context.Context) (exec.Host, exec.DraftStore, error) { return b.host, nil, nil }
	for _, c := range []struct {
		words []string
		part  string
		want  complete.Candidate
		files bool
	}{
		{words: []string{"adapter"}, part: "show", want: complete.Candidate{Word: "show", Help: find(t, "adapter show").Help}},
		{part: "adapter", want: complete.Candidate{Word: "adapter"}},
		{words: []string{"adapter", "show"}, part: "Ethernet 7", want: complete.Candidate{Word: "Ethernet 7", Help: "ConnectX-5 Ex"}},
		{words: []string{"adapter", "show"}, part: "Conn", want: complete.Candidate{Word: "ConnectX-5 Ex", Help: "card"}},
		{words: []string{"vm", "start"}, part: "vm001", want: complete.Candidate{Word: "vm001", Help: "virtual machine, Running"}},
		{words: []string{"vswitch", "remove"}, want: complete.Candidate{Word: "Switch Ethernet 7", Help: "virtual switch"}},
		{words: []string{"mlxconfig", "-d"}, part: "mt4121", want: complete.Candidate{Word: "mt4121_pciconf0", Help: "ConnectX-5 Ex"}},
		{words: []string{"undo"}, part: "--", want: complete.Candidate{Word: "--yes", Help: find(t, "undo").Flags[0].Help}},
		{words: []string{"reg", "export"}, part: "x", files: true},
		{words: []string{"reg", "profile", "show"}},
	} {
		got := complete.Words(t.Context(), Commands(), c.words, c.part, open)
		if got.Files != c.files || c.want.Word != "" && !slices.Contains(got.Candidates, c.want) || c.want.Word == "" && len(got.Candidates) > 0 {
			t.Errorf("%q %q: %+v lacks %+v", c.words, c.part, got, c.want)
		}
	}
}

// find returns the description of a command.
func find(t *testing.T, name string) *exec.Description {
	t.Helper()
	command, ok := Commands().Find(strings.Fields(name))
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	return command.Describe()
}

// TestCompletionWithoutAHost: without a host, only words of the syntax are completed.
func TestCompletionWithoutAHost(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(context.Context) (exec.Host, exec.DraftStore, error){
		"nothing opens it":   nil,
		"it can't be opened": func(context.Context) (exec.Host, exec.DraftStore, error) { return nil, nil, errors.New("it is broken") },
		"there is none":      func(context.Context) (exec.Host, exec.DraftStore, error) { return nil, nil, nil },
		"it can't be read":   func(context.Context) (exec.Host, exec.DraftStore, error) { return unreadable{}, nil, nil },
	} {
		for _, line := range []string{"adapter show ", "team show ", "vm start ", "vswitch remove ", "mlxconfig -d ", "vlan remove x ", "reg profile show ", "slot set "} {
			if completed, offered := complete.Line(t.Context(), Commands(), line, open); completed != line || offered != nil {
				t.Errorf("%s: %q becomes %q, %q", name, line, completed, offered)
			}
		}
		if completed, _ := complete.Line(t.Context(), Commands(), "reg get x *JumboP", open); completed != "reg get x *JumboPacket " {
			t.Errorf("%s: %q", name, completed)
		}
	}
}

// unreadable is a host that can't be read.
type unreadable struct{ exec.Host }

func (unreadable) ReadHost(context.Context, func(*driver.Host) error) error {
	return errors.New("it is busy")
}
