package hostfiles_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/hostfiles"
)

func TestCleanPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		`%SystemRoot%\temp`: `C:\Windows\temp`, `\Systemroot\temp\x`: `C:\Windows\temp\x`, `\??\D:\Dumps\`: `D:\Dumps`, `c:/a/b`: `C:\a\b`, `C:`: `C:`,
		`E:\x`: "", ``: "", `C:\..\x`: "", `C:\a\\b`: "", `\temp`: "", "C:\\a\x1b": "", `C:\a|b`: "", `C:a`: "", `%SystemRoots%\a`: "", `C:\` + strings.Repeat("a", 300): "",
	} {
		got, err := hostfiles.CleanPath(path)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", path, got, err, want)
		}
	}
	if _, err := hostfiles.CleanPath(`E:\x`); !errors.Is(err, hostfiles.ErrNoDrive) {
		t.Errorf("a disk that is not there: %v", err)
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	const path = `C:\Windows\temp\Mlx4_Dump_Me_Now\dmn-A-GENERAL-USER-NA--4.13.2017-07.49.02.747\mst_dump.txt`
	for pattern, want := range map[string]bool{
		"": true, "*": true, "MST_DUMP.TXT": true, "mst*": true, "dmn-*": true, `%SystemRoot%\temp`: true, `c:/windows/temp`: true, "Mlx4_Dump_Me_Now": true,
		`*\dmn-A*`: true, "eq_*": false, `C:\Windows\tem`: false, "x": false, `\??\C:\Windows`: true, "mst_dump.tx?": true, "mst_dump.t?": false,
	} {
		if got := hostfiles.Matches(pattern, path); got != want {
			t.Errorf("%q matches: %t", pattern, got)
		}
	}
}

func content(name string, size int) hostfiles.Content {
	return hostfiles.Content{Name: name, Data: []byte(strings.Repeat(name+" ", size/(len(name)+1)+1)[:size])}
}

func TestStore(t *testing.T) {
	t.Parallel()
	var s hostfiles.Store
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	if err := s.Add(`C:\x`, now, []hostfiles.Content{content("a.log", 100), content("b.log", 200), content("c.log", 0)}); err != nil {
		t.Fatal(err)
	}
	before := s
	if err := s.Add(`c:\x`, now.Add(time.Second), []hostfiles.Content{content("B.log", 50)}); err != nil {
		t.Fatal(err)
	}
	if list := s.List("b.log"); len(list) != 1 || list[0].Size != 50 || s.Used() != 150 || before.Used() != 300 {
		t.Errorf("a replaced file: %+v, %d bytes, %d before", list, s.Used(), before.Used())
	}
	data, err := s.Read(`C:\X\A.LOG`, `C:\x\B.log`, `C:\x\c.log`)
	if err != nil || string(data[0]) != string(content("a.log", 100).Data) || string(data[1]) != string(content("B.log", 50).Data) || len(data[2]) != 0 {
		t.Errorf("the files are %q, %v", data, err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if n := s.Remove("*.log"); n != 3 || len(s.Folders) != 0 || s.Contains(`C:\x`) || !before.Contains(`c:\X`) {
		t.Errorf("%d files were removed, %d folders are left", n, len(s.Folders))
	}
	for _, bad := range []hostfiles.Content{content(`a\b`, 1), content("..", 1), content("", 0), content("a:b", 1)} {
		if err := s.Add(`C:\x`, now, []hostfiles.Content{content("good", 1), bad}); err == nil || len(s.Folders) != 0 {
			t.Errorf("the name %q: %v", bad.Name, err)
		}
	}
	if err := s.Add(`C:\x`, now, []hostfiles.Content{content("a", 1), content("A", 1)}); err == nil {
		t.Error("two files have the same name")
	}
}

func TestStoreIsBounded(t *testing.T) {
	t.Parallel()
	var s hostfiles.Store
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	half := make([]byte, hostfiles.MaxBytes/2)
	for i := range 2 {
		if err := s.Add(`C:\x`, now, []hostfiles.Content{{Name: fmt.Sprint(i), Data: half}}); err != nil {
			t.Fatal(err)
		}
	}
	before := len(s.Folders)
	if err := s.Add(`C:\x`, now, []hostfiles.Content{content("more", 1)}); !errors.Is(err, hostfiles.ErrFull) || len(s.Folders) != before {
		t.Errorf("beyond the room: %v", err)
	}
	s.Folders[0].Packed = s.Folders[0].Packed[:10]
	if _, err := s.Read(`C:\x\0`); !errors.Is(err, hostfiles.ErrDamaged) {
		t.Errorf("a damaged file: %v", err)
	}
}

// FuzzMatches holds that a pattern is compared within reasonable time, and that a path that is clean stays the same.
func FuzzMatches(f *testing.F) {
	f.Add(`*\dmn-*`, `C:\Windows\temp\x.log`)
	f.Add(strings.Repeat("*a", 100), strings.Repeat("a", 200))
	f.Add("", `C:\p \`)
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 500 || len(path) > 500 {
			return
		}
		_ = hostfiles.Matches(pattern, path)
		if clean, err := hostfiles.CleanPath(path); err == nil {
			if again, err := hostfiles.CleanPath(clean); err != nil || again != clean || !hostfiles.Matches(clean, clean) {
				t.Errorf("%q became %q and %q, %v", path, clean, again, err)
			}
		}
	})
}
