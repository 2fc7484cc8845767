package search

import (
	"slices"
	"strings"
	"unicode"
)

// synonyms are words with one meaning: a search for one of them finds the others. The manuals, Windows and Linux use different
// words.
var synonyms = [][]string{
	{"drop", "drops", "dropped", "discard", "discards", "discarded", "lost", "loss", "losses", "lose"},
	{"error", "errors", "err", "errs", "failed", "failure", "failures", "fault", "faults"},
	{"pause", "paused", "pauses", "pfc", "xoff"},
	{"retransmit", "retransmits", "retransmitted", "retransmission", "retransmissions", "retry", "retries", "resend", "resent"},
	{"receive", "received", "receives", "receiving", "rcv", "recv", "rx", "inbound", "incoming"},
	{"send", "sent", "sends", "sending", "tx", "xmit", "transmit", "transmitted", "outbound", "outgoing"},
	{"packet", "packets", "frame", "frames", "pkt", "pkts"},
	{"byte", "bytes", "kbyte", "kbytes", "octet", "octets"},
	{"congestion", "cnp", "cnps", "ecn"},
	{"cpu", "cpus", "processor", "processors"},
	{"bandwidth", "bw", "throughput", "speed"},
	{"latency", "delay"},
	{"rdma", "roce"},
	{"sec", "second", "seconds"},
}

// How well a word of a search matches a name, the best match first.
const (
	wholeWord = iota // one of the name's words, or a synonym of one
	wordStart        // the beginning of one
	anywhere         // anywhere in the name
	misspelt         // a word with a letter or two wrong
	fitCount
)

// maxWords is the maximum number of words in a search: a mask has a bit for each. Further words are ignored.
const maxWords = 64

// term is one word of a search.
type term struct {
	text string
	same []string
	// fit is the worst accepted fit.
	fit int
}

// wordsOf returns the words of a name or a search in lower case: runs of letters and digits.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// parse splits a search into terms.
func parse(text string) []term {
	words := wordsOf(text)
	words = words[:min(len(words), maxWords)]
	list := make([]term, len(words))
	for i, word := range words {
		list[i] = term{text: word, same: []string{word, word + "s"}}
		for _, group := range synonyms {
			if slices.Contains(group, word) {
				list[i].same = append(list[i].same, group...)
			}
		}
	}
	return list
}

// fitName returns the fit of a word and a name; fitCount if they do not match.
func (w *term) fitName(name string, words []string) int {
	best := fitCount
	for _, word := range words {
		switch {
		case slices.Contains(w.same, word):
			return wholeWord
		case strings.HasPrefix(word, w.text):
			best = wordStart
		case best == fitCount && misspelling(word, w.text):
			best = misspelt
		}
	}
	if best > anywhere && strings.Contains(name, w.text) {
		best = anywhere
	}
	return best
}

// misspelling reports whether two words of at least four letters differ by one wrong, missing, extra or swapped letter; words of
// eight letters may differ by two.
func misspelling(a, b string) bool {
	short := min(len(a), len(b))
	if short < 4 || max(len(a), len(b))-short > 2 {
		return false
	}
	allowed := 1
	if short >= 8 {
		allowed = 2
	}
	before, row, next := []int(nil), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, make([]int, len(b)+1)
	}
	return row[len(b)] <= allowed
}

// Find returns the counters that match every word of a text in set, counter or instance. It tries the best fit of each word first;
// without a match it also accepts beginnings of words, then parts of words, then misspelled words.
func (x *Index) Find(text string) Found {
	words := parse(text)
	if len(words) == 0 {
		return x.matching(words, nil)
	}
	fits := x.fitSets(words)
	for i := range words {
		words[i].fit = fitCount
		for _, set := range fits {
			words[i].fit = min(words[i].fit, set.best[i])
		}
		if words[i].fit == fitCount {
			return Found{}
		}
	}
	f := x.matching(words, fits)
	for fit := wordStart; fit < fitCount && len(f.Sets) == 0; fit++ {
		for i := range words {
			words[i].fit = max(words[i].fit, fit)
		}
		f = x.matching(words, fits)
	}
	return f
}

// setFits holds the fit of each word with the name of a set, with its counters and with its instances.
type setFits struct {
	name                [maxWords]int8
	counters, instances [][maxWords]int8
	best                [maxWords]int
}

// fitSets computes the fits of all names.
func (x *Index) fitSets(words []term) []setFits {
	list := make([]setFits, len(x.Sets))
	for n := range x.Sets {
		f := &list[n]
		for i := range f.best {
			f.best[i] = fitCount
		}
		fitAll := func(name string) (fit [maxWords]int8) {
			lower := strings.ToLower(name)
			parts := wordsOf(name)
			for i := range words {
				quality := words[i].fitName(lower, parts)
				fit[i] = int8(quality)
				f.best[i] = min(f.best[i], quality)
			}
			return fit
		}
		f.name = fitAll(x.Sets[n].Name)
		for _, counter := range x.Sets[n].Counters {
			f.counters = append(f.counters, fitAll(counter))
		}
		for _, instance := range x.Sets[n].Instances {
			f.instances = append(f.instances, fitAll(instance))
		}
	}
	return list
}

// matching returns the counters that match every word at the required fit.
func (x *Index) matching(words []term, fits []setFits) Found {
	all := uint64(1)<<len(words) - 1
	mask := func(fit *[maxWords]int8) (m uint64) {
		for i := range words {
			if int(fit[i]) <= words[i].fit {
				m |= 1 << i
			}
		}
		return m
	}
	var f Found
	for n := range x.Sets {
		set := &x.Sets[n]
		counters, instances, base := make([]uint64, len(set.Counters)), make([]uint64, len(set.Instances)), uint64(0)
		if len(words) > 0 {
			base = mask(&fits[n].name)
			for i := range counters {
				counters[i] = mask(&fits[n].counters[i])
			}
			for i := range instances {
				instances[i] = mask(&fits[n].instances[i])
			}
		}
		found := FoundSet{Set: n}
		found.Counters = matching(counters, instances, base, all)
		found.Instances = matching(instances, counters, base, all)
		if len(found.Counters) > 0 && len(found.Instances) > 0 {
			f.Sets = append(f.Sets, found)
		}
	}
	return f
}
