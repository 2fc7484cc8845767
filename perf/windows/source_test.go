package windows

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/registry/regfile"
	"cxdeck/perf"
)

// fakeCounters is a machine with some counters.
type fakeCounters struct {
	present map[string][]Reading // by set\counter
	others  []OtherSet
	added   []string
	broken  error
	closed  bool
	// unlisted reports that the sets can't be listed.
	unlisted bool
}

func (f *fakeCounters) Add(set, counter string, local bool) (int, error) {
	name := set + `\` + counter
	if _, ok := f.present[name]; !ok {
		return 0, ErrAbsent
	}
	f.added = append(f.added, fmt.Sprint(name, " ", local))
	return slices.Index(f.names(), name), nil
}

func (f *fakeCounters) names() []string {
	var names []string
	for name := range f.present {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (f *fakeCounters) Sets(pass func(string) bool) ([]OtherSet, error) {
	if f.unlisted {
		return nil, ErrUnlisted
	}
	return slices.DeleteFunc(slices.Clone(f.others), func(set OtherSet) bool { return !pass(set.Name) }), nil
}

func (f *fakeCounters) Collect() error { return f.broken }
func (f *fakeCounters) Close() error   { f.closed = true; return nil }

func (f *fakeCounters) Read(handle int, dst []Reading) ([]Reading, error) {
	readings := f.present[f.names()[handle]]
	if len(readings) == 0 {
		return dst, errors.New("no instances")
	}
	return append(dst, readings...), nil
}

// fakeKey is a registry key in memory: keys by path, values by path.
type fakeKey struct {
	values map[string][]regfile.Value
	path   string
}

func (k fakeKey) Subkeys() ([]string, error) {
	var names []string
	for path := range k.values {
		if rest, ok := strings.CutPrefix(path, k.path+`\`); ok {
			if name, _, _ := strings.Cut(rest, `\`); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

func (k fakeKey) Open(path string) (Key, error) {
	opened := fakeKey{k.values, strings.TrimPrefix(k.path+`\`+path, `\`)}
	names, _ := opened.Subkeys()
	if _, ok := k.values[opened.path]; !ok && len(names) == 0 || strings.HasSuffix(path, "0009") {
		return nil, errors.New("access is denied")
	}
	return opened, nil
}

func (k fakeKey) Values() ([]regfile.Value, error) { return slices.Clone(k.values[k.path]), nil }
func (k fakeKey) Close() error                     { return nil }

func machineRegistry() fakeKey {
	class, network := `Class\`+networkClass, `Network\`+networkClass
	return fakeKey{values: map[string][]regfile.Value{
		class + `\0005`: {
			regfile.TextValue("DriverDesc", "Mellanox ConnectX-5 Adapter #2"), regfile.TextValue("DriverVersion", "2.80.25134.0"), regfile.TextValue("ProviderName", "Mellanox Technologies Ltd."),
			regfile.TextValue("DeviceInstanceID", `PCI\VEN_15B3&DEV_1017&SUBSYS_000815B3&REV_00\0`), regfile.TextValue("NetCfgInstanceId", "{AAAA}"),
			regfile.TextValue("*JumboPacket", "1514"), regfile.TextValue("RoceMaxFrameSize\x1b[2J", "1024"), regfile.NumberValue("NumVFs", 8),
		},
		class + `\0001`:                {regfile.TextValue("DriverDesc", "Intel(R) I350"), regfile.TextValue("MatchingDeviceId", `pci\ven_8086&dev_1521`), regfile.TextValue("*JumboPacket", "9014"), regfile.TextValue("NetCfgInstanceId", `..\..\{BBBB}`)},
		class + `\0009`:                {regfile.TextValue("DriverDesc", "denied")},
		class + `\Properties`:          nil,
		network + `\{AAAA}\Connection`: {regfile.TextValue("Name", "Ethernet (RDMA)")},
	}}
}

type fakeLog struct {
	records []string
	newest  uint64
	err     error
}

func (l *fakeLog) Read(after uint64, skip bool) ([]string, uint64, error) {
	if l.err != nil {
		return nil, after, l.err
	}
	if skip {
		return nil, l.newest, nil
	}
	return l.records, l.newest, nil
}

func instance(name string, value float64) Reading { return Reading{name, value, true} }

func machine() *fakeCounters {
	return &fakeCounters{
		present: map[string][]Reading{
			`Network Interface\Bytes Received/sec`:         {instance("Mellanox ConnectX-5 Adapter _2", 1e9), instance("Intel[R] I350", 5)},
			`Network Interface\Bytes Sent/sec`:             {instance("Mellanox ConnectX-5 Adapter _2", 2e9), {Instance: "Intel[R] I350"}},
			`Mellanox WinOF-2 Port Traffic\Bytes Received`: {instance("Ethernet [RDMA]", 1<<60)},
			`Mellanox Future Set\Wonders`:                  {instance("a", 0.5), instance("a", 7)},
			`Processor\Threads`:                            {instance("0", 1)},
		},
		others: []OtherSet{{"Mellanox Future Set", []string{"Wonders", "Absent"}}, {"Processor", []string{"Threads"}}, {"Mellanox WinOF-2 Port Traffic", []string{"Bytes Received"}}},
	}
}

func open(t *testing.T, counters *fakeCounters, log Log) *source {
	t.Helper()
	s, err := newSource("HOST", counters, machineRegistry(), log, func() time.Time { return time.Unix(1_800_000_000, 0) })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func next(t *testing.T, s *source) *perf.Column {
	t.Helper()
	column := &perf.Column{}
	if err := s.Next(t.Context(), time.Second, column); err != nil {
		t.Fatal(err)
	}
	return column
}

func value(t *testing.T, s *source, column *perf.Column, path string) float64 {
	t.Helper()
	n, ok := s.Schema().Find(path)
	if !ok {
		t.Fatalf("there is no %s", path)
	}
	series := s.Schema().Series[n]
	if column.Cells[series.Cell] == perf.Missing {
		return math.NaN()
	}
	return series.CellValue(column.Cells[series.Cell])
}

func TestCountersOfTheCatalogueAndOthers(t *testing.T) {
	t.Parallel()
	counters := machine()
	counters.present[`Mellanox Future Set\Wonders`] = numberInstances(counters.present[`Mellanox Future Set\Wonders`])
	s := open(t, counters, nil)
	column := next(t, s)
	for path, want := range map[string]float64{
		`\Network Interface(Mellanox ConnectX-5 Adapter _2)\Bytes Received/sec`: 1e9,
		`\Network Interface(Intel[R] I350)\Bytes Received/sec`:                  5,
		`\Mellanox WinOF-2 Port Traffic(Ethernet [RDMA])\Bytes Received`:        1 << 60,
		`\Mellanox Future Set(a)\Wonders`:                                       0.5,
		`\Mellanox Future Set(a#1)\Wonders`:                                     7,
	} {
		if got := value(t, s, column, path); got != want {
			t.Errorf("%s is %v, not %v", path, got, want)
		}
	}
	if got := value(t, s, column, `\Network Interface(Intel[R] I350)\Bytes Sent/sec`); !math.IsNaN(got) {
		t.Errorf("a rate without a value is %v", got)
	}
	if slices.ContainsFunc(counters.added, func(name string) bool { return strings.HasPrefix(name, "Processor") }) {
		t.Errorf("other sets were added: %v", counters.added)
	}
	if n := len(slices.DeleteFunc(slices.Clone(counters.added), func(name string) bool { return !strings.HasSuffix(name, " true") })); n != 1 {
		t.Errorf("%d counters were added by their names in the system's language: %v", n, counters.added)
	}
	if info := s.Info(); info.Kind != perf.LocalSource || info.Host != "HOST" {
		t.Errorf("%+v", info)
	}
	if err := s.Close(); err != nil || !counters.closed {
		t.Errorf("the query is open: %v", err)
	}
}

// TestNewInstances: instances that appear later widen the schema, and ones that are gone read Missing.
func TestNewInstances(t *testing.T) {
	t.Parallel()
	counters := machine()
	s := open(t, counters, nil)
	before := s.Schema()
	next(t, s)
	if s.Schema() != before {
		t.Error("the schema changed without a reason")
	}
	counters.present[`Network Interface\Bytes Received/sec`] = []Reading{instance("Ethernet 9", 3)}
	column := next(t, s)
	if got := value(t, s, column, `\Network Interface(Ethernet 9)\Bytes Received/sec`); got != 3 {
		t.Errorf("the new instance reads %v", got)
	}
	if got := value(t, s, column, `\Network Interface(Intel[R] I350)\Bytes Received/sec`); !math.IsNaN(got) {
		t.Errorf("the removed instance reads %v", got)
	}
	for n, series := range before.Series {
		if s.Schema().Series[n] != series {
			t.Errorf("series %d changed to %v", n, s.Schema().Series[n])
		}
	}
}

func TestAdaptersOfTheRegistry(t *testing.T) {
	t.Parallel()
	adapters, err := ReadAdapters(machineRegistry())
	if err != nil || len(adapters) != 2 {
		t.Fatalf("%d adapters, %v", len(adapters), err)
	}
	if a := adapters[1]; a.Key != "0005" || a.Connection != "Ethernet (RDMA)" || !a.Mellanox() || a.Version != "2.80.25134.0" {
		t.Errorf("%+v", a)
	}
	if a := adapters[0]; a.Connection != "" || a.Mellanox() {
		t.Errorf("%+v", a)
	}
	s := open(t, machine(), nil)
	for _, name := range []string{"Ethernet [RDMA]", "Mellanox ConnectX-5 Adapter _2"} {
		n := slices.IndexFunc(s.Inventory().Nodes, func(node perf.Node) bool { return node.Name == name })
		if n < 0 {
			t.Fatalf("there is no %s in %+v", name, s.Inventory().Nodes)
		}
		if text := fmt.Sprint(s.Inventory().Nodes[n].Identity); !strings.Contains(text, "2.80.25134.0") || !strings.Contains(text, "{*JumboPacket 1514}") {
			t.Errorf("%s has the fields %s", name, text)
		}
	}
}

// TestRegistryExport: the export can be read again, and has all values of the adapters with the types and bytes of the registry.
func TestRegistryExport(t *testing.T) {
	t.Parallel()
	adapters, err := ReadAdapters(machineRegistry())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	omitted, err := WriteRegistry(&out, adapters, false)
	if err != nil || omitted != 1 { // the value with a control character in its name
		t.Fatalf("%d values were left out, %v", omitted, err)
	}
	file, err := regfile.Parse(out.Bytes())
	if err != nil || len(file.Keys) != 1 || !strings.HasSuffix(file.Keys[0].Path, networkClass+`\0005`) {
		t.Fatalf("%v: %+v", err, file)
	}
	if len(file.Keys[0].Values) != len(adapters[1].Values)-omitted {
		t.Errorf("%d values of %d", len(file.Keys[0].Values), len(adapters[1].Values))
	}
	out.Reset()
	if _, err := WriteRegistry(&out, adapters, true); err != nil {
		t.Fatal(err)
	}
	if file, err := regfile.Parse(out.Bytes()); err != nil || len(file.Keys) != 2 {
		t.Errorf("%v: %+v", err, file)
	}
	if _, err := WriteRegistry(&out, adapters[:1], false); err == nil {
		t.Error("an export without an adapter was written")
	}
}

const linkDown = `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='mlx5'/><EventID Qualifiers='32772'>8</EventID><Level>3</Level>
<TimeCreated SystemTime='2026-11-28T10:00:01.1234567Z'/><EventRecordID>4711</EventRecordID><Channel>System</Channel></System>
<EventData><Data>\Device\Mellanox ConnectX-5 Adapter</Data><Data>Mellanox&#10;port</Data><Binary>00</Binary></EventData></Event>`

func TestEvents(t *testing.T) {
	t.Parallel()
	log := &fakeLog{newest: 4000}
	s := open(t, machine(), log)
	if s.newest != 4000 {
		t.Errorf("the events before the start are not skipped: %d", s.newest)
	}
	log.records, log.newest = []string{linkDown, "<Event", strings.Repeat("x", maxEvent+1)}, 4711
	events := s.Events()
	if len(events) != 1 || events[0].ID != 8 || events[0].Severity.String() != "warning" || events[0].Source != "mlx5" || events[0].Adapter != "Mellanox ConnectX-5 Adapter" ||
		strings.ContainsAny(events[0].Message, "\n\x1b") || events[0].Time.Nanosecond() != 123456700 {
		t.Errorf("%+v", events)
	}
	log.err = errors.New("the log was cleared")
	if events := s.Events(); events != nil || s.newest != 4711 {
		t.Errorf("%v after %d", events, s.newest)
	}
	if s := open(t, machine(), &fakeLog{err: errors.New("access is denied")}); s.Events() != nil {
		t.Error("a log that can't be read has events")
	}
	if text := query(5); !strings.Contains(text, "@Name='mlx5' or @Name='mlx4_bus'") || !strings.Contains(text, "EventRecordID > 5") {
		t.Error(text)
	}
}

func TestMachinesWithoutCounters(t *testing.T) {
	t.Parallel()
	if _, err := newSource("HOST", &fakeCounters{}, nil, nil, time.Now); err == nil {
		t.Error("a machine without counters was opened")
	}
	// Adapters in the registry are enough, also where the sets can't be listed.
	unlisted := &fakeCounters{unlisted: true}
	bare, err := newSource("HOST", unlisted, machineRegistry(), nil, time.Now)
	if err != nil || len(bare.Notes()) != 2 || bare.Inventory() == nil {
		t.Errorf("%v: %+v", err, bare)
	} else if err := bare.Next(t.Context(), time.Second, &perf.Column{}); err != nil {
		t.Error(err)
	}
	broken := machine()
	s := open(t, broken, nil)
	broken.broken = errors.New("the query failed")
	if err := s.Next(t.Context(), time.Second, &perf.Column{}); err == nil {
		t.Error("a failed sample was returned")
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add(linkDown)
	f.Add("<Event><System><EventID>99999999999</EventID></System></Event>")
	f.Fuzz(func(t *testing.T, text string) {
		event, err := parseEvent(text)
		if err == nil && strings.ContainsAny(event.Message+event.Source+event.Adapter, "\x00\x1b\n") {
			t.Errorf("%q has control characters", event.Message)
		}
	})
}

func TestDisplayedValues(t *testing.T) {
	t.Parallel()
	multi := regfile.Value{Type: regfile.MultiText, Data: []byte("a\x00\x00\x00b\x00\x00\x00\x00\x00")}
	number, binary := regfile.NumberValue("x", 8), regfile.Value{Type: regfile.Binary, Data: []byte{1, 2, 3}}
	for want, v := range map[string]*regfile.Value{"a b": &multi, "0x00000008 (8)": &number, "REG_BINARY, 3 bytes": &binary} {
		if got := DisplayValue(v); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := splitList([]uint16{'a', 0, 'b', 'c', 0, 0}); !slices.Equal(got, []string{"a", "bc"}) {
		t.Errorf("%q", got)
	}
}
