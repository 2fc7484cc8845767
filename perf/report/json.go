package report

import (
	"bufio"
	"encoding/json"
	"strconv"
	"time"

	"cxdeck/perf"
)

// jsonReportVersion is the schema version of the documents; an incompatible change increases it.
const jsonReportVersion = 1

// jsonWriter writes one document per sample. It encodes the constant parts once.
//
//	{"schema":1,"time":"2018-08-14T20:05:01.123Z","host":"LAB","counters":[
//	  {"set":"...","instance":"...","counter":"...","kind":"rate","bytes_per_second":12.5}, ...]}
//
// on one line. The field of the value is named after its unit, "value" for a plain number; null means no value.
type jsonWriter struct {
	w      *bufio.Writer
	series []perf.Series
	host   []byte
	// heads are the fields of each series up to its value.
	heads [][]byte
	line  []byte
}

// jsonHead is the description of a series in each document.
type jsonHead struct {
	Set      string `json:"set"`
	Instance string `json:"instance"`
	Counter  string `json:"counter"`
	Kind     string `json:"kind"`
}

func newJSON(w *bufio.Writer, series []perf.Series, options Options) (*jsonWriter, error) {
	r := &jsonWriter{w: w, series: series, heads: make([][]byte, len(series))}
	var err error
	if r.host, err = json.Marshal(options.Host); err != nil {
		return nil, err
	}
	for n, s := range series {
		head, err := json.Marshal(jsonHead{
			perf.CleanText(s.Set, perf.PathLimit), perf.CleanText(s.Instance, perf.PathLimit), perf.CleanText(s.Counter, perf.PathLimit), s.Kind.String(),
		})
		if err != nil {
			return nil, err
		}
		unit := unitWord(s)
		if unit == "" {
			unit = "value"
		}
		r.heads[n] = append(head[:len(head)-1], `,"`+unit+`":`...)
	}
	return r, nil
}

func (r *jsonWriter) Row(t time.Time, values []float64) error {
	if err := checkRow(values, r.series); err != nil {
		return err
	}
	r.line = append(r.line[:0], `{"schema":`...)
	r.line = strconv.AppendInt(r.line, jsonReportVersion, 10)
	r.line = append(r.line, `,"time":"`...)
	r.line = t.UTC().AppendFormat(r.line, time.RFC3339Nano)
	r.line = append(r.line, `","host":`...)
	r.line = append(r.line, r.host...)
	r.line = append(r.line, `,"counters":[`...)
	for n, value := range values {
		if n > 0 {
			r.line = append(r.line, ',')
		}
		r.line = append(r.line, r.heads[n]...)
		if finite(value) {
			r.line = strconv.AppendFloat(r.line, value, 'g', -1, 64)
		} else {
			r.line = append(r.line, "null"...)
		}
		r.line = append(r.line, '}')
	}
	r.line = append(r.line, "]}\n"...)
	r.w.Write(r.line)
	return r.w.Flush()
}

func (r *jsonWriter) Close() error { return r.w.Flush() }
