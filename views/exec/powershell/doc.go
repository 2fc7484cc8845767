// Package powershell implements commands of Windows: cmdlets for teams, QoS, SR-IOV, Hyper-V, NVGRE, adapters and the
// registry, and vfpctrl and netsh. It accepts all lines that the program prints for a real host.
package powershell
