package catalog

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/views/exec"
	"cxdeck/views/exec/subnet/programs"
)

// FuzzRun: no line makes a runner panic, a failure is one sentence, and only commands that change the host do so.
func FuzzRun(f *testing.F) {
	for _, c := range Commands().Commands() {
		f.Add(c.Name)
		for _, example := range c.Describe().Examples {
			f.Add(example.Line)
		}
	}
	f.Add(`counters --interval -1s --count 99999 --list=x`)
	f.Add("events --after 18446744073709551616 -- --last")
	b := newBench(f, nil)
	b.ReadOnly = true
	f.Fuzz(func(t *testing.T, line string) {
		b.out.Reset()
		b.errs.Reset()
		words, err := Commands().Split(line)
		if err != nil || len(words) == 0 || words[0] == "counters" && strings.Contains(line, "count") || takesMinutes(words[0]) {
			return
		}
		status := b.Run(context.Background(), words)
		if status != exec.Done && b.errs.Len() == 0 && isJudge(words[0]) && b.out.Len() > 0 {
			return
		}
		if status == exec.Done && b.errs.Len() > 0 || status != exec.Done && strings.Count(b.errs.String(), "\n") != 1 {
			t.Errorf("%q: status %d, %q", line, status, b.errs.String())
		}
	})
}

// judges are the first words of commands that fail with an answer in place of a sentence: what they looked at is not as it must be, or
// they are programs that print their own errors.
// So do setup programs, with their return codes.
var judges = append([]string{"boot", "diagnose", "guide", "intent", "flint", "mlxburn", "ibdiagpath"}, programs.Names()...)

func isJudge(word string) bool {
	return slices.Contains(judges, strings.ToLower(exec.TrimExe(word))) || exec.SetupProduct(word) != ""
}

// takesMinutes reports whether a command writes all frames of up to a minute, or waits for a test to end, for which time stands still here;
// their own tests have bounds.
func takesMinutes(name string) bool {
	name = strings.ToLower(name)
	return name == "capture" || name == "typeperf" || name == "ibdump" || strings.HasPrefix(name, "nd") || strings.HasPrefix(name, "rping") || strings.HasPrefix(name, "ntttcp") || strings.HasPrefix(name, "xcopy") || strings.HasPrefix(name, "mpiexec") || name == "start" || name == "start-sleep"
}

// triedHost is a host that applies each change to a new copy.
type triedHost struct{ exec.Host }

var errTried = errors.New("time stands still here")

// Apply applies a plan to a copy.
func (h triedHost) Apply(ctx context.Context, plan driver.Plan) (entry driver.Entry, err error) {
	err = h.ReadHost(ctx, func(host *driver.Host) error {
		entry, err = host.Clone().Apply(plan)
		return err
	})
	return entry, err
}

// ApplyGuarded applies a plan to a copy.
func (h triedHost) ApplyGuarded(ctx context.Context, plan driver.Plan, _ time.Duration) (driver.Entry, error) {
	return h.Apply(ctx, plan)
}

// Advance is refused: a line may advance by a day.
func (triedHost) Advance(context.Context, time.Duration) error { return errTried }

// Measure is refused: it lets time pass, too.
func (triedHost) Measure(context.Context, []int, time.Duration, []float64) (time.Time, error) {
	return time.Time{}, errTried
}

// Reset is refused.
func (triedHost) Reset(context.Context) error { return errTried }

// FuzzChange: no parameters of a changing command make a runner panic, a failure is one sentence, and a trial does not change the
// host.
func FuzzChange(f *testing.F) {
	for _, c := range Commands().Commands() {
		if !c.Changes {
			continue
		}
		f.Add(c.Name)
		for _, example := range c.Describe().Examples {
			f.Add(example.Line)
		}
	}
	for _, line := range []string{
		`Get-VMNetworkAdapter vm* | ? {$_.MacAddress -ne 1} | Set-VMNetworkAdapter -VmqWeight 1 -WhatIf`,
		`Set-NetAdapterSriov "Ethernet 7","Ethernet 8" -N:8`, `Stop-VM [*?, , vm00? -Force -Confirm:$false`,
		`mlx5cmd -Qosconfig -Dcqcn -Name "Ethernet 7" -Set -DcqcnCnpDscp 3 -DcqcnRpgAiRate 99999999999`,
		`mlxconfig -d /dev/mst/mt4121_pciconf0 -y s SRIOV_EN=1 set NUM_OF_VFS=`, `vfpctrl /disable-port /port {}`,
		`New-NetVirtualizationLookupRecord -CustomerAddress ::1%x -ProviderAddress 1.2.3.4 -VirtualSubnetID 4294967296`,
		`Add-VMNetworkAdapter -VMName vm001 -StaticMacAddress 00-15:5D.720100`,
	} {
		f.Add(line)
	}
	b := newBench(f, nil)
	b.host = triedHost{b.host}
	f.Fuzz(func(t *testing.T, line string) {
		b.out.Reset()
		b.errs.Reset()
		words, err := Commands().Split(line)
		if err != nil || len(words) == 0 || takesMinutes(words[0]) || strings.HasPrefix(line, "guide run") || strings.HasPrefix(line, "guide meet") { // a guide waits for time, which stands still here
			return
		}
		before := journalLength(t, b.host)
		b.Files, b.Drafts, b.Session = memoryFiles{}, nil, nil
		status := b.Run(t.Context(), words)
		if status != exec.Done && b.errs.Len() == 0 && isJudge(words[0]) && b.out.Len() > 0 {
			status = exec.Done
		}
		if status == exec.Done && b.errs.Len() > 0 || status != exec.Done && strings.Count(b.errs.String(), "\n") != 1 {
			t.Errorf("%q: status %d, %q", line, status, b.errs.String())
		}
		if after := journalLength(t, b.host); after != before {
			t.Errorf("%q left %d entries in the journal of %d", line, after, before)
		}
	})
}

func journalLength(t *testing.T, host exec.Host) (length int) {
	t.Helper()
	if err := host.ReadHost(t.Context(), func(h *driver.Host) error {
		length = len(h.Journal())
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return length
}
