package limits

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cxdeck/device/description"
)

// matching are facts of a port that a limit is about.
func matching(t *testing.T, l *Limit) Facts {
	t.Helper()
	f := Facts{Family: l.Family, Speed: l.Speed, System: "Windows Server 2016", Guest: true}
	if l.Link != nil {
		f.Link = *l.Link
	}
	if len(l.Devices) > 0 {
		id, err := strconv.ParseUint(l.Devices[0], 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		f.DeviceID = uint16(id)
	}
	if l.HostSince != "" {
		f.System = l.HostSince
	} else if l.HostUntil != "" {
		f.System = "Windows Server 2012 R2"
	}
	return f
}

// TestEachLimitIsAboutItsPorts holds for every row that it is about a port with all that it names, and about none that
// differs in one of them.
func TestEachLimitIsAboutItsPorts(t *testing.T) {
	t.Parallel()
	for _, l := range All() {
		f := matching(t, &l)
		if !l.AppliesTo(&f) {
			t.Errorf("%s (%s) is not about %+v", l.Feature, l.Source, f)
		}
		for name, change := range map[string]struct {
			bound bool
			f     func(*Facts)
		}{
			"family":     {true, func(f *Facts) { f.Family = description.WinOF + description.WinOF2 - f.Family }},
			"link":       {l.Link != nil, func(f *Facts) { f.Link = description.Ethernet + description.InfiniBand - f.Link }},
			"speed":      {l.Speed != 0, func(f *Facts) { f.Speed++ }},
			"device":     {len(l.Devices) > 0, func(f *Facts) { f.DeviceID = 0xffff }},
			"guest":      {l.Part == GuestSystem || l.Part == GuestDriver, func(f *Facts) { f.Guest = false }},
			"old host":   {l.HostSince != "", func(f *Facts) { f.System = "Windows Server 2008" }},
			"new host":   {l.HostUntil != "", func(f *Facts) { f.System = cmp.Or(l.HostUntil, f.System) }},
			"other host": {l.HostSince != "" || l.HostUntil != "", func(f *Facts) { f.System = "unknown" }},
		} {
			other := f
			change.f(&other)
			if l.AppliesTo(&other) == change.bound {
				t.Errorf("%s (%s) with another %s: it is about such a port: %t", l.Feature, l.Source, name, !change.bound)
			}
		}
	}
}

// TestEachLimitHoldsFromItsVersion holds that the version a row names is enough, and that one before it is not.
func TestEachLimitHoldsFromItsVersion(t *testing.T) {
	t.Parallel()
	for _, l := range All() {
		set := func(version string) *Facts {
			f := matching(t, &l)
			switch l.Part {
			case System:
				f.System = version
			case GuestSystem:
				f.GuestSystem = version
			case Driver:
				f.Driver = version
			case GuestDriver:
				f.GuestDriver = version
			case Firmware:
				f.Firmware = version
			case Tools:
				f.Tools = version
			case SubnetManager:
				f.SubnetManager = version
			}
			return &f
		}
		system := l.Part == System || l.Part == GuestSystem
		older := "0.1"
		if system {
			older = "Windows Server 2003"
		}
		for since := range strings.SplitSeq(l.Since, "/") {
			if since == "" {
				continue
			}
			if why := l.Broken(set(since)); why != "" {
				t.Errorf("%s with %s: %s", l.Feature, since, why)
			}
			if why := l.Broken(set(older)); !strings.HasPrefix(why, l.What+" needs ") || !strings.HasSuffix(why, older) {
				t.Errorf("%s (%s) with %s: %q", l.Feature, l.Source, older, why)
			}
		}
		if l.Above != "" && (l.Broken(set(l.Above)) == "" || l.Broken(set(l.Above+".1")) != "") {
			t.Errorf("%s: %q at %s, %q above", l.Feature, l.Broken(set(l.Above)), l.Above, l.Broken(set(l.Above+".1")))
		}
		if l.Until != "" {
			if why := l.Broken(set(l.Until)); !strings.Contains(why, " is not supported in ") {
				t.Errorf("%s with %s: %q", l.Feature, l.Until, why)
			}
			if before := l.Broken(set(older)); l.Since == "" && before != "" {
				t.Errorf("%s with %s: %q", l.Feature, older, before)
			}
		}
	}
}

// TestOneDigitBeforeMore: versions compare as numbers, whatever digit they begin with.
func TestOneDigitBeforeMore(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"0.9", "1.0"}, {"9.1", "10.0"}, {"WinOF 0.9", "1"}, {"WinOF-2 9.9", "10"}, {"1.2", "1.2.0.1"}} {
		if !Older(pair[0], pair[1]) || Older(pair[1], pair[0]) {
			t.Errorf("%s is not before %s", pair[0], pair[1])
		}
	}
}

func TestRequirementOfALimit(t *testing.T) {
	t.Parallel()
	for want, l := range map[string]Limit{
		"Windows Server 2016 or later":                                      {Part: System, Since: "Windows Server 2016"},
		"Windows Server 2012 or later, or Windows 7 or later":               {Part: System, Since: "Windows Server 2012", Client: "Windows 7"},
		"WinOF 5.35 or later":                                               {Part: Driver, Family: description.WinOF, Since: "5.35"},
		"WinOF-2 later than 1.20":                                           {Part: Driver, Family: description.WinOF2, Above: "1.20"},
		"before WinOF 5.35":                                                 {Part: Driver, Family: description.WinOF, Until: "5.35"},
		"firmware 1.2 or later, before firmware 1.4":                        {Part: Firmware, Since: "1.2", Until: "1.4"},
		"Windows Server 2016 or later in the machine":                       {Part: GuestSystem, Since: "Windows Server 2016"},
		"a driver of WinOF-2 2.0 or later in the machine":                   {Part: GuestDriver, Family: description.WinOF2, Since: "2.0"},
		"before Windows 10 in the machine on a host before Windows 11":      {Part: GuestSystem, Until: "Windows 10", HostUntil: "Windows 11"},
		"the firmware tools (MFT) 3 or later on a host of Windows or later": {Part: Tools, Since: "3", HostSince: "Windows"},
		"a subnet manager of version 4 or later on a host of A before B":    {Part: SubnetManager, Since: "4", HostSince: "A", HostUntil: "B"},
	} {
		if got := l.Needs(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestValuesAndCommandsOfAFeature: which numbers in its keys, which settings of the firmware and which commands.
func TestValuesAndCommandsOfAFeature(t *testing.T) {
	t.Parallel()
	every, some := Limit{}, Limit{Values: []uint32{0, 2}}
	for number, want := range map[uint32][2]bool{0: {false, true}, 1: {true, false}, 2: {true, true}} {
		if got := [2]bool{every.EnabledBy(number), some.EnabledBy(number)}; got != want {
			t.Errorf("%d: %v, want %v", number, got, want)
		}
	}
	l := Limit{
		Commands: []string{"mlxconfig", "Set-NetAdapterRdma -Name"}, Settings: []string{"SRIOV_EN", "CNP_*"}, Keys: []string{"Roce*", "*RSS"},
	}
	for line, want := range map[string]bool{
		"mlxconfig": true, "MLXCONFIG -d x": true, "mlxconfigure": false, "mlxconfi": false, "": false,
		"set-netadapterrdma -name a": true, "Set-NetAdapterRdma": false,
	} {
		if l.MatchesCommand(line) != want {
			t.Errorf("the line %q is the feature's: %t", line, !want)
		}
	}
	for name, want := range map[string]bool{"sriov_en": true, "SRIOV_E": false, "SRIOV_EN2": false, "CNP_": true, "cnp_dscp": true, "CNP": false, "": false} {
		if l.HasSetting(name) != want {
			t.Errorf("the setting %q is the feature's: %t", name, !want)
		}
	}
	for _, limit := range All() {
		for _, key := range limit.Keys {
			name := strings.TrimSuffix(key, "*")
			found := OfKey(limit.Family, name)
			if !slices.ContainsFunc(found, func(f *Limit) bool { return f.Source == limit.Source && f.Feature == limit.Feature }) {
				t.Errorf("the key %s does not find %s", name, limit.Feature)
			}
			for _, f := range found {
				if f.Family != limit.Family {
					t.Errorf("the key %s of one family finds %s of the other", name, f.Feature)
				}
			}
		}
	}
}
