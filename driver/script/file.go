package script

// File is a file to be written.
type File struct {
	Path string
	Data []byte
}
