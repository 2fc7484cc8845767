package hostfiles

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cxdeck/driver/request"
)

// System is the folder of Windows, which %SystemRoot% names.
const System = `C:\Windows`

// SplitPath separates the folder and the name of a clean path.
func SplitPath(path string) (folder, name string) {
	at := strings.LastIndex(path, `\`)
	return path[:at], path[at+1:]
}

// maxPath is the length of a path in bytes.
const maxPath = 240

// roots are the ways to write the folder of Windows.
var roots = []string{`%systemroot%`, `%windir%`, `\systemroot`}

// Drives are the disks of the host.
func Drives() []string { return []string{"C:", "D:"} }

// ErrNoDrive is a path on a disk that the host does not have.
var ErrNoDrive = errors.New("the host has no such disk")

// CleanPath returns a path with its disk: it replaces %SystemRoot%, \Systemroot and the prefix \??\ of the kernel. It fails for a path
// without a disk, and for one that Windows does not allow.
func CleanPath(path string) (string, error) {
	path = strings.TrimSpace(strings.ReplaceAll(path, "/", `\`))
	path = strings.TrimPrefix(path, `\??\`)
	for _, root := range roots {
		if len(path) >= len(root) && strings.EqualFold(path[:len(root)], root) && (len(path) == len(root) || path[len(root)] == '\\') {
			path = System + path[len(root):]
			break
		}
	}
	path = strings.TrimRightFunc(path, func(r rune) bool { return r == '\\' || unicode.IsSpace(r) }) // a name of Windows ends in no blank
	switch {
	case len(path) > maxPath:
		return "", fmt.Errorf("a path can have at most %d bytes, and this one has %d", maxPath, len(path))
	case len(path) < 2 || path[1] != ':':
		return "", errors.New(`a path begins with a disk, such as C:\, or with %SystemRoot%`)
	case !utf8.ValidString(path) || strings.ContainsFunc(path, request.IsUnsafe) || strings.ContainsAny(path[2:], `:"<>|?*`):
		return "", errors.New("a path can't have control characters or any of : \" < > | ? *")
	}
	parts := strings.Split(path[2:], `\`)
	for i, part := range parts {
		if part == "." || part == ".." || part == "" && i > 0 || i == 0 && part != "" {
			return "", errors.New("the parts of a path can't be empty, a dot or two dots")
		}
	}
	drive := strings.ToUpper(path[:2])
	for _, known := range Drives() {
		if drive == known {
			return drive + path[2:], nil
		}
	}
	return "", fmt.Errorf("%s: %w", drive, ErrNoDrive)
}

// Matches reports whether a path matches a pattern: the path itself, a folder above it, or a text with * and ?, which may leave out the
// folder. Case does not matter. The empty pattern matches all paths.
func Matches(pattern, path string) bool {
	if pattern == "" {
		return true
	}
	pattern = strings.TrimRight(strings.ReplaceAll(pattern, "/", `\`), `\`)
	folded, path := strings.ToLower(pattern), strings.ToLower(path)
	for _, root := range roots {
		if rest, ok := strings.CutPrefix(folded, root); ok && (rest == "" || rest[0] == '\\') {
			folded = strings.ToLower(System) + rest
		}
	}
	folded = strings.TrimPrefix(folded, `\??\`)
	if path == folded || strings.HasPrefix(path, folded+`\`) || wildcard(folded, path) {
		return true
	}
	name := path[strings.LastIndex(path, `\`)+1:]
	return !strings.Contains(folded, `\`) && (wildcard(folded, name) || hasPart(path, folded))
}

// hasPart reports whether one of the folders of a path matches a pattern.
func hasPart(path, pattern string) bool {
	for _, part := range strings.Split(path, `\`) {
		if wildcard(pattern, part) {
			return true
		}
	}
	return false
}

// wildcard compares text with a pattern in which * stands for any text and ? for one byte. It takes time proportional to the product of
// their lengths.
func wildcard(pattern, text string) bool {
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t] && pattern[p] != '*'):
			p, t = p+1, t+1
		case p < len(pattern) && pattern[p] == '*':
			star, mark, p = p, t, p+1
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
