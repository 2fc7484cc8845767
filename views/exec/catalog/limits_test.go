package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
)

// windowsVersions lists the Windows versions of the limits, oldest first.
var windowsVersions = []string{
	"Windows Server 2008 R2", "Windows Server 2012", "Windows Server 2012 R2", "Windows Server 2016", "Windows Server 2019",
}

// versionBefore returns a version just before another one.
func versionBefore(version string) string {
	if i := slices.Index(windowsVersions, version); i > 0 {
		return windowsVersions[i-1]
	}
	for strings.HasSuffix(version, ".0") {
		version = strings.TrimSuffix(version, ".0")
	}
	at := strings.LastIndexAny(version, ".-") + 1
	n, _ := strconv.Atoi(version[at:])
	return fmt.Sprintf("%s%d.9999", version[:at], n-1)
}

// limitCase is a limit on a lab that meets it, or does not.
type limitCase struct {
	connection string
	apply      func(*description.Description)
	// guest has the flags of vm create for the versions, for a limit of virtual machines.
	guest string
}

// caseOf returns a case with a version for the limit's part, on a Windows for which the limit is valid.
func caseOf(l *limits.Limit, version string) limitCase {
	c := limitCase{connection: map[description.Family]string{description.WinOF: "Ethernet 3", description.WinOF2: "Ethernet 7"}[l.Family]}
	infiniBand := l.Link != nil && *l.Link == description.InfiniBand
	switch {
	case infiniBand && l.Family == description.WinOF:
		c.connection = "Ethernet 4"
	case infiniBand:
		c.connection = "Ethernet 10"
	case len(l.Devices) > 0:
		c.connection = "Ethernet 5"
	}
	driver, system := "24.4.26429", "Windows Server 2016"
	if l.Part == limits.GuestSystem {
		system = ""
	}
	switch l.Part { //nolint:exhaustive // the others have no word of their own
	case limits.GuestDriver:
		driver = version
	case limits.GuestSystem:
		system = version
	}
	c.guest = fmt.Sprintf("--guest-driver %s --guest-system %q", driver, system)
	c.apply = func(d *description.Description) {
		keepCard(d, c.connection)
		switch {
		case l.HostSince != "":
			d.Host.System = l.HostSince
		case l.HostUntil != "":
			d.Host.System = versionBefore(l.HostUntil)
		}
		for i := range d.Adapters {
			a := &d.Adapters[i]
			for j := range a.Ports {
				p := &a.Ports[j]
				if p.Connection == "Ethernet 10" && infiniBand {
					p.Link, p.RoCE, p.FlowControl = description.InfiniBand, description.NoRoCE, description.NoFlowControl
					p.Switch.FlowControl = description.NoFlowControl
					d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return f.Port == p.Connection })
				}
				if p.Connection == c.connection {
					set(d, a, p, l, version)
				}
			}
		}
	}
	return c
}

// keepCard removes all cards of a lab but the one of a connection, to make the lab fast.
func keepCard(d *description.Description, connection string) {
	d.Adapters = slices.DeleteFunc(d.Adapters, func(a description.Adapter) bool {
		return !slices.ContainsFunc(a.Ports, func(p description.Port) bool { return p.Connection == connection })
	})
	gone := func(name string) bool {
		return !slices.ContainsFunc(d.Adapters[0].Ports, func(p description.Port) bool { return p.Connection == name })
	}
	d.Flows = slices.DeleteFunc(d.Flows, func(f description.Flow) bool { return gone(f.Port) })
	d.Faults = slices.DeleteFunc(d.Faults, func(f description.Fault) bool { return gone(f.Port) })
}

func set(d *description.Description, a *description.Adapter, p *description.Port, l *limits.Limit, version string) {
	switch l.Part {
	case limits.System:
		d.Host.System = version
	case limits.Driver:
		a.DriverVersion = version
	case limits.Firmware:
		a.Firmware = version
	case limits.Tools:
		d.Host.FirmwareTools = version
	case limits.SubnetManager:
		p.Switch.SubnetManagerVersion = version
	case limits.GuestSystem, limits.GuestDriver:
	}
	if l.Speed != 0 {
		p.SpeedGbps, p.Switch.SpeedGbps = l.Speed, l.Speed
	}
}

// linesOf returns lines that set or show the feature of a limit, besides the command limits.
func linesOf(l *limits.Limit, c *limitCase) (lines []string) {
	name := strconv.Quote(c.connection)
	for _, r := range registry.Keys(l.Family).Rows {
		if !slices.Contains(limits.OfKey(l.Family, r.Name), l) || !r.Scope.Stored() {
			continue
		}
		value := "1"
		if l.Values != nil {
			value = fmt.Sprint(l.Values[len(l.Values)-1])
		}
		if r.Form == registry.Path || l.Part == limits.GuestDriver {
			continue
		}
		lines = append(lines, "reg set "+name+" "+syntax.Quote(r.Name)+" "+value, "reg explain "+name+" "+syntax.Quote(r.Name)+" "+value)
		break
	}
	tools := map[string]string{
		"mlxconfig":                     "mlxconfig -d DEVICE q",
		"Enable-NetAdapterPacketDirect": "Enable-NetAdapterPacketDirect -Name " + name,
		"dropless set":                  "dropless set " + name + " on", "part_man add": "part_man add " + name + " ipoib_4_1",
		"mlxtool": "mlxtool show driverparams " + name, "mlxtool dbg pkeys": "mlxtool dbg pkeys " + name,
		"mlxtool dbg resources":                       "mlxtool dbg resources 130 0 0",
		"mlxtool show regkeys diff":                   "mlxtool show regkeys diff " + name,
		"mlxtool show perfstats":                      "mlxtool show perfstats " + name + " ShowAll",
		"mlxtool dbg nonrss-capture":                  "mlxtool dbg nonrss-capture " + name + " query",
		"vlan_config create team":                     "vlan_config create team AFT T",
		"Get-MlnxDriverCoreSetting":                   "Get-MlnxDriverCoreSetting",
		"Set-MlnxDriverCoreSetting":                   "Set-MlnxDriverCoreSetting -RoceMode 1",
		"mlx5cmd -Qosconfig -Dcqcn":                   "mlx5cmd -Qosconfig -Dcqcn -Name " + name + " -Get",
		"mlx5cmd -Dcqcn":                              "mlx5cmd -Dcqcn -Name " + name + " -Restore",
		"mlx5cmd -Set":                                "mlx5cmd -Set -Name " + name + " -DcqcnEnablePrio3 1",
		"New-NetLbfoTeam":                             "New-NetLbfoTeam T " + name,
		"mlx5cmd -Qosconfig -DefaultUntaggedPriority": "mlx5cmd -Qosconfig -DefaultUntaggedPriority -Name " + name + " -Get",
	}
	for _, command := range l.Commands {
		if line, ok := tools[command]; ok {
			lines = append(lines, line)
		}
	}
	for _, setting := range l.Settings {
		setting = strings.Replace(setting, "*", "1", 1)
		lines = append(lines, "mlxconfig -d DEVICE -y set "+setting+"=1")
	}
	switch l.Feature { //nolint:exhaustive // the others need nothing before
	case limits.SRIOV, limits.SRIOVIPoIB:
		if l.Part != limits.GuestSystem && l.Part != limits.GuestDriver {
			lines = append(lines, "sriov show "+name, "Set-NetAdapterSriov -Name "+name+" -NumVFs 6")
		}
	case limits.GuestRDMA:
		lines = append(lines, "vm create m1 --switch S", "Set-VMNetworkAdapterRdma m1 -RdmaWeight 100", "vm show m1")
	case limits.VMMQ:
		lines = append(lines, "vm create m1 --switch S", "Set-VMNetworkAdapter m1 -VmmqEnabled $true")
	}
	if l.Part == limits.GuestSystem || l.Part == limits.GuestDriver && l.Feature == limits.SRIOVIPoIB {
		kind := " --vf"
		if l.Feature == limits.PacketDirect {
			kind = ""
		}
		lines = append(lines, "vm create m1 --switch S"+kind+" "+c.guest, "vm show m1")
	}
	return lines
}

// outputsOf runs lines on a lab, and returns the output of each.
func outputsOf(t *testing.T, l *limits.Limit, version string) map[string]string {
	t.Helper()
	c := caseOf(l, version)
	b := newBench(t, c.apply)
	b.JSON = true
	var view *driver.View
	if err := b.host.ReadHost(t.Context(), func(h *driver.Host) error {
		view = h.View()
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	device := ""
	for i := range view.Adapters {
		for _, p := range view.Adapters[i].Ports {
			if p.Description.Connection == c.connection {
				device = view.Adapters[i].DeviceName
			}
		}
	}
	of := map[string]string{}
	direct := l.Feature == limits.PacketDirect && l.Part == limits.GuestSystem
	if direct {
		b.script("Enable-NetAdapterPacketDirect " + strconv.Quote(c.connection))
	}
	kind := map[bool]string{true: " --packet-direct", false: " --iov"}[direct]
	create := fmt.Sprintf("vswitch create S %q%s", c.connection, kind)
	if status := b.script(create); status != exec.Done && c.connection == "Ethernet 7" { // the lab has one there
		b.script("vm remove vm001", "vm remove vm002", "vm remove vm003", "vm remove vm004", `vswitch remove "Switch Ethernet 7"`,
			create)
	}
	lines := linesOf(l, &c)
	if l.Part != limits.GuestSystem && l.Part != limits.GuestDriver {
		lines = append(lines, fmt.Sprintf("limits %q", c.connection))
	}
	for _, line := range lines {
		b.out.Reset()
		b.errs.Reset()
		b.script(strings.ReplaceAll(line, "DEVICE", device))
		of[line] = b.out.String() + b.errs.String()
	}
	return of
}

// TestEveryLimitIsReported: on a lab just below a limit, all commands that set or show its feature report or refuse it; on a lab
// that meets the limit, none does.
func TestEveryLimitIsReported(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	for i := range limits.All() {
		l := &limits.All()[i]
		t.Run(fmt.Sprintf("%s/%s/%s", l.Feature, l.Part, l.Source), func(t *testing.T) {
			t.Parallel()
			var broken, kept, needs string
			switch {
			case l.Since != "":
				kept = strings.Split(l.Since, "/")[0]
				broken, needs = versionBefore(kept), regexp.QuoteMeta(kept)+" or later"
			case l.Above != "":
				broken, kept, needs = l.Above, l.Above+".1", "later than "+regexp.QuoteMeta(l.Above)
			default:
				broken, kept, needs = l.Until, versionBefore(l.Until), "is not supported in [^,]*"+regexp.QuoteMeta(l.Until)+" and later"
			}
			sentence := regexp.MustCompile(regexp.QuoteMeta(l.What) + " [^,.]*" + needs + "[^,]*, and this|" +
				regexp.QuoteMeta(l.What) + "[^\"]*" + needs + "[^\"]*, and [a-z ]* has " + regexp.QuoteMeta(broken))
			below, at := outputsOf(t, l, broken), outputsOf(t, l, kept)
			if len(below) == 0 && l.Feature != limits.VFCounters && l.Feature != limits.DHCPRedirect {
				t.Fatal("no command sets or shows its feature")
			}
			for line, text := range below {
				if strings.HasPrefix(line, "vm create") && (l.Feature == limits.GuestRDMA || l.Feature == limits.VMMQ) {
					continue // it only makes the machine
				}
				if !sentence.MatchString(text) {
					t.Errorf("with %s, %s says %s", broken, line, text)
				}
				if l.Refuse && strings.Contains(text, `"status":0`) && slices.ContainsFunc(l.Commands, func(c string) bool {
					return strings.HasPrefix(strings.ToLower(line), strings.ToLower(c))
				}) {
					t.Errorf("with %s, %s is done: %s", broken, line, text)
				}
			}
			for line, text := range at {
				if sentence.MatchString(text) && strings.Contains(text, "has "+kept) {
					t.Errorf("with %s, %s says %s", kept, line, text)
				}
			}
		})
	}
}
