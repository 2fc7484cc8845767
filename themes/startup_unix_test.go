//go:build unix

package themes_test

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	_ "github.com/charmbracelet/bubbletea" // its initialisation is under test
	"github.com/creack/pty"

	_ "cxdeck/themes"
)

// TestStartSendsNoTerminalQuery runs this test binary, which contains Bubble Tea and this package, in a terminal that
// answers nothing. A query would show as an escape sequence, and delay the start by five seconds.
func TestStartSendsNoTerminalQuery(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8"}
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	// Reading ends with an error when the other side closes: that is how a Linux pseudo-terminal reports it.
	output, _ := io.ReadAll(terminal)
	if err := cmd.Wait(); err != nil {
		t.Errorf("the child failed: %v", err)
	}
	if text := string(output); strings.Contains(text, "\x1b") || !strings.Contains(text, "PASS") {
		t.Errorf("at its start the program wrote %q, want no escape sequence", text)
	}
}
