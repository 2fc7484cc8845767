package findings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Condition is a compiled condition over facts: "crc_errors / rx_packets > 0.001 and not restarting". Its values are numbers; true
// is 1, false 0 and unknown NaN. A missing fact is unknown, and so is a division by zero; a comparison with an unknown number is
// unknown, "and" with a false part is false, and "or" with a true part is true. Only a true condition holds.
type Condition struct {
	text string
	root node
	// facts are the indexes of the facts that it reads.
	facts []int
}

// node returns its value for a subject.
type node func(facts []float64) float64

var unknown = math.NaN()

// String returns the text of the condition.
func (c *Condition) String() string { return c.text }

// Holds reports whether the condition is true for the facts of a subject.
func (c *Condition) Holds(s *Subject) bool {
	value := c.root(s.numbers)
	return value != 0 && !math.IsNaN(value)
}

// parser reads a condition.
type parser struct {
	tokens []string
	at     int
	find   func(name string) (index int, ok bool)
	facts  []int
}

// parseCondition compiles a condition; find returns the index of a fact.
func parseCondition(text string, find func(name string) (index int, ok bool)) (c *Condition, err error) {
	p := &parser{tokens: tokenize(text), find: find}
	root, err := p.or()
	if err == nil && p.at < len(p.tokens) {
		err = fmt.Errorf("unexpected %q", p.tokens[p.at])
	}
	if err != nil {
		return nil, fmt.Errorf("the condition %q: %w", text, err)
	}
	return &Condition{text, root, p.facts}, nil
}

// tokenize divides a text into words, numbers and operators.
func tokenize(text string) (list []string) {
	runes := []rune(text)
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' }
	for i := 0; i < len(runes); {
		from := i
		switch {
		case unicode.IsSpace(runes[i]):
			i++
			continue
		case isWord(runes[i]):
			for i < len(runes) && isWord(runes[i]) {
				i++
			}
			if i < len(runes) && runes[i] == '-' && unicode.IsDigit(runes[from]) && runes[i-1] == 'e' { // 1e-6
				for i++; i < len(runes) && unicode.IsDigit(runes[i]); {
					i++
				}
			}
		case i+1 < len(runes) && runes[i+1] == '=' && strings.ContainsRune("<>!=", runes[i]):
			i += 2
		default:
			i++
		}
		list = append(list, string(runes[from:i]))
	}
	return list
}

func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *parser) accept(token string) bool {
	if p.peek() != token {
		return false
	}
	p.at++
	return true
}

func (p *parser) or() (node, error) {
	left, err := p.and()
	for err == nil && p.accept("or") {
		var right node
		right, err = p.and()
		a := left
		left = func(f []float64) float64 {
			x, y := a(f), right(f)
			switch {
			case x == 1 || y == 1:
				return 1
			case math.IsNaN(x) || math.IsNaN(y):
				return unknown
			}
			return boolNumber(x != 0 || y != 0)
		}
	}
	return left, err
}

func (p *parser) and() (node, error) {
	left, err := p.not()
	for err == nil && p.accept("and") {
		var right node
		right, err = p.not()
		a := left
		left = func(f []float64) float64 {
			x := a(f)
			if x == 0 {
				return 0
			}
			y := right(f)
			switch {
			case y == 0:
				return 0
			case math.IsNaN(x) || math.IsNaN(y):
				return unknown
			}
			return 1
		}
	}
	return left, err
}

func (p *parser) not() (node, error) {
	if !p.accept("not") {
		return p.comparison()
	}
	n, err := p.not()
	return func(f []float64) float64 {
		x := n(f)
		if math.IsNaN(x) {
			return unknown
		}
		return boolNumber(x == 0)
	}, err
}

var comparisons = map[string]func(x, y float64) bool{
	"<": func(x, y float64) bool { return x < y }, ">": func(x, y float64) bool { return x > y },
	"<=": func(x, y float64) bool { return x <= y }, ">=": func(x, y float64) bool { return x >= y },
	"==": func(x, y float64) bool { return x == y }, "!=": func(x, y float64) bool { return x != y },
}

func (p *parser) comparison() (node, error) {
	left, err := p.sum()
	compare, found := comparisons[p.peek()]
	if err != nil || !found {
		return left, err
	}
	p.at++
	right, err := p.sum()
	return func(f []float64) float64 {
		x, y := left(f), right(f)
		if math.IsNaN(x) || math.IsNaN(y) {
			return unknown
		}
		return boolNumber(compare(x, y))
	}, err
}

func (p *parser) sum() (node, error) {
	left, err := p.product()
	for err == nil && (p.peek() == "+" || p.peek() == "-") {
		minus := p.peek() == "-"
		p.at++
		var right node
		right, err = p.product()
		a := left
		if left = func(f []float64) float64 { return a(f) + right(f) }; minus {
			left = func(f []float64) float64 { return a(f) - right(f) }
		}
	}
	return left, err
}

func (p *parser) product() (node, error) {
	left, err := p.operand()
	for err == nil && (p.peek() == "*" || p.peek() == "/") {
		divides := p.peek() == "/"
		p.at++
		var right node
		right, err = p.operand()
		a := left
		if left = func(f []float64) float64 { return a(f) * right(f) }; divides {
			left = func(f []float64) float64 {
				y := right(f)
				if y == 0 {
					return unknown
				}
				return a(f) / y
			}
		}
	}
	return left, err
}

// operand reads a number, a fact, a condition in parentheses, or sum(...), the sum of the known facts.
func (p *parser) operand() (node, error) {
	token := p.peek()
	p.at++
	switch {
	case token == "(":
		n, err := p.or()
		if err == nil && !p.accept(")") {
			err = fmt.Errorf("a parenthesis is not closed")
		}
		return n, err
	case token == "sum" && p.accept("("):
		return p.known()
	case token == "":
		return nil, fmt.Errorf("a number or a fact is missing at the end")
	case unicode.IsDigit(rune(token[0])):
		n, err := strconv.ParseFloat(token, 64)
		return func([]float64) float64 { return n }, err
	}
	index, ok := p.find(token)
	if !ok {
		return nil, fmt.Errorf("there is no fact %q", token)
	}
	p.facts = append(p.facts, index)
	return func(f []float64) float64 { return f[index] }, nil
}

// known reads the arguments of sum: the sum of the known ones, unknown if none is known.
func (p *parser) known() (node, error) {
	var list []node
	for {
		n, err := p.sum()
		if err != nil {
			return nil, err
		}
		if list = append(list, n); !p.accept(",") {
			break
		}
	}
	if !p.accept(")") {
		return nil, fmt.Errorf("the parenthesis of sum is not closed")
	}
	return func(f []float64) float64 {
		total := unknown
		for _, n := range list {
			if x := n(f); !math.IsNaN(x) {
				if math.IsNaN(total) {
					total = 0
				}
				total += x
			}
		}
		return total
	}, nil
}

func boolNumber(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
