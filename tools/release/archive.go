package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name, path string
	mode       fs.FileMode
}

// writeTar writes a compressed archive with one folder.
func writeTar(path, folder string, files []entry, date time.Time) error {
	var data bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&data, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	for _, file := range files {
		text, err := os.ReadFile(file.path)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: folder + "/" + file.name, Mode: int64(file.mode), Size: int64(len(text)), ModTime: date, Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(text); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	if err := compressed.Close(); err != nil {
		return err
	}
	return write(path, data.Bytes())
}

// writeZip does the same for Windows.
func writeZip(path, folder string, files []entry, date time.Time) error {
	var data bytes.Buffer
	archive := zip.NewWriter(&data)
	for _, file := range files {
		text, err := os.ReadFile(file.path)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: folder + "/" + file.name, Method: zip.Deflate, Modified: date}
		header.SetMode(file.mode)
		to, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := to.Write(text); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return write(path, data.Bytes())
}

// compress compresses a text as manual pages and change logs in packages are; the header has no name and no time.
func compress(text []byte) ([]byte, error) {
	var data bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&data, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := compressed.Write(text); err != nil {
		return nil, err
	}
	if err := compressed.Close(); err != nil {
		return nil, err
	}
	return data.Bytes(), nil
}
