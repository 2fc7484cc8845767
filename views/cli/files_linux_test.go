package cli

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestIrregularFiles passes empty names, FIFOs, directories, devices and broken links to each argument that names a file. The
// error is one sentence without the name of a system call.
func TestIrregularFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	home := t.TempDir()
	at := func(name string) string { return filepath.Join(home, name) }
	execIn(t, home, "", "vm", "create", "keepme").want(t, exitDone)
	execIn(t, home, "", "reg", "profile", "save", "p", "Ethernet 7").want(t, exitDone)
	execIn(t, home, "", "reg", "set", "Ethernet 7", "*JumboPacket", "9000", "--draft").want(t, exitDone)
	if err := errors.Join(syscall.Mkfifo(at("fifo"), 0o600), os.Mkdir(at("folder"), 0o700), os.Symlink("loop", at("loop")),
		os.Symlink("fifo", at("link")), os.Symlink("/dev/zero", at("zero"))); err != nil {
		t.Fatal(err)
	}
	names := []string{"", at("fifo/file"), at("fifo"), at("folder"), at("loop"), at("link"), at("zero"), "/dev/zero", "/dev/full"}
	foreign := regexp.MustCompile(`: (open|stat|read|rename|lstat|readlink) |  |\s[:;,]`)
	for what, line := range map[string]string{
		"host load": "host --db DB load FILE", "host lab": "host --db DB lab FILE", "host save": "host --db DB save FILE",
		"reg import": "exec --db DB reg import FILE", "reg export": "exec --db DB reg export FILE --force",
		"profile import": "exec --db DB reg profile import FILE", "profile export": "exec --db DB reg profile export p FILE --force",
		"plan export": "exec --db DB plan export FILE --force", "sessions import": "sessions --db DB import FILE",
		"sessions export": "sessions --db DB export 1 FILE --format csv", "--db": "exec --db FILE vm list",
		"--lab": "exec --db DB --lab FILE vm list", "--config": "exec --db DB --config FILE vm list", "--source": "counters --source FILE",
		"--log": "exec --db DB --log FILE vm list",
	} {
		for _, name := range names {
			var words []string
			for word := range strings.FieldsSeq(line) {
				words = append(words, strings.NewReplacer("DB", historyIn(home), "FILE", name).Replace(word))
			}
			got := runLine(t, words...)
			if got.code == exitDone || strings.Count(got.err, "\n") != 1 || !strings.HasPrefix(got.err, "cxdeck: ") || foreign.MatchString(got.err) {
				t.Errorf("%s %q: exit code %d, %q", what, name, got.code, got.err)
			}
		}
	}
}
