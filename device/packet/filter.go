package packet

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"cxdeck/device/description"
)

// Filter selects frames; nil selects all.
type Filter func(*Frame) bool

// MaxFilter limits the text of a filter, in bytes.
const MaxFilter = 1000

// maxDepth limits the depth of parentheses and of "not".
const maxDepth = 50

// words are the terms of a filter without a value.
var words = map[string]Filter{
	"in":    func(f *Frame) bool { return !f.Sent },
	"out":   func(f *Frame) bool { return f.Sent },
	"tcp":   func(f *Frame) bool { return f.Protocol() == "TCP" },
	"udp":   func(f *Frame) bool { return f.Protocol() == "UDP" || f.Protocol() == "DHCP" },
	"rdma":  func(f *Frame) bool { return strings.HasPrefix(f.Protocol(), "RoCE") || f.Group.Kind == Notification },
	"cnp":   func(f *Frame) bool { return f.Group.Kind == Notification },
	"pause": func(f *Frame) bool { return f.Group.Kind == Pause || f.Group.Kind == PriorityPause },
	"pfc":   func(f *Frame) bool { return f.Group.Kind == PriorityPause },
	"lldp":  func(f *Frame) bool { return f.Group.Kind == Discovery },
	"arp":   func(f *Frame) bool { return f.Protocol() == "ARP" },
	"icmp":  func(f *Frame) bool { return f.Protocol() == "ICMP" },
	"dhcp":  func(f *Frame) bool { return f.Group.Lease },
	"ip":    func(f *Frame) bool { return f.Ends.Source.Is4() && f.Group.Flow.Protocol != description.NotIP },
	"ip6":   func(f *Frame) bool { return f.Ends.Source.Is6() },
	"vxlan": func(f *Frame) bool { return f.Group.Flow.VXLAN },
	"nvgre": func(f *Frame) bool { return f.Group.Overlay != nil },
	"ipoib": func(f *Frame) bool { return f.Group.Flow.Protocol == description.IPoIB },
	"ack":   func(f *Frame) bool { return f.Group.Kind == Acknowledge },
	"ce":    func(f *Frame) bool { return f.Marked },
	"multicast": func(f *Frame) bool {
		return f.Group.Flow.Multicast
	},
}

// numbered are the terms of a filter with a number, and its maximum.
var numbered = map[string]struct {
	limit int
	make  func(n int) Filter
}{
	"vlan": {description.MaxVLAN, func(n int) Filter {
		return func(f *Frame) bool { return f.Group.Tagged && f.Group.Flow.VLAN == n }
	}},
	"priority": {7, func(n int) Filter {
		return func(f *Frame) bool {
			g := f.Group
			return g.Kind == PriorityPause && g.Priority == n || g.Tagged && g.Flow.Priority != nil && *g.Flow.Priority == n
		}
	}},
	"dscp": {63, func(n int) Filter {
		return func(f *Frame) bool { return f.Ends.Source.IsValid() && f.Group.Flow.DSCP == n }
	}},
	"port": {65535, func(n int) Filter {
		return func(f *Frame) bool { return int(f.Ends.SourcePort) == n || int(f.Ends.DestinationPort) == n }
	}},
}

// Words returns the terms of filters in alphabetical order, with their values.
func Words() (list []string) {
	for word := range words {
		list = append(list, word)
	}
	for word := range numbered {
		list = append(list, word+" N")
	}
	list = append(list, "host ADDRESS", "flow NAME")
	slices.Sort(list)
	return list
}

// ParseFilter reads a filter: terms with and, or, not and parentheses, such as "rdma and priority 3 and not ack". "and" binds more
// strongly than "or", and may be left out. A flow is named by a part of its name, in quotes if it has spaces. The empty text selects
// all frames.
func ParseFilter(text string) (Filter, error) {
	if len(text) > MaxFilter {
		return nil, fmt.Errorf("a filter can have at most %d characters", MaxFilter)
	}
	tokens, err := tokensOf(text)
	if err != nil || len(tokens) == 0 {
		return nil, err
	}
	p := parser{tokens: tokens}
	f, err := p.parseAlternatives(0)
	if err == nil && p.at < len(p.tokens) {
		err = fmt.Errorf("unexpected %q in the filter", p.tokens[p.at].text)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// token is a word of a filter; quoted words are never terms.
type token struct {
	text   string
	quoted bool
}

func tokensOf(text string) (list []token, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		switch c := text[0]; c {
		case '(', ')':
			list, text = append(list, token{text: text[:1]}), text[1:]
		case '"', '\'':
			end := strings.IndexByte(text[1:], c)
			if end < 0 {
				return nil, errors.New("a quotation mark of the filter is not closed")
			}
			list, text = append(list, token{text[1 : 1+end], true}), text[2+end:]
		default:
			end := strings.IndexAny(text, " \t\r\n()\"'")
			if end < 0 {
				end = len(text)
			}
			list, text = append(list, token{text: text[:end]}), text[end:]
		}
	}
	return list, nil
}

type parser struct {
	tokens []token
	at     int
}

// is reports whether the next token is a word, and skips it.
func (p *parser) is(word string) bool {
	if p.at < len(p.tokens) && !p.tokens[p.at].quoted && strings.EqualFold(p.tokens[p.at].text, word) {
		p.at++
		return true
	}
	return false
}

func (p *parser) parseAlternatives(depth int) (Filter, error) {
	left, err := p.both(depth)
	for err == nil && p.is("or") {
		var right Filter
		right, err = p.both(depth)
		before := left
		left = func(f *Frame) bool { return before(f) || right(f) }
	}
	return left, err
}

func (p *parser) both(depth int) (Filter, error) {
	left, err := p.term(depth)
	for err == nil && p.at < len(p.tokens) {
		if next := p.tokens[p.at]; !p.is("and") && !next.quoted && (strings.EqualFold(next.text, "or") || next.text == ")") {
			break
		}
		var right Filter
		right, err = p.term(depth)
		before := left
		left = func(f *Frame) bool { return before(f) && right(f) }
	}
	return left, err
}

func (p *parser) term(depth int) (Filter, error) {
	switch {
	case depth > maxDepth:
		return nil, errors.New("the filter is nested too deeply")
	case p.at == len(p.tokens):
		return nil, errors.New("the filter is incomplete")
	case p.is("not"):
		f, err := p.term(depth + 1)
		return func(frame *Frame) bool { return !f(frame) }, err
	case p.is("("):
		f, err := p.parseAlternatives(depth + 1)
		if err == nil && !p.is(")") {
			err = errors.New("a parenthesis of the filter is not closed")
		}
		return f, err
	}
	word := strings.ToLower(p.tokens[p.at].text)
	p.at++
	if f := words[word]; f != nil {
		return f, nil
	}
	kind, ok := numbered[word]
	if !ok && word != "host" && word != "flow" {
		return nil, fmt.Errorf("unknown word %q in the filter; it takes %s", word, strings.Join(Words(), ", "))
	}
	if p.at == len(p.tokens) {
		return nil, fmt.Errorf("%s requires a value in the filter", word)
	}
	value := p.tokens[p.at].text
	p.at++
	switch word {
	case "flow":
		return func(f *Frame) bool {
			return f.Group.Number >= 0 && strings.Contains(strings.ToLower(f.Group.Flow.Name), strings.ToLower(value))
		}, nil
	case "host":
		address, err := netip.ParseAddr(value)
		if err != nil {
			return nil, fmt.Errorf("invalid address %q in the filter", value)
		}
		return func(f *Frame) bool { return f.Ends.Source == address || f.Ends.Destination == address }, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > kind.limit {
		return nil, fmt.Errorf("invalid value %q in the filter: %s must be 0 to %d", value, word, kind.limit)
	}
	return kind.make(n), nil
}
