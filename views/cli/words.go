package cli

import (
	"strings"

	"cxdeck/themes"
	"cxdeck/views/exec"
)

func sourceWords() []string { return []string{"lab", "local", fleetPrefix} }

func themeWords() []string { return themes.Names() }

func glyphWords() []string { return []string{"auto", "unicode", "blocks", "ascii"} }

func screenWords() []string {
	return []string{"overview", "counters", "registry", "teams", "sriov", "qos", "events", "history", "lab", "diagnose"}
}

func servedWords() []string { return []string{"dashboard", "rules", servedSubnet} }

// servedSubnet is the word for the InfiniBand subnet of the lab.
const servedSubnet = "subnet"

func shellWords() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// hint returns the end of an error about an unknown word: the most similar one, or all valid ones.
func hint(word string, words []string) string {
	return exec.Suggest(word, words, "choose from "+strings.Join(words, ", "))
}
