package regfile

import "fmt"

// File is the contents of a registry file.
type File struct {
	Version  Version
	Encoding Encoding
	// Keys are in the order of the file; a key may occur more than once.
	Keys []Key
}

// Version is the format of a file, by its first line.
type Version uint8

// The versions.
const (
	Version5 Version = iota // Windows Registry Editor Version 5.00
	Version4                // REGEDIT4, whose hex values of text are in ANSI
)

// header returns the first line.
func (v Version) header() string {
	return [...]string{"Windows Registry Editor Version 5.00", "REGEDIT4"}[v]
}

// Encoding is the character encoding of a file.
type Encoding uint8

// The encodings. regedit exports version 5 as UTF-16 and REGEDIT4 as ANSI.
const (
	UTF16 Encoding = iota // little endian, with a byte order mark
	UTF8                  // with a byte order mark
	ANSI                  // windows-1252
)

// Key is a registry key with the values that the file sets or deletes.
type Key struct {
	// Path has the form of the file: "HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Services\mlx5".
	Path string
	// Delete reports that the key is deleted, with all keys below it; it then has no values.
	Delete bool
	Values []Value
	// Line is its line in the file, from 1; 0 for a key that was not read from a file.
	Line int
}

// Value is a value of a key.
type Value struct {
	// Name is empty for the default value of the key.
	Name string
	// Delete reports that the value is deleted; Type and Data are then unused.
	Delete bool
	Type   Type
	// Data has the registry's form: numbers are little-endian, text is UTF-16, little-endian, with a zero at its end.
	Data []byte
	// Line is its line in the file, from 1; 0 for a value that was not read from a file.
	Line int
}

// Type is the registry's type of a value; other types are kept unchanged.
type Type uint32

// The types.
const (
	None         Type = 0
	Text         Type = 1
	ExpandText   Type = 2 // text with names of variables in it
	Binary       Type = 3
	DWord        Type = 4
	DWordBig     Type = 5
	Link         Type = 6
	MultiText    Type = 7 // several texts
	ResourceList Type = 8
	QWord        Type = 11
)

// String returns the name of the type: "REG_DWORD".
func (t Type) String() string {
	names := map[Type]string{
		None: "REG_NONE", Text: "REG_SZ", ExpandText: "REG_EXPAND_SZ", Binary: "REG_BINARY", DWord: "REG_DWORD",
		DWordBig: "REG_DWORD_BIG_ENDIAN", Link: "REG_LINK", MultiText: "REG_MULTI_SZ", ResourceList: "REG_RESOURCE_LIST",
		QWord: "REG_QWORD",
	}
	if name, ok := names[t]; ok {
		return name
	}
	return fmt.Sprintf("type 0x%x", uint32(t))
}

// SyntaxError is an invalid place in a file.
type SyntaxError struct {
	// Line and Column count from 1; columns are characters.
	Line, Column int
	// Problem is a clause without a full stop: "a value precedes the first key".
	Problem string
}

// Error returns the place and the problem.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// LimitError is a file with more items of a kind than are allowed.
type LimitError struct {
	// What names the excess items: "values".
	What string
	Max  int
}

// Error names the items that exceed the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the file has more than %d %s; split it", e.Max, e.What)
}

// Limits of a file. The limits of names and data are the registry's own.
const (
	maxFileSize   = 64 << 20 // bytes
	maxKeys       = 200_000
	maxValues     = 500_000
	maxNameLength = 16383 // characters of a value's name
	maxPathSize   = 32767 // bytes of a key's path
	maxDataSize   = 1 << 20
)
