package savedhosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/request"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/store"
	"cxdeck/views/cli/labs"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
)

const (
	// hostFileFormat and hostFileVersion are the first fields of a host file.
	hostFileFormat  = "cxdeck host"
	hostFileVersion = 1
	// maxHostFile limits a host file in bytes: the maximum state in a history, the lab file and the other fields.
	maxHostFile = 96 << 20
)

// hostFile is the JSON form of a host for another machine: its state and its lab description.
type hostFile struct {
	Format  string          `json:"format"`
	Version int             `json:"version"`
	Name    string          `json:"name"`
	Seed    string          `json:"seed"` // a string, because programs round large numbers
	Elapsed time.Duration   `json:"elapsed_ns"`
	Time    time.Time       `json:"time"`
	Saved   time.Time       `json:"saved"`
	Cxdeck  string          `json:"cxdeck"`
	Lab     string          `json:"lab"`
	State   json.RawMessage `json:"state"`
}

// HostFileError reports a file that is not a host file, or that this cxdeck can't read.
type HostFileError struct {
	Path string
	Why  string
}

// Error names the file and the reason.
func (e *HostFileError) Error() string { return fmt.Sprintf("%s can't be loaded: %s", e.Path, e.Why) }

var (
	errNoHostFile = exec.Mistake("a host file requires a name, and the name given is empty")
	errHostToPipe = exec.Mistake("a host can't be written to -: name a file")
)

// readHostFile reads a host file, and checks it except for the state.
func readHostFile(path string) (hostFile, *description.Description, error) {
	fail := func(format string, arguments ...any) (hostFile, *description.Description, error) {
		return hostFile{}, nil, &HostFileError{path, fmt.Sprintf(format, arguments...)}
	}
	if path == "" {
		return hostFile{}, nil, errNoHostFile
	}
	data, err := deck.ReadFile(path, maxHostFile)
	if err != nil {
		return fail("%v", exec.FailureReason(err))
	}
	file, lab, err := parseHostFile(data)
	if err != nil {
		return fail("%v", err)
	}
	return file, lab, nil
}

// parseHostFile decodes a host file, and checks it except for the state.
func parseHostFile(data []byte) (hostFile, *description.Description, error) {
	var file hostFile
	if err := json.Unmarshal(data, &file); err != nil || file.Format != hostFileFormat {
		return file, nil, errors.New("it is not a host file; cxdeck host save writes one")
	}
	if file.Version != hostFileVersion {
		return file, nil, fmt.Errorf("it is a host file of version %d; this cxdeck reads version %d", file.Version, hostFileVersion)
	}
	if len(file.Lab) > labs.MaxText {
		return file, nil, errors.New("the description of its lab is too long")
	}
	lab, err := description.ParseText([]byte(file.Lab))
	if err != nil {
		return file, nil, fmt.Errorf("the description of its lab is invalid: %w", err)
	}
	if _, err := strconv.ParseUint(file.Seed, 10, 64); err != nil {
		return file, nil, request.Errorf("invalid seed %q", file.Seed)
	}
	if file.Elapsed < 0 {
		return file, nil, errors.New("the running time of its lab is negative")
	}
	return file, lab, nil
}

// saveHostFile writes the current host of --lab and --seed to a new file.
func (c *Command) saveHostFile(db *store.DB, path string) error {
	switch path {
	case "":
		return errNoHostFile
	case "-":
		return errHostToPipe
	}
	text, err := c.Lab.Text()
	if err != nil {
		return err
	}
	lab, err := c.Lab.Parse(text)
	if err != nil {
		return err
	}
	host, ok, err := db.Host(c.Ctx, lab.Hash(), c.Lab.Seed)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%s has no host of this lab with seed %d yet: the first change saves one", db.Path(), c.Lab.Seed)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err = encoder.Encode(hostFile{
		hostFileFormat, hostFileVersion, host.Name, strconv.FormatUint(host.Seed, 10), host.Elapsed, host.Time.UTC(), host.Saved.UTC(),
		host.Version, string(text), host.Data,
	})
	if err == nil {
		err = deck.WriteFiles([]script.File{{Path: path, Data: b.Bytes()}}, false)
	}
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already: choose another name", path)
	}
	if err != nil {
		return fmt.Errorf("the host was not saved in %s: %w", path, exec.FailureReason(err))
	}
	_, err = fmt.Fprintf(c.Out, "%s as of %s is saved in %s.\n", exec.Clean(host.Name), wording.Stamp(host.Time), exec.Clean(path))
	return err
}

// loadHostFile makes the host of a file the current one of its lab and seed, and sets the previous one aside.
func (c *Command) loadHostFile(db *store.DB, path string) error {
	file, lab, err := readHostFile(path)
	if err != nil {
		return err
	}
	seed, _ := strconv.ParseUint(file.Seed, 10, 64) // checked by parseHostFile
	state := store.HostState{
		LabHash: lab.Hash(), Seed: seed, Name: lab.Host.Name, Elapsed: file.Elapsed, Time: file.Time, Version: c.Lab.Version, Data: file.State,
	}
	if err := labs.TryHost(map[string]labs.KnownLab{state.LabHash: {Name: path, Layout: labs.LayOut(lab)}}, &state); err != nil {
		return &HostFileError{path, err.Error()}
	}
	kept, replaced, err := db.KeepHost(c.Ctx, state.LabHash, seed, "the host of a file was loaded")
	if err != nil {
		return err
	}
	if err := db.SaveHost(c.Ctx, state); err != nil {
		return err
	}
	replacement := "it replaced no host"
	if replaced {
		replacement = fmt.Sprintf("the host that it replaced is kept as host %d", kept)
	}
	start := "cxdeck"
	if all, err := c.Lab.Known(); err == nil {
		switch known, ok := all[state.LabHash]; {
		case !ok:
			start = "cxdeck host lab " + path + " > lab.toml, then cxdeck --lab lab.toml"
		case known.Name != "default":
			start += " --lab " + known.Name
		}
	}
	if seed != labs.DefaultSeed {
		start += " --seed " + file.Seed
	}
	_, err = fmt.Fprintf(c.Out, "%s as of %s is loaded; %s. %s resumes it.\n",
		exec.Clean(state.Name), wording.Stamp(state.Time), replacement, exec.Clean(start))
	return err
}

// printHostLab prints the description of the lab in a host file.
func (c *Command) printHostLab(path string) error {
	file, _, err := readHostFile(path)
	if err != nil {
		return err
	}
	_, err = c.Out.Write([]byte(file.Lab))
	return err
}

// resetHost sets the current host of --lab and --seed aside: the next start begins a new one.
func (c *Command) resetHost(db *store.DB) error {
	lab, err := c.Lab.Describe()
	if err != nil {
		return err
	}
	kept, ok, err := db.KeepHost(c.Ctx, lab.Hash(), c.Lab.Seed, "it was reset")
	if err != nil {
		return err
	}
	if !ok {
		_, err = fmt.Fprintln(c.Out, "There is no host of this lab and seed: the next start begins a new one.")
		return err
	}
	_, err = fmt.Fprintf(c.Out, "The next start begins a new host; the old one is kept as host %d, and cxdeck host restore %d restores it.\n", kept, kept)
	return err
}
