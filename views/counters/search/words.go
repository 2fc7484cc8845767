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

// How well a word of a search fits a name.
const (
	wholeWord = iota // one of the name's words, or a synonym of one
	wordStart        // the beginning of one
	anywhere         // anywhere in the name
	misspelt         // a word with a letter or two wrong
	fitCount
)

// maxWords bounds a search: a mask has a bit for each word, and no field takes as many. Further words are not looked at.
const maxWords = 64

// term is one word of a search.
type term struct {
	text string
	same []string
	// fit is the worst fit that is accepted.
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

// fitName returns how well a word fits a name; fitCount when it does not.
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

// misspelling reports whether two words differ by one letter that is wrong, missing, too many or in the other's place, from four
// letters on; by two from eight.
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

// Find keeps the counters that have every word of a text in set, counter or instance, at the best fit that any counter reaches:
// first the best fit of each word, then all words as beginnings, then inside words, then misspelled.
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

// setFits is how well each word fits the names of a set, its counters and its instances.
type setFits struct {
	name                [maxWords]int8
	counters, instances [][maxWords]int8
	best                [maxWords]int
}

// fitSets looks at all names.
func (x *Index) fitSets(words []term) []setFits {
	list := make([]setFits, len(x.Sets))
	for n := range x.Sets {
		f := &list[n]
		for i := range f.best {
			f.best[i] = fitCount
		}
		look := func(name string) (fit [maxWords]int8) {
			lower := strings.ToLower(name)
			parts := wordsOf(name)
			for i := range words {
				one := words[i].fitName(lower, parts)
				fit[i] = int8(one)
				f.best[i] = min(f.best[i], one)
			}
			return fit
		}
		f.name = look(x.Sets[n].Name)
		for _, counter := range x.Sets[n].Counters {
			f.counters = append(f.counters, look(counter))
		}
		for _, instance := range x.Sets[n].Instances {
			f.instances = append(f.instances, look(instance))
		}
	}
	return list
}

// matching keeps the counters that have every word at the required fit.
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
		one := FoundSet{Set: n}
		one.Counters = matching(counters, instances, base, all)
		one.Instances = matching(instances, counters, base, all)
		if len(one.Counters) > 0 && len(one.Instances) > 0 {
			f.Sets = append(f.Sets, one)
		}
	}
	return f
}
