package pdh

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"cxdeck/perf"
)

// foreignSets are names of sets in other languages of Windows, by which a log in that language is recognised.
var foreignSets = []string{
	"netzwerkschnittstelle", "netzwerkadapter", "prozessor", "prozessorinformationen", "arbeitsspeicher", "rdma-aktivität", // German
	"interface réseau", "carte réseau", "processeur", "mémoire", "activité rdma", //nolint:misspell // French
	"interfaz de red", "adaptador de red", "procesador", "memoria", "actividad de rdma", // Spanish
	"interfaccia di rete", "scheda di rete", "processore", "attività rdma", // Italian
	"interface de rede", "adaptador de rede", "processador", "memória", // Portuguese
	"netwerkinterface", "netwerkadapter", "geheugen", // Dutch
	"interfejs sieciowy", "karta sieciowa", "procesor", "pamięć", // Polish
	"nätverksgränssnitt", "nätverkskort", "síťové rozhraní", "сетевой интерфейс", "сетевой адаптер", "процессор",
}

// languageHint returns a hint when names of a log are not English, empty otherwise: the console recognises counters by their
// English names. Vendors' sets have English names in every language of Windows, so that a log can have both; beside known sets,
// only the sets in foreignSets are reported.
func (s *source) languageHint() string {
	ours := func(series perf.Series) bool {
		_, known := perf.Catalogue().Set(series.Set)
		return known
	}
	which, foreign := "The counters", isForeign
	if slices.ContainsFunc(s.header.series, ours) {
		which, foreign = "Some counters", hasForeignSet
	}
	for n := range s.header.series {
		if series := &s.header.series[n]; !ours(*series) && foreign(series) {
			return fmt.Sprintf("%s have names in another language than English, such as %s: they can be chosen and drawn, but not recognised "+
				"as ports, rates, bytes or drops. Record with English names: run typeperf or relog under an English display language of Windows.",
				which, series.Path())
		}
	}
	return ""
}

func hasForeignSet(series *perf.Series) bool {
	return slices.Contains(foreignSets, strings.ToLower(series.Set))
}

// isForeign reports whether a counter's name is not English: by its set, by a rate that ends in /s (English ones end in /sec),
// or by letters that English does not have.
func isForeign(series *perf.Series) bool {
	counter := strings.ToLower(series.Counter)
	return hasForeignSet(series) || strings.HasSuffix(counter, "/s") ||
		strings.IndexFunc(series.Set+counter, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) >= 0
}
