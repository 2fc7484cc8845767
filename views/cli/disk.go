package cli

import (
	"io"

	"cxdeck/driver/script"
	"cxdeck/views/deck"
)

// disk is the machine's file system; relative paths start at the working directory.
type disk struct{}

func (disk) Read(path string, limit int64) ([]byte, error) { return deck.ReadFile(path, limit) }

func (disk) Write(files []script.File, replace bool) error { return deck.WriteFiles(files, replace) }

func (disk) Stream(path string, replace bool, write func(io.Writer) error) error {
	return deck.StreamFile(path, replace, write)
}

func (disk) Folder(name string) (string, error) { return deck.MakeFolder(name) }
