package dump_test

import (
	"testing"
	"time"

	"cxdeck/driver/dump"
)

// TestFolderNames is DMN-4 to DMN-7, with the example that the manual prints.
func TestFolderNames(t *testing.T) {
	t.Parallel()
	at := time.Date(2017, 4, 13, 7, 49, 2, 747_000_000, time.UTC)
	for name, want := range map[string]dump.Incident{
		"dmn-GENERAL-SH-NA-4.13.2017\u201307.49.02.747":                            {Kind: "GENERAL", Source: dump.SelfHealing, Reason: "NA", Time: at},
		dump.FolderName("ConnectX-3 Pro #2", "GENERAL", dump.User, "NA", at):       {Device: "ConnectX-3 Pro #2", Kind: "GENERAL", Source: dump.User, Reason: "NA", Time: at},
		"dmn-X-GENERAL-ND-NA--12.1.2026-23.59.59.000":                              {Device: "X", Kind: "GENERAL", Source: dump.Program, Reason: "NA", Time: time.Date(2026, 12, 1, 23, 59, 59, 0, time.UTC)},
		dump.FolderName(`a:b\c`, "GENERAL", dump.User, "NA", at.Add(time.Hour*10)): {Device: "a_b_c", Kind: "GENERAL", Source: dump.User, Reason: "NA", Time: at.Add(time.Hour * 10)},
	} {
		if got, ok := dump.ParseFolderName(name); !ok || got != want {
			t.Errorf("%s is %+v, %t", name, got, ok)
		}
	}
	if got := dump.FolderName("D", "GENERAL", dump.SelfHealing, "NA", at); got != "dmn-D-GENERAL-SH-NA--4.13.2017-07.49.02.747" {
		t.Errorf("the name is %s", got)
	}
	for _, name := range []string{"", "dmn-", "dmn-GENERAL-SH-NA", "x-GENERAL-SH-NA-4.13.2017-07.49.02.747", "dmn-GENERAL-SH-NA-13.4.2017-07.49.02.747", "dmn-SH-NA--4.13.2017-07.49.02.747"} {
		if got, ok := dump.ParseFolderName(name); ok {
			t.Errorf("%q is %+v", name, got)
		}
	}
}

// FuzzParseFolderName reads a name, and the name that is written for it.
func FuzzParseFolderName(f *testing.F) {
	f.Add("dmn-GENERAL-SH-NA-4.13.2017\u201307.49.02.747")
	f.Add("dmn-A-B-GENERAL-USER-NA--4.13.2017-07.49.02.747")
	f.Fuzz(func(t *testing.T, name string) {
		got, ok := dump.ParseFolderName(name)
		if !ok || got.Device == "" || len(got.Device) > 80 {
			return
		}
		written := dump.FolderName(got.Device, got.Kind, got.Source, got.Reason, got.Time)
		if again, ok := dump.ParseFolderName(written); ok && again.Time != got.Time {
			t.Errorf("%q became %q", name, written)
		}
	})
}
