// Package frames shows the frames on the cable of a port in a dialog, and exports them to a file for Wireshark.
package frames

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"cxdeck/device/capture/pcap"
	"cxdeck/driver/sniffer"
	"cxdeck/driver/wording"
	"cxdeck/perf/regular"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/exec"
)

// The frames in the dialog, and in an exported file.
const (
	shown    = 200
	exported = 1000
)

// Show captures the next frames of a connection on a copy of the host, and shows them.
func Show(d *deck.Deck, connection string) ui.Cmd {
	monitor := d.Monitor()
	title := "Frames of " + connection
	return ui.Background(title, func(ctx context.Context) ui.Msg {
		host, err := monitor.Clone(ctx)
		if err != nil {
			return failed(title, err)
		}
		place, err := sniffer.Find(host, connection)
		if err == nil && !place.Up {
			err = fmt.Errorf("the link of %s is down", connection)
		}
		if err != nil {
			return failed(title, err)
		}
		list, err := sniffer.List(ctx, host, place, sniffer.Options{Frames: shown})
		switch {
		case err != nil:
			return failed(title, err)
		case len(list) == 0:
			return failed(title, errors.New("no frame comes within a minute"))
		}
		var b strings.Builder
		if err := Write(&b, list); err != nil {
			return failed(title, err)
		}
		return ui.ShowText(title+" from now on; x exports them", b.String())()
	})
}

func failed(title string, err error) ui.Msg {
	return ui.Toast(ui.Failure, title+": "+err.Error())()
}

// Write prints frames as a table.
func Write(w io.Writer, list []sniffer.Line) error {
	t := exec.NewTextTable(w, "TIME", "FROM", "TO", "PROTOCOL", "LENGTH", "NOTES")
	for i := range list {
		l := &list[i]
		t.Row(l.Time.UTC().Format("15:04:05.000000"), l.From, l.To, l.Protocol, strconv.Itoa(l.Length), l.Notes)
	}
	return t.Flush()
}

// Export asks for the name of a file, and writes the next frames of a connection to it.
func Export(d *deck.Deck, connection string) ui.Cmd {
	monitor := d.Monitor()
	title := "Export frames of " + connection
	name := strings.ReplaceAll(connection, " ", "-") + ".pcapng"
	return ui.PromptWork(title, "File: .pcap or .pcapng, for Wireshark", name, checkName, title, func(ctx context.Context, path string) (ui.Msg, error) {
		path, err := filepath.Abs(strings.TrimSpace(path))
		if err != nil {
			return nil, err
		}
		host, err := monitor.Clone(ctx)
		if err != nil {
			return nil, err
		}
		place, err := sniffer.Find(host, connection)
		if err == nil && !place.Up {
			err = fmt.Errorf("the link of %s is down: there is nothing to capture", connection)
		}
		if err != nil {
			return nil, err
		}
		var result *sniffer.Result
		err = deck.StreamFile(path, false, func(w io.Writer) (err error) {
			result, err = sniffer.Run(ctx, host, place, sniffer.Options{Frames: exported}, w, pcap.FormatOf(path))
			return err
		})
		switch {
		case errors.Is(err, fs.ErrExist):
			return nil, fmt.Errorf("the file %s exists: choose another name", path)
		case err != nil:
			return nil, fmt.Errorf("nothing was exported to %s: %w", path, regular.Reason(err))
		}
		return ui.Toast(ui.Success, fmt.Sprintf("%s saved in %s.", wording.Count(int(result.Kept), "frame"), path))(), nil
	})
}

// checkName returns why a file name is invalid; empty for a valid one.
func checkName(path string) string {
	if strings.TrimSpace(path) == "" {
		return "Type the name of a file."
	}
	return ""
}
