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
	"cxdeck/driver/windowslog"
	"cxdeck/views/exec"
	"cxdeck/views/exec/powershell"
)

// winEventRow is an event as JSON.
type winEventRow struct {
	Time    time.Time `json:"time_created"`
	ID      int       `json:"id"`
	Level   string    `json:"level"`
	Source  string    `json:"provider_name"`
	Message string    `json:"message"`
}

// readHashTable joins the words of a hash table, which has blanks between its parts.
func readHashTable(run func(*exec.Call) (exec.Answer, error)) func(*exec.Call) (exec.Answer, error) {
	return func(c *exec.Call) (exec.Answer, error) {
		var words []string
		for i := 0; i < len(c.Arguments); i++ {
			word := c.Arguments[i]
			if strings.HasPrefix(word, "@{") {
				for !strings.HasSuffix(word, "}") && i+1 < len(c.Arguments) {
					i++
					word += " " + c.Arguments[i]
				}
			}
			words = append(words, word)
		}
		c.Arguments = words
		return run(c)
	}
}

// winFilter returns the log and the filter that the parameters of Get-WinEvent name.
func winFilter(p *powershell.Invocation) (log string, filter query.Filter, err error) {
	filter = func(*eventlog.Event, time.Time) bool { return true }
	name := p.Values["LogName"]
	switch {
	case p.Has("FilterHashtable") && (p.Has("LogName") || p.Has("FilterXPath")):
		return "", nil, exec.Mistake("Get-WinEvent takes -FilterHashtable without -LogName and -FilterXPath")
	case p.Has("FilterHashtable"):
		table, err := query.ParseTable(p.Value("FilterHashtable"))
		if err != nil {
			return "", nil, exec.Mistake("-FilterHashtable: %v", err)
		}
		if filter = table.Filter; table.LogName == "" {
			return "", nil, exec.Mistake("-FilterHashtable requires LogName with the name of a log: %s", strings.Join(windowslog.Names(), ", "))
		}
		name = []string{table.LogName}
	case p.Has("FilterXPath"):
		if filter, err = query.ParseXPath(p.Value("FilterXPath")); err != nil {
			return "", nil, exec.Mistake("-FilterXPath: %v", err)
		}
	}
	if len(name) == 0 {
		_, err = p.Required("LogName", "the name of a log: "+strings.Join(windowslog.Names(), ", "))
		return "", nil, err
	}
	log, err = powershell.ChooseWord(p.Command, "LogName", name, windowslog.Names())
	return log, filter, err
}

// getWinEvent implements Get-WinEvent: the newest event first, unless -Oldest is given.
func getWinEvent(p *powershell.Invocation) (exec.Answer, error) {
	log, filter, err := winFilter(p)
	if err != nil {
		return exec.Answer{}, err
	}
	limit := exec.MaxRows
	if p.Has("MaxEvents") {
		if limit, err = exec.WholeNumber(p.Value("MaxEvents"), "-MaxEvents"); err != nil || limit < 1 {
			return exec.Answer{}, exec.Mistake("-MaxEvents of Get-WinEvent must be an integer from 1 on, not %q", p.Value("MaxEvents"))
		}
	}
	rows := []winEventRow{}
	err = p.Call.Host.ReadHost(p.Call.Ctx, func(h *driver.Host) error {
		list := windowslog.Events(h, log)
		if !p.Flag("Oldest") {
			slices.Reverse(list)
		}
		for i := range list {
			if e := &list[i]; len(rows) < limit && filter(e, h.Now()) {
				rows = append(rows, winEventRow{e.Time.UTC(), e.ID, query.LevelName(e.Severity), e.Source, e.Message})
			}
		}
		return nil
	})
	return exec.Answer{
		Result: struct {
			Events []winEventRow `json:"events"`
		}{rows},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "No events were found that match the specified selection criteria.")
				return err
			}
			t := exec.NewTextTable(w, "TimeCreated", "Id", "LevelDisplayName", "ProviderName", "Message")
			t.Row("-----------", "--", "----------------", "------------", "-------")
			for i := range rows {
				r := &rows[i]
				t.Row(r.Time.Format(time.DateTime), strconv.Itoa(r.ID), r.Level, r.Source, r.Message)
			}
			return t.Flush()
		},
	}, err
}
