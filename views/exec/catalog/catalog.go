package catalog

import (
	"maps"
	"sync"

	"cxdeck/views/exec"
	"cxdeck/views/exec/boot"
	"cxdeck/views/exec/evidence"
	"cxdeck/views/exec/fabric"
	"cxdeck/views/exec/firmware"
	"cxdeck/views/exec/guestcli"
	"cxdeck/views/exec/guides"
	"cxdeck/views/exec/host"
	"cxdeck/views/exec/infiniband"
	"cxdeck/views/exec/installers"
	"cxdeck/views/exec/linuxcli"
	"cxdeck/views/exec/mpi"
	"cxdeck/views/exec/netdirect"
	"cxdeck/views/exec/power"
	"cxdeck/views/exec/powershell/cmdlets"
	"cxdeck/views/exec/setup"
	"cxdeck/views/exec/subnet/commands"
	"cxdeck/views/exec/switchcli"
	"cxdeck/views/exec/windows"
	"cxdeck/views/exec/winof"
	"cxdeck/views/exec/winof2"
	"cxdeck/views/form"
	qos "cxdeck/views/qos/setup"
	"cxdeck/views/sriov"
	"cxdeck/views/teaming"
)

// Commands returns the table of all commands, which is built at the first call.
var Commands = sync.OnceValue(func() *exec.Table {
	return exec.NewTable(host.Family(), evidence.Family(), guides.Family(Forms()), fabric.Family(), infiniband.Family(), boot.Family(), mpi.Family(), netdirect.Family(), setup.Family(), commands.Family(), switchcli.Family(), linuxcli.Family(), guestcli.Family(), power.HostFamily(), power.WindowsFamily(), winof.Family(), winof2.Family(), firmware.Family(), firmware.Images(), installers.Family(), installers.LabFamily(),
		cmdlets.Family(), windows.Family())
})

// Forms returns the forms of guides, by name.
func Forms() form.Makers {
	all := form.Makers{}
	for _, makers := range []form.Makers{teaming.Makers(), sriov.Makers(), qos.Makers()} {
		maps.Copy(all, makers)
	}
	return all
}
