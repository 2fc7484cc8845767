package firmware

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/firmware/image"
	"cxdeck/driver"
	"cxdeck/driver/flash"
	"cxdeck/driver/request"
	"cxdeck/driver/wording"
	"cxdeck/views/exec"
)

func errSource(path string) error {
	return fmt.Errorf("%s is a firmware source: mlxburn -wrimage builds an image from it", path)
}

// flintBurn implements flint b.
func flintBurn(c *exec.Call) (exec.Answer, error) {
	o, err := readFlint(c, "b", true)
	switch {
	case err != nil:
		return exec.Answer{}, err
	case len(o.rest) > 0:
		return exec.Answer{}, exec.Mistake("unexpected argument %q: flint -d DEVICE -i FILE b", o.rest[0])
	case o.device == "":
		return exec.Answer{}, exec.Mistake("flint b requires -d with a device; mst status lists them")
	case o.file == "":
		return exec.Answer{}, exec.Mistake("flint b requires -i with the file of an image; firmware download writes one")
	}
	i, _, data, err := readImage(c, o.file)
	if err != nil {
		return exec.Answer{}, err
	}
	if i.Source {
		return exec.Answer{}, errSource(o.file)
	}
	return burn(c, &o, &i, data)
}

// burn burns an image into the card of the options. What is unusual is asked, as flint does; -y answers yes.
func burn(c *exec.Call, o *flintOptions, i *image.Image, data []byte) (exec.Answer, error) {
	a, f, _, err := flashOf(c, o.device)
	if err != nil {
		return exec.Answer{}, err
	}
	op := flash.Burn{
		Adapter: a.Description.Name, File: o.file, Image: flash.Content{Version: i.Version, PSID: i.PSID, ROM: i.ROM, Digest: image.Digest(data)},
		Devices: i.Devices, Settings: i.Settings, AllowPSIDChange: o.otherPSID, NotFailsafe: o.notFailsafe, Cut: f.Cut,
	}
	refusal := func() (err error) {
		return c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
			set := h.Flash()
			return set.Refusal(op)
		})
	}
	lines := []string{"", "    Current FW version on flash:  " + f.Stored.Version, "    New FW version:               " + i.Version, ""}
	question := ""
	err = refusal()
	var older *flash.OlderError
	var other *flash.PSIDError
	switch {
	case errors.As(err, &older):
		op.Force, question = true, "The new FW version is older than the current FW version on flash."
		if older.Same {
			question = "The new FW version is the same as the current FW version on flash."
		}
		err = refusal()
	case errors.As(err, &other):
		return exec.Answer{}, fmt.Errorf("%w; -allow_psid_change burns it all the same", err)
	}
	if err != nil {
		return exec.Answer{}, err
	}
	if i.PSID != f.Stored.PSID {
		question = fmt.Sprintf("You are about to replace the PSID on flash - %q with a different PSID - %q. An image for another board can make the card useless.", f.Stored.PSID, i.PSID)
	}
	if question != "" {
		q := exec.Question{Before: exec.CleanLines(append(lines, "    Note: "+question, "")), Text: "Do you want to continue ? (y/n) [n] :", Usual: "n"}
		yes, err := c.Ask(q, answerOf(o.yes))
		if err == nil && !yes {
			err = exec.AnswerNo("-y")
		}
		if err != nil {
			return exec.Answer{}, err
		}
		lines = nil
	}
	plan := driver.Plan{Title: wording.UpperFirst(op.Describe()), Operations: []driver.Operation{op}}
	entry, err := c.Do(plan)
	if err != nil {
		return exec.Answer{}, err
	}
	what := "Burning " + kindOf(a.Description.DeviceID) + " FW image without signatures - "
	if op.Cut > 0 {
		lines = append(lines, fmt.Sprintf("%s%d%%", what, op.Cut), "-E- Burning the image failed: the power failed.")
		switch {
		case f.NotFailsafe || o.notFailsafe:
			lines = append(lines, "-E- The flash has no image that the card can load: burn again before the card is reset.")
		default:
			lines = append(lines, "-I- The former image is still in the flash, and the card loads it.")
		}
	} else {
		lines = append(lines, what+"OK", "Restoring signature                     - OK", "-I- To load new FW run mlxfwreset or reboot machine.")
	}
	answer := exec.PrintLines(lines, struct {
		Change exec.EntryRow `json:"change"`
	}{entry})
	answer.Failed = op.Cut > 0
	return answer, nil
}

// mlxburnOptions are the options of mlxburn with a value, by their spellings.
var mlxburnOptions = map[string]string{
	"-fw": "fw", "-conf": "conf", "-c": "conf", "-wrimage": "wrimage", "-wrbin": "wrimage", "-d": "dev", "-dev": "dev", "--device": "dev", "-i": "image", "-img": "image", "-image": "image",
}

// mlxburn builds an image from a firmware source and an ini file, and writes it to a file or burns it.
func mlxburn(c *exec.Call) (exec.Answer, error) {
	given := map[string]string{}
	o := flintOptions{}
	for i := 0; i < len(c.Arguments); i++ {
		word := strings.ToLower(c.Arguments[i])
		name := mlxburnOptions[word]
		switch {
		case name != "" && given[name] != "":
			return exec.Answer{}, exec.Mistake("mlxburn takes %s once", c.Arguments[i])
		case name != "":
			if i++; i == len(c.Arguments) {
				return exec.Answer{}, exec.Mistake("mlxburn requires a name after %s", c.Arguments[i-1])
			}
			given[name] = c.Arguments[i]
		case word == "-force" || word == "-y":
			o.yes = true
		case word == "-nofs":
			o.notFailsafe = true
		case word == "-allow_psid_change":
			o.otherPSID = true
		default:
			return exec.Answer{}, exec.Mistake("mlxburn does not support %q; help mlxburn explains it", c.Arguments[i])
		}
	}
	switch {
	case given["wrimage"] != "" && given["dev"] != "":
		return exec.Answer{}, exec.Mistake("mlxburn takes -wrimage, which writes a file, or -dev, which burns a card")
	case given["wrimage"] == "" && given["dev"] == "":
		return exec.Answer{}, exec.Mistake("mlxburn requires -wrimage with the name of a file, or -dev with a device")
	case given["image"] != "" && given["dev"] != "" && given["fw"] == "" && given["conf"] == "":
		o.device, o.file = given["dev"], given["image"]
		i, _, data, err := readImage(c, o.file)
		if err == nil && i.Source {
			err = errSource(o.file)
		}
		if err != nil {
			return exec.Answer{}, err
		}
		return burn(c, &o, &i, data)
	case given["fw"] == "" || given["image"] != "":
		return exec.Answer{}, exec.Mistake("mlxburn requires -fw with a firmware source (.mlx); firmware download --source writes one")
	case given["conf"] == "":
		return exec.Answer{}, exec.Mistake("mlxburn requires -conf with an ini file; flint dc writes a card's ini file")
	}
	i, err := build(c, given["fw"], given["conf"])
	if err != nil {
		return exec.Answer{}, err
	}
	data := i.Encode()
	if given["dev"] != "" {
		o.device, o.file = given["dev"], given["fw"]
		return burn(c, &o, &i, data)
	}
	if err := write(c, given["wrimage"], data, o.yes, "-force replaces it"); err != nil {
		return exec.Answer{}, err
	}
	row := rowOf(&i)
	row.File, row.Digest = given["wrimage"], image.Digest(data)
	lines := []string{fmt.Sprintf("-I- Image %s for PSID %s was written to %s.", i.Version, i.PSID, given["wrimage"])}
	for _, name := range settingNames(i.Settings) {
		lines = append(lines, fmt.Sprintf("-I- %s = %d", name, i.Settings[name]))
	}
	return exec.PrintLines(lines, row), nil
}

// build makes the image of a firmware source with an ini file.
func build(c *exec.Call, source, conf string) (i image.Image, err error) {
	if i, _, _, err = readImage(c, source); err != nil {
		return i, err
	}
	if !i.Source {
		return i, fmt.Errorf("%s is an image already: flint b burns it", source)
	}
	data, err := c.Read(conf, maxINI)
	if err != nil {
		return i, err
	}
	ini, err := readINI(data)
	if err != nil {
		return i, fmt.Errorf("%s: %w", conf, err)
	}
	if !slices.Contains(i.Devices, ini.device) {
		return i, request.Errorf("%s is for the device 0x%04x, and the firmware source is not", conf, ini.device)
	}
	if firstMLX4 := slices.ContainsFunc(i.Devices, func(d uint16) bool { return kindOf(d) == "FS2" }); !firstMLX4 && len(ini.settings) > 0 {
		return i, fmt.Errorf("%s: images of WinOF-2 cards have no fields for virtual functions; mlxconfig sets them", conf)
	}
	i.Source, i.PSID, i.Settings, i.Devices = false, ini.psid, ini.settings, []uint16{ini.device}
	if file := i.Encode(); len(file) > image.MaxSize {
		return i, errors.New("the image is too large")
	}
	return i, nil
}
