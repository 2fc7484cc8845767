package mlnx

import (
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// Cmdlets returns the cmdlets of the provider, in the order of help.
func Cmdlets() []exec.Command {
	return []exec.Command{
		powershell.Reads("Get-MlnxPCIDeviceSriovSetting", getPCIDeviceSriov),
		powershell.AsksFirst(powershell.Changes("Set-MlnxPCIDeviceSriovSetting", setPCIDeviceSriov)),
		powershell.Reads("Get-MlnxFirmwareIdentity", getFirmwareIdentity),
		powershell.Reads("Get-MlnxDriverCoreSetting", getDriverCore),
		powershell.Changes("Set-MlnxDriverCoreSetting", setDriverCore),
	}
}
