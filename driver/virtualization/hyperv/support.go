package hyperv

// SriovSupport is what Get-NetAdapterSriov says of an adapter.
type SriovSupport string

// What it can say.
const (
	Supported         SriovSupport = "Supported"
	NoVfBarSpace      SriovSupport = "NoVfBarSpace"    // too little address space for the functions (IOV-4)
	MissingPfDriver   SriovSupport = "MissingPfDriver" // the driver does not run
	NoIoMmuSupport    SriovSupport = "NoIoMmuSupport"  // the BIOS has virtualization or SR-IOV switched off
	NotSupported      SriovSupport = "NotSupported"    // the firmware has no virtual functions
	NotSupportedByBus SriovSupport = "NoBusResources"  // the bus driver opens none at this port
)

// OK is the only reason of a host without objections.
const OK = "OK"

// Machine is what decides whether a host supports SR-IOV.
type Machine struct {
	// SRIOV and Virtualization are switches of the BIOS.
	SRIOV, Virtualization bool
	// System says why the version of Windows does not offer it; empty when it does.
	System string
}

// Support is what (Get-VmHost).IovSupport and IovSupportReasons say.
func (m Machine) Support() (supported bool, reasons []string) {
	for _, one := range []struct {
		ok     bool
		reason string
	}{
		{m.System == "", "The version of Windows does not offer it: " + m.System + "."},
		{m.Virtualization, "The BIOS of this host has virtualization switched off; switch it on there, and reboot the host."},
		{m.SRIOV, "The BIOS of this host has SR-IOV switched off; switch it on there, and reboot the host."},
	} {
		if !one.ok {
			reasons = append(reasons, one.reason)
		}
	}
	if reasons == nil {
		return true, []string{OK}
	}
	return false, reasons
}
