package winimage_test

import (
	"reflect"
	"testing"

	"cxdeck/driver/winimage"
)

const (
	boot   = `C:\WDS\boot.wim`
	folder = `C:\WDS\mnt`
)

func apply(t *testing.T, s *winimage.State, o winimage.Operation) winimage.Operation {
	t.Helper()
	back, err := o.Inverse(s)
	if err == nil {
		err = o.Apply(s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// TestDriversReachTheFile: drivers go into the file only when the image is unmounted with its changes, and each step can be undone.
func TestDriversReachTheFile(t *testing.T) {
	t.Parallel()
	added := []winimage.Driver{{Name: "mlx4_bus.inf", Version: "5.50.14688"}}
	for _, end := range []winimage.Action{winimage.Commit, winimage.Discard} {
		s := new(winimage.State)
		apply(t, s, winimage.Edit{Action: winimage.MountImage, Folder: folder, File: boot, Index: 2})
		apply(t, s, winimage.Edit{Action: winimage.AddDrivers, Folder: folder, Drivers: []winimage.Driver{{Name: "MLX4_BUS.inf", Version: "1"}}})
		apply(t, s, winimage.Edit{Action: winimage.AddDrivers, Folder: folder, Drivers: added})
		before := *s
		back := apply(t, s, winimage.Edit{Action: end, Folder: folder})
		f, err := s.Find(boot)
		if err != nil || reflect.DeepEqual(f.Images[1].Drivers, added) != (end == winimage.Commit) || len(f.Images[0].Drivers) > 0 || len(s.Mounts) > 0 || s.Check() != nil {
			t.Errorf("%s: %+v, %v", end, s, err)
		}
		apply(t, s, back)
		if !reflect.DeepEqual(*s, before) {
			t.Errorf("%s: the undo gives %+v", end, s)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s := new(winimage.State)
	apply(t, s, winimage.Edit{Action: winimage.MountImage, Folder: folder, File: boot, Index: 2})
	for name, o := range map[string]winimage.Edit{
		"no file": {Action: winimage.MountImage, Folder: `C:\x`, File: `C:\no.wim`, Index: 1}, "no image": {Action: winimage.MountImage, Folder: `C:\x`, File: boot, Index: 3},
		"folder in use": {Action: winimage.MountImage, Folder: folder, File: boot, Index: 1}, "mounted twice": {Action: winimage.MountImage, Folder: `C:\x`, File: boot, Index: 2},
		"not mounted": {Action: winimage.Commit, Folder: `C:\x`}, "no driver": {Action: winimage.AddDrivers, Folder: folder}, "no action": {Action: "x", Folder: folder},
		"no folder": {Action: winimage.Discard}, "index 0": {Action: winimage.MountImage, Folder: `C:\x`, File: boot},
	} {
		if _, err := o.Inverse(s); err == nil {
			t.Errorf("%s: it is done", name)
		}
	}
	for name, damaged := range map[string]winimage.State{
		"file": {Changed: []winimage.File{{Path: `C:\x`}}}, "index": {Mounts: []winimage.Mount{{File: boot, Index: 9, Folder: folder}}}, "images": {Changed: []winimage.File{{Path: boot}}},
		"folder": {Mounts: []winimage.Mount{{File: boot, Index: 1, Folder: `x`}}}, "twice": {Mounts: []winimage.Mount{{File: boot, Index: 1, Folder: folder}, {File: boot, Index: 2, Folder: folder}}},
	} {
		if damaged.Check() == nil {
			t.Errorf("%s: the state is valid", name)
		}
	}
}
