package dcqcn

import "testing"

// TestReleaseNeedsMoreThanLineRateLessOne: a rate of exactly 1 Mbit/s below the line rate stays limited (DCQ-12).
func TestReleaseNeedsMoreThanLineRateLessOne(t *testing.T) {
	t.Parallel()
	const line = 40000
	parameters := Defaults()
	parameters[FirstRate], parameters[AdditiveRate] = line-2, 2
	c := NewControl(&parameters, line)
	var f Flow
	f.Notify(&c, 0)
	period, threshold := int64(parameters[TimeReset]), int64(parameters[Threshold])
	f.Advance(&c, (threshold+1)*period) // the first additive increase lifts the rate halfway to the line rate
	if f.Rate(&c) != line-1 || !f.Limited() {
		t.Errorf("the rate is %v, limited: %t", f.Rate(&c), f.Limited())
	}
	f.Advance(&c, (threshold+2)*period)
	if f.Rate(&c) != line || f.Limited() {
		t.Errorf("after one more increase the rate is %v, limited: %t", f.Rate(&c), f.Limited())
	}
}

// TestMonitorWindowsAfterHours: windows keep their distance when more than 2^32 microseconds pass without a CNP.
func TestMonitorWindowsAfterHours(t *testing.T) {
	t.Parallel()
	parameters := Defaults()
	parameters[TimeReset], parameters[ByteReset] = 0, 0 // the flow stays limited
	parameters[MonitorPeriod], parameters[AlphaWindow] = 1000, 1000
	c := NewControl(&parameters, 40000)
	var cuts []int64
	c.Watch = func(e Event) {
		if e.Cause == Cut {
			cuts = append(cuts, e.At)
		}
	}
	for _, windows := range []int64{1<<32/1000 - 1, 1<<32/1000 + 5, 1 << 32} {
		var f Flow
		cuts = nil
		f.Notify(&c, 0)
		f.Notify(&c, windows*1000+400)
		f.Advance(&c, windows*1000+2500)
		if want := (windows + 1) * 1000; len(cuts) != 1 || cuts[0] != want {
			t.Errorf("a CNP in window %d cuts at %v, want %d", windows, cuts, want)
		}
	}
}

// TestNamesOfPortParameters pins the names of all parameters that a port has once.
func TestNamesOfPortParameters(t *testing.T) {
	t.Parallel()
	want := []string{
		"DcqcnClampTgtRate", "DcqcnClampTgtRateAfterTimeInc", "DcqcnRpgTimeReset", "DcqcnRpgByteReset", "DcqcnRpgThreshold",
		"DcqcnRpgAiRate", "DcqcnRpgHaiRate", "DcqcnAlphaToRateShift", "DcqcnRpgMinDecFac", "DcqcnRpgMinRate",
		"DcqcnRateToSetOnFirstCnp", "DcqcnDceTcpG", "DcqcnDceTcpRtt", "DcqcnRateReduceMonitorPeriod", "DcqcnInitialAlphaValue",
		"DcqcnCnpDscp", "DcqcnCnp802pPrio", "DcqcnCnpPrioMode",
	}
	if len(want) != len(All())-2*Priorities {
		t.Fatalf("%d parameters", len(All()))
	}
	for i, name := range want {
		if got := (ClampTargetRate + Parameter(i)).String(); got != name {
			t.Errorf("%q, want %q", got, name)
		}
	}
}
