package cli

import (
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"cxdeck/store/query"
	"cxdeck/views/cli/process"
	"cxdeck/views/exec"
)

// maxTableRows is the maximum number of rows of a table without --count: the layout needs all rows in memory.
const maxTableRows = 1000

// errEnough ends a query after the requested number of rows.
var errEnough = errors.New("enough rows")

// runSQL answers a query on the history.
func runSQL(s *session) error {
	if len(s.arguments) != 1 {
		return mistake("sql takes one query in quotes: cxdeck sql 'SELECT id, host FROM session'")
	}
	db, err := s.openFile(false, "")
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	limit := s.options.count
	if limit == 0 {
		limit = math.MaxInt
		if s.options.format == "table" {
			limit = maxTableRows
		}
	}
	printer := newAnswerPrinter(s.options.format, s.streams.Out)
	count := 0
	err = query.SQL(s.ctx, db, s.arguments[0], func(columns []string, values []any) error {
		if values == nil {
			return printer.head(columns)
		}
		if count == limit {
			return errEnough
		}
		count++
		return printer.row(values)
	})
	more := errors.Is(err, errEnough)
	if err != nil && !more {
		return err
	}
	if err := printer.end(); err != nil {
		return err
	}
	if more && s.options.count == 0 {
		process.Complain(s.streams.Err, fmt.Errorf("there are more than %d rows: --count N prints more, --format csv all", maxTableRows))
	}
	return nil
}

// answerPrinter prints the rows of an answer.
type answerPrinter struct {
	head func(columns []string) error
	row  func(values []any) error
	end  func() error
}

// newAnswerPrinter returns the printer for a word of --format.
func newAnswerPrinter(format string, out io.Writer) answerPrinter {
	switch format {
	case "csv":
		return csvPrinter(out)
	case "json":
		return jsonPrinter(out)
	}
	return tablePrinter(out)
}

func tablePrinter(out io.Writer) answerPrinter {
	w := newTable(out)
	line := func(cells []string) error {
		for i := range cells {
			cells[i] = exec.Clean(cells[i])
		}
		_, err := fmt.Fprintln(w, strings.Join(cells, "\t"))
		return err
	}
	return answerPrinter{line, func(values []any) error { return line(texts(values)) }, w.Flush}
}

func csvPrinter(out io.Writer) answerPrinter {
	w := csv.NewWriter(out)
	line := func(cells []string) error {
		for i := range cells {
			cells[i] = exec.Clean(cells[i])
		}
		return w.Write(cells)
	}
	return answerPrinter{line, func(values []any) error { return line(texts(values)) }, func() error {
		w.Flush()
		return w.Error()
	}}
}

// jsonPrinter prints {"schema":1,"columns":[...],"rows":[[...],...]}, each row on a line.
func jsonPrinter(out io.Writer) answerPrinter {
	separator := ""
	return answerPrinter{
		head: func(columns []string) error {
			encoded, err := json.Marshal(columns)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, `{"schema":1,"columns":%s,"rows":[`, encoded)
			return err
		},
		row: func(values []any) error {
			cells := make([]any, len(values))
			for i, value := range values {
				cells[i] = value
				switch value := value.(type) {
				case []byte:
					cells[i] = hex.EncodeToString(value)
				case float64:
					if math.IsInf(value, 0) || math.IsNaN(value) {
						cells[i] = nil
					}
				}
			}
			encoded, err := json.Marshal(cells)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(out, "%s\n%s", separator, encoded)
			separator = ","
			return err
		},
		end: func() error {
			_, err := fmt.Fprintln(out, "\n]}")
			return err
		},
	}
}

// texts formats the values of a row: blobs in hexadecimal, NULL as an empty text.
func texts(values []any) []string {
	cells := make([]string, len(values))
	for i, value := range values {
		switch value := value.(type) {
		case nil:
		case []byte:
			cells[i] = hex.EncodeToString(value)
		case float64:
			cells[i] = strconv.FormatFloat(value, 'f', -1, 64)
		default:
			cells[i] = fmt.Sprint(value)
		}
	}
	return cells
}
