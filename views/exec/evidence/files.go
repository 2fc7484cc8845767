package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/dump"
	"cxdeck/driver/eventlog/query"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/request"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
	"cxdeck/views/snapshot"
)

// hostFileRow is a file of the host as JSON.
type hostFileRow struct {
	Path  string    `json:"path"`
	Bytes int       `json:"bytes"`
	Time  time.Time `json:"time"`
	InUse bool      `json:"in_use"`
}

// filesList implements host files list.
func filesList(c *exec.Call) (exec.Answer, error) {
	list, used, err := hostFiles(c, strings.Join(c.Arguments, ""))
	if err != nil {
		return exec.Answer{}, err
	}
	rows := []hostFileRow{}
	for _, f := range list {
		rows = append(rows, hostFileRow{f.Path, f.Size, f.Time, f.InUse})
	}
	return exec.Answer{
		Result: struct {
			Files []hostFileRow `json:"files"`
			Used  int           `json:"used_bytes"`
			Limit int           `json:"limit_bytes"`
		}{rows, used, hostfiles.MaxBytes},
		Text: func(w io.Writer) error {
			if len(rows) == 0 {
				_, err := fmt.Fprintln(w, "The host has no such files; mlxtool dbg dump-me-now and mlxtool dbg mstdump write dumps.")
				return err
			}
			t := exec.NewTextTable(w, "TIME", "BYTES", "FILE")
			for _, row := range rows {
				name := row.Path
				if row.InUse {
					name += " (in use)"
				}
				t.Row(row.Time.Format(time.DateTime), strconv.Itoa(row.Bytes), name)
			}
			if err := t.Flush(); err != nil {
				return err
			}
			_, err := fmt.Fprintf(w, "%s; %s of %s of the disks are used.\n", wording.Count(len(rows), "file"), fileSize(int64(used)), fileSize(hostfiles.MaxBytes))
			return err
		},
	}, nil
}

// maxPattern bounds a pattern in bytes.
const maxPattern = 240

// hostFiles returns the files that match a pattern, and the bytes of all files.
func hostFiles(c *exec.Call, pattern string) (list []dump.FileView, used int, err error) {
	if len(pattern) > maxPattern {
		return nil, 0, exec.Mistake("a pattern can have at most %d bytes", maxPattern)
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		dumps := h.Dumps()
		list, used = dumps.FileViews(pattern), dumps.Files.Used()
		return nil
	})
	return list, used, err
}

// emptyError is the error when there are no files, or only files in use.
type emptyError string

// Error returns the reason.
func (e emptyError) Error() string { return string(e) }

// readFiles returns the files that match a pattern, with their data. Files in use are left out, and it is an error if there is no other.
func readFiles(c *exec.Call, pattern string) (members []hostfiles.Member, paths []string, err error) {
	list, _, err := hostFiles(c, pattern)
	if err != nil {
		return nil, nil, err
	}
	inUse := ""
	for _, f := range list {
		if f.InUse {
			inUse = f.Path
			continue
		}
		paths = append(paths, f.Path)
		members = append(members, hostfiles.Member{Name: hostfiles.MemberName(f.Path), Time: f.Time})
	}
	switch {
	case len(paths) == 0 && inUse != "":
		return nil, nil, emptyError(fmt.Sprintf("%s is in use: logman stop %s -ets completes it", inUse, dump.SessionName))
	case len(paths) == 0 && pattern == "*":
		return nil, nil, emptyError("the host has no files of dumps and traces")
	case len(paths) == 0:
		return nil, nil, request.Errorf("no file of the host matches %q; host files list prints them", pattern)
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		data, err := h.Dumps().Files.Read(paths...)
		for i := range data {
			members[i].Data = data[i]
		}
		return err
	})
	return members, paths, err
}

// filesShow implements host files show: it prints a file of text.
func filesShow(c *exec.Call) (exec.Answer, error) {
	members, paths, err := readFiles(c, c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	if len(members) != 1 {
		return exec.Answer{}, exec.Mistake("%d files match %q; host files list %[2]q prints them", len(members), c.Arguments[0])
	}
	lines := strings.Split(strings.TrimRight(string(members[0].Data), "\n"), "\n")
	hidden := max(0, len(lines)-exec.MaxRows)
	lines = lines[:len(lines)-hidden]
	return exec.Answer{
		Result: struct {
			Path   string   `json:"path"`
			Lines  []string `json:"lines"`
			Hidden int      `json:"lines_left_out"`
		}{paths[0], lines, hidden},
		Text: func(w io.Writer) error {
			if _, err := io.WriteString(w, exec.CleanLines(lines)); err != nil || hidden == 0 {
				return err
			}
			_, err := fmt.Fprintf(w, "and %d more lines: host files get copies the whole file\n", hidden)
			return err
		},
	}, nil
}

// archiveName is the name of an archive in a folder.
const archiveName = "host-files.zip"

// filesGet implements host files get: it copies a file, or an archive of several.
func filesGet(c *exec.Call) (exec.Answer, error) {
	members, paths, err := readFiles(c, c.Arguments[0])
	if nothing := emptyError(""); err != nil && (c.Flags["snapshot"] == "" || !errors.As(err, &nothing)) { // the snapshot is a ticket, too
		return exec.Answer{}, err
	}
	file := c.Arguments[1]
	if strings.HasSuffix(file, "/") || strings.HasSuffix(file, `\`) { // a folder
		file += archiveName
	}
	if c.Flags["snapshot"] != "" {
		if !hostfiles.IsArchive(file) {
			return exec.Answer{}, exec.Mistake("--snapshot is for an archive, whose name ends in .zip, .tar.gz or .tgz")
		}
		more, err := reportMembers(c)
		if err != nil {
			return exec.Answer{}, err
		}
		for _, m := range more {
			members, paths = append(members, m), append(paths, m.Name)
		}
	}
	var data bytes.Buffer
	switch {
	case hostfiles.IsArchive(file):
		if err := hostfiles.WriteArchive(&data, file, members); err != nil {
			return exec.Answer{}, err
		}
	case len(members) > 1:
		return exec.Answer{}, exec.Mistake("%d files match %q: an archive holds them, whose name ends in .zip, .tar.gz or .tgz", len(members), c.Arguments[0])
	default:
		data.Write(members[0].Data)
	}
	if err := c.Write([]script.File{{Path: file, Data: data.Bytes()}}); err != nil {
		return exec.Answer{}, err
	}
	return savedFiles(file, paths, data.Len()), nil
}

// savedFiles is the answer to a command that wrote files of the host into a file.
func savedFiles(file string, paths []string, size int) exec.Answer {
	return exec.Answer{
		Result: struct {
			File  string   `json:"file"`
			Bytes int      `json:"bytes"`
			Files []string `json:"files"`
		}{file, size, paths},
		Text: func(w io.Writer) error {
			verb := "is"
			if len(paths) > 1 {
				verb = "are"
			}
			_, err := fmt.Fprintf(w, "%s %s in %s, %s.\n", wording.Count(len(paths), "file"), verb, exec.Clean(file), fileSize(int64(size)))
			return err
		},
	}
}

// filesRemove implements host files remove.
func filesRemove(c *exec.Call) (exec.Answer, error) {
	pattern := c.Arguments[0]
	if pattern == "" {
		return exec.Answer{}, errors.New("a pattern is required; * means all files")
	}
	return c.ApplyOne(dump.RemoveFiles{Pattern: pattern})
}

// reportMembers returns the snapshot of the host as HTML and text, and its events as XML, for an archive.
func reportMembers(c *exec.Call) (members []hostfiles.Member, err error) {
	s, err := snapshot.Gather(c)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"snapshot.html", "snapshot.txt"} {
		var data bytes.Buffer
		if err := snapshot.Write(&data, name, s); err != nil {
			return nil, err
		}
		members = append(members, hostfiles.Member{Name: name, Time: s.Time, Data: data.Bytes()})
	}
	var data bytes.Buffer
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		return query.WriteXML(&data, h.EventsAfter(0), h.Lab().Description().Host.Name)
	})
	return append(members, hostfiles.Member{Name: "events.xml", Time: s.Time, Data: data.Bytes()}), err
}

// systemSnapshot implements snapshot: it writes the report of the host.
func systemSnapshot(c *exec.Call) (exec.Answer, error) { return snapshot.Answer(c, c.Arguments[0]) }
