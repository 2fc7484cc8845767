package linux

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"cxdeck/device/description"
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// The host, the port GUID of its card, and the files of OpenSM.
const (
	Host                        = "linux1"
	PortGUID   description.GUID = 0x0002c903005e1a21
	Config                      = "/etc/opensm/opensm.conf"
	Partitions                  = "/etc/opensm/partitions.conf"
	Log                         = "/var/log/opensm.log"
)

// File is a file of the host that differs from a new host. A file that is gone has no text.
type File struct {
	Path string `json:"path"`
	Text string `json:"text,omitempty"`
	Gone bool   `json:"gone,omitempty"`
}

// State holds the changed files, by their paths. The list is replaced and never changed.
type State struct {
	Files []File `json:"files,omitempty"`
}

// Ports is the part of the host that follows the Linux host.
type Ports interface {
	// LinuxChanged is called after a file has changed.
	LinuxChanged()
}

// Set gives access to the Linux host.
type Set struct {
	Ports
	*State
}

// Operation is a change of the Linux host.
type Operation = operation.Of[Set]

// The limits of files: their number, the length of a path, and of a text.
const (
	maxFiles = 64
	maxPath  = 200
	maxText  = 64 << 10
)

// originals are the files of a new host.
func originals() map[string]string {
	files := map[string]string{
		Config:     "# OpenSM\nguid 0x0000000000000000\nsm_priority 0\nsweep_interval 10\nvirt_enable 0\nlog_file " + Log + "\n",
		Partitions: "Default=0x7fff, ipoib : ALL=full;\n",
		GUIDFile:   noGUID + "\n",
	}
	for i := range VirtualKeys {
		text := none
		if i == 0 {
			text = "0"
		}
		files[PKeyFile(i)] = text + "\n"
	}
	return files
}

// Read returns the text of a file; ok is false for one that is not there.
func (s *State) Read(path string) (text string, ok bool) {
	if i := slices.IndexFunc(s.Files, func(f File) bool { return f.Path == path }); i >= 0 {
		return s.Files[i].Text, !s.Files[i].Gone
	}
	text, ok = originals()[path]
	return text, ok
}

// List returns the paths of all files.
func (s *State) List() (paths []string) {
	for path := range originals() {
		paths = append(paths, path)
	}
	for _, f := range s.Files {
		paths = append(paths, f.Path)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return slices.DeleteFunc(paths, func(path string) bool { _, there := s.Read(path); return !there })
}

// checkPath returns why a path is invalid.
func checkPath(path string) error {
	if !strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/") || len(path) > maxPath || !utf8.ValidString(path) || strings.ContainsFunc(path, request.IsUnsafe) ||
		slices.ContainsFunc(strings.Split(path[1:], "/"), func(part string) bool { return part == "" || part == "." || part == ".." }) {
		return request.Errorf("%s: no such file or directory", path)
	}
	return nil
}

// checkText returns why a file can't have a text.
func checkText(text string) error {
	if len(text) > maxText || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && request.IsUnsafe(r) }) {
		return fmt.Errorf("a file of the Linux host has at most %d bytes of text", maxText)
	}
	return nil
}

// Check validates a saved state.
func (s *State) Check() error {
	seen := map[string]bool{}
	for _, f := range s.Files {
		if checkPath(f.Path) != nil || checkText(f.Text) != nil || seen[f.Path] || f.Gone && f.Text != "" {
			return errors.New("the saved host has damaged files of the Linux host")
		}
		seen[f.Path] = true
	}
	if len(s.Files) > maxFiles {
		return errors.New("the saved host has too many files of the Linux host")
	}
	return nil
}

// put stores a file; one as on a new host is not stored.
func (s *State) put(f File) {
	list := slices.DeleteFunc(slices.Clone(s.Files), func(other File) bool { return other.Path == f.Path })
	if text, original := originals()[f.Path]; f.Gone != !original || !f.Gone && text != f.Text {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if s.Files = list; len(list) == 0 {
		s.Files = nil
	}
}

// WriteFile replaces the text of a file, or removes it.
type WriteFile struct {
	File File `json:"file"`
}

func (WriteFile) Kind() string { return "write-linux-file" }

func (WriteFile) Target() string { return Host }

func (o WriteFile) Describe() string {
	if o.File.Gone {
		return "remove " + o.File.Path + " of the Linux host " + Host
	}
	return "write " + o.File.Path + " of the Linux host " + Host
}

// Commands is empty: the lines of its console are the commands.
func (WriteFile) Commands() []string { return nil }

func (o WriteFile) Inverse(s Set) (Operation, error) {
	if err := errors.Join(checkPath(o.File.Path), checkText(o.File.Text), checkSetting(&o.File)); err != nil {
		return nil, err
	}
	text, there := s.Read(o.File.Path)
	switch {
	case o.File.Gone && o.File.Text != "":
		return nil, errors.New("a file that is removed has no text")
	case o.File.Gone != there && text == o.File.Text:
		return nil, request.Unchanged("the file is like that already")
	case !there && len(s.Files) >= maxFiles:
		return nil, errors.New("no space left on device")
	}
	return WriteFile{File{o.File.Path, text, !there}}, nil
}

func (o WriteFile) Apply(s Set) error {
	s.put(o.File)
	s.LinuxChanged()
	return nil
}

// Setting returns the value of a setting of OpenSM's configuration; empty for none.
func (s *State) Setting(name string) string {
	text, _ := s.Read(Config)
	value := ""
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] == name {
			value = fields[1]
		}
	}
	return value
}

// PKeys returns the partitions of the configuration that a port of a lab has, besides the default one: the partitions of ALL, with the membership
// that they give.
func (s *State) PKeys() (keys []description.PKey, err error) {
	text, _ := s.Read(Partitions)
	for _, statement := range strings.Split(withoutComments(text), ";") {
		statement = strings.TrimSpace(statement)
		if statement == "" {
			continue
		}
		key, full, member, err := partition(statement)
		if err != nil {
			return nil, err
		}
		if key.Full() == description.DefaultPKey || !member {
			continue
		}
		if full {
			key = key.Full()
		}
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

func withoutComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		b.WriteString(line + "\n")
	}
	return b.String()
}

// partition reads a statement: NAME=KEY [,flags] : members. member reports that it has ALL; full that ALL, or defmember, is full.
func partition(statement string) (key description.PKey, full, member bool, err error) {
	head, members, found := strings.Cut(statement, ":")
	if !found {
		return 0, false, false, request.Errorf("partitions.conf: %q has no members after a colon", statement)
	}
	flags := strings.Split(head, ",")
	_, value, named := strings.Cut(flags[0], "=")
	n, bad := parseKey(strings.TrimSpace(value))
	if !named || bad != nil {
		return 0, false, false, request.Errorf("partitions.conf: %q is not a name and a PKey such as pk1=0x123", strings.TrimSpace(flags[0]))
	}
	byDefault := false
	for _, flag := range flags[1:] {
		if name, value, _ := strings.Cut(strings.TrimSpace(flag), "="); name == "defmember" {
			byDefault = strings.TrimSpace(value) == "full"
		}
	}
	for _, word := range strings.Split(members, ",") {
		name, value, given := strings.Cut(strings.TrimSpace(word), "=")
		if name != "ALL" && name != "ALL_CAS" {
			continue
		}
		member = true
		full = byDefault && !given || given && strings.TrimSpace(value) == "full"
	}
	return n, full, member, nil
}

func parseKey(text string) (key description.PKey, err error) {
	digits, hex := strings.CutPrefix(strings.ToLower(text), "0x")
	if !hex || len(digits) == 0 || len(digits) > 4 {
		return 0, errors.New("a PKey begins with 0x")
	}
	digits = strings.Repeat("0", 4-len(digits)) + digits
	err = key.UnmarshalText([]byte(digits))
	return key &^ 0x8000, err
}
