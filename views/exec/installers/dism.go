package installers

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/hostfiles"
	"cxdeck/driver/request"
	"cxdeck/driver/winimage"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// imagePath returns a path on the host; a name without a disk is in the folder of the image files.
func imagePath(name string) (string, error) {
	name = strings.Trim(strings.ReplaceAll(name, "/", `\`), `"`)
	if !strings.Contains(name, ":") && !strings.HasPrefix(name, "%") {
		name = winimage.Folder + `\` + strings.TrimPrefix(name, `.\`)
	}
	path, err := hostfiles.CleanPath(name)
	if err != nil {
		return "", exec.Mistake("invalid path %q: %s", name, err)
	}
	return path, nil
}

// dism implements the lines with which drivers go into an image: /Mount-Wim, /Add-Driver and /Unmount-Wim.
func dism(c *exec.Call) (exec.Answer, error) {
	o := winimage.Edit{}
	given, values := map[string]bool{}, map[string]string{}
	for _, word := range c.Arguments {
		name, value, hasValue := strings.Cut(word, ":")
		name = strings.ToLower(name)
		switch {
		case given[name]:
			return exec.Answer{}, exec.Mistake("dism takes %s once", name)
		case name == "/mount-wim" || name == "/mount-image":
			o.Action = winimage.MountImage
		case name == "/unmount-wim" || name == "/unmount-image", name == "/add-driver", name == "/recurse", name == "/commit", name == "/discard":
		case (name == "/wimfile" || name == "/imagefile" || name == "/mountdir" || name == "/image" || name == "/driver" || name == "/index") && hasValue && value != "":
			values[strings.Replace(name, "imagefile", "wimfile", 1)] = value
		default:
			return exec.Answer{}, exec.Mistake("dism does not support %q; help dism explains its lines", word)
		}
		given[name] = true
	}
	path := func(name string) (string, error) {
		if values[name] == "" {
			return "", exec.Mistake("dism requires %s:PATH", name)
		}
		return imagePath(values[name])
	}
	unmount := given["/unmount-wim"] || given["/unmount-image"]
	var err error
	switch {
	case o.Action == winimage.MountImage && !unmount && !given["/add-driver"]:
		if o.File, err = path("/wimfile"); err == nil {
			o.Folder, err = path("/mountdir")
		}
		if n, bad := strconv.Atoi(values["/index"]); err == nil && bad != nil {
			err = exec.Mistake("dism requires /index with the number of an image, not %q", values["/index"])
		} else {
			o.Index = n
		}
	case unmount && !given["/add-driver"]:
		switch o.Action = winimage.Discard; {
		case given["/commit"] == given["/discard"]:
			return exec.Answer{}, exec.Mistake("dism /Unmount-Wim requires /commit or /discard")
		case given["/commit"]:
			o.Action = winimage.Commit
		}
		o.Folder, err = path("/mountdir")
	case given["/add-driver"]:
		o.Action, o.Recurse = winimage.AddDrivers, given["/recurse"]
		if o.Folder, err = path("/image"); err == nil {
			if o.From, err = path("/driver"); err == nil {
				o.Drivers, err = driversIn(c, o.From, o.Recurse)
			}
		}
	default:
		return exec.Answer{}, exec.Mistake("dism requires /Mount-Wim, /Add-Driver or /Unmount-Wim")
	}
	if err != nil {
		return exec.Answer{}, err
	}
	entry, err := c.Do(driver.Plan{Title: wording.UpperFirst(o.Describe()), Operations: []driver.Operation{o}})
	if err != nil {
		return exec.Answer{}, err
	}
	lines := []string{"", "Deployment Image Servicing and Management tool", ""}
	switch o.Action {
	case winimage.MountImage:
		lines = append(lines, "Mounting image")
	case winimage.AddDrivers:
		lines = append(lines, "Searching for driver packages to install...", fmt.Sprintf("Found %d driver package(s) to install.", len(o.Drivers)))
		for i, d := range o.Drivers {
			lines = append(lines, fmt.Sprintf("Installing %d of %d - %s: The driver package was successfully installed.", i+1, len(o.Drivers), d.Name))
		}
	case winimage.Commit:
		lines = append(lines, "Saving image", "Unmounting image")
	default:
		lines = append(lines, "Unmounting image")
	}
	return exec.PrintLines(append(lines, "The operation completed successfully."), struct {
		Change  exec.EntryRow     `json:"change"`
		Drivers []winimage.Driver `json:"drivers,omitempty"`
	}{entry, o.Drivers}), nil
}

// driversIn returns the drivers whose inf files are in a folder of the host, with recurse also in the folders below it.
func driversIn(c *exec.Call, folder string, recurse bool) (list []winimage.Driver, err error) {
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		files := h.Dumps().Files
		for _, f := range files.List(folder) {
			at := strings.LastIndexByte(f.Path, '\\')
			if !strings.HasSuffix(strings.ToLower(f.Path), ".inf") || !recurse && !strings.EqualFold(f.Path[:at], folder) {
				continue
			}
			data, err := files.Read(f.Path)
			if err != nil {
				return err
			}
			d := winimage.Driver{Name: f.Path[at+1:]}
			for line := range strings.Lines(string(data[0])) {
				if version, ok := strings.CutPrefix(strings.TrimSpace(line), "DriverVer="); ok {
					d.Version = version[strings.LastIndexByte(version, ',')+1:]
				}
			}
			if !slices.Contains(list, d) { // a package has the same driver for several versions of Windows
				list = append(list, d)
			}
		}
		if len(list) == 0 {
			return request.Errorf("there is no driver package in %s; a setup program with /a extracts them", folder)
		}
		return nil
	})
	return list, err
}

// imagex implements imagex /info FILE.
func imagex(c *exec.Call) (exec.Answer, error) {
	if !strings.EqualFold(c.Arguments[0], "/info") {
		return exec.Answer{}, exec.Mistake("imagex takes /info and a file, not %q", c.Arguments[0])
	}
	name := c.Arguments[1]
	if strings.HasSuffix(strings.ToLower(name), ".win") { // a slip of the manual
		name = name[:len(name)-1] + "m"
	}
	path, err := imagePath(name)
	if err != nil {
		return exec.Answer{}, err
	}
	type imageRow struct {
		Index   int               `json:"index"`
		Name    string            `json:"name"`
		Drivers []winimage.Driver `json:"drivers,omitempty"`
		Mounted string            `json:"mounted_in,omitempty"`
	}
	rows, lines := []imageRow{}, []string{}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		images := h.Images()
		f, err := images.Find(path)
		if err != nil {
			return err
		}
		lines = append(lines, "WIM Information:", "----------------", "Path:        "+f.Path, fmt.Sprintf("Image Count: %d", len(f.Images)))
		for n, i := range f.Images {
			row := imageRow{Index: n + 1, Name: i.Name, Drivers: i.Drivers}
			lines = append(lines, "", fmt.Sprintf("Image Index: %d", row.Index), "Name:        "+i.Name)
			for _, m := range images.Mounts {
				if m.File == f.Path && m.Index == row.Index {
					row.Mounted = m.Folder
					lines = append(lines, "Mounted in:  "+m.Folder)
				}
			}
			for _, d := range i.Drivers {
				lines = append(lines, "Driver:      "+d.Name+" "+d.Version)
			}
			rows = append(rows, row)
		}
		return nil
	})
	return exec.PrintLines(lines, struct {
		File   string     `json:"file"`
		Images []imageRow `json:"images"`
	}{path, rows}), err
}
