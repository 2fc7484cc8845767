package windows

import (
	"strconv"
	"strings"

	"cxdeck/driver/adapters"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
	"cxdeck/views/exec/syntax"
)

func restartComputer(p *powershell.Invocation) (exec.Answer, error) {
	name := p.Value("ComputerName")
	if name == "" || strings.EqualFold(name, "localhost") || name == "." {
		name = p.View.Name
	}
	return p.Call.ApplyOne(adapters.Reboot{Host: name})
}

// reloadByDevices implements the line with Get-PnpDevice that driver reload prints.
func reloadByDevices(c *exec.Call) (exec.Answer, error) {
	line := "Get-PnpDevice " + strings.Join(c.Arguments, " ")
	for _, name := range []string{"mlx4", "mlx5"} {
		words, err := syntax.Split(adapters.ReloadDriver{Driver: name}.Commands()[0])
		if err == nil && strings.EqualFold(strings.Join(words, " "), line) {
			return c.ApplyOne(adapters.ReloadDriver{Driver: name})
		}
	}
	return exec.Answer{}, exec.Mistake("Get-PnpDevice is accepted only as driver reload prints it; driver reload mlx4 does the same")
}

// getCimInstance implements Get-CimInstance for the two classes that say what the host is.
func getCimInstance(p *powershell.Invocation) (exec.Answer, error) {
	type row struct {
		Class      string `json:"class"`
		Host       string `json:"host"`
		System     string `json:"system"`
		Processors int    `json:"processors"`
	}
	class := p.Value("ClassName")
	var found powershell.Block
	switch strings.ToLower(class) {
	case "win32_operatingsystem":
		found = powershell.Block{{"CSName", p.View.Name}, {"Caption", "Microsoft " + p.View.System}}
	case "win32_computersystem":
		found = powershell.Block{{"Name", p.View.Name}, {"NumberOfLogicalProcessors", strconv.Itoa(p.View.Processors())}}
	default:
		return exec.Answer{}, exec.Mistake("the lab has the classes Win32_OperatingSystem and Win32_ComputerSystem, not %q", class)
	}
	return powershell.Blocks([]powershell.Block{found}, struct {
		Instance row `json:"instance"`
	}{row{class, p.View.Name, p.View.System, p.View.Processors()}}, ""), nil
}
