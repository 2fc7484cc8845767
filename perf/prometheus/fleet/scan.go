package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"cxdeck/perf"
)

// refusedError is the error that the API reports; its text is cleaned.
type refusedError struct{ text string }

func (e *refusedError) Error() string { return "it refuses the query: " + e.text }

// label is a label of a sample. Its texts are valid until the next sample.
type label struct{ name, value []byte }

// errForm reports an answer that is not one of the API.
var errForm = errors.New("its answer is not one of the Prometheus API")

// scanner reads the JSON of an answer once, because encoding/json takes seconds for 100,000 series.
type scanner struct {
	text   []byte
	at     int
	labels []label
	points []point
	spare  []byte // for texts with escapes
	count  int
	// kind is the expected kind of result, "vector" or "matrix".
	kind   string
	visit  func([]label, []point)
	failed string
	// warning is the first warning of the answer: that it is partial, for instance.
	warning string
}

// point is a value of a series at a time in seconds since 1970.
type point struct{ at, value float64 }

// maxDepth limits the nesting of values that are skipped, maxLabels the labels of a sample.
const (
	maxDepth  = 64
	maxLabels = 64
)

// scanVector calls visit for each sample of an answer to an instant query.
func scanVector(text []byte, visit func([]label, float64)) error {
	_, err := scan(text, "vector", func(labels []label, points []point) {
		if len(points) > 0 {
			visit(labels, points[0].value)
		}
	})
	return err
}

// scan reads an answer; warning is its first warning, cleaned.
func scan(text []byte, kind string, visit func([]label, []point)) (warning string, err error) {
	s := &scanner{text: text, kind: kind, visit: visit}
	succeeded := false
	err = s.object(func(key []byte) error {
		switch string(key) {
		case "warnings":
			return s.warnings()
		case "isPartial": // of VictoriaMetrics
			s.space()
			if s.warning == "" && bytes.HasPrefix(s.text[s.at:], []byte("true")) {
				s.warning = "the answer is partial"
			}
			return s.skip(0)
		case "status":
			word, err := s.string()
			succeeded = string(word) == "success"
			return err
		case "error":
			word, err := s.string()
			s.failed = perf.CleanText(string(word), 200)
			return err
		case "data":
			return s.object(func(key []byte) error {
				switch string(key) {
				case "resultType":
					word, err := s.string()
					if err == nil && string(word) != kind {
						return errForm
					}
					return err
				case "result":
					return s.array(s.sample)
				}
				return s.skip(0)
			})
		}
		return s.skip(0)
	})
	if s.space(); err == nil && s.at < len(s.text) {
		err = errForm
	}
	switch {
	case err != nil:
		return "", err
	case !succeeded && s.failed != "":
		return "", &refusedError{s.failed}
	case !succeeded:
		return "", errForm
	}
	return s.warning, nil
}

// warnings reads the warnings of an answer: Thanos gives the stores that did not answer.
func (s *scanner) warnings() error {
	if s.space(); s.at < len(s.text) && s.text[s.at] != '[' {
		return s.skip(0) // null
	}
	return s.array(func() error {
		text, err := s.string()
		if s.warning == "" {
			s.warning = perf.CleanText(string(text), 200)
		}
		return err
	})
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\n', '\t', '\r':
			s.at++
		default:
			return
		}
	}
}

func (s *scanner) accept(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// object calls value for each member; value reads it.
func (s *scanner) object(value func(key []byte) error) error {
	if !s.accept('{') {
		return errForm
	}
	if s.accept('}') {
		return nil
	}
	for {
		key, err := s.string()
		if err != nil || !s.accept(':') {
			return errForm
		}
		if err := value(key); err != nil {
			return err
		}
		if s.accept('}') {
			return nil
		}
		if !s.accept(',') {
			return errForm
		}
	}
}

func (s *scanner) array(value func() error) error {
	if !s.accept('[') {
		return errForm
	}
	if s.accept(']') {
		return nil
	}
	for {
		if err := value(); err != nil {
			return err
		}
		if s.accept(']') {
			return nil
		}
		if !s.accept(',') {
			return errForm
		}
	}
}

// string reads a text.
func (s *scanner) string() ([]byte, error) {
	if !s.accept('"') {
		return nil, errForm
	}
	from, escaped := s.at, false
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			escaped = true
			s.at++
		case c < ' ':
			return nil, errForm
		case c == '"':
			s.at++
			if !escaped {
				return s.text[from : s.at-1], nil
			}
			var text string
			if json.Unmarshal(s.text[from-1:s.at], &text) != nil {
				return nil, errForm
			}
			start := len(s.spare)
			s.spare = append(s.spare, text...)
			return s.spare[start:len(s.spare):len(s.spare)], nil
		}
	}
	return nil, errForm
}

// skip reads a value and forgets it.
func (s *scanner) skip(depth int) error {
	s.space()
	if s.at >= len(s.text) || depth > maxDepth {
		return errForm
	}
	switch s.text[s.at] {
	case '{':
		return s.object(func([]byte) error { return s.skip(depth + 1) })
	case '[':
		return s.array(func() error { return s.skip(depth + 1) })
	case '"':
		_, err := s.string()
		return err
	}
	from := s.at
	for s.at < len(s.text) && s.text[s.at] != ',' && s.text[s.at] != '}' && s.text[s.at] != ']' && s.text[s.at] > ' ' {
		s.at++
	}
	if !json.Valid(s.text[from:s.at]) {
		return errForm
	}
	return nil
}

// sample reads a sample, or the points of a series, and passes it on.
func (s *scanner) sample() error {
	s.labels, s.spare, s.points = s.labels[:0], s.spare[:0], s.points[:0]
	err := s.object(func(key []byte) error {
		switch string(key) {
		case "metric":
			return s.object(func(name []byte) error {
				text, err := s.string()
				if len(s.labels) >= maxLabels {
					return errForm
				}
				s.labels = append(s.labels, label{name, text})
				return err
			})
		case "value":
			return s.point()
		case "values":
			return s.array(s.point)
		}
		return s.skip(0)
	})
	if err != nil {
		return err
	}
	if s.count++; s.count > maxSamples {
		return fmt.Errorf("the answer has more than %d series: choose fewer hosts", maxSamples)
	}
	s.visit(s.labels, s.points)
	return nil
}

// point reads a pair of a time and a value.
func (s *scanner) point() error {
	place, read := 0, point{}
	err := s.array(func() (err error) {
		switch place++; place {
		case 1:
			s.space()
			from := s.at
			if err := s.skip(0); err != nil {
				return err
			}
			if read.at, err = strconv.ParseFloat(string(s.text[from:s.at]), 64); err != nil {
				return errForm
			}
			return nil
		case 2:
			text, err := s.string()
			if err != nil {
				return err
			}
			if read.value, err = strconv.ParseFloat(string(text), 64); err != nil {
				return errForm
			}
			return nil
		}
		return s.skip(0)
	})
	if err == nil && place > 1 {
		s.points = append(s.points, read)
	}
	return err
}
