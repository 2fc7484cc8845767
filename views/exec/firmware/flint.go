package firmware

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/firmware/image"
	"cxdeck/driver"
	"cxdeck/driver/flash"
	"cxdeck/driver/script"
	"cxdeck/views/exec"
)

// flintOptions has the parsed options of flint.
type flintOptions struct {
	device, file                string
	yes, notFailsafe, otherPSID bool
	rest                        []string
}

// readFlint parses the options of flint. burning accepts the options of a burn.
func readFlint(c *exec.Call, verb string, burning bool) (o flintOptions, err error) {
	tool := "flint " + verb
	for i := 0; i < len(c.Arguments); i++ {
		word := strings.ToLower(c.Arguments[i])
		into := &o.device
		switch {
		case isImageFlag(word):
			into = &o.file
			fallthrough
		case isDeviceFlag(word):
			if i++; i == len(c.Arguments) {
				return o, exec.Mistake("%s requires a name after %s", tool, c.Arguments[i-1])
			}
			*into = c.Arguments[i]
		case word == "-y" || word == "--yes":
			o.yes = true
		case word == "-s" || word == "--silent" || word == "-silent": // the lab prints no progress
		case burning && (word == "-nofs" || word == "--nofs"):
			o.notFailsafe = true
		case burning && (word == "-allow_psid_change" || word == "--allow_psid_change"):
			o.otherPSID = true
		case strings.HasPrefix(word, "-"):
			return o, exec.Mistake("%s does not support %q; help %s explains it", tool, c.Arguments[i], tool)
		default:
			o.rest = append(o.rest, c.Arguments[i])
		}
	}
	return o, nil
}

// flashOf returns a card with its flash, and the image there.
func flashOf(c *exec.Call, device string) (a *driver.AdapterView, f flash.Card, i image.Image, err error) {
	if a, err = findCard(c, device); err != nil {
		return nil, f, i, err
	}
	err = c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		set := h.Flash()
		card, err := set.Card(a.Description.Name)
		if err != nil {
			return err
		}
		f = set.Flash(card)
		r, ok := flash.FindRelease(a.Description.DeviceID, f.Stored.Version)
		if !ok {
			r = flash.Release{Version: f.Stored.Version}
		}
		r.ROM = f.Stored.ROM
		i = flash.NewImage(a.Description.DeviceID, r, f.Stored.PSID, set.ImageSettings(card))
		return nil
	})
	return a, f, i, err
}

// readImage reads the file of an image. An image with a damaged section comes with its error.
func readImage(c *exec.Call, path string) (i image.Image, sections []image.Section, data []byte, err error) {
	if data, err = c.Read(path, image.MaxSize); err != nil {
		return i, nil, nil, err
	}
	if i, sections, err = image.Decode(data); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return i, sections, data, err
}

// kindOf returns the kind of the images of a card, as flint names it.
func kindOf(device uint16) string {
	switch {
	case device < 0x1011:
		return "FS2"
	case device < 0x1017:
		return "FS3"
	}
	return "FS4"
}

// imageRow is an image as JSON.
type imageRow struct {
	File    string            `json:"file,omitempty"`
	Device  *exec.DeviceRow   `json:"device,omitempty"`
	Kind    string            `json:"image_type"`
	Version string            `json:"version"`
	Running string            `json:"running,omitempty"`
	Date    string            `json:"release_date,omitempty"`
	ROM     string            `json:"rom,omitempty"`
	PSID    string            `json:"psid,omitempty"`
	Board   string            `json:"board_psid,omitempty"`
	Digest  string            `json:"digest,omitempty"`
	Values  map[string]uint32 `json:"settings,omitempty"`
	Partial int               `json:"partial_percent,omitempty"`
	Damaged bool              `json:"damaged,omitempty"`
	Exposed bool              `json:"not_failsafe,omitempty"`
}

func rowOf(i *image.Image) imageRow {
	kind := kindOf(i.Devices[0])
	if i.Source {
		kind = "MLX"
	}
	return imageRow{Kind: kind, Version: i.Version, Date: i.Date, ROM: i.ROM, PSID: i.PSID, Values: i.Settings}
}

// lines returns what flint q prints about an image.
func (r *imageRow) lines(i *image.Image) (lines []string) {
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, fmt.Sprintf("%-22s %s", name+":", value))
		}
	}
	add("Image type", r.Kind)
	add("FW Version", r.Version)
	if r.Running != r.Version {
		add("FW Version(Running)", r.Running)
	}
	if day, err := time.Parse(time.DateOnly, r.Date); err == nil {
		add("FW Release Date", day.Format("2.1.2006"))
	}
	if r.ROM != "" {
		add("Rom Info", "type=PXE version="+r.ROM)
	}
	for _, device := range i.Devices {
		add("Device ID", fmt.Sprint(device))
	}
	add("PSID", r.PSID)
	if r.Board != r.PSID {
		add("Orig PSID", r.Board)
	}
	add("Digest", r.Digest)
	return lines
}

// flintQuery implements flint q for the flash of a card, or for a file.
func flintQuery(c *exec.Call) (exec.Answer, error) {
	o, err := readFlint(c, "q", false)
	if err == nil && len(o.rest) > 0 && !slices.Equal(o.rest, []string{"full"}) {
		err = exec.Mistake("flint q takes only full, not %q", o.rest[0])
	}
	switch {
	case err != nil:
		return exec.Answer{}, err
	case (o.device == "") == (o.file == ""):
		return exec.Answer{}, exec.Mistake("flint q requires -d with a device, or -i with the file of an image")
	case o.file != "":
		i, _, data, err := readImage(c, o.file)
		if err != nil {
			return exec.Answer{}, err
		}
		row := rowOf(&i)
		row.File, row.Digest = o.file, image.Digest(data)
		return exec.PrintLines(row.lines(&i), row), nil
	}
	a, f, i, err := flashOf(c, o.device)
	if err != nil {
		return exec.Answer{}, err
	}
	row, device := rowOf(&i), exec.DeviceOf(a)
	row.Device, row.Running, row.Board, row.Digest = &device, f.Running.Version, f.Board, f.Stored.Digest
	row.Partial, row.Damaged, row.Exposed = f.Partial, f.Damaged, f.NotFailsafe
	lines := row.lines(&i)
	lines = append(lines, "GUIDs:", "  Node                 "+a.Description.NodeGUID.String())
	for n := range a.Description.Ports {
		lines = append(lines, fmt.Sprintf("  Port%d                %s", n+1, a.Description.Ports[n].GUID))
	}
	if f.Damaged {
		lines = append(lines, "-W- The flash has no image that the card can load: burn one.")
	}
	if f.Partial > 0 {
		lines = append(lines, fmt.Sprintf("-W- An interrupted burn left %d%% of an image in the second half of the flash.", f.Partial))
	}
	return exec.PrintLines(lines, row), nil
}

// flintVerify implements flint v: it checks the sections of the image in the flash of a card, or in a file.
func flintVerify(c *exec.Call) (exec.Answer, error) {
	o, err := readFlint(c, "v", false)
	switch {
	case err != nil:
		return exec.Answer{}, err
	case len(o.rest) > 0:
		return exec.Answer{}, exec.Mistake("unexpected argument %q: flint -d DEVICE v, or flint -i FILE v", o.rest[0])
	case (o.device == "") == (o.file == ""):
		return exec.Answer{}, exec.Mistake("flint v requires -d with a device, or -i with the file of an image")
	}
	var i image.Image
	var sections []image.Section
	notFailsafe := false
	if o.file != "" {
		var damaged *image.DamagedError
		if i, sections, _, err = readImage(c, o.file); err != nil && (!errors.As(err, &damaged) || len(i.Devices) == 0) {
			return exec.Answer{}, err
		}
	} else {
		var f flash.Card
		if _, f, i, err = flashOf(c, o.device); err != nil {
			return exec.Answer{}, err
		}
		sections, notFailsafe = i.Sections(), f.NotFailsafe
		if f.Damaged { // the burn was interrupted in the longest section
			at := slices.IndexFunc(sections, func(s image.Section) bool { return s.Name == "FW_MAIN" })
			sections = sections[:at+1]
			sections[at].Sound = false
		}
	}
	kind := "failsafe"
	if notFailsafe {
		kind = "non failsafe"
	}
	lines := []string{fmt.Sprintf("%s %s image. Start address: 0x0.", rowOf(&i).Kind, kind), ""}
	bootable := err == nil
	type sectionRow struct {
		Name  string `json:"name"`
		Begin int    `json:"begin"`
		End   int    `json:"end"`
		Sound bool   `json:"sound"`
	}
	rows := []sectionRow{}
	for _, s := range sections {
		verdict := "OK"
		if !s.Sound {
			verdict, bootable = "wrong CRC", false
		}
		rows = append(rows, sectionRow(s))
		lines = append(lines, fmt.Sprintf("     /0x%08x-0x%08x (0x%06x)/ (%s) - %s", s.Begin, s.End, s.End-s.Begin+1, s.Name, verdict))
	}
	lines = append(lines, "")
	if bootable {
		lines = append(lines, "-I- FW image verification succeeded. Image is bootable.")
	} else {
		lines = append(lines, "-E- FW image verification failed. Image is not bootable.")
	}
	answer := exec.PrintLines(lines, struct {
		Bootable bool         `json:"bootable"`
		Sections []sectionRow `json:"sections"`
	}{bootable, rows})
	answer.Failed = !bootable
	return answer, nil
}

// write writes a file. replace replaces one that exists; otherwise hint says what to do about it.
func write(c *exec.Call, path string, data []byte, replace bool, hint string) error {
	if replace {
		c.Flags["force"] = "true"
	}
	err := c.Write([]script.File{{Path: path, Data: data}})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the file %s exists already; %s", path, hint)
	}
	return err
}

// flintRead implements flint ri: it writes the image in the flash of a card to a file.
func flintRead(c *exec.Call) (exec.Answer, error) {
	o, err := readFlint(c, "ri", false)
	switch {
	case err != nil:
		return exec.Answer{}, err
	case o.device == "" || len(o.rest) != 1:
		return exec.Answer{}, exec.Mistake("flint ri requires -d with a device, and the name of a file: flint -d DEVICE ri FILE")
	}
	a, f, i, err := flashOf(c, o.device)
	if err == nil && f.Damaged {
		err = fmt.Errorf("the flash of %s has no complete image", a.Description.Name)
	}
	if err != nil {
		return exec.Answer{}, err
	}
	if err := write(c, o.rest[0], i.Encode(), o.yes, "-y replaces it"); err != nil {
		return exec.Answer{}, err
	}
	row := rowOf(&i)
	row.File = o.rest[0]
	return exec.PrintLines([]string{fmt.Sprintf("-I- The image %s was read to %s.", i.Version, o.rest[0])}, row), nil
}

// flintDump implements flint dc: it prints the ini file of the image in the flash of a card, or writes it to > FILE. Then it prints the
// section that the manual looks at.
func flintDump(c *exec.Call) (exec.Answer, error) {
	file := ""
	if at := slices.Index(c.Arguments, ">"); at >= 0 {
		if at != len(c.Arguments)-2 {
			return exec.Answer{}, exec.Mistake("> must be followed by the name of one file, at the end")
		}
		file = c.Arguments[at+1]
		c.Arguments = c.Arguments[:at]
	}
	o, err := readFlint(c, "dc", false)
	switch {
	case err == nil && len(o.rest) > 0:
		err = exec.Mistake("unexpected argument %q: flint -d DEVICE dc", o.rest[0])
	case err == nil && (o.device == "") == (o.file == ""):
		err = exec.Mistake("flint dc requires -d with a device; mst status lists them")
	}
	if err != nil {
		return exec.Answer{}, err
	}
	var i image.Image
	if o.file != "" {
		if i, _, _, err = readImage(c, o.file); err == nil && i.Source {
			err = errSource(o.file)
		}
	} else {
		var a *driver.AdapterView
		if a, _, i, err = flashOf(c, o.device); err == nil && a.Description.Family != description.WinOF {
			err = fmt.Errorf("the image of %s has no ini file with virtual functions; mlxconfig sets them", a.Description.Name)
		}
	}
	if err != nil {
		return exec.Answer{}, err
	}
	all, lines := iniLines(&i)
	if file == "" {
		lines = all
	} else if err := write(c, file, []byte(strings.Join(all, "\n")+"\n"), false, "choose another name"); err != nil {
		return exec.Answer{}, err
	}
	return exec.PrintLines(lines, struct {
		Lines []string `json:"lines"`
		File  string   `json:"file,omitempty"`
	}{lines, file}), nil
}
