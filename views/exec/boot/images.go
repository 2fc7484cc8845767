package boot

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/boot"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

// options reads words such as /WimFile:boot.wim: the names in lower case, with their values.
func options(words []string) map[string]string {
	all := map[string]string{}
	for _, word := range words {
		if !strings.HasPrefix(word, "/") && !strings.HasPrefix(word, "-") {
			all[word] = "" // unknown to every command
			continue
		}
		name, value, _ := strings.Cut(word[1:], ":")
		all[strings.ToLower(name)] = value
	}
	return all
}

// only returns an error for an option that a command does not have.
func only(command string, given map[string]string, names ...string) error {
	for name := range given {
		if !slices.Contains(names, name) {
			return exec.Mistake("%s has no %q here", command, name)
		}
	}
	return nil
}

// findFile returns the name of an image file, which may have a path.
func findFile(path string) (string, error) {
	name := strings.ToLower(path[strings.LastIndexAny(path, `\/`)+1:])
	if name == "install.win" { // as the manual prints it once
		name = boot.InstallFileName
	}
	if boot.Images(name) == nil {
		return "", request.Errorf("the system cannot find the file %q; the server has %s and %s", path, boot.BootFileName, boot.InstallFileName)
	}
	return name, nil
}

// dism mounts an image, adds drivers to it, and writes it back.
func dism(c *exec.Call) (exec.Answer, error) {
	o := options(c.Arguments)
	s, err := state(c)
	if err != nil {
		return exec.Answer{}, err
	}
	has := func(name string) bool { _, ok := o[name]; return ok }
	switch {
	case has("mount-wim"):
		err = mount(&s.WDS, o)
	case has("add-driver"):
		err = addDriver(c, &s.WDS, o)
	case has("unmount-wim"):
		err = unmount(&s.WDS, o)
	default:
		err = exec.Mistake("dism takes /Mount-Wim, /Image with /Add-Driver, and /Unmount-Wim")
	}
	if err != nil {
		return exec.Answer{}, err
	}
	what := "mount an image"
	if has("add-driver") {
		what = "add the drivers to the mounted image"
	} else if has("unmount-wim") {
		what = "unmount the image"
	}
	return c.ApplyOne(boot.Change{What: what, Line: typed(c), WDS: &s.WDS})
}

func mount(w *boot.WDS, o map[string]string) error {
	if err := only("dism /Mount-Wim", o, "mount-wim", "wimfile", "index", "mountdir"); err != nil {
		return err
	}
	file, err := findFile(o["wimfile"])
	if err != nil {
		return err
	}
	index, err := exec.Integer(o["index"], "/index", 1, len(boot.Images(file)))
	switch {
	case err != nil:
		return err
	case o["mountdir"] == "":
		return exec.Mistake("dism /Mount-Wim requires /MountDir with a folder")
	}
	next := boot.Mounted{File: file, Index: index, Folder: o["mountdir"]}
	if w.Mounted.File != "" && w.Mounted != next {
		return request.Errorf("index %d of %s is mounted at %s already: unmount it first", w.Mounted.Index, w.Mounted.File, w.Mounted.Folder)
	}
	w.Mounted = next
	return nil
}

// checkMounted returns an error if no image is mounted at a folder.
func checkMounted(w *boot.WDS, folder string) error {
	if w.Mounted.File == "" || !strings.EqualFold(w.Mounted.Folder, folder) {
		return request.Errorf("there is no such mounted image as %q", folder)
	}
	return nil
}

// driverFiles returns the .inf files in a folder of the host, also in its subfolders if deep. A folder without a drive is any of its name.
func driverFiles(c *exec.Call, folder string, deep bool) (names []string, err error) {
	folder = strings.ToLower(strings.TrimRight(strings.ReplaceAll(folder, "/", `\`), `\`)) + `\`
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, f := range h.Dumps().Files.List("") {
			path := strings.ToLower(f.Path)
			rest, inside := strings.CutPrefix(path, folder)
			if !strings.Contains(folder, ":") {
				_, rest, inside = strings.Cut(path, `\`+strings.TrimLeft(folder, `\`))
			}
			if inside && strings.HasSuffix(path, ".inf") && (deep || !strings.Contains(rest, `\`)) {
				names = append(names, path[strings.LastIndex(path, `\`)+1:])
			}
		}
		return nil
	})
	return names, err
}

func addDriver(c *exec.Call, w *boot.WDS, o map[string]string) error {
	if err := only("dism /Add-Driver", o, "image", "add-driver", "driver", "recurse"); err != nil {
		return err
	}
	if o["driver"] == "" {
		return exec.Mistake("dism /Add-Driver requires /Driver with the folder of the drivers")
	}
	if err := checkMounted(w, o["image"]); err != nil {
		return err
	}
	_, deep := o["recurse"]
	files, err := driverFiles(c, o["driver"], deep)
	if err != nil {
		return err
	}
	all, err := driverFiles(c, o["driver"], true)
	switch {
	case err != nil:
		return err
	case len(files) == 0 && len(all) > 0:
		return request.Errorf("no driver package was found in %s: its folders have them; add /recurse", o["driver"])
	case len(files) == 0:
		return request.Errorf("no driver package was found in %s: extract them with the setup program, /a /vMT_DRIVERS_ONLY=1", o["driver"])
	case !slices.ContainsFunc(files, func(name string) bool { return strings.HasPrefix(name, "mlx4") }):
		return request.Errorf("the drivers in %s have none for a card of WinOF, which the client boots with", o["driver"])
	}
	w.Mounted.Driver = true
	return nil
}

func unmount(w *boot.WDS, o map[string]string) error {
	if err := only("dism /Unmount-Wim", o, "unmount-wim", "mountdir", "commit", "discard"); err != nil {
		return err
	}
	_, commit := o["commit"]
	_, discard := o["discard"]
	if commit == discard {
		return exec.Mistake("dism /Unmount-Wim requires /commit or /discard")
	}
	if err := checkMounted(w, o["mountdir"]); err != nil {
		return err
	}
	m := w.Mounted
	if w.Mounted = (boot.Mounted{}); !commit || !m.Driver || boot.HasDriver(w.Files, m.File, m.Index) {
		return nil
	}
	files := slices.Clone(w.Files)
	at := slices.IndexFunc(files, func(f boot.File) bool { return f.Name == m.File })
	if at < 0 {
		files, at = append(files, boot.File{Name: m.File}), len(files)
	}
	files[at].Drivers = append(slices.Clone(files[at].Drivers), m.Index)
	slices.Sort(files[at].Drivers)
	w.Files = files
	return nil
}

// imageRow is an image of a file as JSON.
type imageRow struct {
	Index  int    `json:"index"`
	Name   string `json:"name"`
	Driver bool   `json:"driver"`
}

// imageInfo implements imagex /info FILE.
func imageInfo(c *exec.Call) (exec.Answer, error) {
	file, err := findFile(c.Arguments[0])
	if err != nil {
		return exec.Answer{}, err
	}
	s, err := state(c)
	rows, lines := []imageRow{}, []string{}
	for i, name := range boot.Images(file) {
		row := imageRow{i + 1, name, boot.HasDriver(s.WDS.Files, file, i+1)}
		rows = append(rows, row)
		lines = append(lines, fmt.Sprintf("Index %d: %s%s", row.Index, name, map[bool]string{true: ", with the driver of the cards"}[row.Driver]))
	}
	return exec.PrintLines(lines, struct {
		File   string     `json:"file"`
		Images []imageRow `json:"images"`
	}{file, rows}), err
}

// serverAddress is the address of the servers of the lab, which the manual uses, too.
var serverAddress = netip.AddrFrom4([4]byte{11, 4, 12, 65})

// wdsutil prepares the deployment server.
func wdsutil(c *exec.Call) (exec.Answer, error) {
	o := options(c.Arguments)
	s, err := state(c)
	if err != nil {
		return exec.Answer{}, err
	}
	w, what := &s.WDS, ""
	has := func(name string) bool { _, ok := o[name]; return ok }
	switch {
	case has("initialize-server"):
		if err = only("wdsutil /Initialize-Server", o, "initialize-server", "reminst", "server"); err == nil && o["reminst"] == "" {
			err = exec.Mistake(`wdsutil /Initialize-Server requires /RemInst with a folder, such as C:\RemoteInstall`)
		}
		address := serverAddress
		if o["server"] != "" && err == nil {
			address, err = readAddress(o["server"])
		}
		w.Ready, w.Address, what = true, address, "set up the deployment server"
	case has("uninitialize-server"):
		err = only("wdsutil /Uninitialize-Server", o, "uninitialize-server")
		*w, what = boot.WDS{Files: w.Files, Mounted: w.Mounted}, "remove the deployment server"
	case has("add-image") || has("remove-image"):
		what, err = changeImage(w, o, has("add-image"))
	case has("set-server"):
		if err = only("wdsutil /Set-Server", o, "set-server", "dhcpoption60", "usedhcpports"); err == nil && !strings.EqualFold(o["dhcpoption60"], "yes") && !strings.EqualFold(o["dhcpoption60"], "no") {
			err = exec.Mistake("wdsutil /Set-Server requires /DhcpOption60:Yes or :No")
		}
		w.Option60, what = strings.EqualFold(o["dhcpoption60"], "yes"), "set option 60 of the deployment server"
	default:
		err = exec.Mistake("wdsutil takes /Initialize-Server, /Uninitialize-Server, /Add-Image, /Remove-Image and /Set-Server")
	}
	switch {
	case err != nil:
		return exec.Answer{}, err
	case !w.Ready && !has("uninitialize-server"):
		return exec.Answer{}, request.Errorf(`there is no deployment server: wdsutil /Initialize-Server /RemInst:C:\RemoteInstall`)
	}
	return c.ApplyOne(boot.Change{What: what, Line: typed(c), WDS: w})
}

// changeImage adds an image file to the server, or removes it.
func changeImage(w *boot.WDS, o map[string]string, add bool) (what string, err error) {
	if err := only("wdsutil", o, "add-image", "remove-image", "imagefile", "imagetype"); err != nil {
		return "", err
	}
	file, err := findFile(o["imagefile"])
	if err != nil {
		return "", err
	}
	kind := map[string]string{boot.BootFileName: "boot", boot.InstallFileName: "install"}[file]
	if !strings.EqualFold(o["imagetype"], kind) {
		return "", exec.Mistake("%s has /ImageType:%s, not %q", file, kind, o["imagetype"])
	}
	w.Publish(file, add)
	return map[bool]string{true: "add ", false: "remove "}[add] + file + map[bool]string{true: " to", false: " from"}[add] + " the deployment server", nil
}

func readAddress(text string) (netip.Addr, error) {
	a, err := netip.ParseAddr(text)
	if err != nil || !a.Is4() || a.IsUnspecified() || a.IsMulticast() {
		return a, exec.Mistake("%q is not an address of IPv4", text)
	}
	return a, nil
}
