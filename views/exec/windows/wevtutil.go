package windows

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/eventlog/query"
	"cxdeck/driver/request"
	"cxdeck/driver/windowslog"
	"cxdeck/views/exec"
)

// wevtutilLogs implements wevtutil el: it lists the logs.
func wevtutilLogs(*exec.Call) (exec.Answer, error) {
	logs := windowslog.Names()
	return exec.PrintLines(logs, struct {
		Logs []string `json:"logs"`
	}{logs}), nil
}

// eventRow is an event as JSON.
type eventRow struct {
	Record  uint64    `json:"record_id"`
	Time    time.Time `json:"time_created"`
	ID      int       `json:"id"`
	Level   string    `json:"level"`
	Source  string    `json:"provider_name"`
	Channel string    `json:"channel"`
	Message string    `json:"message"`
}

// logQuery are the arguments of wevtutil qe.
type logQuery struct {
	log          string
	filter       query.Filter
	limit        int
	newest, text bool
}

// readQuery parses the arguments of wevtutil qe.
func readQuery(words []string) (q logQuery, err error) {
	q.limit = exec.MaxRows
	q.filter = func(*eventlog.Event, time.Time) bool { return true }
	for _, word := range words {
		option, value, found := strings.Cut(word, ":")
		if !strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "-") {
			if q.log != "" {
				return q, exec.Mistake("wevtutil qe takes one log, not also %q; quote a query with spaces", word)
			}
			for _, log := range windowslog.Names() {
				if strings.EqualFold(log, word) {
					q.log = log
				}
			}
			if q.log == "" {
				return q, request.Errorf("the channel %q could not be found%s", word, exec.Suggest(word, windowslog.Names(), "wevtutil el lists the logs"))
			}
			continue
		}
		if !found {
			return q, exec.Mistake("wevtutil qe writes an option and its value as /c:20, not %q", word)
		}
		switch strings.ToLower(option[1:]) {
		case "q", "query":
			if q.filter, err = query.ParseXPath(value); err != nil {
				return q, exec.Mistake("/q: %v", err)
			}
		case "c", "count":
			if q.limit, err = strconv.Atoi(value); err != nil || q.limit < 1 {
				return q, exec.Mistake("/c must be an integer from 1 on, not %q", value)
			}
		case "rd", "reversedirection":
			on, ok := map[string]bool{"true": true, "false": false}[strings.ToLower(value)]
			if !ok {
				return q, exec.Mistake("/rd must be true or false, not %q", value)
			}
			q.newest = on
		case "f", "format":
			format := strings.ToLower(value)
			if !slices.Contains([]string{"xml", "text", "renderedxml"}, format) {
				return q, exec.Mistake("/f must be XML, RenderedXml or Text, not %q", value)
			}
			q.text = format == "text"
		default:
			return q, exec.Mistake("wevtutil qe takes /q, /c, /rd and /f, not %q", word)
		}
	}
	if q.log == "" {
		return q, exec.Mistake("wevtutil qe requires the name of a log: %s", strings.Join(windowslog.Names(), ", "))
	}
	return q, nil
}

// wevtutilQuery implements wevtutil qe: the oldest event first, unless /rd:true is given.
func wevtutilQuery(c *exec.Call) (exec.Answer, error) {
	q, err := readQuery(c.Arguments)
	if err != nil {
		return exec.Answer{}, err
	}
	var list []eventlog.Event
	computer := ""
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		computer = h.Lab().Description().Host.Name
		all := windowslog.Events(h, q.log)
		if q.newest {
			slices.Reverse(all)
		}
		for i := range all {
			if len(list) < q.limit && q.filter(&all[i], h.Now()) {
				list = append(list, all[i])
			}
		}
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	rows := []eventRow{}
	for i := range list {
		e := &list[i]
		rows = append(rows, eventRow{e.Sequence, e.Time.UTC(), e.ID, query.LevelName(e.Severity), e.Source, e.Channel, e.Message})
	}
	return exec.Answer{
		Result: struct {
			Events []eventRow `json:"events"`
		}{rows},
		Text: func(w io.Writer) error {
			for i := range list {
				if err := writeEvent(w, i, &list[i], computer, q.text); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}

// writeEvent prints an event as text or as a line of XML.
func writeEvent(w io.Writer, n int, e *eventlog.Event, computer string, text bool) error {
	if !text {
		data, err := query.XML(e, computer)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(w, exec.Clean(string(data)))
		return err
	}
	for _, line := range []string{
		fmt.Sprintf("Event[%d]:", n), "  Log Name: " + e.Channel, "  Source: " + e.Source, "  Date: " + e.Time.UTC().Format("2006-01-02T15:04:05.000Z"),
		fmt.Sprintf("  Event ID: %d", e.ID), "  Level: " + query.LevelName(e.Severity), "  Computer: " + computer, "  Description: ", e.Message, "",
	} {
		if _, err := fmt.Fprintln(w, exec.Clean(line)); err != nil {
			return err
		}
	}
	return nil
}
