//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestShellsComplete types lines in the installed shells, on a host whose machines have hostile names.
func TestShellsComplete(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	for _, name := range []string{"my vm", "x$(touch pwned)", "it's"} {
		if got := ask(t, home, "exec", "vm", "create", name); got.code != 0 {
			t.Fatalf("%+v", got)
		}
	}
	typed := map[string]string{
		"cxdeck exec vm start my":               `cxdeck exec vm start my\ vm`,
		`cxdeck exec vm start "my`:              `cxdeck exec vm start "my vm"`,
		"cxdeck exec vm start x":                `cxdeck exec vm start x\$\(touch\ pwned\)`,
		"cxdeck exec vm start it":               `cxdeck exec vm start it\'s`,
		"cxdeck exec reg get Ethernet\\ 7 Jumb": `cxdeck exec reg get Ethernet\ 7 \*JumboPacket`,
		"cxdeck exec reg profile sa":            "cxdeck exec reg profile save",
		"cxdeck --theme=da":                     "cxdeck --theme=dark",
	}
	for shell, how := range map[string]struct {
		arguments []string
		load      string
	}{
		"bash": {[]string{"--norc", "--noprofile"}, "source <(cxdeck completion bash)"},
		"zsh":  {[]string{"-f"}, "autoload -U compinit; compinit -u -D; source <(cxdeck completion zsh)"},
		"fish": {[]string{"-N"}, "cxdeck completion fish | source"},
	} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%v: install %s", err, shell)
			}
			folder := t.TempDir()
			command := exec.Command(path, how.arguments...)
			command.Dir = folder
			command.Env = append(environment(home), "TERM=xterm", "PS1=> ", "LANG=C.UTF-8", "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"))
			c := startCommand(t, 120, 30, home, command)
			c.press(how.load+"; echo load''ed", "enter")
			c.waitText("loaded")
			for line, want := range typed {
				c.press("\x15", line, "tab") // a line of its own
				c.waitFor(want, func(screen string) bool { return strings.Contains(screen, want) })
			}
			if _, err := os.Stat(filepath.Join(folder, "pwned")); err == nil {
				t.Error("a name was run")
			}
		})
	}
}
