package hostfiles

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"strings"
	"time"

	"cxdeck/driver/request"
)

// Member is a file of an archive.
type Member struct {
	// Name has slashes between folders, and no disk: "C/Windows/temp/x.log".
	Name string
	Time time.Time
	Data []byte
}

// MemberName returns the name in an archive of a file of the host.
func MemberName(path string) string {
	return strings.ReplaceAll(strings.Replace(path, ":", "", 1), `\`, "/")
}

// IsArchive reports whether a file with a name is an archive: .zip, .tar.gz or .tgz.
func IsArchive(name string) bool { return isZip(name) || isTar(name) }

func isZip(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".zip") }

func isTar(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz")
}

// WriteArchive writes files as an archive in the format of its extension. The bytes depend on the files alone.
func WriteArchive(w io.Writer, name string, members []Member) error {
	switch {
	case isZip(name):
		return writeZip(w, members)
	case isTar(name):
		return writeTar(w, members)
	}
	return request.Errorf("the name of an archive ends in .zip, .tar.gz or .tgz, and %q does not", name)
}

func writeZip(w io.Writer, members []Member) error {
	z := zip.NewWriter(w)
	for _, m := range members {
		header := &zip.FileHeader{Name: m.Name, Method: zip.Deflate, Modified: m.Time.UTC()}
		header.SetMode(0o600)
		part, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := part.Write(m.Data); err != nil {
			return err
		}
	}
	return z.Close()
}

func writeTar(w io.Writer, members []Member) error {
	packed := gzip.NewWriter(w)
	t := tar.NewWriter(packed)
	for _, m := range members {
		header := &tar.Header{Name: m.Name, Mode: 0o600, Size: int64(len(m.Data)), ModTime: m.Time.UTC(), Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(m.Data); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return packed.Close()
}
