package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestNothingIsWrittenWithoutAllowChanges traces the program while it reads this machine: it opens no file of the kernel for writing and
// sends no netlink message that changes anything.
func TestNothingIsWrittenWithoutAllowChanges(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	history := filepath.Join(t.TempDir(), "h.db")
	writing := regexp.MustCompile(`\b(open|openat|creat)\(.*?"(/sys|/proc|/dev)/[^"]*".*(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND)`)
	message := regexp.MustCompile(`nlmsg_type=([A-Za-z_0-9]+)`)
	for _, arguments := range [][]string{
		{"counters", "--source", "local", "-n", "3", "--interval", "100ms"}, {"--source", "local", "--plain", "--screen", "lab", "--ephemeral", "--interval", "100ms"}, {"local"}, {"local", "settings", "lo"},
		{"local", "set", "lo", "mtu=60000", "--db", history}, {"local", "undo", "--db", history}, {"local", "set", "lo", "mtu=60000", "--allow-changes", "--read-only", "--db", history},
	} {
		trace := filepath.Join(t.TempDir(), "trace")
		command := exec.Command(strace, append([]string{"-f", "-s", "200", "-e", "trace=open,openat,creat,sendto,sendmsg", "-o", trace, binary}, arguments...)...)
		command.Env = append(os.Environ(), "HOME="+t.TempDir())
		if arguments[0] == "--source" { // a new value is typed, and its plan reviewed
			command.Stdin = typed("e", "enter", "1600", "enter", "r", "y", "u", "esc", "q", "y")
		}
		output, err := command.CombinedOutput()
		if strings.Contains(string(output), "ptrace") {
			t.Skipf("tracing is denied here: %s", output)
		}
		if err != nil && arguments[1] != "undo" { // there is nothing to undo
			t.Fatalf("%q: %v: %s", arguments, err, output)
		}
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		sent := 0
		for line := range strings.Lines(string(text)) {
			if writing.MatchString(line) && !strings.Contains(line, "/dev/tty") && !strings.Contains(line, "/dev/null") {
				t.Errorf("%q opens for writing: %s", arguments, line)
			}
			if !strings.Contains(line, "sendto(") && !strings.Contains(line, "sendmsg(") {
				continue
			}
			for _, found := range message.FindAllStringSubmatch(line, -1) {
				sent++
				if kind := found[1]; strings.HasPrefix(kind, "RTM_") && !strings.HasPrefix(kind, "RTM_GET") {
					t.Errorf("%q sends %s: %s", arguments, kind, line)
				}
			}
		}
		if sent == 0 && arguments[1] != "undo" {
			t.Errorf("%q: the trace has no netlink message", arguments)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(history), "local-changes.jsonl")); err == nil {
			t.Errorf("%q writes the journal", arguments)
		}
	}
}

// typed is an input in which a line comes every half second, as an operator types.
func typed(lines ...string) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		for _, line := range lines {
			time.Sleep(500 * time.Millisecond)
			if _, err := io.WriteString(writer, line+"\n"); err != nil {
				return
			}
		}
		_ = writer.Close()
	}()
	return reader
}

// TestChangesWithinTheConsole runs the console in a network namespace of its own: it changes loopback after a review, keeps one change,
// undoes it, and restores the one that waits for an answer when the console ends.
func TestChangesWithinTheConsole(t *testing.T) {
	t.Parallel()
	unshare, err := exec.LookPath("unshare")
	if err != nil || exec.Command(unshare, "-n", "true").Run() != nil {
		t.Skip("a network namespace can't be made here: it requires root")
	}
	folder := t.TempDir()
	script := `"$0" "$@"; "$0" local settings lo | awk '$1 == "mtu" { print "mtu is", $2 }'; "$0" local journal --db ` + filepath.Join(folder, "h.db")
	command := exec.Command(unshare, "-n", "sh", "-c", script, binary, "--source", "local", "--plain", "--screen", "lab", "--allow-changes", "--interval", "100ms",
		"--db", filepath.Join(folder, "h.db"))
	command.Env = append(os.Environ(), "HOME="+t.TempDir())
	command.Stdin = typed("e", "enter", "1600", "enter", "r", "y", "y", "u", "y", "y", "enter", "1700", "enter", "r", "y", "ctrl+c")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	rest := string(output)
	for _, want := range []string{
		"Settings of this machine", "65536", "mtu of lo: 65536 -> 1600", "ip link set dev lo mtu 1600", "Keep this change?", "done and read back", "Undo change 1",
		"mtu of lo: 1600 -> 65536", "done and read back", "65536 -> 1700", "Keep this change?", "mtu is 65536", "kept", "kept (undoes 1)", "reverted",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is missing in the rest of\n%s\nall:\n%s", want, rest, output)
		}
		rest = after
	}
}

// TestChangesOfAMachine runs the program in a network namespace of its own: it changes loopback there, undoes it, and restores what
// nobody confirms.
func TestChangesOfAMachine(t *testing.T) {
	t.Parallel()
	unshare, err := exec.LookPath("unshare")
	if err != nil || exec.Command(unshare, "-n", "true").Run() != nil {
		t.Skip("a network namespace can't be made here: it requires root")
	}
	history := filepath.Join(t.TempDir(), "new folder", "h.db")
	script := `set -u
mtu() { "$0" local settings lo | awk '$1 == "mtu" { print "mtu is", $2 }'; }
run() { "$0" local "$@" --db "` + history + `"; echo "exit $?"; }
mtu
run set lo mtu=1600 --allow-changes --yes
mtu
run set lo mtu=1600 --allow-changes --yes
run undo --allow-changes --yes
mtu
echo keep | run set lo mtu=1700 --allow-changes
mtu
echo no | run set lo mtu=1800 --allow-changes
sleep 3 | run set lo mtu=1900 --allow-changes --confirm 1s
mtu
run set lo mtu=10 --allow-changes
run undo --allow-changes --yes
run undo --allow-changes
run journal
`
	command := exec.Command(unshare, "-n", "sh", "-c", script, binary)
	command.Env = append(os.Environ(), "HOME="+t.TempDir())
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	rest := string(output)
	for _, want := range []string{
		"mtu is 65536", "ip link set dev lo mtu 1600", "Done and read back: change 1", "exit 0", "mtu is 1600", "Nothing changes", "Undo change 1", "change 2", "mtu is 65536",
		"Type keep within 1m0s", "change 3", "mtu is 1700", "was not confirmed: the old values are restored", "exit 1", "within 1s", "was not confirmed", "exit 1", "mtu is 1700",
		"must be an integer from 68", "exit 2", "Undo change 3", "there is no change to undo", "exit 1", "kept (undoes 1)", "reverted", "it was not confirmed", "kept (undoes 3)",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is missing in the rest of\n%s", want, output)
		}
		rest = after
	}
}

// TestAKilledProgramLeavesTheOldValues kills the program, its guard or both while a change waits for its confirmation: the old values come
// back, or the next start says what is in place.
func TestAKilledProgramLeavesTheOldValues(t *testing.T) {
	t.Parallel()
	unshare, err := exec.LookPath("unshare")
	if err != nil || exec.Command(unshare, "-n", "true").Run() != nil {
		t.Skip("a network namespace can't be made here: it requires root")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("the program ip, which changes a setting behind the back of cxdeck, is not installed")
	}
	folder := t.TempDir()
	script := `set -u
cd "` + folder + `"
settle() { n=0; until [ "$("$0" local settings lo | awk '$1 == "mtu" { print $2 }')" = "$1" ] || [ $n = 100 ]; do n=$((n+1)); sleep 0.1; done; "$0" local settings lo | awk '$1 == "mtu" { print "mtu is", $2 }'; }
run() { "$0" local "$@" --db h.db 2>&1; }
start() {
	rm -f in out; mkfifo in
	"$0" local set lo mtu=$1 --allow-changes --confirm $2 --db h.db <in >out 2>&1 & parent=$!
	exec 7>in
	n=0; until grep -qs "Type keep" out || [ $n = 100 ]; do n=$((n+1)); sleep 0.1; done
	guard=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v p=$parent '$4 == p { print $1 }')
}
killed() { kill -9 $guard $parent; wait $parent; n=0; while [ -e /proc/$guard/exe ] && [ $n != 100 ]; do n=$((n+1)); sleep 0.1; done; }
start 2000 60s; settle 2000; echo second; run set lo mtu=2500 --allow-changes --yes; kill -9 $parent; echo killed; settle 65536; run journal
start 2100 60s; kill -9 $guard; echo no >&7; echo guard; settle 65536; cat out
start 2200 60s; kill -HUP $parent $guard; echo hup; settle 65536
start 2300 60s; killed; echo both; settle 2300; run show bonds; run journal; run undo --allow-changes --yes; settle 65536; run show bonds
start 2400 60s; killed; echo keep; run keep --allow-changes; settle 2400; run undo --allow-changes --yes
start 2600 60s; killed; ip link set lo mtu 65536; echo restarted; run show bonds; run show bonds; echo end
`
	command := exec.Command(unshare, "-n", "sh", "-c", script, binary)
	command.Env = append(os.Environ(), "HOME="+t.TempDir())
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	rest := string(output)
	for _, want := range []string{
		"mtu is 2000", "second", "nothing was changed: another change of this machine waits for its confirmation in process", "killed", "mtu is 65536",
		"reverted", "the program ended before it was confirmed", "guard", "mtu is 65536", "the old values are restored", "hup", "mtu is 65536",
		"both", "mtu is 2300", "change 4 of", "was never confirmed", "cxdeck local undo --allow-changes restores", "waiting", "Undo change 4", "change 5", "mtu is 65536",
		"keep", "Change 6 is kept", "mtu is 2400", "Undo change 6", "restarted", "change 8 of", "the old values hold again", "end",
	} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is missing in the rest of\n%s", want, output)
		}
		rest = after
	}
	if strings.Count(string(output), "hold again") != 1 {
		t.Errorf("the sentence about a change that is over is said more than once:\n%s", output)
	}
}
