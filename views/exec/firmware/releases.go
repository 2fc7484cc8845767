package firmware

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/device/firmware/image"
	"cxdeck/driver"
	"cxdeck/driver/flash"
	"cxdeck/driver/request"
	"cxdeck/driver/script"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

// stockSettings returns the fields of the ini file that a card came with.
func stockSettings(a *description.Adapter) map[string]uint32 {
	if a.Family != description.WinOF || a.FirmwareVFs == 0 {
		return nil
	}
	return map[string]uint32{firmware.TotalVFs: uint32(a.FirmwareVFs), firmware.ImageIOV: 1}
}

// releaseRow is a firmware release as JSON.
type releaseRow struct {
	Adapter string `json:"adapter"`
	Version string `json:"version"`
	Date    string `json:"release_date"`
	ROM     string `json:"rom"`
	State   string `json:"state,omitempty"`
}

// firmwareReleases lists the firmware releases for cards.
func firmwareReleases(c *exec.Call, in *struct {
	View *driver.View
	Card *driver.AdapterView
}) (exec.Answer, error) {
	rows := []releaseRow{}
	for n := range in.View.Adapters {
		a := &in.View.Adapters[n]
		if in.Card != nil && in.Card.Description.Name != a.Description.Name {
			continue
		}
		_, f, _, err := flashOf(c, a.DeviceName)
		if err != nil {
			return exec.Answer{}, err
		}
		for _, r := range flash.Releases(a.Description.DeviceID) {
			var state []string
			if r.Version == f.Running.Version && !f.RunsNothing {
				state = append(state, "runs")
			}
			if r.Version == f.Stored.Version && !f.Damaged && f.Stored != f.Running {
				state = append(state, "from the next reset")
			}
			rows = append(rows, releaseRow{a.Description.Name, r.Version, r.Date, r.ROM, strings.Join(state, ", ")})
		}
	}
	return releaseTable(rows), nil
}

// firmwareDownload writes the image or the source of a release, as the vendor's site has it, to a file.
func firmwareDownload(c *exec.Call, in *struct {
	Card    *driver.AdapterView
	Version string
	File    string
	PSID    string `flag:"psid"`
	Source  bool   `flag:"source"`
}) (exec.Answer, error) {
	a := in.Card.Description
	r, ok := flash.FindRelease(a.DeviceID, in.Version)
	if strings.EqualFold(in.Version, "latest") {
		r, ok = flash.Latest(a.DeviceID, "")
	}
	if !ok {
		var versions []string
		for _, known := range flash.Releases(a.DeviceID) {
			versions = append(versions, known.Version)
		}
		return exec.Answer{}, request.Errorf("there is no firmware %q for %s%s", in.Version, a.Name, exec.Suggest(in.Version, versions, "firmware releases lists them"))
	}
	if in.Source && in.PSID != "" {
		return exec.Answer{}, exec.Mistake("a firmware source fits every board: --psid belongs to an image")
	}
	_, f, _, err := flashOf(c, in.Card.DeviceName)
	if err != nil {
		return exec.Answer{}, err
	}
	i := flash.NewImage(a.DeviceID, r, cmp.Or(in.PSID, f.Board), stockSettings(a))
	if in.Source {
		i = flash.NewSource(a.DeviceID, r)
	}
	data := i.Encode()
	if _, _, err := image.Decode(data); err != nil {
		return exec.Answer{}, request.Errorf("invalid PSID %q: it must have at most 64 printable characters", in.PSID)
	}
	if err := c.Write([]script.File{{Path: in.File, Data: data}}); err != nil {
		return exec.Answer{}, err
	}
	row := rowOf(&i)
	row.File, row.Digest = in.File, image.Digest(data)
	what := "The image " + i.Version + " for PSID " + i.PSID
	if i.Source {
		what = "The firmware source " + i.Version
	}
	return exec.PrintLines([]string{fmt.Sprintf("%s was written to %s: %s.", what, in.File, wording.Count(len(data), "byte"))}, row), nil
}

// firmwareInterrupt has the next burn of a card be interrupted.
func firmwareInterrupt(c *exec.Call, in *struct {
	Card    *driver.AdapterView
	Percent string
}) (exec.Answer, error) {
	o := flash.CutBurn{Adapter: in.Card.Description.Name}
	if !strings.EqualFold(in.Percent, "off") {
		n, err := exec.Integer(strings.TrimSuffix(in.Percent, "%"), "the percentage", 1, 99)
		if err != nil {
			return exec.Answer{}, err
		}
		o.Percent = n
	}
	return c.ApplyOne(o)
}

func releaseTable(rows []releaseRow) exec.Answer {
	return exec.Answer{
		Result: struct {
			Releases []releaseRow `json:"releases"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "CARD", "VERSION", "RELEASED", "EXPANSION ROM", "STATE")
			for _, r := range rows {
				t.Row(r.Adapter, r.Version, r.Date, r.ROM, r.State)
			}
			return t.Flush()
		},
	}
}
