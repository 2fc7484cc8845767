package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rooms is the import table of the architecture: which of our packages a room may import. It may always import itself
// and the packages below it.
var rooms = map[string][]string{
	"device": {},
	"driver": {"device"},
	"perf":   {"driver", "device"},
	"store":  {"driver", "perf"},
	"themes": {},
	"ui":     {"themes"},
	"views":  {"ui", "themes", "driver", "perf", "store", "device"},
	// Programs for developers: the terminal bench and the maker of the generated docs.
	"tools": {"views", "ui", "themes", "driver", "perf", "store", "device"},
}

// parts does the same for the parts of a room: it lists which other packages of the room a package may import; it may always
// import itself and the packages below it. A part that is not listed may import its whole room. A name that ends in "/."
// is the package without the packages below it.
var parts = map[string][]string{
	"device/infiniband/.":        {"device/description", "device/infiniband/qos"},
	"device/infiniband/agent":    {"device/description", "device/infiniband", "device/infiniband/mad", "device/infiniband/opensm", "device/infiniband/topology"},
	"device/infiniband/mad":      {"device/description", "device/infiniband", "device/infiniband/opensm"},
	"device/infiniband/netfile":  {"device/description", "device/infiniband"},
	"device/infiniband/site":     {"device/counter", "device/description", "device/infiniband", "device/setup", "device/subnet"},
	"device/infiniband/opensm":   {"device/description", "device/infiniband", "device/infiniband/qos", "device/infiniband/trap"},
	"device/infiniband/simtest":  {"device/infiniband", "device/infiniband/netfile"},
	"device/infiniband/topology": {"device/description", "device/infiniband"},
	"device/capture":             {"device/description", "device/packet", "device/rss", "device/tunnel", "device/wire"},
	"device/packet":              {"device/description", "device/roce", "device/rss", "device/traffic", "device/tunnel", "device/wire"},
	"device/completion":          {"device/counter", "device/moderation", "device/polling"},
	"device/counter":             {"device/description"},
	"device/bounds":              {},
	"device/description":         {"device/bounds", "device/firmware", "device/infiniband/qos", "device/tomlfile", "device/tunnel", "device/wire"},
	"device/tomlfile":            {},
	"device/card":                {"device/counter"},
	"device/functions":           {"device/counter", "device/description", "device/setup", "device/traffic"},
	"device/framesize":           {"device/description", "device/offload", "device/tunnel", "device/wire"},
	"device/tap":                 {"device/counter", "device/description", "device/packet", "device/roce", "device/setup"},
	"device/pause":               {"device/counter", "device/description", "device/dscp", "device/setup"},
	"device/reach":               {},
	"device/congestion":          {"device/dcqcn"},
	"device/effort":              {"device/completion", "device/description", "device/offload", "device/setup"},
	"device/farend":              {"device/counter", "device/pause"},
	"device/dcbx":                {},
	"device/dropless":            {},
	"device/setup":               {"device/bounds", "device/completion", "device/counter", "device/dcbx", "device/dcqcn", "device/description", "device/dscp", "device/moderation", "device/polling", "device/ring", "device/tunnel"},
	"device/traffic":             {"device/description", "device/ring", "device/roce", "device/rss"},

	"driver/exercise": {"driver/wording"},
	"driver/adapters": {"driver/cmdlet", "driver/limits", "driver/operation", "driver/registry", "driver/request", "driver/virtualization"},
	// It knows every kind of Operation, to decode it, and nothing of the host that applies it.
	"driver/journal": {"driver/adapters", "driver/boot", "driver/dump", "driver/fabric", "driver/flash", "driver/hardware", "driver/health", "driver/intent", "driver/linux",
		"driver/mpi", "driver/opensm", "driver/operation", "driver/packages", "driver/power", "driver/qos", "driver/registry", "driver/request", "driver/services", "driver/stack",
		"driver/subnet", "driver/teams", "driver/virtualization"},
	"driver/cmdlet":           {"driver/request"},
	"driver/eventlog":         {"driver/request", "driver/table"},
	"driver/health/.":         {},
	"driver/health/healing":   {"driver/health/.", "driver/operation", "driver/registry", "driver/request", "driver/table"},
	"driver/health/installer": {"driver/operation", "driver/request", "driver/table"},
	// The rules of findings are data; the check-up above the host fills in the facts.
	"driver/health/findings": {"driver/eventlog", "driver/table"},
	"driver/checkup":         {"driver/.", "driver/eventlog", "driver/fabric", "driver/health/findings", "driver/journal", "driver/limits", "driver/lossless", "driver/lossless/plans", "driver/qos", "driver/registry", "driver/request", "driver/survey", "driver/teams", "driver/virtualization"},
	"driver/dump":            {"driver/eventlog", "driver/health/.", "driver/hostfiles", "driver/limits", "driver/registry", "driver/request", "driver/virtualization"},
	"driver/flash":           {"driver/limits", "driver/operation", "driver/request", "driver/table"},
	"driver/packages":        {"driver/flash", "driver/hostfiles", "driver/limits", "driver/operation", "driver/registry", "driver/request", "driver/table"},
	"driver/hardware":        {"driver/cmdlet", "driver/operation", "driver/request"},
	"driver/hostfiles":       {"driver/request"},
	"driver/fabric":          {"driver/cmdlet", "driver/operation", "driver/request"},
	// The owner of a running host is above the host; nothing below the host imports it.
	"driver/keeper":   {"driver/."},
	"driver/limits":   {"driver/table"},
	"driver/registry": {"driver/cmdlet", "driver/limits", "driver/operation", "driver/request", "driver/table", "driver/virtualization/hyperv"},
	// An intent is plain data, and the survey above the host fills in the facts and makes plans.
	"driver/intent":    {"driver/limits", "driver/operation", "driver/qos", "driver/request", "driver/wording"},
	"driver/survey":    {"driver/.", "driver/adapters", "driver/fabric", "driver/intent", "driver/lossless", "driver/qos", "driver/registry", "driver/stack", "driver/virtualization"},
	"driver/boot":      {"driver/limits", "driver/operation", "driver/request"},
	"driver/power":     {"driver/limits", "driver/operation", "driver/request"},
	"driver/mpi":       {"driver/operation", "driver/request"},
	"driver/operation": {},
	"driver/qos":       {"driver/cmdlet", "driver/operation", "driver/request", "driver/wording"},
	"driver/linux":     {"driver/operation", "driver/request"},
	// The machine that cxdeck runs on: reading it needs nothing of the lab.
	"driver/linuxhost/.":     {},
	"driver/linuxhost/apply": {"driver/linuxhost/."},
	"driver/opensm":          {"driver/cmdlet", "driver/hostfiles", "driver/linux", "driver/operation", "driver/request"},
	"driver/programs":        {"driver/eventlog", "driver/hostfiles", "driver/linux", "driver/opensm", "driver/services"},
	"driver/services":        {"driver/cmdlet", "driver/eventlog", "driver/operation", "driver/request"},
	"driver/stack":           {"driver/cmdlet", "driver/operation", "driver/registry", "driver/request", "driver/wording"},
	"driver/request":         {},
	"driver/scenes":          {"driver/.", "driver/journal", "driver/request"},
	// Writers of plans need a host for the trial run; nothing below the host imports them.
	"driver/script": {"driver/.", "driver/cmdlet", "driver/registry"},
	"driver/table":  {},
	// It makes a lab of a host's exports, tries it on a host, and writes a host's exports.
	"driver/twin":       {"driver/.", "driver/fabric/.", "driver/journal", "driver/linuxhost/.", "driver/qos", "driver/registry", "driver/request", "driver/stack", "driver/teams", "driver/wording"},
	"driver/windowslog": {"driver/.", "driver/eventlog", "driver/power", "driver/stack"},
	// It runs a copy of a host.
	"driver/sniffer": {"driver/.", "driver/limits", "driver/registry", "driver/request"},
	"driver/teams":   {"driver/cmdlet", "driver/eventlog", "driver/operation", "driver/request"},
	// It never imports teams: a switch on a team asks the host for the team's ports.
	"driver/virtualization":        {"driver/cmdlet", "driver/limits", "driver/operation", "driver/registry", "driver/request", "driver/wording"},
	"driver/virtualization/hyperv": {},
	// The core imports none of its parts, sources import the core and not each other, and the monitor imports no source.
	"perf/.":           {},
	"perf/chunk":       {},
	"perf/compare":     {"perf/."},
	"perf/diagnosis/.": {"perf/.", "perf/labstate"},
	// It makes a source of a host that no monitor samples.
	"perf/diagnosis/observe":   {"perf/.", "perf/diagnosis", "perf/lab", "perf/labstate"},
	"perf/fit":                 {"perf/.", "perf/lab"},
	"perf/forecast":            {"perf/.", "perf/lab"},
	"perf/lab":                 {"perf/.", "perf/labstate"},
	"perf/labstate":            {},
	"perf/local":               {"perf/."},
	"perf/monitor":             {"perf/.", "perf/diagnosis", "perf/labstate", "perf/threshold", "perf/window"},
	"perf/pdh":                 {"perf/.", "perf/regular"},
	"perf/prometheus/.":        {"perf/."},
	"perf/prometheus/alerting": {"perf/.", "perf/prometheus"},
	"perf/prometheus/fleet":    {"driver/eventlog", "driver/wording", "perf/.", "perf/prometheus/."},
	"perf/regular":             {},
	"perf/report":              {"perf/.", "perf/pdh", "perf/prometheus"},
	"perf/threshold":           {"perf/."},
	"perf/window":              {"perf/.", "perf/chunk"},
	// It shares the meaning of formatted values with logs.
	"perf/windows/.":     {"perf/.", "perf/pdh"},
	"perf/windows/apply": {"perf/windows/."},
	// store composes the parts of the history; they never import it.
	"store/codec":    {},
	"store/document": {"store/fault"},
	// It is SQLite alone, without the history.
	"store/engine":   {},
	"store/fault":    {"store/codec", "store/engine", "store/lock"},
	"store/intake":   {"store/salvage"},
	"store/level":    {"store/codec"},
	"store/lock":     {},
	"store/parts":    {"store/codec", "store/fault", "store/level", "store/sqlite"},
	"store/query":    {"store/.", "store/engine"},
	"store/recovery": {"store/codec", "store/document", "store/level", "store/parts", "store/salvage", "store/schema", "store/series", "store/sessions", "store/sqlite"},
	"store/replay":   {"store/codec", "store/fault", "store/level", "store/parts", "store/series", "store/sessions", "store/sqlite"},
	"store/rollup":   {"store/codec", "store/fault", "store/level", "store/parts", "store/series", "store/sessions", "store/sqlite"},
	"store/salvage":  {},
	"store/schema":   {"store/codec", "store/engine", "store/intake", "store/salvage", "store/series", "store/sqlite"},
	"store/series":   {"store/codec", "store/document", "store/fault", "store/sqlite"},
	"store/sessions": {"store/fault", "store/sqlite"},
	"store/sqlite":   {"store/engine", "store/fault", "store/salvage"},
	"store/transfer": {"store/codec", "store/document", "store/engine", "store/fault", "store/intake", "store/level", "store/lock", "store/parts", "store/replay",
		"store/salvage", "store/schema", "store/series", "store/sessions", "store/sqlite"},
	// The parts of the command line know nothing of its flags and tables; views/cli composes them.
	"views/cli/answer":     {"views/exec"},
	"views/cli/labs":       {"views/cli/saving", "views/cli/twin", "views/exec"},
	"views/cli/process":    {"views/exec"},
	"views/cli/savedhosts": {"views/cli/labs", "views/deck", "views/exec"},
	"views/cli/training":   {"views/cli/process", "views/exec", "views/train"},
	// The packages of the Counters screen draw nothing.
	"views/counters/dimension": {},
	"views/counters/preset":    {"views/counters/dimension", "views/counters/search"},
	"views/counters/search":    {},
	"views/counters/timeline":  {"views/deck"},
	// Lines are words before there are commands, and completion reads the table of commands.
	"views/exec/syntax":      {},
	"views/exec/complete":    {"views/exec/.", "views/exec/registrykey", "views/exec/shell", "views/exec/syntax"},
	"views/exec/registrykey": {"views/exec/.", "views/exec/syntax"},
	"views/exec/drafts":      {"views/exec/."},
	"views/exec/machines":    {"views/exec/."},
	// What all cmdlets share imports no cmdlets, and the modules of PowerShell do not import each other; their table has them all.
	"views/exec/powershell/.":          {"views/exec/.", "views/exec/shell", "views/exec/syntax"},
	"views/exec/powershell/hyperv":     {"views/exec/.", "views/exec/machines", "views/exec/powershell/."},
	"views/exec/powershell/lbfo":       {"views/exec/.", "views/exec/syntax", "views/exec/powershell/."},
	"views/exec/powershell/mlnx":       {"views/exec/.", "views/exec/registrykey", "views/exec/powershell/."},
	"views/exec/powershell/netadapter": {"views/exec/.", "views/exec/machines", "views/exec/registrykey", "views/exec/powershell/."},
	"views/exec/powershell/qos":        {"views/exec/.", "views/exec/powershell/."},
	"views/exec/powershell/windows":    {"views/exec/.", "views/exec/registrykey", "views/exec/syntax", "views/exec/powershell/."},
	// What the programs of InfiniBand share imports no program; a program knows nothing of commands and hosts.
	"views/exec/subnet/.":              {},
	"views/exec/subnet/administration": {"views/exec/subnet/."},
	"views/exec/subnet/discovery":      {"views/exec/subnet/.", "views/exec/subnet/administration"},
	"views/exec/subnet/paths":          {"views/exec/subnet/."},
	"views/exec/subnet/ports":          {"views/exec/subnet/."},
	// The keys of the Registry screen draw nothing either.
	"views/registry/keyset": {},
}

// screenLibraries are imported by ui, ui/widget and themes alone, so that a new major version of them is a change in
// one room.
var screenLibraries = []string{
	"github.com/charmbracelet/bubbletea",
	"github.com/charmbracelet/bubbles",
	"github.com/charmbracelet/lipgloss",
}

type listedPackage struct {
	ImportPath string
	Imports    []string
	Doc        string
}

func TestImportTable(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		path, ours := strings.CutPrefix(p.ImportPath, "cxdeck/")
		if !ours {
			continue // main may import all
		}
		room, _, _ := strings.Cut(path, "/")
		allowed, known := rooms[room]
		if !known {
			t.Errorf("package %s stands in no room of the architecture", p.ImportPath)
			continue
		}
		if p.Doc == "" {
			t.Errorf("package %s has no doc comment that says what belongs there", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if why := forbidden(path, room, allowed, imported); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, why)
			}
		}
	}
}

func TestForbiddenFindsWrongImports(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path, imported string
		wrong          bool
	}{
		{"device", "cxdeck/driver", true},
		{"device/rss", "cxdeck/device", false},
		{"perf", "cxdeck/store", true},
		{"perf", "github.com/charmbracelet/bubbletea", true},
		{"ui/widget", "github.com/charmbracelet/bubbles/textinput", false},
		{"ui", "cxdeck/perf", true},
		{"views/counters", "cxdeck/perf", false},
		{"views/counters", "github.com/charmbracelet/lipgloss", true},
		{"themes", "cxdeck/ui", true},
		{"views/report", "html/template", true},
		{"views/exec/winof", "cxdeck/views/exec/host", true},
		{"views/exec/winof", "cxdeck/views/exec", false},
		{"views/exec/catalog", "cxdeck/views/exec/host", false},
		{"driver/eventlog", "cxdeck/driver", true},
		{"driver/eventlog", "cxdeck/device", false},
		{"driver/registry", "cxdeck/driver/registry/tuning", false},
		{"driver/registry/tuning", "cxdeck/driver/eventlog", true},
		{"driver", "cxdeck/driver/eventlog", false},
		{"perf", "cxdeck/perf/chunk", true},
		{"perf", "cxdeck/driver/eventlog", false},
		{"perf/lab", "cxdeck/perf", false},
		{"perf/lab", "cxdeck/perf/pdh", true},
		{"perf/local", "cxdeck/perf/lab", true},
		{"perf/pdh", "cxdeck/perf/window", true},
		{"perf/monitor", "cxdeck/perf/lab", true},
		{"perf/monitor", "cxdeck/perf/labstate", false},
		{"perf/window", "cxdeck/perf/monitor", true},
		{"driver/fabric", "cxdeck/driver", true},
		{"driver/qos", "cxdeck/driver", true},
		{"driver/teams", "cxdeck/driver", true},
		{"driver/teams", "cxdeck/driver/virtualization", true},
		{"store/salvage", "cxdeck/store", true},
		{"store/codec", "cxdeck/store", true},
		{"store/lock", "cxdeck/store", true},
		{"store/query", "cxdeck/store", false},
		{"store/query", "cxdeck/store/lock", true},
		{"store/parts", "cxdeck/store/sessions", true},
		{"store/rollup", "cxdeck/store/replay", true},
		{"store/transfer", "cxdeck/store", true},
		{"views/counters/search", "cxdeck/views/deck", true},
		{"views/exec/powershell/hyperv", "cxdeck/views/exec/powershell/lbfo", true},
		{"views/exec/powershell/hyperv", "cxdeck/views/exec/powershell", false},
		{"views/exec/powershell", "cxdeck/views/exec/powershell/hyperv", true},
		{"views/exec/subnet/ports", "cxdeck/views/exec/subnet/discovery", true},
		{"views/exec/subnet/ports", "cxdeck/views/exec/subnet", false},
		{"views/counters/search", "cxdeck/perf", false},
	} {
		room, _, _ := strings.Cut(c.path, "/")
		if got := forbidden(c.path, room, rooms[room], c.imported) != ""; got != c.wrong {
			t.Errorf("%s importing %s: forbidden is %v", c.path, c.imported, got)
		}
	}
}

// forbidden returns why a package must not import another, or "".
func forbidden(path, room string, allowed []string, imported string) string {
	for _, library := range screenLibraries {
		if imported != library && !strings.HasPrefix(imported, library+"/") {
			continue
		}
		if path == "ui" || path == "ui/widget" || room == "themes" {
			return ""
		}
		return "screen libraries stay in ui, ui/widget and themes"
	}
	if strings.HasSuffix(imported, "/template") && room != "tools" {
		return "the linker keeps every method of every type for a program that runs a template, which costs 3 MB of resident memory"
	}
	other, ours := strings.CutPrefix(imported, "cxdeck/")
	if !ours {
		return ""
	}
	otherRoom, _, _ := strings.Cut(other, "/")
	if otherRoom == room {
		return forbiddenPart(path, other)
	}
	for _, r := range allowed {
		if otherRoom == r {
			return ""
		}
	}
	return room + " may import " + strings.Join(append(allowed, "nothing else of ours"), ", ")
}

// forbiddenPart returns why a package must not import another of its room, or "".
func forbiddenPart(path, other string) string {
	const families, catalog = "views/exec/", "views/exec/catalog"
	core := []string{ // what all families may use beside views/exec
		"views/exec/shell", "views/exec/syntax", "views/exec/console", "views/exec/hosts", "views/exec/registrykey", "views/exec/drafts", "views/exec/machines",
	}
	family, ours := strings.CutPrefix(path, families)
	family, _, _ = strings.Cut(family, "/")
	if ours && path != catalog && strings.HasPrefix(other, families) && !slices.Contains(core, other) && !within(other, families+family) {
		return "a family of commands imports the core and no other family"
	}
	for part, allowed := range parts {
		if !within(path, part) {
			continue
		}
		if slices.ContainsFunc(append(allowed, part), func(prefix string) bool { return within(other, prefix) }) {
			return ""
		}
		return part + " may import " + strings.Join(append(allowed, "nothing else of its room"), ", ")
	}
	return ""
}

// within reports whether a package is a part, or a sub-package of it.
func within(path, part string) bool {
	if alone, ok := strings.CutSuffix(part, "/."); ok {
		return path == alone
	}
	return path == part || strings.HasPrefix(path, part+"/")
}

// maxPackage and maxFile are the maximum numbers of lines of a package and of a file, without tests. A larger one holds several ideas.
const maxPackage, maxFile = 6200, 550

func TestSizes(t *testing.T) {
	t.Parallel()
	sizes := map[string]int{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		lines := strings.Count(string(text), "\n")
		if lines > maxFile {
			t.Errorf("%s has %d lines, more than %d: split it by idea", path, lines, maxFile)
		}
		sizes[filepath.Dir(path)] += lines
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, lines := range sizes {
		if lines > maxPackage {
			t.Errorf("the package %s has %d lines, more than %d: move an idea to a package of its own", folder, lines, maxPackage)
		}
	}
}

func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Doc", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listedPackage
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listedPackage
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) < 8 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	return packages
}

// changers are the methods of a lab that change its hardware.
var changers = regexp.MustCompile(`\b\w*(?:[lL]ab(?:\(\))?|hardware|model)\.(Bind|Configure|EmptyCapture|RefuseFunction|Reset(Card|Driver|Function|Guest|Rings|Virtual)|` +
	`Set(Cable|Dropless|Enabled|Fault|FlowScale|Function\w+|Guests\w*|ProcessorSpeed|Slot|SwitchPort|VirtualPorts)|Start(Capture|Counting)|StopCapture)\(`)

// TestOnlyTheHostChangesHardware: sources and screens only read the lab; changes go through the host.
func TestOnlyTheHostChangesHardware(t *testing.T) {
	t.Parallel()
	for line, wrong := range map[string]bool{
		"l.host.Lab().StartCounting(port)": true, "lab.SetCable(0, true)": true, "host.StartCounting(port)": false,
		"lab.Settings(port).RSS": false, "model.Ports()": false,
	} {
		if changers.MatchString(line) != wrong {
			t.Errorf("%s changes hardware: want %v", line, wrong)
		}
	}
	for _, room := range []string{"perf", "store", "views"} {
		err := filepath.WalkDir(room, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if found := changers.Find(text); found != nil {
				t.Errorf("%s changes hardware: %s", path, found)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// openers are the functions that open a file by name, and may block if it is not a regular file.
var openers = regexp.MustCompile(`\bos\.(Open|OpenFile|ReadFile)\(`)

// opening lists the places that may call them: the package for files that operators name, paths of the kernel, new files that must
// not exist, and programs for developers.
var opening = map[string]string{
	"perf/regular/regular.go":   "the one way",
	"perf/local/sysfs_linux.go": "files of the kernel", "views/cli/process/code_linux.go": "files of the kernel",
	"perf/local/rdma_linux.go": "files of the kernel, without waiting", "driver/linuxhost/sysfs_linux.go": "files of the kernel, without waiting",
	"driver/linuxhost/kernellog_linux.go": "the kernel log, without waiting",
	"driver/linuxhost/apply/set_linux.go": "files of the kernel, which are never created",
	"driver/linuxhost/apply/journal.go":   "its own journal, after a check of the file's kind",
	"perf/windows/apply/apply.go":         "O_EXCL", "views/machine/export.go": "O_EXCL",
	"store/sqlite/create.go": "O_EXCL", "store/readcopy.go": "O_EXCL", "views/counters/export.go": "O_EXCL",
	"views/deck/files.go": "O_EXCL", "views/cli/process/crash.go": "O_EXCL", "ui/crash.go": "O_EXCL",
	"device/infiniband/simtest/simtest.go": "files of real programs in a test's directory",
	"ui/widget/widgettest/widgettest.go":   "testdata", "views/viewtest/procedures.go": "testdata", "views/viewtest/golden.go": "testdata",
}

// TestOnlyListedPlacesOpenFiles: no other place opens a file by a name that may be a FIFO or a device.
func TestOnlyListedPlacesOpenFiles(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "tools") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		why := opening[filepath.ToSlash(path)]
		for n, line := range strings.Split(string(text), "\n") {
			if !openers.MatchString(line) || strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			if why == "" || why == "O_EXCL" && !strings.Contains(line, "os.O_EXCL") {
				t.Errorf("%s:%d opens a file: use perf/regular", path, n+1)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestStartCompilesNoExpression: regular expressions are compiled at their first use. As package variables, 11 of them took a tenth
// of the time until main.
func TestStartCompilesNoExpression(t *testing.T) {
	t.Parallel()
	compiled := regexp.MustCompile(`(?m)^(var \w+|\t\w+)\s+= regexp\.(MustCompile|Compile)`)
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "tools") {
			return err
		}
		text, err := os.ReadFile(path)
		if at := compiled.FindIndex(text); at != nil {
			t.Errorf("%s:%d compiles an expression before main: use sync.OnceValue", path, 1+strings.Count(string(text[:at[0]]), "\n"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
