package script

// File is a file that is to be written.
type File struct {
	Path string
	Data []byte
}
