package qos

import (
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// Cmdlets returns the cmdlets for policies, traffic classes, flow control and DCBX.
func Cmdlets() []exec.Command {
	return []exec.Command{
		powershell.Reads("Import-Module", importModule),
		powershell.Reads("Get-NetQosPolicy", getNetQosPolicy),
		powershell.Changes("New-NetQosPolicy", powershell.Bound(newNetQosPolicy)),
		powershell.Changes("Set-NetQosPolicy", powershell.Bound(setNetQosPolicy)),
		powershell.Changes("Remove-NetQosPolicy", removeNetQosPolicy),
		powershell.Reads("Get-NetQosTrafficClass", getNetQosTrafficClass),
		powershell.Changes("New-NetQosTrafficClass", powershell.Bound(newNetQosTrafficClass)),
		powershell.Changes("Set-NetQosTrafficClass", powershell.Bound(setNetQosTrafficClass)),
		powershell.Changes("Remove-NetQosTrafficClass", removeNetQosTrafficClass),
		powershell.Reads("Get-NetQosFlowControl", getNetQosFlowControl),
		powershell.Changes("Enable-NetQosFlowControl", switchFlowControl(true)),
		powershell.Changes("Disable-NetQosFlowControl", switchFlowControl(false)),
		powershell.Reads("Get-NetQosDcbxSetting", getNetQosDcbxSetting),
		powershell.Changes("Set-NetQosDcbxSetting", powershell.Bound(setNetQosDcbxSetting)),
	}
}

// Adapters returns the cmdlets for QoS of adapters.
func Adapters() []exec.Command {
	return []exec.Command{
		powershell.Reads("Get-NetAdapterQos", getNetAdapterQos),
		powershell.Changes("Set-NetAdapterQos", powershell.Bound(setNetAdapterQos)),
		powershell.Changes("Enable-NetAdapterQos", switchAdapterQos(true)),
		powershell.Changes("Disable-NetAdapterQos", switchAdapterQos(false)),
	}
}
