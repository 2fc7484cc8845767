package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestDraftPersists: one run adds to the draft, another applies it, and a third confirms it.
func TestDraftPersists(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	execIn(t, home, "", "reg", "set", "Ethernet 7", "*RSS", "0", "--draft").want(t, exitDone, "In the draft: Set *RSS")
	execIn(t, home, "", "--seed", "5", "plan", "show").want(t, exitDone, "The draft is empty")
	execIn(t, home, "", "--read-only", "plan", "show").want(t, exitDone, "Set *RSS of Ethernet 7 to 0")
	execIn(t, home, "", "--read-only", "plan", "apply").want(t, exitFailed, "read-only mode is on")
	execIn(t, home, "", "plan", "apply", "--confirm-within", "10m").want(t, exitDone, "Unless plan confirm is given within 10m0s, it is reverted")
	execIn(t, home, "", "reg", "set", "Ethernet 7", "*RSS", "1").want(t, exitFailed, "waits for its confirmation")
	execIn(t, home, "", "plan", "confirm").want(t, exitDone, "is kept")
	execIn(t, home, "", "plan", "apply").want(t, exitDone, "the draft is empty")
	execIn(t, home, "", "reg", "profile", "save", "one", "Ethernet 7", "*RSS").want(t, exitDone, "is saved")
	execIn(t, home, "", "--seed", "5", "reg", "profile", "apply", "one", "Ethernet 8", "--draft").want(t, exitDone, "In the draft")
	execIn(t, home, "reg set \"Ethernet 7\" *RSS 1 --draft\nplan apply\n", "--ephemeral").want(t, exitDone, "the draft is empty")
}

// TestWrittenFiles: only their owner can read files, and existing ones are replaced only with --force.
func TestWrittenFiles(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := filepath.Join(home, "a.reg")
	execIn(t, home, "", "reg", "export", path).want(t, exitDone, "a.reg")
	execIn(t, home, "", "reg", "export", path).want(t, exitFailed, "--force replaces it")
	execIn(t, home, "", "reg", "export", path, "Ethernet 7", "--force").want(t, exitDone)
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	execIn(t, home, "", "reg", "import", path).want(t, exitDone, "There is nothing to change")
	execIn(t, home, "", "reg", "import", home).want(t, exitFailed, "it is a directory, not a regular file")
	execIn(t, home, "", "reg", "import", filepath.Join(home, "none.reg")).want(t, exitFailed, "none.reg: no such file")
	execIn(t, home, "", "reg", "export", filepath.Join(home, "none", "b.reg")).want(t, exitFailed, "b.reg: no such file")
	if names, err := filepath.Glob(filepath.Join(home, ".cxdeck*")); err != nil || len(names) > 0 {
		t.Errorf("left: %v, %v", names, err)
	}
}
