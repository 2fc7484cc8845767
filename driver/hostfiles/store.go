package hostfiles

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cxdeck/driver/request"
)

// The room for files on the host's disks: their number, their bytes, and the bytes that a saved host takes for them.
const (
	MaxFiles  = 8192
	MaxBytes  = 64 << 20
	maxPacked = 4 << 20
)

// ErrFull is returned when the disk has no room for more files.
var ErrFull = errors.New("there is not enough space on the disk")

// ErrDamaged is the error of a file that can't be unpacked.
var ErrDamaged = errors.New("the file is damaged")

// File is a file on the host.
type File struct {
	Path string
	Size int
	Time time.Time
}

// Content is the name of a file in its folder, with its data.
type Content struct {
	Name string
	Data []byte
}

// Folder holds the files that were written together. A path may have several.
type Folder struct {
	Path  string    `json:"path"`
	Time  time.Time `json:"time"`
	Files []Entry   `json:"files"`
	// Packed is the data of the files, one after the other, also of removed ones.
	Packed []byte `json:"packed"`
}

// Entry is a file of a folder, with the place of its data.
type Entry struct {
	Name   string `json:"name"`
	Offset int    `json:"offset,omitempty"`
	Size   int    `json:"size"`
}

// Store holds the files of a host. Copies share folders, which never change.
type Store struct {
	Folders []Folder `json:"folders,omitempty"`
}

// Add writes files into a folder, all of them or none. Files of the same path are replaced.
func (s *Store) Add(folder string, at time.Time, files []Content) error {
	folder, err := CleanPath(folder)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		return err
	}
	added := Folder{Path: folder, Time: at.UTC()}
	offset := 0
	for i, f := range files {
		if clean, err := CleanPath(folder + `\` + f.Name); err != nil || clean != folder+`\`+f.Name || strings.Contains(f.Name, `\`) {
			return request.Errorf("the name of the file %q is invalid", f.Name)
		}
		if slices.ContainsFunc(files[:i], func(c Content) bool { return strings.EqualFold(c.Name, f.Name) }) {
			return request.Errorf("the file %q is there twice", f.Name)
		}
		if _, err := w.Write(f.Data); err != nil {
			return err
		}
		added.Files = append(added.Files, Entry{f.Name, offset, len(f.Data)})
		offset += len(f.Data)
	}
	if err := w.Close(); err != nil {
		return err
	}
	added.Packed = packed.Bytes()
	left := Store{s.without(func(path string) bool {
		return slices.ContainsFunc(files, func(f Content) bool { return strings.EqualFold(path, folder+`\`+f.Name) })
	})}
	left.Folders = append(left.Folders, added)
	if err := left.checkRoom(); err != nil {
		return err
	}
	*s = left
	return nil
}

// Write writes one file.
func (s *Store) Write(path string, at time.Time, data []byte) error {
	path, err := CleanPath(path)
	if err != nil {
		return err
	}
	end := strings.LastIndexByte(path, '\\')
	if end < 0 {
		return request.Errorf("%s is a disk and no file", path)
	}
	return s.Add(path[:end], at, []Content{{path[end+1:], data}})
}

// checkRoom returns ErrFull when the files exceed the room for them.
func (s *Store) checkRoom() error {
	count, size, packed := 0, 0, 0
	for i := range s.Folders {
		f := &s.Folders[i]
		count, packed = count+len(f.Files), packed+len(f.Packed)
		for _, e := range f.Files {
			size += e.Size
		}
	}
	if count > MaxFiles || size > MaxBytes || packed > maxPacked {
		return ErrFull
	}
	return nil
}

func (s *Store) count() (files int) {
	for i := range s.Folders {
		files += len(s.Folders[i].Files)
	}
	return files
}

// Used returns the bytes of all files.
func (s *Store) Used() (bytes int) {
	for i := range s.Folders {
		for _, e := range s.Folders[i].Files {
			bytes += e.Size
		}
	}
	return bytes
}

// without returns the folders without the files that match.
func (s *Store) without(match func(path string) bool) []Folder {
	list := make([]Folder, 0, len(s.Folders)+1)
	for _, f := range s.Folders {
		kept := f.Files
		if slices.ContainsFunc(f.Files, func(e Entry) bool { return match(f.Path + `\` + e.Name) }) {
			kept = slices.DeleteFunc(slices.Clone(f.Files), func(e Entry) bool { return match(f.Path + `\` + e.Name) })
		}
		if len(kept) > 0 {
			f.Files = kept
			list = append(list, f)
		}
	}
	return list
}

// Remove removes the files that match a pattern, and returns their number.
func (s *Store) Remove(pattern string) (removed int) {
	before := s.count()
	s.Folders = s.without(func(path string) bool { return Matches(pattern, path) })
	return before - s.count()
}

// List returns the files that match a pattern, by their paths.
func (s *Store) List(pattern string) (list []File) {
	for i := range s.Folders {
		f := &s.Folders[i]
		for _, e := range f.Files {
			if path := f.Path + `\` + e.Name; Matches(pattern, path) {
				list = append(list, File{path, e.Size, f.Time})
			}
		}
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// Contains reports whether a folder has files, itself or in a folder below it.
func (s *Store) Contains(folder string) bool {
	return slices.ContainsFunc(s.Folders, func(f Folder) bool {
		return strings.EqualFold(f.Path, folder) || len(f.Path) > len(folder) && f.Path[len(folder)] == '\\' && strings.EqualFold(f.Path[:len(folder)], folder)
	})
}

// Read returns the data of the files with these paths, in their order. Each folder is unpacked once.
func (s *Store) Read(paths ...string) ([][]byte, error) {
	data := make([][]byte, len(paths))
	unpacked := map[int][]byte{}
	for n, path := range paths {
		i, e := s.find(path)
		if i < 0 {
			return nil, fmt.Errorf("the host has no file %s", path)
		}
		all, ok := unpacked[i]
		if !ok {
			var err error
			if all, err = s.Folders[i].unpack(); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			unpacked[i] = all
		}
		if e.Offset+e.Size > len(all) {
			return nil, fmt.Errorf("%s: %w", path, ErrDamaged)
		}
		data[n] = all[e.Offset : e.Offset+e.Size]
	}
	return data, nil
}

func (s *Store) find(path string) (folder int, entry Entry) {
	for i := range s.Folders {
		f := &s.Folders[i]
		for _, e := range f.Files {
			if len(path) == len(f.Path)+1+len(e.Name) && strings.EqualFold(path, f.Path+`\`+e.Name) {
				return i, e
			}
		}
	}
	return -1, Entry{}
}

// unpack returns the data of a folder up to the end of its last file; nothing beyond is unpacked.
func (f *Folder) unpack() ([]byte, error) {
	size := 0
	for _, e := range f.Files {
		size = max(size, e.Offset+e.Size)
	}
	r := flate.NewReader(bytes.NewReader(f.Packed))
	defer r.Close() //nolint:errcheck // it reads memory
	data, err := io.ReadAll(io.LimitReader(r, int64(size)))
	if err != nil {
		return nil, ErrDamaged
	}
	return data, nil
}

// Check validates the files of a saved host.
func (s *Store) Check() error {
	seen := map[string]bool{}
	for i := range s.Folders {
		f := &s.Folders[i]
		if clean, err := CleanPath(f.Path); err != nil || clean != f.Path || len(f.Files) == 0 {
			return errors.New("a folder of the saved host is damaged")
		}
		end := 0
		for _, e := range f.Files {
			path := f.Path + `\` + e.Name
			clean, err := CleanPath(path)
			key := strings.ToLower(path)
			if err != nil || clean != path || e.Name == "" || strings.Contains(e.Name, `\`) || e.Size < 0 || e.Offset < end || e.Size > MaxBytes || e.Offset > MaxBytes || seen[key] {
				return errors.New("a file of the saved host is damaged")
			}
			seen[key], end = true, e.Offset+e.Size
		}
	}
	return s.checkRoom()
}
