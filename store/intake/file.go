package intake

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"cxdeck/perf/regular"
	"cxdeck/store/salvage"
)

// File is a database of another machine.
type File struct {
	path  string
	pages *salvage.File
	// files are the database and its log as they were when they were opened; the log is nil when there is none.
	files [2]os.FileInfo
}

// Format says which databases of this program can be read.
type Format struct {
	// Application is the id in the header, Newest the newest schema version that can be read.
	Application uint32
	Newest      int
}

// Offsets in the header of a database, and the values that are supported.
const (
	headerWriteVersion  = 18
	headerReadVersion   = 19
	headerChanges       = 24
	headerPages         = 28
	headerSchemaFormat  = 44
	headerEncoding      = 56
	headerApplication   = 68
	headerValidFor      = 92
	newestFormat        = 2 // with a write-ahead log
	newestSchemaFormat  = 4
	encodingUTF8        = 1
	journalHeaderLength = 28
)

// Open opens a database for reading, without ever waiting. It fails with an Error when the file is not a whole database of
// the format, or when another program is writing to it.
func Open(path string, format Format) (*File, error) {
	f := &File{path: path}
	if err := f.stat(); err != nil {
		return nil, err
	}
	header, err := f.header()
	if err != nil {
		return nil, err
	}
	if err := f.checkHeader(header, format); err != nil {
		return nil, err
	}
	if f.pages, err = salvage.Open(path); err != nil {
		return nil, f.Damaged("its header is damaged")
	}
	// A log may hold a header that is newer than the one in the file.
	if err := f.checkVersion(format); err != nil {
		_ = f.pages.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// Version returns the schema version.
func (f *File) Version() int { return f.pages.Version }

// Info describes the database file as it was when it was opened.
func (f *File) Info() os.FileInfo { return f.files[0] }

// Close closes the file.
func (f *File) Close() error { return f.pages.Close() }

// stat looks at the files before any is opened.
func (f *File) stat() error {
	for i, suffix := range []string{"", "-wal", "-journal"} {
		err := regular.Check(f.path + suffix)
		if errors.Is(err, fs.ErrNotExist) && suffix != "" {
			continue
		}
		if err != nil {
			return f.unopened(suffix, err)
		}
		info, err := os.Stat(f.path + suffix)
		if err != nil {
			return f.unopened(suffix, err)
		}
		if suffix != "-journal" {
			f.files[i] = info
			continue
		}
		if info.Size() > journalHeaderLength {
			return &Error{Path: f.path, Problem: "a change of it is incomplete, as " + f.path + "-journal shows",
				Advice: "open it once with the program that was changing it"}
		}
	}
	return nil
}

// unopened returns why a file can't be opened.
func (f *File) unopened(suffix string, err error) error {
	var kind *regular.KindError
	switch {
	case errors.As(err, &kind) && suffix == "":
		return &Error{Path: f.path, Problem: kind.Error(), Advice: adviceOther, Err: err}
	case errors.As(err, &kind):
		return &Error{Path: f.path, Problem: f.path + suffix + " belongs to it and can't be read: " + kind.Error(), Advice: "remove it", Err: err}
	case errors.Is(err, fs.ErrNotExist):
		return &Error{Path: f.path, Problem: "there is no such file", Err: err}
	case errors.Is(err, fs.ErrPermission):
		return &Error{Path: f.path, Problem: "there is no permission to read it", Err: err}
	}
	var named *fs.PathError
	if errors.As(err, &named) {
		err = named.Err
	}
	return &Error{Path: f.path, Problem: "it can't be read: " + err.Error(), Err: err}
}

// header reads the first bytes. It fails when another program is writing to the file.
func (f *File) header() (header [salvage.HeaderSize]byte, err error) {
	file, err := regular.Open(f.path)
	if err != nil {
		return header, f.unopened("", err)
	}
	defer file.Close() //nolint:errcheck // nothing was written
	n, err := io.ReadFull(file, header[:])
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		return header, f.invalidFile("it is empty")
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return header, f.unopened("", err)
	case n < len(header) || string(header[:len(salvage.HeaderMagic)]) != salvage.HeaderMagic:
		return header, f.invalidFile("it is not a database")
	case locked(file):
		return header, &Error{Path: f.path, Problem: "another program is writing to it", Advice: adviceBusy}
	}
	return header, nil
}

// checkHeader returns what is wrong with a header.
func (f *File) checkHeader(header [salvage.HeaderSize]byte, format Format) error {
	number := func(at int) uint32 { return binary.BigEndian.Uint32(header[at:]) }
	size := int64(binary.BigEndian.Uint16(header[16:]))
	if size == 1 {
		size = 1 << 16
	}
	switch {
	case number(headerApplication) != format.Application:
		return f.invalidFile("it is a database of another program")
	case header[headerWriteVersion] > newestFormat, header[headerReadVersion] > newestFormat, number(headerSchemaFormat) > newestSchemaFormat:
		return f.Altered("it has a database format that cxdeck never writes")
	case size < 512 || size&(size-1) != 0:
		return f.Damaged("its pages have %d bytes, an impossible size", size)
	case f.files[0].Size()%size != 0:
		return f.Damaged("it is truncated: its last page has %d of %d bytes", f.files[0].Size()%size, size)
	case number(headerEncoding) != encodingUTF8:
		return f.Altered("its texts are not UTF-8")
	}
	// The number of pages is right only if the last program that wrote also updated it, and a log may have more.
	pages := int64(number(headerPages))
	if kept := number(headerValidFor) == number(headerChanges) && pages > 0; kept && f.files[1] == nil && pages*size > f.files[0].Size() {
		return f.Damaged("it is truncated: it has %d of %d bytes", f.files[0].Size(), pages*size)
	}
	return nil
}

func (f *File) checkVersion(format Format) error {
	switch version := f.pages.Version; {
	case version > format.Newest:
		return &Error{Path: f.path, Advice: "update cxdeck",
			Problem: fmt.Sprintf("it was written by a newer cxdeck (schema version %d, this one supports %d)", version, format.Newest)}
	case version < 1:
		return f.Altered("it has the schema version %d, which no cxdeck has written", version)
	}
	return nil
}

// CheckUnchanged fails when the file or its log was changed, or removed, since it was opened.
func (f *File) CheckUnchanged() error {
	for i, suffix := range []string{"", "-wal"} {
		now, err := os.Stat(f.path + suffix)
		was := f.files[i]
		if err != nil && was == nil {
			continue
		}
		if err != nil || was == nil || !os.SameFile(now, was) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()) {
			return &Error{Path: f.path, Problem: "it was changed while it was read", Advice: adviceBusy, Err: err}
		}
	}
	return nil
}

// Path returns the file's name.
func (f *File) Path() string { return f.path }
