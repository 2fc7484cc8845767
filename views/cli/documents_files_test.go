package cli

import (
	"encoding"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cxdeck/device"
	"cxdeck/device/bounds"
	"cxdeck/device/description"
	"cxdeck/views/settings"
)

// TestFilePages: the pages of the configuration file and the lab file list every key, and their examples are valid.
func TestFilePages(t *testing.T) {
	t.Parallel()
	for _, page := range []struct {
		name string
		kind reflect.Type
		read func([]byte) error
	}{
		{"configuration.md", reflect.TypeFor[settings.Settings](), func(text []byte) error {
			read, err := settings.Parse(text, screenWords())
			if err != nil {
				return err
			}
			for _, threshold := range read.Thresholds {
				if err := threshold.Perf().Check(); err != nil {
					return err
				}
			}
			return nil
		}},
		{"lab.md", reflect.TypeFor[description.Description](), func(text []byte) error {
			read, err := description.ParseText(text)
			if err != nil {
				return err
			}
			_, err = device.New(read, 1)
			return err
		}},
	} {
		text := readPage(t, page.name)
		for _, key := range keysOf(page.kind) {
			if !regexp.MustCompile("`([a-z_]+\\.)?" + key + "`").MatchString(text) {
				t.Errorf("%s does not name the key %s", page.name, key)
			}
		}
		_, example, _ := strings.Cut(text, "```toml\n")
		example, _, found := strings.Cut(example, "```")
		if !found {
			t.Errorf("%s has no example", page.name)
		} else if err := page.read([]byte(example)); err != nil {
			t.Errorf("the example of %s is refused: %v", page.name, err)
		}
	}
}

// TestLabPageRanges: docs/lab.md has the maximum of each number in the lab file.
func TestLabPageRanges(t *testing.T) {
	t.Parallel()
	limits := map[string][]string{}
	collectMaxima(reflect.TypeFor[description.Description](), limits)
	named := map[string]bool{}
	for row := range strings.Lines(readPage(t, "lab.md")) {
		keys, value, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		for _, m := range regexp.MustCompile("`(?:host\\.)?([a-z0-9_]+)`").FindAllStringSubmatch(keys, -1) {
			list := limits[m[1]]
			named[m[1]] = true
			if m[1] == "port" && strings.Contains(value, "connection") {
				continue // the port of a table is a connection, the port of an application a number
			}
			if list != nil && !slices.ContainsFunc(list, func(maximum string) bool { return strings.Contains(value, maximum) }) {
				t.Errorf("the row of %s has none of its maxima %v: %s", m[1], list, row)
			}
		}
	}
	for key := range limits {
		if !named[key] {
			t.Errorf("lab.md has no row of %s", key)
		}
	}
}

// TestLabPageWords: docs/lab.md has every word of the enumerations in the lab file.
func TestLabPageWords(t *testing.T) {
	t.Parallel()
	text, all := readPage(t, "lab.md"), map[string]bool{}
	collectWords(reflect.TypeFor[description.Description](), all)
	if !all["winof-2"] {
		t.Error("the words of families are not found")
	}
	for word := range all {
		if !strings.Contains(text, "`"+word+"`") {
			t.Errorf("lab.md has no word %s", word)
		}
	}
}

// collectWords adds the words of all enumerations of a file to all.
func collectWords(kind reflect.Type, all map[string]bool) {
	for i := range kind.NumField() {
		of := kind.Field(i).Type
		for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct {
			collectWords(of, all)
		}
		value := reflect.New(of).Elem()
		_, ok := value.Interface().(encoding.TextMarshaler)
		for n := uint64(0); ok && of.Kind() == reflect.Uint8; n++ {
			value.SetUint(n)
			word, err := value.Interface().(encoding.TextMarshaler).MarshalText()
			if err != nil {
				break
			}
			all[string(word)] = true
		}
	}
}

// collectMaxima adds the maximum of each number of a file to limits, by its key.
func collectMaxima(kind reflect.Type, limits map[string][]string) {
	for i := range kind.NumField() {
		f := kind.Field(i)
		of := f.Type
		for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct {
			collectMaxima(of, limits)
		} else if r, ok := bounds.Of(&f); ok && f.Type.Kind() != reflect.Slice {
			key, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
			_, high, _ := strings.Cut(r.String(), " to ")
			limits[key] = append(limits[key], high)
		}
	}
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(documents, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keysOf returns the keys of a file from the tags of its Go type; a table is represented by its keys.
func keysOf(kind reflect.Type) []string {
	var keys []string
	for i := range kind.NumField() {
		field := kind.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("toml"), ",")
		of := field.Type
		for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if name == "" {
			continue
		}
		if of.Kind() != reflect.Struct || of.NumField() == 0 || of.Field(0).Tag.Get("toml") == "" {
			keys = append(keys, name)
			continue
		}
		keys = append(keys, keysOf(of)...)
	}
	return keys
}
