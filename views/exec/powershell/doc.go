// Package powershell implements the commands of Windows: cmdlets for teams, SR-IOV, Hyper-V and NVGRE, the lines that the program
// prints for changes of adapters and of the registry, so that they can be typed into it, and vfpctrl and netsh.
package powershell
