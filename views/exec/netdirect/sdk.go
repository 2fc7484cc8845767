package netdirect

import (
	"slices"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/request"
	"cxdeck/views/exec"
)

// sdkFolder is the folder of the software development kit of WinOF (002:5698).
const sdkFolder = `C:\Program Files\Mellanox\MLNX_VPI\IB\SDK`

// sdkFiles are files of the package: headers, libraries and the code of examples.
var sdkFiles = []string{
	`inc\ndspi.h`, `inc\ndstatus.h`, `inc\nddef.h`, `inc\ndioctl.h`, `lib\x64\ndutil.lib`, `lib\x86\ndutil.lib`,
	`examples\nd_send_bw\nd_send_bw.cpp`, `examples\nd_write_bw\nd_write_bw.cpp`, `examples\nd_read_bw\nd_read_bw.cpp`, `examples\nd_rping\nd_rping.cpp`,
}

// sdk implements sdk.exe: it opens the package, and lists its files.
func sdk(c *exec.Call) (exec.Answer, error) {
	err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		if !slices.ContainsFunc(h.Lab().Description().Adapters, func(a description.Adapter) bool { return a.Family == description.WinOF }) {
			return request.Errorf(`sdk.exe was not found: only the package of WinOF has %s`, sdkFolder)
		}
		return nil
	})
	lines := []string{"The files of the SDK in " + sdkFolder + ":"}
	for _, file := range sdkFiles {
		lines = append(lines, "  "+file)
	}
	lines = append(lines, "The examples are compiled with the Windows Driver Kit 8.1 or later and Visual Studio 2015.")
	return exec.PrintLines(lines, struct {
		Folder string   `json:"folder"`
		Files  []string `json:"files"`
	}{sdkFolder, sdkFiles}), err
}
