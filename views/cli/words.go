package cli

import (
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/request"
	"cxdeck/themes"
)

func sourceWords() []string { return []string{"lab", "local", fleetPrefix} }

func labWords() []string {
	var words []string
	for _, lab := range description.NamedLabs() {
		words = append(words, lab.Name)
	}
	return words
}

func themeWords() []string { return themes.Names() }

func glyphWords() []string { return []string{"auto", "unicode", "blocks", "ascii"} }

func screenWords() []string {
	return []string{"overview", "counters", "registry", "teams", "sriov", "qos", "events", "history", "lab", "diagnose"}
}

func hostWords() []string { return []string{"list", "restore", "save", "load", "lab", "reset"} }

func servedWords() []string { return []string{"dashboard", "rules", servedSubnet} }

// servedSubnet is the word for the InfiniBand subnet of the lab.
const servedSubnet = "subnet"

func shellWords() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// hint returns the end of an error about an unknown word: the most similar one, or all valid ones.
func hint(word string, words []string) string {
	if near := request.Nearest(word, words); near != "" {
		return "; did you mean " + near + "?"
	}
	return "; choose from " + strings.Join(words, ", ")
}
