package installers

import (
	_ "embed"
	"strings"

	"cxdeck/views/exec"
)

//go:embed texts.toml
var texts string

//go:embed lab.toml
var labTexts string

// Family returns the setup programs, whose names are the names of their files.
func Family() *exec.Family {
	return &exec.Family{
		Texts: texts, Tools: true, Respell: verbFirst,
		Commands: []exec.Command{
			{Name: "MLNX_VPI_WinOF install", Min: 1, Max: exec.Any, Changes: true, Interrupts: true, Asks: true, Run: install},
			{Name: "MLNX_VPI_WinOF uninstall", Min: 1, Max: exec.Any, Changes: true, Interrupts: true, Asks: true, Run: uninstall},
			{Name: "MLNX_VPI_WinOF extract", Min: 1, Max: exec.Any, Changes: true, Run: extract},
			{Name: "MLNX_WinOF2 install", Min: 1, Max: exec.Any, Changes: true, Interrupts: true, Asks: true, Run: install},
			{Name: "MLNX_WinOF2 uninstall", Min: 1, Max: exec.Any, Changes: true, Interrupts: true, Asks: true, Run: uninstall},
			{Name: "MLNX_WinOF2 extract", Min: 1, Max: exec.Any, Changes: true, Run: extract},
		},
	}
}

// LabFamily returns the lab's own commands about packages.
func LabFamily() *exec.Family {
	return &exec.Family{
		Texts: labTexts, Phrases: map[string]func() string{"conditions": conditionsHelp},
		Commands: []exec.Command{
			{Name: "setup packages", Run: packageList},
			{Name: "setup show", Run: setupShow},
			{Name: "setup condition", Min: 2, Max: 2, Changes: true, Run: exec.Bound(setupCondition)},
		},
	}
}

// verbFirst turns the name of a setup program and its options into the name of a command, with the file as its first argument.
func verbFirst(words []string) []string {
	product := exec.SetupProduct(words[0])
	if product == "" {
		return words
	}
	verb := "install"
	for _, word := range words[1:] {
		switch strings.ToLower(word) {
		case "/x", "-x":
			verb = "uninstall"
		case "/a", "-a":
			verb = "extract"
		}
	}
	return append([]string{product, verb, words[0]}, words[1:]...)
}
