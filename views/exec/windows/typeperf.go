package windows

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver/script"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/pdh"
	"cxdeck/views/exec"
)

// The limits of typeperf in the lab: its samples are computed on a copy of the host.
const (
	maxTypeperfSamples = 3600
	maxTypeperfTime    = time.Hour
	maxTypeperfCells   = 4_000_000
)

// typeperfOptions are the arguments of typeperf.
type typeperfOptions struct {
	paths     []string
	interval  time.Duration
	samples   int
	file      string
	tabs      bool
	query     bool
	instances bool // -qx
	object    string
	overwrite bool
}

// typeperfRow is the answer of typeperf as JSON.
type typeperfRow struct {
	Counters []string `json:"counters"`
	Samples  int      `json:"samples"`
	File     string   `json:"file,omitempty"`
}

// readTypeperf parses the arguments of typeperf.
func readTypeperf(words []string) (o typeperfOptions, err error) {
	o.interval = time.Second
	for i := 0; i < len(words); i++ {
		option := strings.ToLower(words[i])
		if option != "" && option[0] == '/' {
			option = "-" + option[1:]
		}
		given := ""
		switch option {
		case "-si", "-sc", "-o", "-f":
			if i++; i == len(words) {
				return o, exec.Mistake("typeperf requires a value after %s", words[i-1])
			}
			given = words[i]
		}
		switch option {
		case "-y":
			o.overwrite = true
		case "-q", "-qx":
			o.query, o.instances = true, option == "-qx"
			if i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
				i++
				o.object = strings.Trim(words[i], `\`)
			}
		case "-si":
			if o.interval, err = typeperfInterval(given); err != nil {
				return o, err
			}
		case "-sc":
			if o.samples, err = strconv.Atoi(given); err != nil || o.samples < 1 || o.samples > maxTypeperfSamples {
				return o, exec.Mistake("-sc must be 1 to %d samples in the lab, not %q", maxTypeperfSamples, given)
			}
		case "-o":
			o.file = given
		case "-f":
			switch strings.ToUpper(given) {
			case "CSV":
			case "TSV":
				o.tabs = true
			default:
				return o, exec.Mistake("-f must be CSV or TSV in the lab, not %q", given)
			}
		default:
			if strings.HasPrefix(option, "-") {
				return o, exec.Mistake("typeperf takes counters, -si, -sc, -o, -f, -q, -qx and -y in the lab, not %q", words[i])
			}
			o.paths = append(o.paths, words[i])
		}
	}
	switch {
	case o.query && len(o.paths) > 0:
		return o, exec.Mistake("typeperf -q lists the counters of one object, and samples none")
	case o.query:
	case len(o.paths) == 0:
		return o, exec.Mistake(`typeperf requires a counter, such as "\Network Interface(*)\Bytes Total/sec"; typeperf -q lists them`)
	case o.samples == 0:
		return o, exec.Mistake("without -sc typeperf runs until Ctrl-C; the lab requires -sc with a number of samples")
	case time.Duration(o.samples)*o.interval > maxTypeperfTime:
		return o, exec.Mistake("%d samples take more than an hour; choose a smaller -si or -sc", o.samples)
	}
	return o, nil
}

// typeperfInterval reads [[hh:]mm:]ss.
func typeperfInterval(text string) (time.Duration, error) {
	total, parts := 0, strings.Split(text, ":")
	for _, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 3600 || len(parts) > 3 {
			return 0, exec.Mistake("-si must be [[hh:]mm:]ss, not %q", text)
		}
		total = total*60 + n
	}
	if total < 1 || total > 3600 {
		return 0, exec.Mistake("-si must be 1 second to 1 hour, not %q", text)
	}
	return time.Duration(total) * time.Second, nil
}

// typeperf implements typeperf: samples of counters as CSV, on the console or in a file, and the list of counters. The host does not advance:
// the samples are the ones of the time to come.
func typeperf(c *exec.Call) (exec.Answer, error) {
	o, err := readTypeperf(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	host, err := c.CopyHost()
	if err != nil {
		return exec.Answer{}, err
	}
	source, err := lab.New(host)
	if err != nil {
		return exec.Answer{}, err
	}
	if o.query {
		return o.list(source.Schema())
	}
	chosen, err := o.choose(source.Schema())
	if err != nil {
		return exec.Answer{}, err
	}
	if len(chosen)*o.samples > maxTypeperfCells {
		return exec.Answer{}, exec.Mistake("%d counters with %d samples are too many for a line of the lab; name fewer counters", len(chosen), o.samples)
	}
	row := typeperfRow{Samples: o.samples, File: o.file}
	for _, i := range chosen {
		row.Counters = append(row.Counters, source.Schema().Series[i].Path())
	}
	var log strings.Builder
	log.WriteString(`"(PDH-CSV 4.0) (Coordinated Universal Time)(0)"`)
	for _, path := range row.Counters {
		log.WriteString(`,"\\` + pdh.CleanHost(source.Info().Host) + strings.ReplaceAll(path, `"`, `""`) + `"`)
	}
	var columns [2]perf.Column
	if err := source.Next(c.Ctx, 0, &columns[0]); err != nil {
		return exec.Answer{}, err
	}
	for n := range o.samples {
		before, after := &columns[n%2], &columns[1-n%2]
		if err := source.Next(c.Ctx, o.interval, after); err != nil {
			return exec.Answer{}, err
		}
		log.WriteString("\r\n\"" + after.Time.UTC().Format("01/02/2006 15:04:05.000") + `"`)
		for _, i := range chosen {
			value, ok := source.Schema().Series[i].Value(before, after)
			if !ok {
				log.WriteString(`," "`)
				continue
			}
			log.WriteString(`,"` + strconv.FormatFloat(value, 'f', 6, 64) + `"`)
		}
	}
	log.WriteString("\r\n")
	return o.answer(c, &row, log.String())
}

// answer writes the log to the console or into the file.
func (o *typeperfOptions) answer(c *exec.Call, row *typeperfRow, log string) (exec.Answer, error) {
	if o.tabs {
		log = strings.ReplaceAll(strings.Replace(log, "(PDH-CSV 4.0)", "(PDH-TSV 4.0)", 1), `","`, "\"\t\"")
	}
	if o.file != "" {
		if o.overwrite {
			c.Flags["force"] = "true"
		}
		if err := c.Write([]script.File{{Path: o.file, Data: []byte(log)}}); err != nil {
			return exec.Answer{}, err
		}
		log = ""
	} else { // the console has no time zone in the heading
		log = "\n" + strings.ReplaceAll(strings.Replace(log, " (Coordinated Universal Time)(0)", "", 1), "\r\n", "\n")
	}
	return exec.Answer{Result: row, Text: func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\nThe command completed successfully.\n", log)
		return err
	}}, nil
}

// choose returns the series that the paths match. As in Windows, a path that matches none is left out if another one matches.
func (o *typeperfOptions) choose(schema *perf.Schema) (chosen []int, err error) {
	for _, path := range o.paths {
		if rest, ok := strings.CutPrefix(path, `\\`); ok { // with the name of the computer
			if _, below, found := strings.Cut(rest, `\`); found {
				path = `\` + below
			}
		}
		matched, err := schema.Match(path)
		var none *perf.NoMatchError
		if err != nil && !errors.As(err, &none) {
			return nil, exec.Mistake("%v", err)
		}
		for _, i := range matched {
			if !slices.Contains(chosen, i) {
				chosen = append(chosen, i)
			}
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("Error: No valid counters.") //nolint:staticcheck,revive // Windows writes it so
	}
	return chosen, nil
}

// list lists the counters of an object, or of all, as -q does; with -qx with their instances.
func (o *typeperfOptions) list(schema *perf.Schema) (exec.Answer, error) {
	row := typeperfRow{Counters: []string{}}
	seen := map[string]bool{}
	for i := range schema.Series {
		s := &schema.Series[i]
		if o.object != "" && !strings.EqualFold(o.object, s.Set) {
			continue
		}
		path := s.Path()
		if !o.instances && s.Instance != "" {
			path = perf.JoinPath(s.Set, "*", s.Counter)
		}
		if !seen[path] {
			seen[path] = true
			row.Counters = append(row.Counters, path)
		}
	}
	if len(row.Counters) == 0 {
		return exec.Answer{}, fmt.Errorf("Error: The specified object was not found on the computer%s", //nolint:staticcheck // Windows begins it so
			exec.Suggest(o.object, schema.Sets(), ""))
	}
	slices.SortFunc(row.Counters, func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
	return exec.Answer{Result: row, Text: func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n\nThe command completed successfully.\n", strings.Join(row.Counters, "\n"))
		return err
	}}, nil
}
