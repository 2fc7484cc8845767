package boot

import (
	_ "embed"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/boot"
	"cxdeck/views/exec"
)

//go:embed texts.toml
var texts string

// Family returns the commands.
func Family() *exec.Family {
	return &exec.Family{
		Texts: texts, Tools: true,
		Commands: []exec.Command{
			{Name: "dism", Min: 1, Max: 5, Changes: true, Run: dism},
			{Name: "imagex /info", Min: 1, Max: 1, Run: imageInfo},
			{Name: "wdsutil", Min: 1, Max: 3, Changes: true, Run: wdsutil},
			{Name: "netsh dhcp server", Min: 2, Max: exec.Any, Changes: true, Run: dhcpServer},
			{Name: "boot show", Run: show},
			{Name: "boot order", Min: 1, Max: 8, Changes: true, Run: order},
			{Name: "boot rom", Min: 2, Max: 2, Changes: true, Run: burnRom},
			{Name: "boot servers", Min: 1, Max: 2, Changes: true, Run: servers},
			{Name: "boot target", Min: 2, Max: 10, Changes: true, Run: target},
			{Name: "boot run", Min: 1, Max: 6, Changes: true, Interrupts: true, Run: run},
		},
	}
}

// state returns the state of the boot.
func state(c *exec.Call) (s boot.State, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		s = *h.Boot().State
		return nil
	})
	return s, err
}

// typed returns the line that the call was typed as.
func typed(c *exec.Call) string {
	words := []string{c.Command.Name}
	for _, word := range c.Arguments {
		if strings.ContainsAny(word, " \t") {
			word = `"` + word + `"`
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
