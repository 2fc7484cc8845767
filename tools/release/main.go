// Command release makes the files of a release in a folder: archives for Linux and Windows, packages for Debian and Red Hat, an
// inventory of the modules in each program (CycloneDX), and checksums. The same commit gives the same bytes with the same compilers:
// all times are the commit's.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// target is a platform to build for.
type target struct {
	system, processor string
	// compiler is the C compiler; empty builds without cgo.
	compiler string
	packages bool
}

var targets = []target{
	{system: "linux", processor: "amd64", compiler: "gcc", packages: true},
	{system: "linux", processor: "arm64", packages: true},
	{system: "windows", processor: "amd64", compiler: "x86_64-w64-mingw32-gcc"},
}

// release is one run.
type release struct {
	version, commit string
	date            time.Time
	out, stage      string
}

func main() {
	version := flag.String("version", "", "version of the release (default: the one in main.go)")
	out := flag.String("out", "dist", "folder for the files; it must not exist")
	only := flag.String("only", "", "build only this platform, such as linux/amd64")
	modified := flag.Bool("modified", false, "accept a source that differs from the commit, and add +modified to the version")
	flag.Parse()
	if err := run(*version, *out, *only, *modified); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(version, out, only string, modified bool) error {
	r := &release{version: version, out: out}
	if err := r.identify(modified); err != nil {
		return err
	}
	if err := os.Mkdir(out, 0o755); err != nil { //nolint:gosec // for everybody to read
		return err
	}
	var err error
	if r.stage, err = os.MkdirTemp("", "cxdeck-release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.stage) //nolint:errcheck // only the files in out matter
	if err := r.writePages(); err != nil {
		return err
	}
	known := false
	for _, t := range targets {
		if only == "" || only == t.system+"/"+t.processor {
			known = true
			if err := r.makeTarget(t); err != nil {
				return fmt.Errorf("%s/%s: %w", t.system, t.processor, err)
			}
		}
	}
	if !known {
		return fmt.Errorf("unknown platform %q", only)
	}
	return r.writeChecksums()
}

var versionForm = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`)

// identify reads version, commit and date.
func (r *release) identify(modified bool) error {
	if r.version == "" {
		text, err := os.ReadFile("main.go")
		if err != nil {
			return err
		}
		found := regexp.MustCompile(`version\s+= "(.*)"`).FindSubmatch(text)
		if found == nil {
			return errors.New("main.go has no version")
		}
		r.version = string(found[1])
	}
	if !versionForm.MatchString(r.version) {
		return fmt.Errorf("invalid version %q: want 1.2.3 or 1.2.3-word", r.version)
	}
	described, err := output(nil, "git", "log", "-1", "--format=%H %cI")
	if err != nil {
		return err
	}
	commit, date, _ := strings.Cut(strings.TrimSpace(described), " ")
	at, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return err
	}
	r.commit, r.date = commit, at.UTC()
	changes, err := output(nil, "git", "status", "--porcelain")
	switch {
	case err != nil:
		return err
	case changes != "" && !modified:
		return errors.New("the source differs from the commit: commit the changes, or pass --modified")
	case changes != "":
		r.version += "+modified"
	}
	return nil
}

// build builds the program for a platform.
func (r *release) build(t target, path string) error {
	environment := []string{"GOOS=" + t.system, "GOARCH=" + t.processor, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1"}
	if t.compiler != "" {
		environment = append(environment, "CGO_ENABLED=1", "CC="+t.compiler, "CGO_CFLAGS=-O2 -g0")
	}
	facts := fmt.Sprintf("-s -w -X main.version=%s -X main.commit=%s -X main.date=%s", r.version, r.commit, r.date.Format(time.RFC3339))
	_, err := output(environment, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", facts, "-o", path, ".")
	return err
}

// pages are the files that the program prints about itself.
var pages = map[string][]string{
	"cxdeck.1": {"man"}, "completions/cxdeck.bash": {"completion", "bash"}, "completions/_cxdeck": {"completion", "zsh"},
	"completions/cxdeck.fish": {"completion", "fish"}, "completions/cxdeck.ps1": {"completion", "powershell"},
}

// writePages prints the manual page and the completion scripts with a program for this machine.
func (r *release) writePages() error {
	program := filepath.Join(r.stage, "printer")
	environment := []string{"CGO_ENABLED=1", "CGO_CFLAGS=-O2 -g0"}
	if _, err := output(environment, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-X main.version="+r.version, "-o", program, "."); err != nil {
		return err
	}
	for name, arguments := range pages {
		text, err := output(nil, program, arguments...)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(r.stage, name), []byte(text)); err != nil {
			return err
		}
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(r.stage, name), text); err != nil {
			return err
		}
	}
	return nil
}

// makeTarget makes the files for a platform.
func (r *release) makeTarget(t target) error {
	name := fmt.Sprintf("cxdeck_%s_%s_%s", r.version, t.system, t.processor)
	program := "cxdeck"
	if t.system == "windows" {
		program += ".exe"
	}
	folder := filepath.Join(r.stage, t.system+"-"+t.processor)
	binary := filepath.Join(folder, program)
	if err := r.build(t, binary); err != nil {
		return err
	}
	licences, err := licencesOf(binary)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(folder, "THIRD-PARTY.txt"), licences); err != nil {
		return err
	}
	if err := r.writeInventory(binary, filepath.Join(r.out, name+".cdx.json")); err != nil {
		return err
	}
	files := []entry{{program, binary, 0o755}, {"THIRD-PARTY.txt", filepath.Join(folder, "THIRD-PARTY.txt"), 0o644}}
	common := []string{"LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md", "completions/cxdeck.ps1"}
	if t.system != "windows" {
		common = append(common, "cxdeck.1", "completions/cxdeck.bash", "completions/_cxdeck", "completions/cxdeck.fish")
	}
	for _, file := range common {
		files = append(files, entry{file, filepath.Join(r.stage, file), 0o644})
	}
	slices.SortFunc(files, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	if t.system == "windows" {
		return writeZip(filepath.Join(r.out, name+".zip"), name, files, r.date)
	}
	if err := writeTar(filepath.Join(r.out, name+".tar.gz"), name, files, r.date); err != nil {
		return err
	}
	if t.packages {
		return r.writePackages(t, folder)
	}
	return nil
}

// licencesInReadme are modules without a licence file, whose README names the licence.
var licencesInReadme = []string{"github.com/mattn/go-localereader"} // MIT

// licencesOf returns the licences of the modules in a program.
func licencesOf(binary string) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	goRoot, err := output(nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders := map[string]string{"Go " + info.GoVersion: strings.TrimSpace(goRoot)}
	names := []string{"Go " + info.GoVersion}
	for _, module := range info.Deps {
		folder, err := output(nil, "go", "list", "-m", "-f", "{{.Dir}}", module.Path)
		if err != nil {
			return nil, err
		}
		name := module.Path + " " + module.Version
		names, folders[name] = append(names, name), strings.TrimSpace(folder)
	}
	text := []byte("cxdeck contains these modules.\n")
	for _, name := range names {
		found, err := filepath.Glob(filepath.Join(folders[name], "[Ll][Ii][Cc][Ee][Nn]*"))
		if err != nil {
			return nil, err
		}
		if module, _, _ := strings.Cut(name, " "); len(found) == 0 && slices.Contains(licencesInReadme, module) {
			found = []string{filepath.Join(folders[name], "README.md")}
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s has no licence file", name)
		}
		for _, path := range found {
			licence, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			text = append(text, "\n"+strings.Repeat("=", 78)+"\n"+name+": "+filepath.Base(path)+"\n\n"...)
			text = append(text, licence...)
		}
	}
	return text, nil
}

// writeInventory lists the modules in a program. Time and hashes of the tool are removed: they differ between machines.
func (r *release) writeInventory(binary, path string) error {
	text, err := output(nil, "go", "tool", "-modfile=tools/tools.mod", "cyclonedx-gomod", "bin", "-json", "-noserial", "-version", r.version, binary)
	if err != nil {
		return err
	}
	var inventory map[string]any
	if err := json.Unmarshal([]byte(text), &inventory); err != nil {
		return err
	}
	metadata, ok := inventory["metadata"].(map[string]any)
	if !ok {
		return errors.New("the inventory has no metadata")
	}
	metadata["timestamp"] = r.date.Format(time.RFC3339)
	if tools, ok := metadata["tools"].([]any); ok {
		for _, tool := range tools {
			delete(tool.(map[string]any), "hashes")
		}
	}
	encoded, err := json.MarshalIndent(inventory, "", "  ")
	if err != nil {
		return err
	}
	return write(path, append(encoded, '\n'))
}

// writeChecksums lists the SHA-256 of each file, as sha256sum does.
func (r *release) writeChecksums() error {
	files, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(r.out, file.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(data), file.Name())
	}
	fmt.Print(list.String())
	return write(filepath.Join(r.out, "SHA256SUMS"), []byte(list.String()))
}

// output runs a program and returns what it prints; an error has what it prints about it.
func output(environment []string, name string, arguments ...string) (string, error) {
	cmd := exec.Command(name, arguments...) //nolint:gosec,noctx // the programs are named in this file
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(arguments, " "), err, failed.Stderr)
	}
	return string(out), err
}

// write writes a file and its folder.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // for everybody to read
		return err
	}
	return os.WriteFile(path, data, 0o644) //nolint:gosec // the same
}
