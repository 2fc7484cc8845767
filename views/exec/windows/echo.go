package windows

import (
	"errors"
	"io/fs"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"cxdeck/driver"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/script"
	"cxdeck/views/exec"
)

// maxEchoFile is the maximum size in bytes of a file to which echo adds a line.
const maxEchoFile = 1 << 20

// variables returns the environment variables of the host that a prompt of an administrator has.
func variables(view *driver.View) map[string]string {
	const profile = `C:\Users\Administrator`
	return map[string]string{
		"PROCESSOR_ARCHITECTURE": "AMD64", "NUMBER_OF_PROCESSORS": strconv.Itoa(view.Processors()), "OS": "Windows_NT", "COMPUTERNAME": view.Name,
		"USERNAME": "Administrator", "USERPROFILE": profile, "LOCALAPPDATA": profile + `\AppData\Local`, "APPDATA": profile + `\AppData\Roaming`, "TEMP": profile + `\AppData\Local\Temp`,
		"SYSTEMROOT": hostfiles.System, "WINDIR": hostfiles.System, "SYSTEMDRIVE": "C:", "HOMEDRIVE": "C:", "PROGRAMFILES": `C:\Program Files`,
	}
}

var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[A-Za-z_()0-9]+%`) })

// echo prints its words, with the values of %VARIABLES%. > FILE writes them to a file of the operator, >> FILE adds them. As in Windows, an
// unknown variable is left as it stands.
func echo(c *exec.Call) (exec.Answer, error) {
	words := c.Arguments
	var file, sign string
	for i, word := range words {
		if !strings.HasPrefix(word, ">") {
			continue
		}
		sign = word[:1]
		if strings.HasPrefix(word, ">>") {
			sign = ">>"
		}
		rest := append([]string{strings.TrimPrefix(word, sign)}, words[i+1:]...)
		if rest[0] == "" {
			rest = rest[1:]
		}
		if len(rest) != 1 || strings.HasPrefix(rest[0], ">") {
			return exec.Answer{}, exec.Mistake("%s must be followed by the name of one file, at the end", sign)
		}
		file, words = rest[0], words[:i]
		break
	}
	view, err := c.View()
	if err != nil {
		return exec.Answer{}, err
	}
	known := variables(view)
	maps.Copy(known, c.Runner.Environment())
	text := variable().ReplaceAllStringFunc(strings.Join(words, " "), func(name string) string {
		if value, ok := known[strings.ToUpper(strings.Trim(name, "%"))]; ok {
			return value
		}
		return name
	})
	result := struct {
		Text string `json:"text"`
		File string `json:"file,omitempty"`
	}{text, file}
	if file == "" {
		return exec.PrintLines([]string{text}, result), nil
	}
	var before []byte
	if sign == ">>" {
		if before, err = c.Read(file, maxEchoFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return exec.Answer{}, err
		}
		if len(before) > 0 && before[len(before)-1] != '\n' {
			before = append(before, '\n')
		}
		c.Flags["force"] = "true"
	}
	err = c.Write([]script.File{{Path: file, Data: append(before, text+"\n"...)}})
	if errors.Is(err, fs.ErrExist) {
		err = exec.Mistake("the file %q exists already; >> adds a line to it", file)
	}
	return exec.PrintLines(nil, result), err
}
