package evidence

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/device/capture/pcap"
	"cxdeck/device/packet"
	"cxdeck/driver"
	"cxdeck/driver/sniffer"
	"cxdeck/views/exec"
	"cxdeck/views/frames"
)

// captureCounts is a part of a capture as JSON: the frames that have these values in common.
type captureCounts struct {
	Direction string `json:"direction"`
	Protocol  string `json:"protocol"`
	Priority  *int   `json:"priority"`
	VLAN      *int   `json:"vlan"`
	DSCP      *int   `json:"dscp"`
	Marked    bool   `json:"congestion_experienced"`
	sniffer.Count
}

// captureStart is the input of capture.
type captureStart struct {
	Name, File string
}

// captureFrames implements capture NAME FILE.
func captureFrames(c *exec.Call, in *captureStart) (exec.Answer, error) {
	o, err := captureOptions(c)
	if err != nil {
		return exec.Answer{}, err
	}
	place, result, err := c.Capture(in.Name, in.File, pcap.FormatOf(in.File), o, nil)
	if err != nil {
		return exec.Answer{}, err
	}
	rows := captureRows(result)
	return exec.Answer{
		Result: struct {
			Place    string          `json:"place"`
			File     string          `json:"file"`
			Seconds  float64         `json:"seconds"`
			Seen     uint64          `json:"seen_frames"`
			Kept     uint64          `json:"kept_frames"`
			Snap     int             `json:"bytes_per_frame"`
			Size     int64           `json:"file_bytes"`
			Full     bool            `json:"size_limit_reached"`
			Received uint64          `json:"port_received_frames"`
			Sent     uint64          `json:"port_sent_frames"`
			Complete bool            `json:"complete"`
			Counts   []captureCounts `json:"counts"`
		}{place.Name, in.File, result.To.Sub(result.From).Seconds(), result.Seen, result.Kept, result.Bytes, result.Size, result.Full,
			result.Received, result.Sent, result.Complete, rows},
		Text: func(w io.Writer) error { return writeCapture(w, &place, in.File, result, rows) },
	}, nil
}

// captureText returns the words of filters as a phrase.
func captureText() string {
	list := packet.Words()
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// captureOptions reads the flags of capture.
func captureOptions(c *exec.Call) (o sniffer.Options, err error) {
	number := func(flag string, limit int) (n int) {
		text, given := c.Flags[flag]
		if !given || err != nil {
			return 0
		}
		n, err = exec.Integer(text, "--"+flag, 1, limit)
		return n
	}
	o.Frames = uint64(number("frames", sniffer.MaxFrames))
	o.Bytes, o.Ring = number("bytes", 1<<16), number("ring", sniffer.MaxRing)
	o.Size = int64(number("max-size", sniffer.MaxSize>>20)) << 20
	if err != nil {
		return o, err
	}
	if text, given := c.Flags["for"]; given {
		if o.For, err = time.ParseDuration(text); err != nil || o.For <= 0 || o.For > sniffer.MaxTime {
			return o, exec.Mistake("invalid time %q: write 500ms, 10s or 5m, at most 1h", text)
		}
	}
	if o.Filter, err = packet.ParseFilter(c.Flags["filter"]); err != nil {
		return o, exec.Mistake("%v", err)
	}
	return o, nil
}

// captureRows returns the parts of a capture, the largest first.
func captureRows(r *sniffer.Result) []captureCounts {
	rows := []captureCounts{}
	known := func(n int) *int {
		if n < 0 {
			return nil
		}
		return &n
	}
	for key, count := range r.Counts {
		row := captureCounts{"received", key.Protocol, known(key.Priority), known(key.VLAN), known(key.DSCP), key.Marked, count}
		if key.Sent {
			row.Direction = "sent"
		}
		rows = append(rows, row)
	}
	value := func(n *int) int {
		if n == nil {
			return -1
		}
		return *n
	}
	slices.SortFunc(rows, func(a, b captureCounts) int {
		return cmp.Or(cmp.Compare(b.Frames, a.Frames), cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Protocol, b.Protocol),
			cmp.Compare(value(a.Priority), value(b.Priority)), cmp.Compare(value(a.VLAN), value(b.VLAN)), cmp.Compare(value(a.DSCP), value(b.DSCP)))
	})
	return rows
}

func writeCapture(w io.Writer, place *sniffer.Place, file string, r *sniffer.Result, rows []captureCounts) error {
	text := func(n *int) string {
		if n == nil {
			return "-"
		}
		return strconv.Itoa(*n)
	}
	if _, err := fmt.Fprintf(w, "%s: %d of %d frames in %s are in %s, %s.\n", exec.Clean(place.Name), r.Kept, r.Seen,
		r.To.Sub(r.From), exec.Clean(file), fileSize(r.Size)); err != nil {
		return err
	}
	if len(rows) > 0 {
		t := exec.NewTextTable(w, "DIRECTION", "PROTOCOL", "VLAN", "PRIORITY", "DSCP", "ECN", "FRAMES", "BYTES")
		for i := range rows {
			row, mark := &rows[i], "-"
			if row.Marked {
				mark = "CE"
			}
			t.Row(row.Direction, row.Protocol, text(row.VLAN), text(row.Priority), text(row.DSCP), mark,
				strconv.FormatUint(row.Frames, 10), strconv.FormatUint(row.Bytes, 10))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	for _, note := range captureNotes(place, r) {
		if _, err := fmt.Fprintln(w, exec.Clean(note)); err != nil {
			return err
		}
	}
	return nil
}

// fileSize returns a number of bytes in kB or MB.
func fileSize(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

// captureNotes returns sentences on the end of a capture.
func captureNotes(place *sniffer.Place, r *sniffer.Result) (notes []string) {
	if r.Bytes > 0 {
		notes = append(notes, fmt.Sprintf("The first %d bytes of each frame are kept; --bytes changes that.", r.Bytes))
	}
	if r.Full {
		notes = append(notes, "The file reached its limit of size, which ended the capture; --max-size changes it.")
	}
	if r.Silent {
		notes = append(notes, "No frame to keep came for a minute, which ended the capture.")
	}
	if r.Complete {
		notes = append(notes, fmt.Sprintf("The counters of %s rose by the same numbers: %d frames received, %d sent.", place.Name, r.Received, r.Sent))
	}
	return notes
}

// capturePlace is a place of a capture as JSON.
type capturePlace struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Up          bool   `json:"link_up"`
}

// captureList implements capture list.
func captureList(c *exec.Call) (exec.Answer, error) {
	rows := []capturePlace{}
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) error {
		for _, p := range sniffer.Places(h) {
			rows = append(rows, capturePlace{p.Name, p.Description, p.Up})
		}
		return nil
	}); err != nil {
		return exec.Answer{}, err
	}
	return exec.Answer{
		Result: struct {
			Places []capturePlace `json:"places"`
		}{rows},
		Text: func(w io.Writer) error {
			t := exec.NewTextTable(w, "NAME", "LINK", "DESCRIPTION")
			for _, row := range rows {
				link := "down"
				if row.Up {
					link = "up"
				}
				t.Row(row.Name, link, row.Description)
			}
			return t.Flush()
		},
	}, nil
}

// maxShown is the maximum number of frames of capture show.
const maxShown = 10_000

// captureShow implements capture show: it prints the next frames at a place.
func captureShow(c *exec.Call) (exec.Answer, error) {
	o, err := captureOptions(c)
	if err != nil {
		return exec.Answer{}, err
	}
	const byDefault = 20
	if o.Frames == 0 {
		o.Frames = byDefault
	}
	if o.Frames > maxShown {
		return exec.Answer{}, exec.Mistake("--frames must be at most %d here; capture writes more to a file", maxShown)
	}
	var place sniffer.Place
	var copied *driver.Host
	if err := c.Host.ReadHost(c.Ctx, func(h *driver.Host) (err error) {
		place, err = sniffer.Find(h, c.Arguments[0])
		copied = h.Clone()
		return err
	}); err != nil {
		return exec.Answer{}, err
	}
	if !place.Up {
		return exec.Answer{}, fmt.Errorf("the link of %s is down: there is nothing to capture", place.Name)
	}
	list, err := sniffer.List(c.Ctx, copied, place, o)
	if err != nil {
		return exec.Answer{}, err
	}
	if list == nil {
		list = []sniffer.Line{}
	}
	return exec.Answer{
		Result: struct {
			Place  string         `json:"place"`
			Frames []sniffer.Line `json:"frames"`
		}{place.Name, list},
		Text: func(w io.Writer) error {
			if len(list) == 0 {
				_, err := fmt.Fprintln(w, "No frame matches.")
				return err
			}
			return frames.Write(w, list)
		},
	}, nil
}
