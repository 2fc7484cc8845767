// Package winimage holds the image files of Windows (.wim) of the host, from which other computers boot and are installed: their images,
// the drivers that were added, and the folders in which an image is mounted.
package winimage

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/hostfiles"
	"cxdeck/driver/operation"
	"cxdeck/driver/request"
)

// Folder is the folder of the image files, and of names without a folder.
const Folder = `C:\WDS`

// Driver is a driver package in an image.
type Driver struct {
	// Name is the name of its inf file: "mlx4_bus.inf".
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Image is an image of a file. Its index is its place, from 1.
type Image struct {
	Name    string   `json:"name"`
	Drivers []Driver `json:"drivers,omitempty"`
}

// File is an image file.
type File struct {
	Path   string  `json:"path"`
	Images []Image `json:"images"`
}

// Mount is an image that is mounted in a folder. Its drivers go into the file when it is unmounted with its changes.
type Mount struct {
	File    string   `json:"file"`
	Index   int      `json:"index"`
	Folder  string   `json:"folder"`
	Drivers []Driver `json:"drivers,omitempty"`
}

// State holds the image files that were changed, and the mounted images. Copies share its lists, which are replaced and never changed.
type State struct {
	Changed []File  `json:"changed,omitempty"`
	Mounts  []Mount `json:"mounts,omitempty"`
}

// described are the image files of a host: the images of the boot file have the indexes of the manual.
func described() []File {
	return []File{
		{Folder + `\boot.wim`, []Image{{Name: "Microsoft Windows PE (x64)"}, {Name: "Microsoft Windows Setup (x64)"}}},
		{Folder + `\install.wim`, []Image{{Name: "Windows Server Standard Core"}, {Name: "Windows Server Standard"}, {Name: "Windows Server Datacenter Core"}, {Name: "Windows Server Datacenter"}}},
	}
}

// Files returns the image files as they are now.
func (s *State) Files() []File {
	list := described()
	for i := range list {
		for _, changed := range s.Changed {
			if changed.Path == list[i].Path {
				list[i] = changed
			}
		}
	}
	return list
}

// Find returns an image file by its path.
func (s *State) Find(path string) (File, error) {
	for _, f := range s.Files() {
		if strings.EqualFold(f.Path, path) {
			return f, nil
		}
	}
	return File{}, request.Errorf("there is no image file %s; imagex /info boot.wim and install.wim show the ones in %s", path, Folder)
}

// MountAt returns the image that is mounted in a folder.
func (s *State) MountAt(folder string) (Mount, error) {
	at := slices.IndexFunc(s.Mounts, func(m Mount) bool { return strings.EqualFold(m.Folder, folder) })
	if at < 0 {
		return Mount{}, request.Errorf("no image is mounted in %s", folder)
	}
	return s.Mounts[at], nil
}

// Action is what an Edit does.
type Action string

// The actions.
const (
	MountImage Action = "mount"
	AddDrivers Action = "add-drivers"
	Commit     Action = "commit"
	Discard    Action = "discard"
)

// Operation is a change of image files.
type Operation = operation.Of[*State]

// Edit mounts an image, adds drivers to a mounted one, or unmounts it with or without its changes.
type Edit struct {
	Action Action `json:"action"`
	// Folder is where the image is mounted.
	Folder string `json:"folder"`
	// File and Index name the image to mount.
	File  string `json:"file,omitempty"`
	Index int    `json:"index,omitempty"`
	// From is the folder of the drivers, Drivers what it has.
	From    string   `json:"from,omitempty"`
	Recurse bool     `json:"recurse,omitempty"`
	Drivers []Driver `json:"drivers,omitempty"`
}

// Restore brings image files and mounted images into a former state.
type Restore struct {
	Folder string `json:"folder"`
	State
}

// Kind implements driver.Operation.
func (Edit) Kind() string { return "edit-image" }

// Kind implements driver.Operation.
func (Restore) Kind() string { return "restore-image" }

// Target implements driver.Operation.
func (o Edit) Target() string { return o.Folder }

// Target implements driver.Operation.
func (o Restore) Target() string { return o.Folder }

// Describe implements driver.Operation.
func (o Edit) Describe() string {
	switch o.Action {
	case MountImage:
		return fmt.Sprintf("mount image %d of %s in %s", o.Index, request.Word(o.File), request.Word(o.Folder))
	case AddDrivers:
		return fmt.Sprintf("add %d drivers from %s to the image in %s", len(o.Drivers), request.Word(o.From), request.Word(o.Folder))
	case Commit:
		return fmt.Sprintf("unmount the image in %s with its changes", request.Word(o.Folder))
	}
	return fmt.Sprintf("unmount the image in %s without its changes", request.Word(o.Folder))
}

// Describe implements driver.Operation.
func (o Restore) Describe() string {
	return "undo the change of the image in " + o.Folder
}

// Commands returns the line of dism.
func (o Edit) Commands() []string {
	switch o.Action {
	case MountImage:
		return []string{fmt.Sprintf(`dism /Mount-Wim "/WimFile:%s" /index:%d "/MountDir:%s"`, o.File, o.Index, o.Folder)}
	case AddDrivers:
		line := fmt.Sprintf(`dism "/Image:%s" /Add-Driver "/Driver:%s"`, o.Folder, o.From)
		if o.Recurse {
			line += " /recurse"
		}
		return []string{line}
	}
	return []string{fmt.Sprintf(`dism /Unmount-Wim "/MountDir:%s" /%s`, o.Folder, o.Action)}
}

// Commands is empty: dism has no undo.
func (Restore) Commands() []string { return nil }

// Touches returns what it changes.
func (Edit) Touches() []string { return []string{"the image files"} }

// Touches returns what it changes.
func (Restore) Touches() []string { return Edit{}.Touches() }

// Inverse is the former state.
func (o Edit) Inverse(s *State) (Operation, error) {
	if clean, err := hostfiles.CleanPath(o.Folder); err != nil || clean != o.Folder {
		return nil, errors.Join(err, request.Errorf("the folder %q is not a clean path", o.Folder))
	}
	mounted, missing := s.MountAt(o.Folder)
	switch o.Action {
	case MountImage:
		f, err := s.Find(o.File)
		switch {
		case err != nil:
			return nil, err
		case missing == nil:
			return nil, request.Errorf("image %d of %s is mounted in %s already", mounted.Index, mounted.File, o.Folder)
		case o.Index < 1 || o.Index > len(f.Images):
			return nil, fmt.Errorf("%s has the images 1 to %d, and no image %d", f.Path, len(f.Images), o.Index)
		case slices.ContainsFunc(s.Mounts, func(m Mount) bool { return m.File == f.Path && m.Index == o.Index }):
			return nil, fmt.Errorf("image %d of %s is mounted already", o.Index, f.Path)
		}
	case AddDrivers, Commit, Discard:
		switch {
		case missing != nil:
			return nil, missing
		case o.Action == AddDrivers && len(o.Drivers) == 0:
			return nil, request.Errorf("there is no driver in %s", o.From)
		case len(mounted.Drivers)+len(o.Drivers) > maxDrivers:
			return nil, fmt.Errorf("an image can have at most %d drivers", maxDrivers)
		}
	default:
		return nil, request.Errorf("there is no action %q", string(o.Action))
	}
	return Restore{o.Folder, *s}, nil
}

const maxDrivers = 1000

// Inverse is the present state.
func (o Restore) Inverse(s *State) (Operation, error) {
	if err := o.State.Check(); err != nil {
		return nil, err
	}
	return Restore{o.Folder, *s}, nil
}

// Apply takes the state over.
func (o Restore) Apply(s *State) error {
	*s = o.State
	return nil
}

// Apply carries the action out.
func (o Edit) Apply(s *State) error {
	if o.Action == MountImage {
		f, err := s.Find(o.File)
		if err != nil {
			return err
		}
		s.Mounts = append(slices.Clone(s.Mounts), Mount{f.Path, o.Index, o.Folder, f.Images[o.Index-1].Drivers})
		return nil
	}
	at := slices.IndexFunc(s.Mounts, func(m Mount) bool { return strings.EqualFold(m.Folder, o.Folder) })
	m := s.Mounts[at]
	mounts := slices.Delete(slices.Clone(s.Mounts), at, at+1)
	switch o.Action {
	case AddDrivers:
		m.Drivers = merged(m.Drivers, o.Drivers)
		mounts = slices.Insert(mounts, at, m)
	case Commit:
		f, err := s.Find(m.File)
		if err != nil {
			return err
		}
		f.Images = slices.Clone(f.Images)
		f.Images[m.Index-1].Drivers = m.Drivers
		s.Changed = append(slices.DeleteFunc(slices.Clone(s.Changed), func(other File) bool { return other.Path == f.Path }), f)
	}
	if s.Mounts = mounts; len(mounts) == 0 {
		s.Mounts = nil
	}
	return nil
}

// merged adds drivers to a list; a driver of the same name is replaced.
func merged(list, more []Driver) []Driver {
	list = slices.DeleteFunc(slices.Clone(list), func(d Driver) bool {
		return slices.ContainsFunc(more, func(m Driver) bool { return strings.EqualFold(m.Name, d.Name) })
	})
	return append(list, more...)
}

// Check validates a saved state.
func (s *State) Check() error {
	damaged := errors.New("the image files of the saved host are damaged")
	for _, f := range s.Changed {
		if !slices.ContainsFunc(described(), func(d File) bool { return d.Path == f.Path && len(d.Images) == len(f.Images) }) {
			return damaged
		}
		for _, i := range f.Images {
			if len(i.Drivers) > maxDrivers {
				return damaged
			}
		}
	}
	seen := map[string]bool{}
	for _, m := range s.Mounts {
		f, err := s.Find(m.File)
		clean, bad := hostfiles.CleanPath(m.Folder)
		key := strings.ToLower(m.Folder)
		if err != nil || bad != nil || clean != m.Folder || seen[key] || m.Index < 1 || m.Index > len(f.Images) || len(m.Drivers) > maxDrivers {
			return damaged
		}
		seen[key] = true
	}
	return nil
}
