package linux

import (
	"strconv"
	"strings"

	"cxdeck/driver/request"
)

// The files of the virtual function that a Windows guest of the Linux host has (Linux, driver mlx4): the GUID of its port, and the index in
// the partition table of the card for each index in the table of the guest.
const (
	GUIDFile    = "/sys/class/infiniband/mlx4_0/iov/ports/1/admin_guids/1"
	pkeyFolder  = "/sys/class/infiniband/mlx4_0/iov/0000:04:00.1/ports/1/pkey_idx/"
	VirtualKeys = 8
	noGUID      = "0x0000000000000000"
	none        = "none"
	maxPhysical = 127
)

// PKeyFile returns the file of an index of the guest.
func PKeyFile(index int) string { return pkeyFolder + strconv.Itoa(index) }

// HasGUID reports whether the virtual function has a GUID.
func (s *State) HasGUID() bool {
	text, _ := s.Read(GUIDFile)
	text = strings.TrimSpace(text)
	return text != noGUID && text != "0" && text != ""
}

// PKeyMap returns the index in the table of the card for each index of the guest, -1 for none.
func (s *State) PKeyMap() []int {
	list := make([]int, VirtualKeys)
	for i := range list {
		text, _ := s.Read(PKeyFile(i))
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if list[i] = n; err != nil {
			list[i] = -1
		}
	}
	return list
}

// checkSetting returns why a file of the kernel can't have a text.
func checkSetting(f *File) error {
	text := strings.TrimSpace(f.Text)
	switch {
	case !strings.HasPrefix(f.Path, "/sys/"):
		return nil
	case f.Gone:
		return request.Errorf("%s: Operation not permitted", f.Path)
	case f.Path == GUIDFile:
		if _, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64); err != nil {
			return request.Errorf("%s takes a GUID such as 0x0014050000000021, not %q", f.Path, text)
		}
		return nil
	}
	for i := range VirtualKeys {
		if f.Path != PKeyFile(i) {
			continue
		}
		if n, err := strconv.Atoi(text); text != none && (err != nil || n < 0 || n > maxPhysical) {
			return request.Errorf("%s takes an index from 0 to %d, or none, not %q", f.Path, maxPhysical, text)
		}
		return nil
	}
	return request.Errorf("%s: Permission denied", f.Path)
}
