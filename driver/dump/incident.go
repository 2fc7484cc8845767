package dump

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/health"
	"cxdeck/driver/hostfiles"
)

// Source is who asked for a dump, as the name of its folder has it.
type Source string

// The sources. The manual names SH, self-healing; the others are the lab's.
const (
	SelfHealing Source = "SH"
	User        Source = "USER"
	Program     Source = "ND"
)

// The states of Windows in the event of a dump that failed.
const (
	statusNoSpace = "0xC000007F" // STATUS_DISK_FULL
	statusNoPath  = "0xC000003A" // STATUS_OBJECT_PATH_NOT_FOUND
	statusBadPath = "0xC0000033" // STATUS_OBJECT_NAME_INVALID
	statusQuota   = "0xC0000044" // STATUS_QUOTA_EXCEEDED
)

// failure is why Dump Me Now wrote no folder.
type failure struct {
	why, status string
}

// Error returns the reason.
func (f *failure) Error() string { return f.why }

// ErrNotWinOF is returned for a port whose driver has no Dump Me Now.
var ErrNotWinOF = errors.New("only the WinOF driver has Dump Me Now")

// DumpNow writes the folder of Dump Me Now for the card of a port, and logs event 0x100, or 0x101 with the reason when it can't
// (DMN-10). It returns the folder, or the reason.
func (s Set) DumpNow(port int, source Source) (folder string, err error) {
	card, first, _ := s.card(port)
	if card.Family != description.WinOF {
		return "", ErrNotWinOF
	}
	d, _, _ := s.Lab().Port(first)
	configured := defaultRoot
	if value, ok := s.read(first, "DumpMeNowDirectory"); ok && value.String() != "" {
		configured = value.String()
	}
	folder, err = s.writeIncident(first, configured, source)
	if err != nil {
		status := statusNoSpace
		if f := (*failure)(nil); errors.As(err, &f) {
			status = f.status
		}
		s.Note(port, "mlx4.dmn-failed", d.Device, configured, err.Error(), status)
		return "", err
	}
	s.Note(port, "mlx4.dmn-created", d.Device, folder)
	return folder, nil
}

// writeIncident chooses the slot of an incident, deletes the folder in it, and writes the new one (DMN-11 to DMN-14).
func (s Set) writeIncident(port int, configured string, source Source) (folder string, err error) {
	root, err := hostfiles.CleanPath(configured)
	switch {
	case errors.Is(err, hostfiles.ErrNoDrive):
		return "", &failure{"the path was not found", statusNoPath}
	case err != nil:
		return "", &failure{"the path of the root folder is invalid", statusBadPath}
	}
	incidents, slots := s.Incidents, slices.DeleteFunc(slices.Clone(s.Slots), func(slot Slot) bool { return !s.Files.Contains(slot.Folder) })
	if len(slots) == 0 {
		incidents = 0
	}
	total, preserved := s.number(port, "DumpMeNowTotalCount", defaultTotal), s.number(port, "DumpMeNowPreservedCountMin", defaultPreserved)
	number, ok := health.DumpSlot(total, preserved, incidents)
	if !ok {
		return "", &failure{"DumpMeNowTotalCount and DumpMeNowPreservedCountMin leave no folder that may be overwritten", statusQuota}
	}
	files := s.Files
	if at := slices.IndexFunc(slots, func(slot Slot) bool { return slot.Slot == number }); at >= 0 {
		files.Remove(slots[at].Folder)
		slots = slices.Delete(slots, at, at+1)
	}
	d, _, _ := s.Lab().Port(port)
	at := s.now()
	for folder == "" || files.Contains(folder) { // a folder has a millisecond of its own
		folder = root + `\` + FolderName(d.Device, "GENERAL", source, "NA", at)
		at = at.Add(time.Millisecond)
	}
	if _, err := hostfiles.CleanPath(folder); err != nil {
		return "", &failure{"the path of the root folder is invalid", statusBadPath}
	}
	if err := files.Add(folder, s.now(), s.incidentFiles(port)); err != nil {
		return "", &failure{err.Error(), statusNoSpace}
	}
	s.Files, s.Incidents = files, incidents+1
	slots = append(slots, Slot{number, folder})
	s.Slots = slots
	return folder, nil
}

// FolderName returns the name of a folder: dmn-<device name>-<type>-<source>-<reason>--<timestamp> (DMN-4, DMN-7). Characters that
// Windows allows in no name become underscores.
func FolderName(device, kind string, source Source, reason string, at time.Time) string {
	device = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\/:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, device)
	const maxDevice = 80
	if len(device) > maxDevice {
		device = strings.ToValidUTF8(device[:maxDevice], "")
	}
	return fmt.Sprintf("dmn-%s-%s-%s-%s--%d.%d.%d-%s", device, kind, source, reason, at.Month(), at.Day(), at.Year(), at.Format("15.04.05.000"))
}

// Incident is what the name of a folder says.
type Incident struct {
	// Device is empty in the manual's example.
	Device, Kind, Reason string
	Source               Source
	Time                 time.Time
}

// ParseFolderName reads the name of a folder as FolderName writes it, and as the manual's example is printed: without a device, with
// one dash before the date and an en dash before the time (DMN-5).
func ParseFolderName(name string) (i Incident, ok bool) {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(name, "\u2013", "-"), "dmn-")
	if !ok || len(name) > maxFolderName {
		return i, false
	}
	parts := strings.Split(rest, "-")
	n := len(parts)
	if n < 5 {
		return i, false
	}
	if i.Time, ok = parseStamp(parts[n-2], parts[n-1]); !ok {
		return i, false
	}
	if parts = parts[:n-2]; parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	if n = len(parts); n < 3 {
		return i, false
	}
	i.Device, i.Kind, i.Source, i.Reason = strings.Join(parts[:n-3], "-"), parts[n-3], Source(parts[n-2]), parts[n-1]
	return i, i.Kind != "" && i.Source != "" && i.Reason != ""
}

// maxFolderName is the length of a name in bytes.
const maxFolderName = 255

// parseStamp reads 4.13.2017 and 07.49.02.747.
func parseStamp(date, clock string) (at time.Time, ok bool) {
	at, err := time.Parse("1.2.2006 15.04.05.000", date+" "+clock)
	return at, err == nil
}
