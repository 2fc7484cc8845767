package dump

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/limits"
	"cxdeck/driver/request"
)

// SessionName is the trace session that the WinOF driver starts with Windows, TraceFolder the folder of its files, TraceFile the name of
// the file that it writes.
const (
	SessionName = "Mellanox-Kernel"
	TraceFolder = hostfiles.System + `\system32\LogFiles\Mlnx`
	TraceFile   = "Mellanox-System.etl"
)

// The maximum size of a trace file in MB, before WinOF 5.40 and since (WinOF manual, change log).
const (
	oldTraceLimit   = 16
	traceLimit      = 100
	traceLimitSince = "5.40"
	// bufferKB is the size of a buffer of a session.
	bufferKB = 64
	// keptTraces is the number of files of earlier sessions that the host keeps.
	keptTraces = 2
)

// Session is the trace session.
type Session struct {
	// Since is the host's time when the session began, zero for the first one, which began with the host. After is the newest event
	// before it: the host's clock may be set.
	Since   time.Time `json:"since,omitzero"`
	After   uint64    `json:"after,omitempty"`
	Stopped bool      `json:"stopped,omitempty"`
	// MaxMB is the size limit of its file as an operator has set it; 0 for the driver's.
	MaxMB int `json:"max_mb,omitempty"`
	// Earlier is the number of sessions before it.
	Earlier int `json:"earlier,omitempty"`
}

// MaxTraceMB is the largest limit of a trace file in MB.
const MaxTraceMB = 1024

func (s Session) valid() bool {
	return s.MaxMB >= 0 && s.MaxMB <= MaxTraceMB && s.Earlier >= 0
}

// SessionView is the trace session as logman prints it.
type SessionView struct {
	Name    string
	Running bool
	// Path is its file, MaxMB the size at which the oldest buffers are overwritten, Bytes the size now, Buffers the buffers written.
	Path           string
	MaxMB          int
	Bytes, Buffers int
	Began          time.Time
}

// ErrNoSession is returned on a host without a WinOF adapter.
var ErrNoSession = errors.New("Data Collector Set was not found") //nolint:staticcheck // Windows begins it so

// tracedPort returns the first port of a WinOF card; -1 for none.
func (s Set) tracedPort() int {
	for port := range s.Lab().Ports() {
		if s.Lab().Family(port) == description.WinOF {
			return port
		}
	}
	return -1
}

// Session returns the trace session; ok is false without a WinOF adapter, whose driver starts it.
func (s Set) Session() (view SessionView, ok bool) {
	port := s.tracedPort()
	if port < 0 {
		return view, false
	}
	view = SessionView{
		Name: SessionName, Running: !s.Trace.Stopped, Path: TraceFolder + `\` + TraceFile, MaxMB: s.maxTrace(port),
		Began: s.Trace.Since,
	}
	if view.Running {
		view.Bytes = len(s.traceData())
	} else if list := s.Files.List(view.Path); len(list) == 1 {
		view.Bytes = list[0].Size
	}
	view.Buffers = (view.Bytes + bufferKB<<10 - 1) / (bufferKB << 10)
	return view, true
}

func (s Set) maxTrace(port int) int {
	if s.Trace.MaxMB > 0 {
		return s.Trace.MaxMB
	}
	if card, _, _ := s.card(port); limits.Older(card.DriverVersion, traceLimitSince) {
		return oldTraceLimit
	}
	return traceLimit
}

// maxRecords bounds a trace: it is made of the newest events.
const maxRecords = 2000

// traceData returns the records of the session so far, the newest that fit into its file. They are texts, as a reader of traces prints
// them.
func (s Set) traceData() []byte {
	port := s.tracedPort()
	if port < 0 {
		return nil
	}
	var records []traceRecord
	for _, e := range s.NewestEvents(maxRecords) {
		if (strings.HasPrefix(e.Source, "mlx4") || strings.HasPrefix(e.Source, "ipoib") || e.Source == "Mellanox-Drivers") && e.Sequence > s.Trace.After {
			records = append(records, traceRecord{e.Time.UTC(), e.Source, traceLevel(e.Severity), e.Message})
		}
	}
	d := s.Lab().Description()
	for p := range s.Lab().Ports() {
		if _, a, index := s.Lab().Port(p); index == 0 && d.Adapters[a].Family == description.WinOF {
			for _, c := range s.commands(p) {
				if !c.at.Before(s.Trace.Since) {
					records = append(records, traceRecord{c.at, "mlx4_bus", "Verbose", fmt.Sprintf("%s: command 0x%03x %s, port %d, status %s", d.Adapters[a].Name, c.opcode, c.name, c.port, c.status)})
				}
			}
		}
	}
	slices.SortStableFunc(records, func(a, b traceRecord) int { return a.at.Compare(b.at) })
	var head, body bytes.Buffer
	began := "with the host"
	if !s.Trace.Since.IsZero() {
		began = s.Trace.Since.Format(stampLayout)
	}
	fmt.Fprintf(&head, "Trace session %s, begun %s, circular, at most %d MB, decoded\n", SessionName, began, s.maxTrace(port))
	for _, r := range records {
		fmt.Fprintf(&body, "%s [%s] %s: %s\n", r.at.Format(stampLayout), r.source, r.level, r.text)
	}
	text := body.Bytes()
	if over := head.Len() + len(text) - s.maxTrace(port)<<20; over > 0 { // the newest records overwrite the oldest
		text = text[min(over, len(text)):]
		if at := bytes.IndexByte(text, '\n'); at >= 0 {
			text = text[at+1:]
		}
	}
	return append(head.Bytes(), text...)
}

type traceRecord struct {
	at                  time.Time
	source, level, text string
}

func traceLevel(severity eventlog.Severity) string {
	return [...]string{"Information", "Warning", "Error"}[min(severity, eventlog.Error)]
}

// stopTrace ends the session and writes its file.
func (s Set) stopTrace() error {
	files := s.Files
	if err := files.Add(TraceFolder, s.now(), []hostfiles.Content{{Name: TraceFile, Data: s.traceData()}}); err != nil {
		return err
	}
	s.Files, s.Trace.Stopped = files, true
	return nil
}

// startTrace begins a session with a new file; the file of the session before it gets a number.
func (s Set) startTrace() {
	files := s.Files
	if data, err := files.Read(TraceFolder + `\` + TraceFile); err == nil {
		files.Remove(TraceFolder + `\` + TraceFile)
		name := fmt.Sprintf("%s.%03d", TraceFile, s.Trace.Earlier%keptTraces+1)
		if files.Add(TraceFolder, s.now(), []hostfiles.Content{{Name: name, Data: data[0]}}) == nil { // otherwise the disk is full, and it is lost
			s.Trace.Earlier++
		}
		s.Files = files
	}
	s.Trace.Stopped, s.Trace.Since, s.Trace.After = false, s.now(), 0
	for _, e := range s.NewestEvents(1) {
		s.Trace.After = e.Sequence
	}
}

// Boot ends the session and starts it again, as Windows does when the host restarts.
func (s Set) Boot() {
	if s.tracedPort() < 0 {
		return
	}
	if !s.Trace.Stopped {
		_ = s.stopTrace() // the disk is full: its file is lost
	}
	s.startTrace()
	s.Trace.MaxMB = 0
}

// StopTrace stops the trace session, which completes its file.
type StopTrace struct {
	Session string `json:"session"`
}

// StartTrace starts the trace session with a new file; MaxMB is the limit of its size, 0 for the driver's.
type StartTrace struct {
	Session string `json:"session"`
	MaxMB   int    `json:"max_mb,omitempty"`
}

func (StopTrace) Kind() string  { return "stop-trace" }
func (StartTrace) Kind() string { return "start-trace" }

func (o StopTrace) Target() string  { return o.Session }
func (o StartTrace) Target() string { return o.Session }

func (o StopTrace) Describe() string { return "stop the trace session " + o.Session }

func (o StartTrace) Describe() string {
	if o.MaxMB > 0 {
		return fmt.Sprintf("start the trace session %s with a circular file of at most %d MB", o.Session, o.MaxMB)
	}
	return "start the trace session " + o.Session
}

// Commands returns the command of Windows.
func (o StopTrace) Commands() []string { return []string{"logman stop " + o.Session + " -ets"} }

// Commands returns the command of Windows.
func (o StartTrace) Commands() []string {
	line := "logman start " + o.Session + ` -ets -o %SystemRoot%\system32\LogFiles\Mlnx\` + TraceFile + " -mode Circular"
	if o.MaxMB > 0 {
		line += fmt.Sprintf(" -max %d", o.MaxMB)
	}
	return []string{line}
}

// checkSession returns why a session can't be started or stopped.
func (s Set) checkSession(name string) error {
	if !strings.EqualFold(name, SessionName) || s.tracedPort() < 0 {
		return ErrNoSession
	}
	return nil
}

// Inverse starts the session again.
func (o StopTrace) Inverse(s Set) (Operation, error) {
	if err := s.checkSession(o.Session); err != nil {
		return nil, err
	}
	if s.Trace.Stopped {
		return nil, request.Unchanged("it is stopped already")
	}
	return StartTrace{o.Session, s.Trace.MaxMB}, nil
}

// Apply stops the session.
func (o StopTrace) Apply(s Set) error { return s.stopTrace() }

// Inverse stops the session.
func (o StartTrace) Inverse(s Set) (Operation, error) {
	if err := s.checkSession(o.Session); err != nil {
		return nil, err
	}
	if o.MaxMB < 0 || o.MaxMB > MaxTraceMB {
		return nil, fmt.Errorf("the limit of a trace file must be 1 to %d MB", MaxTraceMB)
	}
	if !s.Trace.Stopped {
		return nil, request.Unchanged("it is running already")
	}
	return StopTrace{o.Session}, nil
}

// Apply starts the session.
func (o StartTrace) Apply(s Set) error {
	s.startTrace()
	s.Trace.MaxMB = o.MaxMB
	return nil
}

// FileView is a file on the host.
type FileView struct {
	hostfiles.File
	// InUse reports that a running session still writes it.
	InUse bool
}

// FileViews lists the files of the host that match a pattern, by their paths, with the file of a running trace session.
func (s Set) FileViews(pattern string) (list []FileView) {
	for _, f := range s.Files.List(pattern) {
		list = append(list, FileView{File: f})
	}
	if view, ok := s.Session(); ok && view.Running && hostfiles.Matches(pattern, view.Path) {
		at, _ := slices.BinarySearchFunc(list, view.Path, func(f FileView, path string) int { return strings.Compare(f.Path, path) })
		list = slices.Insert(list, at, FileView{hostfiles.File{Path: view.Path, Size: view.Bytes, Time: s.now()}, true})
	}
	return list
}
