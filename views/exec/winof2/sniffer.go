package winof2

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"cxdeck/device/capture/pcap"
	"cxdeck/device/description"
	"cxdeck/driver/sniffer"
	"cxdeck/views/exec"
	"cxdeck/views/exec/registrykey"
)

// The defaults of mlx5cmd -Sniffer: the name of the file, and the number of frames.
const (
	snifferFile   = "sniffer.pcap"
	snifferFrames = 4096
)

// sniff implements mlx5cmd -Sniffer. The manual only names it: the options are the lab's own.
func sniff(c *exec.Call) (exec.Answer, error) {
	name, file, frames := "", snifferFile, snifferFrames
	for i := 0; i < len(c.Arguments); i += 2 {
		option := c.Arguments[i]
		if i+1 == len(c.Arguments) {
			return exec.Answer{}, exec.Mistake("mlx5cmd -Sniffer requires a value after %s", option)
		}
		value := c.Arguments[i+1]
		switch strings.ToLower(option) {
		case "-name":
			name = value
		case "-filename":
			file = value
		case "-frames":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > sniffer.MaxFrames {
				return exec.Answer{}, exec.Mistake("-Frames of mlx5cmd -Sniffer must be an integer from 1 to %d, not %q", sniffer.MaxFrames, value)
			}
			frames = n
		default:
			return exec.Answer{}, exec.Mistake("mlx5cmd -Sniffer does not support %q; it takes -Name, -FileName and -Frames", option)
		}
	}
	if name == "" {
		return exec.Answer{}, exec.Mistake("mlx5cmd -Sniffer requires -Name NAME")
	}
	targets, err := registrykey.ToolTargets(c, description.WinOF2, "mlx5cmd -Sniffer", name, true)
	if err != nil {
		return exec.Answer{}, err
	}
	connection := targets[0].Connection
	_, result, err := c.Capture(connection, file, pcap.Classic, sniffer.Options{Frames: uint64(frames)}, nil)
	switch {
	case errors.Is(err, fs.ErrExist):
		return exec.Answer{}, fmt.Errorf("the file %s exists already; choose another name with -FileName", file)
	case err != nil:
		return exec.Answer{}, err
	}
	return exec.PrintLines([]string{fmt.Sprintf("%s: %d frames are in %s.", connection, result.Kept, file)}, struct {
		Connection string `json:"connection"`
		File       string `json:"file"`
		Frames     uint64 `json:"frames"`
	}{connection, file, result.Kept}), nil
}
