package cmdlets

import (
	_ "embed"
	"slices"
	"strings"

	"cxdeck/driver/cmdlet"
	"cxdeck/driver/stack"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
	"cxdeck/views/exec/powershell/hyperv"
	"cxdeck/views/exec/powershell/lbfo"
	"cxdeck/views/exec/powershell/mlnx"
	"cxdeck/views/exec/powershell/netadapter"
	"cxdeck/views/exec/powershell/qos"
	"cxdeck/views/exec/powershell/windows"
)

//go:embed texts.toml
var texts string

// Family returns the commands of Windows; see the package comment.
func Family() *exec.Family {
	return &exec.Family{
		Texts:      texts,
		Tools:      true,
		Parameters: cmdlet.Parameters,
		Check:      powershell.CheckCall,
		Bind:       powershell.BindPiped,
		Phrases: map[string]func() string{
			"execution-policies": func() string { return strings.Join(stack.ExecutionPolicies(), ", ") },
			"value-cmdlets":      valueCmdlets,
		},
		Commands: slices.Concat( // in the order of help
			lbfo.Cmdlets(),
			hyperv.Support(),
			netadapter.Sriov(),
			windows.Scripting(),
			mlnx.Cmdlets(),
			netadapter.Features(),
			hyperv.Switches(),
			windows.Classes(),
			hyperv.Machines(),
			netadapter.Lists(),
			hyperv.NetworkVirtualization(),
			netadapter.Changes(),
			windows.System(),
			qos.Cmdlets(),
			windows.Network(),
			qos.Adapters(),
			[]exec.Command{
				windows.Reload(),
				{Name: exec.PowerShell, Min: 1, Max: exec.Any, NoHost: true, Run: powerShell},
			},
			windows.Netsh(),
		),
	}
}
