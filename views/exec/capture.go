package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"cxdeck/device/capture/pcap"
	"cxdeck/driver"
	"cxdeck/driver/sniffer"
)

// Capture captures the frames at a place of the host on a copy, and writes them to a file: libpcap if its name ends in .pcap or .cap,
// pcapng otherwise. check may refuse the place; nil accepts all.
func (c *Call) Capture(name, path string, format pcap.Format, o sniffer.Options, check func(*sniffer.Place) error) (place sniffer.Place, result *sniffer.Result, err error) {
	if filepath.Clean(path) == "." {
		return place, nil, errNoName
	}
	var copied *driver.Host
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		place, err = sniffer.Find(h, name)
		if err == nil {
			copied = h.Clone()
		}
		return err
	}); err != nil {
		if unknown := (*sniffer.UnknownPlaceError)(nil); errors.As(err, &unknown) {
			err = fmt.Errorf("%w%s", err, Suggest(unknown.Name, unknown.Names, "capture list prints the names"))
		}
		return place, nil, err
	}
	if check != nil {
		if err := check(&place); err != nil {
			return place, nil, err
		}
	}
	if !place.Up {
		return place, nil, fmt.Errorf("the link of %s is down: there is nothing to capture", place.Name)
	}
	// An error of the capture itself is not one of the file.
	var failed error
	err = c.Stream(path, func(w io.Writer) error {
		result, failed = sniffer.Run(c.Ctx, copied, place, o, w, format)
		return failed
	})
	if failed != nil && (errors.Is(failed, context.Canceled) || isOption(failed)) {
		err = failed
	}
	return place, result, err
}

// isOption reports whether an error is of the options of a capture.
func isOption(err error) bool {
	option := (*sniffer.OptionError)(nil)
	return errors.As(err, &option)
}
