package installers

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cxdeck/driver/hostfiles"
	"cxdeck/driver/packages"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

// fileName matches the name of a setup program: the product, the version, the system and the platform. The manuals print it with a hyphen
// or an underscore before the version.
var fileName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^MLNX_(?:VPI_)?(WinOF2?)[-_]([0-9_.]+)_All_(?:(win[0-9]+(?:R2)?)_)?(x64|x86)(?:\.exe)?$`)
})

// options are the options of a setup program.
type options struct {
	packages.Setup
	help, driversOnly bool
	// restore is the target folder of an extraction.
	target string
	log    bool
}

// readFile parses the name of a setup program.
func readFile(file string) (o options, err error) {
	o.File = file
	if strings.EqualFold(exec.TrimExe(file), "Mellanox.msi") { // the manual's name for the package of WinOF
		list := packages.Catalogue()
		for i := range list {
			if list[i].Product == packages.WinOF {
				o.Product, o.Version = packages.WinOF, list[i].Version
			}
		}
		return o, nil
	}
	m := fileName().FindStringSubmatch(file)
	if m == nil {
		return o, exec.Mistake("%q is not the name of a setup program, such as MLNX_WinOF2-24_4_All_x64.exe; setup packages lists them", file)
	}
	o.Product = packages.WinOF
	if strings.EqualFold(m[1], "WinOF2") || exec.SetupProduct(file) == "MLNX_WinOF2" {
		o.Product = packages.WinOF2
	}
	version := strings.Trim(strings.ReplaceAll(m[2], "_", "."), ".")
	p, ok := packages.Find(o.Product, version)
	if !ok {
		return o, request.Errorf("there is no file %s: %s has no version %q; setup packages lists the packages", file, o.Product.Title(), version)
	}
	o.Version, o.System, o.Platform = p.Version, m[3], strings.ToLower(m[4])
	return o, nil
}

// read parses the options of a setup program. The options of the installer itself follow /v, in quotation marks where they have blanks.
func read(c *exec.Call) (o options, err error) {
	if o, err = readFile(c.Arguments[0]); err != nil {
		return o, err
	}
	for _, word := range c.Arguments[1:] {
		lower := strings.ToLower(word)
		switch {
		case slices.Contains([]string{"/s", "-s"}, lower):
			o.Unattended = true
		case slices.Contains([]string{"/x", "-x", "/a", "-a"}, lower): // the command
		case lower == "/?" || lower == "/h":
			o.help = true
		case lower == "/"+packages.NoRestart || lower == "/"+packages.ForceRestart:
			o.Restart = lower[1:]
		case strings.HasPrefix(lower, "/v"):
			if err := o.readInstaller(strings.TrimSpace(word[2:])); err != nil {
				return o, err
			}
		default:
			return o, exec.Mistake("%s does not support the option %q; /v\" /h\" prints its options", o.File, word)
		}
	}
	return o, nil
}

// readInstaller parses the options behind one /v.
func (o *options) readInstaller(text string) error {
	words := strings.Fields(strings.Trim(text, `"”“`))
	for i := 0; i < len(words); i++ {
		word := strings.Trim(words[i], `"”“`)
		lower := strings.ToLower(word)
		switch {
		case lower == "/qn" || lower == "/q" || lower == "/quiet":
			o.Unattended = true
		case lower == "/qb" || lower == "/passive": // a progress bar, and no question
			o.Unattended = true
		case lower == "/h" || lower == "/?":
			o.help = true
		case lower == "/"+packages.NoRestart || lower == "/"+packages.ForceRestart:
			o.Restart = lower[1:]
		case strings.HasPrefix(lower, "/l"):
			var name []string // up to the next option: names of files may have blanks
			for i+1 < len(words) && !strings.HasPrefix(words[i+1], "/") && !strings.Contains(words[i+1], "=") {
				i++
				name = append(name, words[i])
			}
			path, err := hostPath(strings.Trim(strings.Join(name, " "), `"[]`))
			if err != nil {
				return err
			}
			o.Log, o.log = path, true
		case strings.Contains(word, "="):
			for i+1 < len(words) && !strings.HasPrefix(words[i+1], "/") && !strings.Contains(words[i+1], "=") {
				i++
				word += " " + words[i]
			}
			if err := o.readProperty(word); err != nil {
				return err
			}
		default:
			return exec.Mistake("the installer does not support the option %q; /v\" /h\" prints its options", word)
		}
	}
	return nil
}

// hostPath returns a path on the host; a name without a folder is in the folder of the administrator.
func hostPath(name string) (string, error) {
	if name == "" {
		return "", exec.Mistake("the name of a file is required, such as /v\"/l*vx C:\\setup.log\"")
	}
	for _, variable := range []struct{ name, value string }{{"%LOCALAPPDATA%", packages.LocalData}, {"%USERPROFILE%", `C:\Users\Administrator`}, {"%ProgramFiles%", `C:\Program Files`}} {
		if len(name) >= len(variable.name) && strings.EqualFold(name[:len(variable.name)], variable.name) {
			name = variable.value + name[len(variable.name):]
		}
	}
	if !strings.ContainsAny(name, `:\%/`) {
		name = `C:\Users\Administrator\` + name
	}
	path, err := hostfiles.CleanPath(name)
	if err != nil {
		return "", exec.Mistake("invalid path %q: %s", name, err)
	}
	return path, nil
}

// readProperty parses NAME=VALUE. The manual prints some of the names with a slash or /M before them.
func (o *options) readProperty(word string) error {
	name, value, _ := strings.Cut(strings.TrimPrefix(word, "/"), "=")
	name = strings.ToUpper(name)
	if strings.HasPrefix(name, "MMT_") {
		name = name[1:]
	}
	value = strings.Trim(value, `"`)
	var off bool // the property turns something off
	var into *bool
	switch name {
	case "MT_SKIPFWUPGRD":
		into = &o.SkipFirmware
	case "MT_NDPROPERTY":
		into, off = &o.NoProvider, true
	case "MT_WMI":
		into, off = &o.NoWMI, true
	case "MT_RESTORECONF":
		into, off = &o.NoRestore, true
	case "PERFCHECK":
		into, off = &o.NoTuning, true
	case "MT_DRIVERS_ONLY":
		into = &o.driversOnly
	case "MT_DRIVER_LOAD_TIMEOUT":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > 86400 {
			return exec.Mistake("%s must be a number of seconds from 1 to 86400, not %q", name, value)
		}
		o.Timeout = n
	case "INSTALLDIR", "TARGETDIR":
		path, err := hostPath(value)
		if err != nil {
			return err
		}
		o.Folder, o.target = path, path
	default:
		return exec.Mistake("the installer has no property %q; /v\" /h\" prints them", name)
	}
	if o.Product == packages.WinOF2 && slices.Contains([]string{"MT_WMI", "MT_RESTORECONF", "PERFCHECK", "MT_DRIVER_LOAD_TIMEOUT"}, name) {
		return exec.Mistake("%s is a property of WinOF; the package of WinOF-2 has none of this name", name)
	}
	if into == nil {
		return nil
	}
	on, ok := map[string]bool{"1": true, "true": true, "0": false, "false": false}[strings.ToLower(value)]
	if !ok {
		return exec.Mistake("%s must be 1 or 0, not %q", name, value)
	}
	*into = on != off
	return nil
}

// properties returns the lines of /v" /h".
func (o *options) helpLines() []string {
	lines := []string{
		o.File + " [/S] [/x] [/a] [/norestart|/forcerestart] [/v\"OPTIONS\"]", "",
		"  /S                          silent", "  /x                          uninstall", "  /a                          extract the files", "  /norestart                  don't restart the computer", "  /forcerestart               restart the computer", "",
		"Options behind /v:", "  /qn                         no window", "  /l*vx FILE                  write a log", "  MT_SKIPFWUPGRD=1            leave the firmware as it is (0)",
		"  MT_NDPROPERTY=0             install no NetworkDirect provider (1)",
	}
	if o.Product == packages.WinOF {
		lines = append(lines, "  MT_WMI=0                    install no WMI provider (1)", "  MT_RESTORECONF=0            don't restore the network configuration (1)",
			"  MT_DRIVER_LOAD_TIMEOUT=N    seconds to wait for the driver before the firmware is burnt (120)", "  PERFCHECK=0                 no performance tuning (1)")
	}
	return append(lines, "  MT_DRIVERS_ONLY=1           with /a: drivers only (0)", "  INSTALLDIR=FOLDER           the target folder", "  TARGETDIR=FOLDER            with /a: the folder for the files")
}
