package hyperv

// SriovSupport is the field SriovSupport of Get-NetAdapterSriov.
type SriovSupport string

// The values of SriovSupport.
const (
	Supported         SriovSupport = "Supported"
	NoVfBarSpace      SriovSupport = "NoVfBarSpace"    // too little address space for the functions (IOV-4)
	MissingPfDriver   SriovSupport = "MissingPfDriver" // the driver does not run
	NoIoMmuSupport    SriovSupport = "NoIoMmuSupport"  // the BIOS has virtualization or SR-IOV turned off
	NotSupported      SriovSupport = "NotSupported"    // the firmware has no virtual functions
	NotSupportedByBus SriovSupport = "NoBusResources"  // the bus driver opens none at this port
)

// OK is the only reason of a host that supports SR-IOV.
const OK = "OK"

// Machine holds the properties of a host that decide whether it supports SR-IOV.
type Machine struct {
	// SRIOV and Virtualization are switches of the BIOS.
	SRIOV, Virtualization bool
	// System is the reason why the version of Windows does not offer it; empty when it does.
	System string
}

// Support returns (Get-VmHost).IovSupport and IovSupportReasons.
func (m Machine) Support() (supported bool, reasons []string) {
	for _, condition := range []struct {
		ok     bool
		reason string
	}{
		{m.System == "", "The version of Windows does not offer it: " + m.System + "."},
		{m.Virtualization, "The BIOS of this host has virtualization turned off; turn it on there, and reboot the host."},
		{m.SRIOV, "The BIOS of this host has SR-IOV turned off; turn it on there, and reboot the host."},
	} {
		if !condition.ok {
			reasons = append(reasons, condition.reason)
		}
	}
	if reasons == nil {
		return true, []string{OK}
	}
	return false, reasons
}
