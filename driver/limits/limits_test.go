package limits

import (
	"regexp"
	"strings"
	"testing"

	"cxdeck/device/description"
)

// TestTheTableIsComplete holds that each row says what it is about, since or until which version, and where that stands.
func TestTheTableIsComplete(t *testing.T) {
	t.Parallel()
	source := regexp.MustCompile(`^00[0-4]:\d+(-\d+)?(, 00[0-4]:\d+(-\d+)?)*$`)
	parts := map[Part]bool{System: true, GuestSystem: true, Driver: true, GuestDriver: true, Firmware: true, Tools: true,
		SubnetManager: true}
	seen := map[string]bool{}
	for _, l := range All() {
		name := string(l.Feature) + " " + string(l.Part) + " " + l.Source
		switch {
		case l.Feature == "" || l.What == "" || !parts[l.Part] || !source.MatchString(l.Source):
			t.Errorf("%s: %+v", name, l)
		case l.Since == "" && l.Above == "" && l.Until == "":
			t.Errorf("%s limits nothing", name)
		case l.Refuse && len(l.Commands) == 0 && len(l.Settings) == 0:
			t.Errorf("%s refuses nothing", name)
		}
		for _, version := range append(strings.Split(l.Since, "/"), l.Above, l.Until) {
			system := l.Part == System || l.Part == GuestSystem
			if version != "" && (system && !systemOf(version).known() || !system && versionOf(version) == nil) {
				t.Errorf("%s: %q is no version", name, version)
			}
		}
		for _, version := range []string{l.Client, l.HostSince, l.HostUntil} {
			if version != "" && !systemOf(version).known() {
				t.Errorf("%s: %q is no Windows", name, version)
			}
		}
		key := name + familyName(&l) + l.Since + l.Until + l.HostSince
		if seen[key] {
			t.Errorf("%s stands there twice", name)
		}
		seen[key] = true
	}
	if len(seen) < 100 {
		t.Errorf("%d rows", len(seen))
	}
}

func TestOlder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, than string
		older         bool
	}{
		{"1.20", "1.35", true}, {"1.35", "1.35", false}, {"1.34.9999", "1.35", true}, {"1.35.0", "1.35", false},
		{"1.4", "1.35", true}, {"2.30", "2.30.8000", true}, {"2.30.8000", "2.30", false}, {"24.4.26429", "1.45", false},
		{"4.8.0-24", "4.8.0-25", true}, {"4.8.0-25", "4.8.0-25", false}, {"WinOF 5.35.52000", "5.50", true},
		{"WinOF-2 24.4", "1.20", false}, {"WinOF-2 1.10", "1.20", true}, {"", "1.2", false}, {"unknown", "1.2", false},
		{"1.2", "", false}, {"99999999999999999999", "1", false},
	} {
		if got := Older(c.version, c.than); got != c.older {
			t.Errorf("%q before %q: %t", c.version, c.than, got)
		}
	}
}

func TestSystems(t *testing.T) {
	t.Parallel()
	order := []string{
		"Windows Server 2008", "windows server 2008 R2 Enterprise", "Windows Server 2012 Datacenter", "Windows  Server 2012R2",
		"Windows Server® 2016", "Windows Server 2019 Datacenter, Hyper-V", "Windows Server 2022", "Windows Server 2025",
	}
	for i := range order[1:] {
		if a, b := systemOf(order[i]), systemOf(order[i+1]); !a.known() || !a.before(b) || b.before(a) || a.client {
			t.Errorf("%s is not before %s: %v %v", order[i], order[i+1], a, b)
		}
	}
	for client, server := range map[string]string{
		"Windows 7 Client": "Windows Server 2008 R2", "Windows 8": "Windows Server 2012",
		"Windows Client 8.1":     "Windows Server 2012 R2",
		"Windows 10 Client 1607": "Windows Server 2016", "Windows Client 10 1809": "Windows Server 2019",
	} {
		c, s := systemOf(client), systemOf(server)
		if !c.client || c.rank != s.rank {
			t.Errorf("%s is %+v, and %s %+v", client, c, server, s)
		}
	}
	for _, text := range []string{"", "Azure Stack HCI", "Linux", "Windows 80", "Windows Server 20199"} {
		if s := systemOf(text); s.known() {
			t.Errorf("%q is %+v", text, s)
		}
	}
}

// TestClientsHaveTheirOwnLimit holds that a limit with a client's version is held against that on a client.
func TestClientsHaveTheirOwnLimit(t *testing.T) {
	t.Parallel()
	for system, broken := range map[string]bool{
		"Windows 8.1 Client": true, "Windows 10 Client 1607": false, "Windows Server 2012": true,
		"Windows Server 2012 R2": false, "": false,
	} {
		f := Facts{Family: description.WinOF2, System: system}
		if why := Check(PacketDirect, &f); (len(why) > 0) != broken {
			t.Errorf("%s: %q", system, why)
		}
	}
}

// TestUnknownVersionsBreakNoLimit holds that a lab that says no versions has everything.
func TestUnknownVersionsBreakNoLimit(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		for _, link := range []description.LinkType{description.Ethernet, description.InfiniBand} {
			f := Facts{Family: family, Link: link, Speed: 56, Guest: true, DeviceID: 0x1015}
			for _, l := range All() {
				if why := l.Broken(&f); why != "" {
					t.Errorf("%s: %s", l.Feature, why)
				}
			}
		}
	}
}

func familyName(l *Limit) string {
	return map[description.Family]string{description.WinOF: "1", description.WinOF2: "2"}[l.Family]
}
