package counters

// glob is text with * for any run of characters and ? for one, upper and lower case of ASCII letters alike.
type glob string

// match takes time bounded by the product of the lengths, and allocates nothing: it runs over all counters of a source.
func (g glob) match(text string) bool {
	star, resume := -1, 0
	p, t := 0, 0
	for t < len(text) {
		switch {
		case p < len(g) && g[p] == '*':
			star, resume = p, t
			p++
		case p < len(g) && (lower(g[p]) == lower(text[t]) || g[p] == '?'):
			p, t = p+1, t+1
		case star >= 0:
			resume++
			p, t = star+1, resume
		default:
			return false
		}
	}
	for p < len(g) && g[p] == '*' {
		p++
	}
	return p == len(g)
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
