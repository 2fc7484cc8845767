package packages

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/flash"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/limits"
	"cxdeck/driver/request"
)

// LocalData is the folder that %LOCALAPPDATA% names, DefaultLog the log that WinOF writes there since 4.55.
const (
	LocalData  = `C:\Users\Administrator\AppData\Local`
	DefaultLog = LocalData + `\MLNX_WinOF.log0`
	firstLog   = "4.55"
)

// folders are the usual folders of the products.
var folders = map[Product]string{WinOF: `C:\Program Files\Mellanox\MLNX_VPI`, WinOF2: `C:\Program Files\Mellanox\MLNX WinOF2`}

// DefaultFolder returns the folder in which a product is installed by default.
func DefaultFolder(p Product) string { return folders[p] }

// logs returns the paths of the log files that a run writes.
func (o *Setup) logs(p *Package) (list []string) {
	if o.Log != "" {
		list = append(list, o.Log)
	}
	if o.Product == WinOF && !limits.Older(p.Version, firstLog) && !slices.Contains(list, DefaultLog) {
		list = append(list, DefaultLog)
	}
	return list
}

// log returns the text of the log of a run.
func (o *Setup) log(s Set, out *Outcome) []byte {
	at := s.Lab().Now().UTC()
	var b strings.Builder
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, "%s  %s\r\n", at.Format(time.DateTime), fmt.Sprintf(format, args...))
		at = at.Add(time.Second)
	}
	line("=== Logging started: %s", o.File)
	action := "INSTALL"
	if o.Remove {
		action = "REMOVE"
	}
	line("Action: %s, version before: %s", action, orNone(out.From))
	properties := []string{}
	for _, p := range []struct {
		name string
		off  bool
	}{{"MT_SKIPFWUPGRD", !o.SkipFirmware}, {"MT_NDPROPERTY", o.NoProvider}, {"MT_WMI", o.NoWMI}, {"MT_RESTORECONF", o.NoRestore}, {"PERFCHECK", o.NoTuning}} {
		value := "True"
		if p.off {
			value = "False"
		}
		if o.Product == WinOF || p.name == "MT_SKIPFWUPGRD" || p.name == "MT_NDPROPERTY" {
			properties = append(properties, p.name+"="+value)
		}
	}
	line("Properties: %s", strings.Join(properties, " "))
	for _, name := range out.Closed {
		line("Closing %s, which holds files of the driver", name)
	}
	if !out.Stops {
		if o.Product == WinOF && !o.Remove {
			timeout := o.Timeout
			if timeout == 0 {
				timeout = 120
			}
			line("Waiting at most %d seconds for the driver before the firmware is burnt", timeout)
		}
		for _, burn := range out.Burns {
			line("Firmware of %s: %s -> %s: done", burn.Adapter, burn.From, burn.To)
		}
		line("Driver: %s", orNone(out.Driver))
	}
	if out.What != "" {
		line("%s", out.What)
	}
	if out.Needs != "" {
		line("A restart of the computer is required: %s", out.Needs)
	}
	line("=== Logging stopped: return code %d", out.Code)
	return []byte(b.String())
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// Extract writes the files of a setup program into a folder of the host, without installing them.
type Extract struct {
	Product Product `json:"product"`
	File    string  `json:"file"`
	Version string  `json:"version"`
	// DriversOnly leaves the tools and the documentation out.
	DriversOnly bool   `json:"drivers_only,omitempty"`
	Folder      string `json:"folder"`
}

// Kind implements driver.Operation.
func (Extract) Kind() string { return "extract-package" }

// Target implements driver.Operation.
func (o Extract) Target() string { return o.Folder }

// Describe implements driver.Operation.
func (o Extract) Describe() string {
	what := "the files"
	if o.DriversOnly {
		what = "the drivers"
	}
	return fmt.Sprintf("extract %s of %s to %s", what, request.Word(o.File), request.Word(o.Folder))
}

// Commands returns the line of the program.
func (o Extract) Commands() []string {
	line := o.File + " /a /v/qn"
	if o.DriversOnly {
		line += " /vMT_DRIVERS_ONLY=1"
	}
	return []string{line + ` /v"TARGETDIR=` + o.Folder + `"`}
}

// Touches is empty: del removes the files.
func (Extract) Touches() []string { return nil }

// Consequence says how to undo it; see driver.Final.
func (o Extract) Consequence() string { return "it can't be undone: del removes the files" }

// Inverse is nil: files are removed by del.
func (o Extract) Inverse(Set) (Operation, error) {
	p, ok := Find(o.Product, o.Version)
	if o.Product != WinOF && o.Product != WinOF2 {
		return nil, request.Errorf("there is no product %q", string(o.Product))
	}
	if !ok || p.Version != o.Version {
		return nil, request.Errorf("there is no %s %q; setup packages lists the packages", o.Product.Title(), o.Version)
	}
	clean, err := hostfiles.CleanPath(o.Folder)
	switch {
	case err != nil:
		return nil, err
	case clean != o.Folder:
		return nil, request.Errorf("the folder is called %s", clean)
	}
	return nil, nil
}

// Apply writes the files.
func (o Extract) Apply(s Set) error {
	p, _ := Find(o.Product, o.Version)
	var failed []error
	for _, f := range p.files(o.DriversOnly) {
		failed = append(failed, s.WriteFile(o.Folder+`\`+f.Name, f.Data))
	}
	return errors.Join(failed...)
}

// files returns the files of a package, with their paths in it. Drivers have the version that an image of Windows takes from them.
func (p *Package) files(driversOnly bool) (list []hostfiles.Content) {
	add := func(name, text string) {
		list = append(list, hostfiles.Content{Name: strings.ReplaceAll(name, "/", `\`), Data: []byte(text)})
	}
	driver := func(folder, name, class string) {
		add(path.Join(folder, name+".inf"), fmt.Sprintf("[Version]\r\nSignature=\"$Windows NT$\"\r\nClass=%s\r\nProvider=Mellanox\r\nDriverVer=09/05/2017,%s\r\nCatalogFile=%s.cat\r\n", class, p.Driver, name))
		add(path.Join(folder, name+".sys"), "MZ "+name+".sys "+p.Driver+"\r\n")
		add(path.Join(folder, name+".cat"), "catalog of "+name+" "+p.Driver+"\r\n")
	}
	if p.Product == WinOF {
		driver("ETH", "mlx4eth63", "Net")
		driver("HW/mlx4_bus", "mlx4_bus", "System")
		driver("IB/IPoIB", "ipoib6x", "Net")
	} else {
		for _, system := range p.Systems {
			driver("Drivers/"+system, "mlx5", "Net")
		}
	}
	if driversOnly {
		return list
	}
	tools := []string{"Tools/mlxtool.exe", "Tools/vlan_config.exe", "Tools/part_man.exe", "Tools/perf_tuning.exe", "IB/Tools/opensm.exe", "IB/SDK/ndspi.h"}
	if p.Product == WinOF2 {
		tools = []string{"Management Tools/mlx5cmd.exe", "Management Tools/mlxstat.exe", "Performance Tools/nd_send_bw.exe"}
	}
	for _, tool := range tools {
		add(tool, "MZ "+path.Base(tool)+" "+p.Version+"\r\n")
	}
	add("Documentation/License.txt", p.Title()+": licence\r\n")
	add("Documentation/User Manual.txt", p.Title()+": manual\r\n")
	add("Documentation/Release Notes.txt", p.Title()+": release notes\r\n")
	for _, device := range map[Product][]uint16{WinOF: {0x1003, 0x1007}, WinOF2: {0x1013, 0x1015, 0x1017}}[p.Product] {
		if r, ok := flash.Latest(device, ""); ok {
			if own, ok := flash.Latest(device, p.firmwareFor(major(r.Version))); ok {
				i := flash.NewSource(device, own)
				list = append(list, hostfiles.Content{Name: fmt.Sprintf(`Firmware\fw-%04x.mlx`, device), Data: i.Encode()})
			}
		}
	}
	return list
}
