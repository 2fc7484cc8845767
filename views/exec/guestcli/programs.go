package guestcli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
	"cxdeck/views/exec"
	"cxdeck/views/exec/syntax"
)

// programs are the programs of a guest.
var programs = map[string]func(g *guest, words []string) error{"rundll32": runDLL, "netcfg": netcfg, "hostname": hostname}

// run runs the line.
func (g *guest) run() error {
	words, err := syntax.Split(g.Line)
	if err != nil || len(words) == 0 {
		return err
	}
	words = syntax.Arguments(words)
	name := strings.ToLower(exec.TrimExe(words[0][strings.LastIndexAny(words[0], `\/`)+1:]))
	program, known := programs[name]
	if !known {
		names := slices.Sorted(maps.Keys(programs))
		return request.Errorf("%q is not a program of the guest%s", words[0], exec.Suggest(name, names, "the console has "+strings.Join(names, ", ")))
	}
	vm, err := g.machine()
	switch {
	case err != nil:
		return err
	case vm.State != virtualization.VMRunning:
		return fmt.Errorf("the virtual machine %s is %s, and its console takes lines when it runs; vm start %s starts it", g.Name,
			strings.ToLower(string(vm.State)), syntax.Quote(g.Name))
	}
	return program(g, words[1:])
}

// machine returns the virtual machine of the console.
func (g *guest) machine() (vm *virtualization.VMView, err error) {
	err = g.Look(func(h *driver.Host) error {
		vm, err = exec.FindVM(h.View(), g.Name)
		return err
	})
	return vm, err
}

func hostname(g *guest, words []string) error {
	if len(words) > 0 {
		return errors.New("hostname takes no arguments here")
	}
	g.Print("%s", g.Name)
	return nil
}

// runDLL removes the devices without hardware.
func runDLL(g *guest, words []string) error {
	const dll, entry = "pnpclean.dll", "RunDLL_PnpClean"
	if len(words) == 0 {
		return errors.New("rundll32 requires a library and its function: " + dll + "," + entry + " /devices /maxclean")
	}
	library, function, _ := strings.Cut(words[0], ",")
	if !strings.EqualFold(library[strings.LastIndexAny(library, `\/`)+1:], dll) {
		return request.Errorf("there was a problem starting %s: the module is not in the guest, which has %s", library, dll)
	}
	if function != entry { // the names of functions are case-sensitive
		return request.Errorf("error in %s: missing entry %q; it has %s", dll, function, entry)
	}
	devices, all := false, false
	for _, word := range words[1:] {
		switch strings.ToLower(word) {
		case "/devices":
			devices = true
		case "/maxclean":
			all = true
		default:
			return request.Errorf("%s takes /devices and /maxclean, not %q", entry, word)
		}
	}
	if !devices || !all {
		return errors.New(entry + " requires /devices and /maxclean: it removes only devices, and without /maxclean keeps those that were there lately")
	}
	vm, err := g.machine()
	if err != nil || !vm.NetVSC.Stale {
		return err
	}
	return g.Do(virtualization.SetNetVSC{VM: vm.Name, Stale: new(false)})
}

// components are the network components that each guest has beside the protocol for virtual functions.
var components = [...][2]string{
	{"ms_msclient", "Client for Microsoft Networks"}, {"ms_netbios", "NetBIOS Interface"}, {"ms_tcpip", "Internet Protocol Version 4 (TCP/IPv4)"},
	{"ms_tcpip6", "Internet Protocol Version 6 (TCP/IPv6)"},
}

// protocolName is the name of VFProtocol in lists.
const protocolName = "Microsoft NetVsc Failover VF Protocol"

const netcfgForms = "netcfg -c p -i ID -l FILE, netcfg -u ID, netcfg -q ID and netcfg -s n"

// netcfg installs, uninstalls and lists network components.
func netcfg(g *guest, words []string) error {
	values := map[string]string{}
	for i := 0; i < len(words); i += 2 {
		option := strings.ToLower(words[i])
		if !slices.Contains([]string{"-c", "-i", "-l", "-u", "-q", "-s"}, option) {
			return request.Errorf("netcfg has no option %q here; it takes %s", words[i], netcfgForms)
		}
		if _, twice := values[option]; twice {
			return fmt.Errorf("netcfg takes %s once", option)
		}
		if i+1 == len(words) {
			return fmt.Errorf("netcfg %s requires a value", option)
		}
		values[option] = words[i+1]
	}
	vm, err := g.machine()
	if err != nil {
		return err
	}
	has := func(options ...string) bool {
		return len(values) == len(options) && !slices.ContainsFunc(options, func(option string) bool { return values[option] == "" })
	}
	switch {
	case has("-s"):
		if !strings.EqualFold(values["-s"], "n") {
			return request.Errorf("netcfg -s lists net components with n, and not %q here", values["-s"])
		}
		list(g, vm)
	case has("-q"):
		g.Print("%s is %sinstalled.", values["-q"], map[bool]string{false: "not "}[installed(vm, values["-q"])])
	case has("-u"):
		return uninstall(g, vm, values["-u"])
	case has("-c", "-i", "-l"), has("-c", "-i"):
		return install(g, vm, values["-c"], values["-i"], values["-l"])
	default:
		return errors.New("netcfg takes " + netcfgForms)
	}
	return nil
}

func installed(vm *virtualization.VMView, id string) bool {
	if strings.EqualFold(id, virtualization.VFProtocol) {
		return !vm.NetVSC.Unbound
	}
	return slices.ContainsFunc(components[:], func(component [2]string) bool { return strings.EqualFold(component[0], id) })
}

func list(g *guest, vm *virtualization.VMView) {
	for _, component := range components {
		g.Print("%-16s %s", component[0], component[1])
	}
	if !vm.NetVSC.Unbound {
		g.Print("%-16s %s", virtualization.VFProtocol, protocolName)
	}
}

func install(g *guest, vm *virtualization.VMView, class, id, file string) error {
	if !strings.EqualFold(id, virtualization.VFProtocol) {
		return request.Errorf("netcfg installs %s here, not %q", virtualization.VFProtocol, id)
	}
	if !strings.EqualFold(class, "p") {
		return request.Errorf("%s is a protocol: its class is p, not %q", virtualization.VFProtocol, class)
	}
	const windows = `%windir%`
	if len(file) >= len(windows) && strings.EqualFold(file[:len(windows)], windows) {
		file = `c:\windows` + file[len(windows):]
	}
	if file != "" && !strings.EqualFold(strings.ReplaceAll(file, "/", `\`), virtualization.VFProtocolFile) {
		return request.Errorf("installing %s failed with the error 0x80070002: the guest has no file %q; it is %s", id, file, virtualization.VFProtocolFile)
	}
	if vm.NetVSC.Unbound {
		if err := g.Do(virtualization.SetNetVSC{VM: vm.Name, Unbound: new(false)}); err != nil {
			return err
		}
	}
	g.Print("Trying to install %s ...", virtualization.VFProtocol)
	g.Print("... done.")
	return nil
}

func uninstall(g *guest, vm *virtualization.VMView, id string) error {
	if !strings.EqualFold(id, virtualization.VFProtocol) {
		return request.Errorf("netcfg uninstalls %s here, not %q", virtualization.VFProtocol, id)
	}
	if vm.NetVSC.Unbound {
		return fmt.Errorf("%s is not installed", virtualization.VFProtocol)
	}
	g.Print("Trying to remove %s ...", virtualization.VFProtocol)
	g.Print("... done.")
	return g.Do(virtualization.SetNetVSC{VM: vm.Name, Unbound: new(true)})
}
