// Package answer prints the answers of cxdeck sql: as a table, as CSV, and as JSON.
package answer

import (
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"cxdeck/store"
	"cxdeck/store/query"
	"cxdeck/views/exec"
)

// MaxTableRows is the maximum number of rows of a table without --count: the layout needs all rows in memory.
const MaxTableRows = 1000

// errEnough ends a query after the requested number of rows.
var errEnough = errors.New("enough rows")

// Query is a query on the history, and how its answer is printed.
type Query struct {
	SQL string
	// Format is table, csv or json.
	Format string
	// Count is the maximum number of rows; 0 for the default of the format.
	Count int
}

// Answer prints the rows of the answer. more reports that a table without Count was cut off at MaxTableRows.
func (q *Query) Answer(ctx context.Context, db *store.DB, out io.Writer) (more bool, err error) {
	limit := q.Count
	if limit == 0 {
		limit = math.MaxInt
		if q.Format == "table" {
			limit = MaxTableRows
		}
	}
	printer := newAnswerPrinter(q.Format, out)
	count := 0
	err = query.SQL(ctx, db, q.SQL, func(columns []string, values []any) error {
		if values == nil {
			return printer.head(columns)
		}
		if count == limit {
			return errEnough
		}
		count++
		return printer.row(values)
	})
	more = errors.Is(err, errEnough)
	if err != nil && !more {
		return false, err
	}
	return more && q.Count == 0, printer.end()
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
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
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
